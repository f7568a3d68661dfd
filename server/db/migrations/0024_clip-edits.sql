CREATE TABLE `clip_edit_parts` (
	`company_id` text NOT NULL,
	`edit_id` text NOT NULL,
	`clip_id` text NOT NULL,
	`before` text NOT NULL,
	`revision` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`company_id`, `edit_id`, `clip_id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `clip_edit_parts_by_age` ON `clip_edit_parts` (`created_at`);--> statement-breakpoint
CREATE INDEX `clip_edit_parts_by_clip` ON `clip_edit_parts` (`clip_id`);--> statement-breakpoint
CREATE TRIGGER `edit_parts_of_deleted_clip` AFTER DELETE ON `clips` BEGIN
  DELETE FROM clip_edit_parts WHERE clip_id = old.id;
END;
