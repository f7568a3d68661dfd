CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_company` ON `api_keys` (`company_id`);--> statement-breakpoint
CREATE TABLE `clip_transcripts` (
	`clip_id` text PRIMARY KEY NOT NULL,
	`origin` text NOT NULL,
	`language` text NOT NULL,
	`words` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`clip_id`) REFERENCES `clips`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `clips` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`run_id` text,
	`ordinal` integer NOT NULL,
	`source_digest` text NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`title` text NOT NULL,
	`duration` real NOT NULL,
	`virality_score` real NOT NULL,
	`document` text NOT NULL,
	`render_key` text,
	`rendered_media` text,
	`rendered_thumbnail_media` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `clips_by_company` ON `clips` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `clips_by_run` ON `clips` (`run_id`,`ordinal`);--> statement-breakpoint
CREATE TABLE `companies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`features` text NOT NULL,
	`render_concurrency` integer DEFAULT 2 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `media` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`path` text NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`etag` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_company_path` ON `media` (`company_id`,`path`,`name`);--> statement-breakpoint
CREATE TABLE `operations` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`state` text NOT NULL,
	`input` text,
	`result` text,
	`failure` text,
	`progress` real DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`available_at` integer NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operations_by_state` ON `operations` (`state`,`available_at`);--> statement-breakpoint
CREATE INDEX `operations_by_subject` ON `operations` (`kind`,`subject_id`);--> statement-breakpoint
CREATE TABLE `run_stages` (
	`run_id` text NOT NULL,
	`slot` text NOT NULL,
	`stage` text NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`reused` integer DEFAULT false NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`output` text,
	`failure` text,
	`milliseconds` integer,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`run_id`, `slot`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`status` text NOT NULL,
	`snapshot` text NOT NULL,
	`channel` text NOT NULL,
	`pipeline_version` text NOT NULL,
	`source_digest` text,
	`progress` real DEFAULT 0 NOT NULL,
	`stage` text DEFAULT '' NOT NULL,
	`warnings` text DEFAULT '[]' NOT NULL,
	`error_code` text,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `runs_by_company` ON `runs` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `source_addresses` (
	`url` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`etag` text,
	`last_modified` text,
	`fetched_at` integer NOT NULL,
	FOREIGN KEY (`digest`) REFERENCES `sources`(`digest`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sources` (
	`digest` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`media_type` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`display_name` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `workflows` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`graph` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workflows_by_company` ON `workflows` (`company_id`,`created_at`,`id`);