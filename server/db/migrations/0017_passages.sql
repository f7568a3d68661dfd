CREATE TABLE `passage_indexes` (
	`run_id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`model` text NOT NULL,
	`version` integer NOT NULL,
	`ended_at` integer,
	`transcripts` text NOT NULL,
	`passages` integer NOT NULL,
	`size` integer NOT NULL,
	`problem` text,
	`indexed_at` integer NOT NULL,
	`vectors` blob,
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passage_indexes_by_company` ON `passage_indexes` (`company_id`,`model`);--> statement-breakpoint
CREATE TABLE `passages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`company_id` text NOT NULL,
	`place` integer NOT NULL,
	`chunk` integer,
	`start` real NOT NULL,
	`end` real NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`run_id`) REFERENCES `passage_indexes`(`run_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passages_by_place` ON `passages` (`run_id`,`place`);--> statement-breakpoint
CREATE VIRTUAL TABLE `passage_words` USING fts5(
  scope, words,
  content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE TRIGGER `passage_words_removed` AFTER DELETE ON `passages` BEGIN
  DELETE FROM passage_words WHERE rowid = old.id;
END;
