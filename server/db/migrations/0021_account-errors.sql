ALTER TABLE `social_accounts` ADD `last_error` text;--> statement-breakpoint
ALTER TABLE `social_accounts` ADD `last_error_at` integer;