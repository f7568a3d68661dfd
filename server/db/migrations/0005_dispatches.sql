CREATE TABLE `workflow_dispatches` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`workflow_id` text NOT NULL,
	`workflow_revision` integer NOT NULL,
	`run_id` text NOT NULL,
	`operation_id` text NOT NULL,
	`snapshot` text NOT NULL,
	`warnings` text NOT NULL,
	`state` text NOT NULL,
	`failure` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`available_at` integer NOT NULL,
	`lease_owner` text,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workflow_dispatches_by_state` ON `workflow_dispatches` (`state`,`available_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `workflow_dispatches_by_run` ON `workflow_dispatches` (`run_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `workflow_dispatches_by_operation` ON `workflow_dispatches` (`operation_id`);