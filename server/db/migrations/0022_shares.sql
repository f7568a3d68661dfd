CREATE TABLE `share_clips` (
	`link_id` text NOT NULL,
	`clip_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`link_id`, `clip_id`),
	FOREIGN KEY (`link_id`) REFERENCES `share_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `share_clips_by_clip` ON `share_clips` (`clip_id`);--> statement-breakpoint
CREATE TABLE `share_comments` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`link_id` text NOT NULL,
	`clip_id` text NOT NULL,
	`reply_to` text,
	`author` text NOT NULL,
	`side` text NOT NULL,
	`text` text NOT NULL,
	`frame` integer,
	`milliseconds` integer,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	`seen_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`link_id`) REFERENCES `share_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `share_comments_by_clip` ON `share_comments` (`clip_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `share_comments_new` ON `share_comments` (`company_id`,`seen_at`);--> statement-breakpoint
CREATE TABLE `share_decisions` (
	`company_id` text NOT NULL,
	`link_id` text NOT NULL,
	`clip_id` text NOT NULL,
	`reviewer` text NOT NULL,
	`decision` text NOT NULL,
	`note` text NOT NULL,
	`media_id` text NOT NULL,
	`decided_at` integer NOT NULL,
	`seen_at` integer,
	PRIMARY KEY(`link_id`, `clip_id`, `reviewer`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`link_id`) REFERENCES `share_links`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `share_links` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`title` text NOT NULL,
	`hash` text NOT NULL,
	`password_hash` text,
	`download` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	`opened_at` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `share_links_by_company` ON `share_links` (`company_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TRIGGER `shares_of_deleted_clip` AFTER DELETE ON `clips` BEGIN
  DELETE FROM share_clips WHERE clip_id = old.id;
  DELETE FROM share_comments WHERE clip_id = old.id;
  DELETE FROM share_decisions WHERE clip_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `events_share_commented` AFTER INSERT ON `share_comments` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'share.commented', new.clip_id, json_object('shareId', new.link_id, 'clipId', new.clip_id, 'commentId', new.id, 'replyTo', new.reply_to, 'by', new.side, 'author', new.author, 'text', new.text, 'frame', new.frame, 'seconds', new.milliseconds / 1000.0), new.created_at);
END;
--> statement-breakpoint
CREATE TRIGGER `events_share_decided` AFTER INSERT ON `share_decisions` BEGIN
  INSERT INTO events(id, company_id, type, subject_id, data, at)
    VALUES (lower(hex(randomblob(16))), new.company_id, 'share.decided', new.clip_id, json_object('shareId', new.link_id, 'clipId', new.clip_id, 'decision', new.decision, 'reviewer', new.reviewer, 'note', new.note), new.decided_at);
END;
