CREATE TABLE `clip_keys` (
	`doc` integer PRIMARY KEY NOT NULL,
	`list` integer NOT NULL,
	`clip_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`duration` real NOT NULL,
	`virality_score` real NOT NULL,
	`title` text NOT NULL,
	`terms` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `clip_keys_by_created` ON `clip_keys` (`list`,`created_at`,`clip_id`);--> statement-breakpoint
CREATE INDEX `clip_keys_by_updated` ON `clip_keys` (`list`,`updated_at`,`clip_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `clip_keys_by_duration` ON `clip_keys` (`list`,`duration`,`clip_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `clip_keys_by_virality` ON `clip_keys` (`list`,`virality_score`,`clip_id`);--> statement-breakpoint
CREATE INDEX `clip_keys_by_title` ON `clip_keys` (`list`,`title`,`clip_id`);--> statement-breakpoint
CREATE TABLE `clip_letters` (
	`letter` text PRIMARY KEY NOT NULL,
	`plain` text NOT NULL,
	`word` text NOT NULL,
	`lower` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `clip_lists` (
	`number` integer PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`clips` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clip_lists_company_id_unique` ON `clip_lists` (`company_id`);--> statement-breakpoint
CREATE TABLE `clip_terms` (
	`id` integer PRIMARY KEY NOT NULL,
	`list` integer NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`label` text NOT NULL,
	`clips` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `clip_terms_by_key` ON `clip_terms` (`list`,`kind`,`key`);--> statement-breakpoint
-- Words of titles, descriptions, people and keywords, and a token for each thing that clips are filtered by. The tables of
-- this migration are filled when the database is opened (server/db/listed-clips.ts), with the triggers that write them.
CREATE VIRTUAL TABLE `clip_words` USING fts5(
  words,
  content = '', contentless_delete = 1, detail = none, prefix = '3',
  tokenize = 'unicode61 remove_diacritics 2 tokenchars ''_'''
);
