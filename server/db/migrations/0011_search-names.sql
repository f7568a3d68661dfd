-- Titles and tags have an index of their own: in the one of all words, whether a common word is in a title is only known
-- after everything that says it has been looked at.
CREATE VIRTUAL TABLE `search_names` USING fts5(
  scope, title, tags,
  content = '', contentless_delete = 1, prefix = '3', tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
INSERT INTO search_names(rowid, scope, title, tags) SELECT seq, scope, title, tags FROM search_words;
--> statement-breakpoint
DROP TRIGGER `search_entries_added`;
--> statement-breakpoint
DROP TRIGGER `search_entries_changed`;
--> statement-breakpoint
DROP TRIGGER `search_entries_removed`;
--> statement-breakpoint
CREATE TRIGGER `search_entries_added` AFTER INSERT ON `search_entries` BEGIN
  INSERT INTO search_index(rowid, scope, title, tags, body)
    SELECT seq, scope, title, tags, body FROM search_words WHERE seq = new.seq;
  INSERT INTO search_names(rowid, scope, title, tags)
    SELECT seq, scope, title, tags FROM search_words WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_changed` AFTER UPDATE OF company_id, title, tags, body ON `search_entries` BEGIN
  DELETE FROM search_index WHERE rowid = old.seq;
  DELETE FROM search_names WHERE rowid = old.seq;
  INSERT INTO search_index(rowid, scope, title, tags, body)
    SELECT seq, scope, title, tags, body FROM search_words WHERE seq = new.seq;
  INSERT INTO search_names(rowid, scope, title, tags)
    SELECT seq, scope, title, tags FROM search_words WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_removed` AFTER DELETE ON `search_entries` BEGIN
  DELETE FROM search_index WHERE rowid = old.seq;
  DELETE FROM search_names WHERE rowid = old.seq;
END;
