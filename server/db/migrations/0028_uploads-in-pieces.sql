ALTER TABLE `uploads` ADD `complete` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `uploads` ADD `written_at` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `tus_metadata` text;