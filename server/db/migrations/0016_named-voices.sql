CREATE TABLE `named_voices` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`model` text NOT NULL,
	`sealed_voice` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `named_voices_by_company` ON `named_voices` (`company_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `companies` ADD `recognise_voices` integer DEFAULT false NOT NULL;