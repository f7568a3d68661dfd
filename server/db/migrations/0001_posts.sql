CREATE TABLE `post_analytics` (
	`post_id` text NOT NULL,
	`refreshed_at` integer NOT NULL,
	`views` integer NOT NULL,
	`likes` integer NOT NULL,
	`comments` integer NOT NULL,
	`shares` integer NOT NULL,
	`engagement_score` real NOT NULL,
	`platform_metrics` text NOT NULL,
	PRIMARY KEY(`post_id`, `refreshed_at`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `posts` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`clip_id` text,
	`platform` text NOT NULL,
	`text` text NOT NULL,
	`status` text NOT NULL,
	`post_url` text,
	`native_id` text,
	`media_url` text,
	`thumbnail_url` text,
	`published_at` integer,
	`views` integer DEFAULT 0 NOT NULL,
	`likes` integer DEFAULT 0 NOT NULL,
	`comments` integer DEFAULT 0 NOT NULL,
	`shares` integer DEFAULT 0 NOT NULL,
	`engagement_score` real,
	`growth_rate` real,
	`analytics_at` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "posts_listed_have_time" CHECK(status not in ('success', 'error') or published_at is not null)
);
--> statement-breakpoint
CREATE INDEX `posts_by_date` ON `posts` (`company_id`,`published_at`,`id`) WHERE status in ('success', 'error');--> statement-breakpoint
CREATE INDEX `posts_by_views` ON `posts` (`company_id`,`views`,`published_at`,`id`) WHERE status in ('success', 'error');--> statement-breakpoint
CREATE INDEX `posts_by_likes` ON `posts` (`company_id`,`likes`,`published_at`,`id`) WHERE status in ('success', 'error');--> statement-breakpoint
CREATE INDEX `posts_by_comments` ON `posts` (`company_id`,`comments`,`published_at`,`id`) WHERE status in ('success', 'error');--> statement-breakpoint
CREATE INDEX `posts_by_clip` ON `posts` (`company_id`,`clip_id`,`published_at`,`id`) WHERE status in ('success', 'error');