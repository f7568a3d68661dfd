ALTER TABLE `api_keys` ADD `scopes` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `companies` ADD `separate_approval` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `client_grants` ADD `scopes` text;