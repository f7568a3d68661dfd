CREATE TABLE `client_grants` (
	`client_id` text NOT NULL,
	`company_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`client_id`, `company_id`),
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`prepared_by` text NOT NULL,
	`action` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_revision` integer NOT NULL,
	`payload` text,
	`preview` text NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	`consent_text` text,
	`consent_source` text,
	`consumed_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `confirmations_by_company` ON `confirmations` (`company_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `idempotent_answers` (
	`company_id` text NOT NULL,
	`client_id` text NOT NULL,
	`route` text NOT NULL,
	`key` text NOT NULL,
	`request_digest` text NOT NULL,
	`owner` text,
	`status` integer,
	`headers` text,
	`body` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `client_id`, `route`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotent_answers_by_age` ON `idempotent_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `trusted_issuers` (
	`issuer` text PRIMARY KEY NOT NULL,
	`jwks` text NOT NULL,
	`companies` text,
	`created_at` integer NOT NULL
);
