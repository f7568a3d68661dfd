CREATE TABLE `watch_folders` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`folder` text NOT NULL,
	`output` text,
	`folder_is_mount` integer NOT NULL,
	`output_is_mount` integer NOT NULL,
	`settle_seconds` integer NOT NULL,
	`skips_existing` integer NOT NULL,
	`state` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `watch_outputs` (
	`folder_id` text NOT NULL,
	`clip_id` text NOT NULL,
	`rendered` text NOT NULL,
	`name` text NOT NULL,
	`written_at` integer NOT NULL,
	PRIMARY KEY(`folder_id`, `clip_id`),
	FOREIGN KEY (`folder_id`) REFERENCES `watch_folders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `watched_files` (
	`id` text PRIMARY KEY NOT NULL,
	`folder_id` text NOT NULL,
	`path` text NOT NULL,
	`bytes` integer NOT NULL,
	`modified_at` integer NOT NULL,
	`file_id` text NOT NULL,
	`digest` text,
	`state` text NOT NULL,
	`run_id` text,
	`failure` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`folder_id`) REFERENCES `watch_folders`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `watched_files_by_path` ON `watched_files` (`folder_id`,`path`);--> statement-breakpoint
CREATE INDEX `watched_files_by_digest` ON `watched_files` (`folder_id`,`digest`);--> statement-breakpoint
CREATE INDEX `watched_files_by_run` ON `watched_files` (`run_id`);