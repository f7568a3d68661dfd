CREATE TABLE `search_entries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`company_id` text,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`title` text NOT NULL,
	`tags` text NOT NULL,
	`body` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_entries_by_subject` ON `search_entries` (`kind`,`subject_id`);--> statement-breakpoint
CREATE INDEX `search_entries_by_company` ON `search_entries` (`company_id`,`kind`);--> statement-breakpoint
CREATE VIRTUAL TABLE `search_index` USING fts5(
  scope, title, tags, body,
  content = '', contentless_delete = 1, prefix = '3', tokenize = 'unicode61 remove_diacritics 2'
);
--> statement-breakpoint
CREATE VIEW `search_words` AS SELECT seq,
  case when company_id is null then 'call callk' || kind
    else 'c' || hex(company_id) || ' c' || hex(company_id) || 'k' || replace(kind, '_', '') end AS scope,
  case when title not glob '*[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]*' then title else (
    with recursive walk(i, block) as (
      select 0, substr(title, 1, 1001)
      union all
      select i + 1, case when (i + 1) % 1000 = 0 then substr(title, i + 2, 1001) else block end
      from walk where i + 1 < length(title)
    )
    select group_concat(
      case when substr(block, i % 1000 + 1, 1) not glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then substr(block, i % 1000 + 1, 1)
        when substr(block, i % 1000 + 2, 1) glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then ' ' || substr(block, i % 1000 + 1, 2)
        else ' ' || substr(block, i % 1000 + 1, 1) || ' ' end, '' order by i)
    from walk) end AS title,
  case when tags not glob '*[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]*' then tags else (
    with recursive walk(i, block) as (
      select 0, substr(tags, 1, 1001)
      union all
      select i + 1, case when (i + 1) % 1000 = 0 then substr(tags, i + 2, 1001) else block end
      from walk where i + 1 < length(tags)
    )
    select group_concat(
      case when substr(block, i % 1000 + 1, 1) not glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then substr(block, i % 1000 + 1, 1)
        when substr(block, i % 1000 + 2, 1) glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then ' ' || substr(block, i % 1000 + 1, 2)
        else ' ' || substr(block, i % 1000 + 1, 1) || ' ' end, '' order by i)
    from walk) end AS tags,
  case when body not glob '*[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]*' then body else (
    with recursive walk(i, block) as (
      select 0, substr(body, 1, 1001)
      union all
      select i + 1, case when (i + 1) % 1000 = 0 then substr(body, i + 2, 1001) else block end
      from walk where i + 1 < length(body)
    )
    select group_concat(
      case when substr(block, i % 1000 + 1, 1) not glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then substr(block, i % 1000 + 1, 1)
        when substr(block, i % 1000 + 2, 1) glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]' then ' ' || substr(block, i % 1000 + 1, 2)
        else ' ' || substr(block, i % 1000 + 1, 1) || ' ' end, '' order by i)
    from walk) end AS body
