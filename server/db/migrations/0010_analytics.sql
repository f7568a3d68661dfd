CREATE TABLE `post_refreshes` (
	`post_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`account_id` text NOT NULL,
	`next_at` integer,
	`asked_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`missing` integer DEFAULT 0 NOT NULL,
	`error` text,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `post_refreshes_by_time` ON `post_refreshes` (`next_at`);--> statement-breakpoint
CREATE INDEX `post_refreshes_by_account` ON `post_refreshes` (`account_id`,`next_at`);--> statement-breakpoint
CREATE TRIGGER `refreshes_post_added` AFTER INSERT ON `posts`
  WHEN new.status = 'success' AND new.native_id IS NOT NULL AND new.account_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO post_refreshes(post_id, company_id, account_id, next_at)
    VALUES (new.id, new.company_id, new.account_id, new.published_at + 3600000);
END;
--> statement-breakpoint
CREATE TRIGGER `refreshes_post_published` AFTER UPDATE OF status, native_id, account_id ON `posts`
  WHEN new.status = 'success' AND new.native_id IS NOT NULL AND new.account_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO post_refreshes(post_id, company_id, account_id, next_at)
    VALUES (new.id, new.company_id, new.account_id, new.published_at + 3600000);
END;
--> statement-breakpoint
CREATE TRIGGER `refreshes_post_withdrawn` AFTER UPDATE OF status ON `posts`
  WHEN old.status = 'success' AND new.status <> 'success' BEGIN
  DELETE FROM post_refreshes WHERE post_id = new.id;
END;
--> statement-breakpoint
INSERT INTO post_refreshes(post_id, company_id, account_id, next_at)
  SELECT id, company_id, account_id, published_at + 3600000 FROM posts
  WHERE status = 'success' AND native_id IS NOT NULL AND account_id IS NOT NULL;
