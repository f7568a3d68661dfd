CREATE TABLE `listed_clips` (
	`row` integer PRIMARY KEY NOT NULL,
	`clip_id` text NOT NULL,
	`company_id` text NOT NULL,
	`seq` integer NOT NULL,
	`gone` integer DEFAULT false NOT NULL,
	`workflow_id` text NOT NULL,
	`run_id` text,
	`title` text NOT NULL,
	`bio` text NOT NULL,
	`duration` real NOT NULL,
	`virality_score` real NOT NULL,
	`aspect_ratio` text NOT NULL,
	`people` text NOT NULL,
	`keywords` text NOT NULL,
	`tags` text NOT NULL,
	`source_id` text NOT NULL,
	`source_input_id` text NOT NULL,
	`thumbnail_media` text,
	`rendered` integer NOT NULL,
	`edited` integer NOT NULL,
	`render_state` integer DEFAULT 0 NOT NULL,
	`post_states` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `listed_clips_clip_id_unique` ON `listed_clips` (`clip_id`);--> statement-breakpoint
CREATE INDEX `listed_clips_by_change` ON `listed_clips` (`company_id`,`seq`);--> statement-breakpoint
CREATE INDEX `posts_of_clip` ON `posts` (`clip_id`);