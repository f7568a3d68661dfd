DROP INDEX `media_by_company_path`;--> statement-breakpoint
ALTER TABLE `media` ADD `token` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `media` SET `token` = `id`;--> statement-breakpoint
ALTER TABLE `media` ADD `clip_id` text REFERENCES clips(id) ON DELETE cascade;--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_clip_path` ON `media` (`clip_id`,`path`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_token` ON `media` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_company_path` ON `media` (`company_id`,`path`,`name`) WHERE clip_id is null;--> statement-breakpoint
ALTER TABLE `posts` ADD `edited_by` text;