FROM search_entries;
--> statement-breakpoint
CREATE TRIGGER `search_entries_added` AFTER INSERT ON `search_entries` BEGIN
  INSERT INTO search_index(rowid, scope, title, tags, body)
    SELECT seq, scope, title, tags, body FROM search_words WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_changed` AFTER UPDATE OF company_id, title, tags, body ON `search_entries` BEGIN
  DELETE FROM search_index WHERE rowid = old.seq;
  INSERT INTO search_index(rowid, scope, title, tags, body)
    SELECT seq, scope, title, tags, body FROM search_words WHERE seq = new.seq;
END;
--> statement-breakpoint
CREATE TRIGGER `search_entries_removed` AFTER DELETE ON `search_entries` BEGIN
  DELETE FROM search_index WHERE rowid = old.seq;
END;
--> statement-breakpoint
CREATE VIEW `search_workflows` AS SELECT id, company_id, 'workflow' AS kind, name AS title,
  coalesce((select group_concat(distinct json_extract(value, '$.type')) from json_each(graph, '$.nodes')), '') AS tags,
  description AS body, updated_at AS at
FROM workflows;
--> statement-breakpoint
CREATE VIEW `search_runs` AS SELECT id, company_id, 'run' AS kind,
  coalesce(json_extract(snapshot, '$.source.displayName'), json_extract(snapshot, '$.originalUrl'), '') AS title,
  coalesce(json_extract(snapshot, '$.workflowName'), '') || coalesce((select ', ' || group_concat(value, ', ')
    from json_each(snapshot, '$.keywords')), '') AS tags,
  coalesce(error, '') AS body, created_at AS at
FROM runs;
--> statement-breakpoint
CREATE VIEW `search_clips` AS SELECT c.id AS id, c.company_id AS company_id, 'clip' AS kind, c.title AS title,
  coalesce((select group_concat(value, ', ') from (select value from json_each(c.document, '$.keywords')
    union all select value from json_each(c.document, '$.people'))), '') AS tags,
  coalesce(json_extract(c.document, '$.bio'), '') || char(10) || coalesce((
    select group_concat(case when word glob '[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ𠀀-𱍏]*' then word else ' ' || word end, '' order by key) from (
      select w.key AS key, json_extract(w.value, '$.word') AS word
      from clip_transcripts t, json_each(t.words) w
      where t.clip_id = c.id and not coalesce(json_extract(w.value, '$.isDeleted'), 0)
        and json_extract(w.value, '$.end') > json_extract(c.document, '$.startTimestamp')
        and json_extract(w.value, '$.start') < json_extract(c.document, '$.endTimestamp'))), '') AS body,
  c.updated_at AS at
FROM clips c WHERE c.published;
--> statement-breakpoint
CREATE VIEW `search_posts` AS SELECT id, company_id, 'social_post' AS kind, coalesce(title, '') AS title, platform AS tags,
  text || coalesce(char(10) || first_comment, '') AS body, updated_at AS at
FROM posts;
--> statement-breakpoint
CREATE TRIGGER `search_workflows_added` AFTER INSERT ON `workflows` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_workflows WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_workflows_changed` AFTER UPDATE OF name, description, graph ON `workflows` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_workflows WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_workflows_removed` AFTER DELETE ON `workflows` BEGIN
  DELETE FROM search_entries WHERE kind = 'workflow' AND subject_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_runs_added` AFTER INSERT ON `runs` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_runs WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_runs_changed` AFTER UPDATE OF snapshot, error ON `runs` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_runs WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_runs_removed` AFTER DELETE ON `runs` BEGIN
  DELETE FROM search_entries WHERE kind = 'run' AND subject_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clips_added` AFTER INSERT ON `clips` WHEN new.published BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_clips WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clips_changed` AFTER UPDATE OF title, document, published ON `clips` WHEN new.published BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_clips WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clips_removed` AFTER DELETE ON `clips` BEGIN
  DELETE FROM search_entries WHERE kind = 'clip' AND subject_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_posts_added` AFTER INSERT ON `posts` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_posts WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_posts_changed` AFTER UPDATE OF title, text, first_comment, platform ON `posts` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_posts WHERE id = new.id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_posts_removed` AFTER DELETE ON `posts` BEGIN
  DELETE FROM search_entries WHERE kind = 'social_post' AND subject_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clips_hidden` AFTER UPDATE OF published ON `clips` WHEN old.published AND NOT new.published BEGIN
  DELETE FROM search_entries WHERE kind = 'clip' AND subject_id = old.id;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clip_words_added` AFTER INSERT ON `clip_transcripts` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_clips WHERE id = new.clip_id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
CREATE TRIGGER `search_clip_words_changed` AFTER UPDATE OF words ON `clip_transcripts` BEGIN
  INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
    SELECT company_id, kind, id, title, tags, body, at FROM search_clips WHERE id = new.clip_id
    ON CONFLICT(kind, subject_id) DO UPDATE SET company_id = excluded.company_id, title = excluded.title,
      tags = excluded.tags, body = excluded.body, at = excluded.at
    WHERE title <> excluded.title OR tags <> excluded.tags OR body <> excluded.body;
END;
--> statement-breakpoint
INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
  SELECT company_id, kind, id, title, tags, body, at FROM search_workflows ORDER BY at;
--> statement-breakpoint
INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
  SELECT company_id, kind, id, title, tags, body, at FROM search_runs ORDER BY at;
--> statement-breakpoint
INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
  SELECT company_id, kind, id, title, tags, body, at FROM search_clips ORDER BY at;
--> statement-breakpoint
INSERT INTO search_entries(company_id, kind, subject_id, title, tags, body, at)
  SELECT company_id, kind, id, title, tags, body, at FROM search_posts ORDER BY at;
