ALTER TABLE `run_stages` ADD `attempts_since_progress` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `run_stages` ADD `checkpoint` integer DEFAULT 0 NOT NULL;