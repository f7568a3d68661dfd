CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` text NOT NULL,
	`data` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id_unique` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_by_age` ON `events` (`at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event_id` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`available_at` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_state` ON `webhook_deliveries` (`state`,`available_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_event` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`url` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`events` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_company` ON `webhooks` (`company_id`,`created_at`);--> statement-breakpoint
CREATE TRIGGER `events_to_webhooks` AFTER INSERT ON `events` BEGIN
  INSERT INTO webhook_deliveries(id, webhook_id, event_id, state, attempts, available_at, created_at, updated_at)
    SELECT lower(hex(randomblob(16))), w.id, new.id, 'queued', 0, new.at, new.at, new.at FROM webhooks w
    WHERE w.company_id = new.company_id AND w.state = 'active' AND EXISTS (
      SELECT 1 FROM json_each(w.events) WHERE value IN ('*', new.type, substr(new.type, 1, instr(new.type, '.')) || '*'));
END;
--> statement-breakpoint
CREATE TRIGGER `events_run_queued` AFTER INSERT ON `runs` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'run.queued', new.id, json_object('runId', new.id, 'workflowId', new.workflow_id, 'status', new.status, 'errorCode', new.error_code, 'error', new.error), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_run_changed` AFTER UPDATE OF status ON `runs` WHEN old.status <> new.status BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, CASE new.status WHEN 'Completed' THEN 'run.completed' WHEN 'Error' THEN 'run.failed'
      WHEN 'Pending' THEN 'run.queued' ELSE 'run.' || lower(new.status) END, new.id, json_object('runId', new.id, 'workflowId', new.workflow_id, 'status', new.status, 'errorCode', new.error_code, 'error', new.error), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_render_queued` AFTER INSERT ON `operations` WHEN new.kind = 'render' BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'render.queued', new.subject_id, json_object('operationId', new.id, 'clipId', new.subject_id, 'state', new.state, 'attempts', new.attempts,
      'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_render_changed` AFTER UPDATE OF state ON `operations` WHEN new.kind = 'render' AND old.state <> new.state BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, CASE new.state WHEN 'running' THEN 'render.started' WHEN 'succeeded' THEN 'render.finished' ELSE 'render.' || new.state END, new.subject_id, json_object('operationId', new.id, 'clipId', new.subject_id, 'state', new.state, 'attempts', new.attempts,
      'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_clip_published` AFTER UPDATE OF published ON `clips` WHEN new.published AND NOT old.published BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'clip.created', new.id, json_object('clipId', new.id, 'runId', new.run_id, 'workflowId', new.workflow_id, 'title', new.title), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_clip_changed` AFTER UPDATE OF revision, rendered_media, published ON `clips`
  WHEN new.published AND old.published AND (new.revision <> old.revision OR new.rendered_media IS NOT old.rendered_media) BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'clip.updated', new.id, json_object('clipId', new.id, 'runId', new.run_id, 'workflowId', new.workflow_id, 'title', new.title), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_clip_removed` AFTER DELETE ON `clips` WHEN old.published BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), old.company_id, 'clip.deleted', old.id, json_object('clipId', old.id, 'runId', old.run_id, 'workflowId', old.workflow_id, 'title', old.title), cast(unixepoch('subsec') * 1000 as integer));
END;
--> statement-breakpoint
CREATE TRIGGER `events_post_created` AFTER INSERT ON `posts` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, CASE new.status WHEN 'success' THEN 'post.published' WHEN 'error' THEN 'post.failed' WHEN 'draft' THEN 'post.created' ELSE 'post.' || new.status END, new.id, json_object('postId', new.id, 'clipId', new.clip_id, 'platform', new.platform, 'state', new.status, 'postUrl', new.post_url, 'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_post_state` AFTER UPDATE OF status ON `posts` WHEN old.status <> new.status BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, CASE new.status WHEN 'success' THEN 'post.published' WHEN 'error' THEN 'post.failed' WHEN 'draft' THEN 'post.updated' ELSE 'post.' || new.status END, new.id, json_object('postId', new.id, 'clipId', new.clip_id, 'platform', new.platform, 'state', new.status, 'postUrl', new.post_url, 'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_post_changed` AFTER UPDATE OF text, title, first_comment, visibility, scheduled_at, account_id, clip_id, platform, media_url ON `posts`
  WHEN old.status = new.status AND (new.text, new.title, new.first_comment, new.visibility, new.scheduled_at, new.account_id,
    new.clip_id, new.platform, new.media_url) IS NOT (old.text, old.title, old.first_comment, old.visibility, old.scheduled_at,
    old.account_id, old.clip_id, old.platform, old.media_url) BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'post.updated', new.id, json_object('postId', new.id, 'clipId', new.clip_id, 'platform', new.platform, 'state', new.status, 'postUrl', new.post_url, 'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_post_removed` AFTER DELETE ON `posts` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), old.company_id, 'post.deleted', old.id, json_object('postId', old.id, 'clipId', old.clip_id, 'platform', old.platform, 'state', old.status, 'postUrl', old.post_url, 'errorCode', json_extract(old.failure, '$.code'), 'error', json_extract(old.failure, '$.message')), cast(unixepoch('subsec') * 1000 as integer));
END;
--> statement-breakpoint
CREATE TRIGGER `events_confirmation_created` AFTER INSERT ON `confirmations` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'confirmation.created', new.id, json_object('confirmationId', new.id, 'action', new.action, 'subjectId', new.subject_id, 'state', new.state), new.created_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_confirmation_changed` AFTER UPDATE OF state ON `confirmations` WHEN old.state <> new.state BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'confirmation.' || new.state, new.id, json_object('confirmationId', new.id, 'action', new.action, 'subjectId', new.subject_id, 'state', new.state), coalesce(new.consumed_at, new.decided_at, new.created_at));
END;
