CREATE TABLE `promises` (
	`operation_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`company_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`workflow_id` text,
	`media_seconds` real,
	`started_at` integer,
	`promised_at` integer,
	`predicted_ms` integer,
	`ready_at` integer,
	`expected_at` integer,
	`ended_at` integer,
	`measured` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `promises_by_end` ON `promises` (`ended_at`);--> statement-breakpoint
CREATE INDEX `promises_by_subject` ON `promises` (`kind`,`subject_id`);