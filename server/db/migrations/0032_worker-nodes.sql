CREATE TABLE `worker_nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`joined_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`revoked_at` integer
);
