ALTER TABLE `clips` ADD `render_warnings` text;--> statement-breakpoint
DROP TRIGGER `events_clip_rendered`;--> statement-breakpoint
CREATE TRIGGER `events_clip_rendered` AFTER UPDATE OF rendered_media ON `clips`
  WHEN new.rendered_media IS NOT NULL AND new.rendered_media IS NOT old.rendered_media BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'clip.rendered', new.id, json_object('clipId', new.id, 'runId', new.run_id, 'workflowId', new.workflow_id, 'title', new.title,
      'warnings', json(nullif(new.render_warnings, '[]'))), new.updated_at);
END;
--> statement-breakpoint
DROP TRIGGER `events_render_changed`;--> statement-breakpoint
CREATE TRIGGER `events_render_changed` AFTER UPDATE OF state ON `operations` WHEN new.kind = 'render' AND old.state <> new.state BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, CASE new.state WHEN 'running' THEN 'render.started' WHEN 'succeeded' THEN 'render.finished' ELSE 'render.' || new.state END, new.subject_id, json_object('operationId', new.id, 'clipId', new.subject_id, 'state', new.state, 'attempts', new.attempts,
      'errorCode', json_extract(new.failure, '$.code'), 'error', json_extract(new.failure, '$.message'),
      'warnings', json(json_extract(new.result, '$.warnings'))), new.updated_at);
END;
