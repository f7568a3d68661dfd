CREATE TABLE `library_folders` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `library_folders_by_name` ON `library_folders` (`company_id`,`name`);--> statement-breakpoint
CREATE TABLE `library_items` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`folder_id` text,
	`name` text NOT NULL,
	`tags` text NOT NULL,
	`kind` text NOT NULL,
	`digest` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`duration_ms` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`folder_id`) REFERENCES `library_folders`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `library_items_by_content` ON `library_items` (`company_id`,`digest`);--> statement-breakpoint
CREATE INDEX `library_items_by_company` ON `library_items` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `library_items_by_digest` ON `library_items` (`digest`);