CREATE TABLE `social_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`platform` text NOT NULL,
	`native_id` text NOT NULL,
	`handle` text NOT NULL,
	`sealed_tokens` text NOT NULL,
	`scopes` text NOT NULL,
	`settings` text NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `social_accounts_by_native` ON `social_accounts` (`company_id`,`platform`,`native_id`);--> statement-breakpoint
CREATE INDEX `social_accounts_by_company` ON `social_accounts` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `social_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`post_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`available_at` integer NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`key` text NOT NULL,
	`approved` text NOT NULL,
	`memo` text NOT NULL,
	`sending_at` integer,
	`started_at` integer,
	`progress` real DEFAULT 0 NOT NULL,
	`result` text,
	`failure` text,
	`confirmation_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `social_actions_by_state` ON `social_actions` (`state`,`available_at`);--> statement-breakpoint
CREATE INDEX `social_actions_by_post` ON `social_actions` (`post_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `social_actions_open` ON `social_actions` (`post_id`,`kind`) WHERE state in ('queued', 'running');--> statement-breakpoint
ALTER TABLE `posts` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `title` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `visibility` text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `first_comment` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `scheduled_at` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `failure` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `note` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `moment_at` integer GENERATED ALWAYS AS ((coalesce(published_at, scheduled_at, created_at))) VIRTUAL NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_by_moment` ON `posts` (`company_id`,`moment_at`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_state` ON `posts` (`company_id`,`status`,`moment_at`,`id`);