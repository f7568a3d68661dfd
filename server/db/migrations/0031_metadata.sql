ALTER TABLE `runs` ADD `metadata` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE TRIGGER `events_run_metadata` AFTER INSERT ON `events` WHEN new.type GLOB 'run.*' BEGIN
  UPDATE events SET data = json_set(data, '$.metadata', json((SELECT metadata FROM runs WHERE id = new.subject_id)))
    WHERE seq = new.seq AND EXISTS (SELECT 1 FROM runs WHERE id = new.subject_id AND metadata <> '{}');
END;
--> statement-breakpoint
CREATE TRIGGER `events_clip_metadata` AFTER INSERT ON `events` WHEN new.type GLOB 'clip.*' OR new.type GLOB 'render.*' BEGIN
  UPDATE events SET data = json_set(data, '$.metadata', json((SELECT document -> '$.metadata' FROM clips WHERE id = new.subject_id)))
    WHERE seq = new.seq AND EXISTS (SELECT 1 FROM clips WHERE id = new.subject_id AND document -> '$.metadata' <> '{}');
  UPDATE events SET data = json_set(data, '$.runMetadata', json((SELECT metadata FROM runs
      WHERE id = coalesce(new.data ->> '$.runId', (SELECT run_id FROM clips WHERE id = new.subject_id)))))
    WHERE seq = new.seq AND EXISTS (SELECT 1 FROM runs
      WHERE id = coalesce(new.data ->> '$.runId', (SELECT run_id FROM clips WHERE id = new.subject_id)) AND metadata <> '{}');
END;
