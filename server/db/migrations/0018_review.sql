CREATE TABLE `run_picks` (
	`id` text PRIMARY KEY NOT NULL,
	`run_id` text NOT NULL,
	`number` integer NOT NULL,
	`request` text NOT NULL,
	`state` text NOT NULL,
	`known` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `run_picks_by_number` ON `run_picks` (`run_id`,`number`);--> statement-breakpoint
ALTER TABLE `clips` ADD `pick` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `clips` ADD `review` text DEFAULT 'undecided' NOT NULL;--> statement-breakpoint
ALTER TABLE `clips` ADD `kept_order` integer;--> statement-breakpoint
CREATE TRIGGER `events_clip_rendered` AFTER UPDATE OF rendered_media ON `clips`
  WHEN new.rendered_media IS NOT NULL AND new.rendered_media IS NOT old.rendered_media BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'clip.rendered', new.id, json_object('clipId', new.id, 'runId', new.run_id, 'workflowId', new.workflow_id, 'title', new.title), new.updated_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_clip_reviewed` AFTER UPDATE OF review ON `clips` WHEN new.published AND new.review <> old.review BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'clip.reviewed', new.id, json_object('clipId', new.id, 'runId', new.run_id, 'workflowId', new.workflow_id, 'title', new.title, 'review', new.review), cast(unixepoch('subsec') * 1000 as integer));
END;
--> statement-breakpoint
CREATE TRIGGER `events_pick_created` AFTER INSERT ON `run_picks` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    SELECT lower(hex(randomblob(16))), r.company_id, 'pick.created', r.id, json_object('pickId', new.id, 'runId', r.id, 'kind', json_extract(new.request, '$.kind'), 'state', new.state), new.updated_at FROM runs r WHERE r.id = new.run_id;
END;
--> statement-breakpoint
CREATE TRIGGER `events_pick_changed` AFTER UPDATE OF state ON `run_picks` WHEN old.state <> new.state AND new.state <> 'open' BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    SELECT lower(hex(randomblob(16))), r.company_id, 'pick.' || new.state, r.id, json_object('pickId', new.id, 'runId', r.id, 'kind', json_extract(new.request, '$.kind'), 'state', new.state,
      'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message')), new.updated_at FROM runs r WHERE r.id = new.run_id;
END;
