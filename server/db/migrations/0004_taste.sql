CREATE TABLE `clip_examples` (
	`clip_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`run_id` text NOT NULL,
	`version` integer NOT NULL,
	`features` text NOT NULL,
	`score` real NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `clip_examples_by_company` ON `clip_examples` (`company_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `taste_models` (
	`company_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`digest` text NOT NULL,
	`examples` integer NOT NULL,
	`model` text NOT NULL,
	`trained_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
