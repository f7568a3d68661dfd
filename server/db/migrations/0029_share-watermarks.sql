ALTER TABLE `share_clips` ADD `copy_key` text;--> statement-breakpoint
ALTER TABLE `share_clips` ADD `copy_media` text;--> statement-breakpoint
ALTER TABLE `share_decisions` ADD `look_key` text;--> statement-breakpoint
ALTER TABLE `share_links` ADD `watermark` text;