/**
 * Keeps `listed_clips` and its indexes in step by triggers, which are made when the database is opened; where one is
 * missing or outdated, everything is built again. A trigger on another table reads only that and the list, so that a
 * migration may replace any table.
 */
import type Database from 'better-sqlite3'
import { CACHE_KIB } from './cache.ts'
import { EMPTY_INDEX, FILL_INDEX, INDEX_TRIGGERS } from './clip-lists/index-sql.ts'
import { foldedLetters } from './clip-lists/letters.ts'
import { POST_STATE_BITS } from './clip-lists/statuses.ts'
import { countTerms } from './clip-lists/totals.ts'

const COLUMNS = `clip_id, company_id, seq, workflow_id, run_id, title, bio, duration, virality_score, aspect_ratio,
  people, keywords, tags, source_id, source_input_id, thumbnail_media, rendered, edited, created_at, updated_at`

const next = (company: string): string =>
  `(select coalesce(max(seq), 0) + 1 from listed_clips where company_id = ${company})`

const list = (clip: string, name: string): string =>
  `coalesce(json_extract(${clip}.document, '$.${name}'), '[]')`

/** The values of COLUMNS, of a row of clips. */
const valuesOf = (clip: string, seq: string): string => `
  ${clip}.id, ${clip}.company_id, ${seq}, ${clip}.workflow_id, ${clip}.run_id, ${clip}.title,
  coalesce(json_extract(${clip}.document, '$.bio'), ''), ${clip}.duration, ${clip}.virality_score,
  coalesce(json_extract(${clip}.document, '$.aspectRatio'), ''),
  ${list(clip, 'people')}, ${list(clip, 'keywords')}, ${list(clip, 'tags')},
  coalesce(json_extract(${clip}.document, '$.chunk.episodeId'), json_extract(${clip}.document, '$.sourceId'),
    ${clip}.source_digest),
  coalesce(json_extract(${clip}.document, '$.sourceInputId'), ''),
  coalesce(json_extract(${clip}.document, '$.media.thumbnail'), ${clip}.rendered_thumbnail_media),
  ${clip}.rendered_media is not null, ${clip}.revision > 1, ${clip}.created_at, ${clip}.updated_at`

const REPLACE = `on conflict (clip_id) do update set gone = 0, ${COLUMNS.split(',')
  .map((name) => name.trim())
  .filter((name) => name !== 'clip_id')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`

const written = `insert into listed_clips (${COLUMNS}) values (${valuesOf('new', next('new.company_id'))}) ${REPLACE};`

const removed = `update listed_clips set gone = 1, seq = ${next('old.company_id')}, title = '', bio = '', people = '[]',
  keywords = '[]', tags = '[]', source_input_id = '', thumbnail_media = null where clip_id = old.id;`

/** The states of a listed clip's posts. The plus stops SQLite from reading all posts of the company. */
const postStates = `(select coalesce(${Object.entries(POST_STATE_BITS)
  .map(([state, bit]) => `max(status = '${state}') * ${bit}`)
  .join(
    ' + ',
  )}, 0) from posts where clip_id = listed_clips.clip_id and +company_id = listed_clips.company_id)`

const postsOf = (row: 'old' | 'new'): string => `update listed_clips
  set post_states = ${postStates}, seq = ${next(`${row}.company_id`)}
  where clip_id = ${row}.clip_id and company_id = ${row}.company_id and not gone and post_states is not ${postStates};`

/** Of ended renders the newest counts; cancelled ones are ignored. */
const renderState = `case
  when exists (select 1 from operations where kind = 'render' and subject_id = listed_clips.clip_id
    and state in ('queued', 'running')) then 1
  when 'failed' = (select state from operations where kind = 'render' and subject_id = listed_clips.clip_id
    and state in ('succeeded', 'failed') order by created_at desc, rowid desc limit 1) then 2
  else 0 end`

/** For tests that check the query plan. */
export const LOOK_UPS = {
  posts: postStates,
  renders: renderState,
  seq: next('listed_clips.company_id'),
} as const

const rendersOf = `update listed_clips set render_state = ${renderState}, seq = ${next('new.company_id')}
  where clip_id = new.subject_id and company_id = new.company_id and not gone and render_state is not ${renderState};`

const TRIGGERS: Readonly<Record<string, string>> = {
  listed_clips_new: `after insert on clips when new.published begin ${written} end`,
  listed_clips_changed: `after update on clips when new.published begin ${written} end`,
  listed_clips_deleted: `after delete on clips begin ${removed} end`,
  listed_clips_post_new: `after insert on posts when new.clip_id is not null begin ${postsOf('new')} end`,
  listed_clips_post_changed: `after update of status, clip_id on posts
    when new.status is not old.status or new.clip_id is not old.clip_id
    begin ${postsOf('new')} ${postsOf('old')} end`,
  listed_clips_post_deleted: `after delete on posts when old.clip_id is not null begin ${postsOf('old')} end`,
  listed_clips_render_new: `after insert on operations when new.kind = 'render' begin ${rendersOf} end`,
  listed_clips_render_changed: `after update of state on operations
    when new.kind = 'render' and new.state is not old.state begin ${rendersOf} end`,
}

/** Every published clip as it is now; deleted ones are marked. */
const FILL = [
  `insert into listed_clips (${COLUMNS})
   select ${valuesOf(
     'clips',
     `coalesce((select max(seq) from listed_clips where company_id = clips.company_id), 0)
       + row_number() over (partition by company_id order by created_at, id)`,
   )} from clips where published ${REPLACE}`,
  `update listed_clips set post_states = ${postStates}, render_state = ${renderState} where not gone
   and (post_states is not ${postStates} or render_state is not ${renderState})`,
  `update listed_clips set gone = 1, seq = (select max(seq) from listed_clips as other
     where other.company_id = listed_clips.company_id) + row, title = '', bio = '', people = '[]', keywords = '[]',
   tags = '[]', source_input_id = '', thumbnail_media = null
   where not gone and clip_id not in (select id from clips where published)`,
]

type Triggers = Readonly<Record<string, string>>

const ALL_TRIGGERS: Triggers = { ...TRIGGERS, ...INDEX_TRIGGERS }

const statementOf = (name: string, body: string): string => `CREATE TRIGGER ${name} ${body}`

/** While indexes are filled, their pages come in any order. */
const FILLING_CACHE_KIB = 128 * 1024

/** Makes triggers that are missing or outdated, and with them the list or its indexes, all or nothing. */
export function keepClipsListed(sqlite: Database.Database): void {
  if (hasTriggers(sqlite, ALL_TRIGGERS)) return
  changeInBulk(sqlite, () => {
    // Another process may have done it while this one waited.
    if (hasTriggers(sqlite, ALL_TRIGGERS)) return
    const isListed = hasTriggers(sqlite, TRIGGERS)
    withoutTriggers(sqlite, () => {
      if (!isListed) for (const statement of FILL) sqlite.exec(statement)
    })
  })
}

/** Lets `write` change all of `listed_clips`, then builds the indexes: two minutes for a million clips. */
export function rewriteList(sqlite: Database.Database, write: () => void): void {
  changeInBulk(sqlite, () => withoutTriggers(sqlite, write))
}

function changeInBulk(sqlite: Database.Database, change: () => void): void {
  sqlite.pragma(`cache_size = -${FILLING_CACHE_KIB}`)
  try {
    sqlite.transaction(change).immediate()
  } finally {
    sqlite.pragma(`cache_size = -${CACHE_KIB}`)
  }
}

function withoutTriggers(sqlite: Database.Database, write: () => void): void {
  for (const { name } of presentTriggers(sqlite)) sqlite.exec(`drop trigger ${name}`)
  write()
  fillIndexes(sqlite)
  for (const [name, body] of Object.entries(ALL_TRIGGERS)) sqlite.exec(statementOf(name, body))
}

function fillIndexes(sqlite: Database.Database): void {
  for (const statement of EMPTY_INDEX) sqlite.exec(statement)
  sqlite
    .prepare(
      `insert into clip_letters (letter, plain, word, lower)
       select value ->> 'letter', value ->> 'plain', value ->> 'word', value ->> 'lower' from json_each(?)`,
    )
    .run(JSON.stringify(foldedLetters()))
  // To sort a million rows for an index takes a fraction of what it takes to put them in one by one.
  const indexes = sqlite
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'index' and tbl_name = 'clip_keys' and sql is not null",
    )
    .all()
  for (const { name } of indexes) sqlite.exec(`drop index ${name}`)
  for (const statement of FILL_INDEX) sqlite.exec(statement)
  for (const { sql } of indexes) sqlite.exec(sql)
  countTerms(sqlite)
}

const presentTriggers = (sqlite: Database.Database): { name: string; sql: string }[] =>
  sqlite
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_master where type = 'trigger' and name like 'listed\\_clips\\_%' escape '\\'",
    )
    .all()

/** Whether all of them are there as they are written here. */
function hasTriggers(sqlite: Database.Database, wanted: Triggers): boolean {
  const present = new Map(presentTriggers(sqlite).map(({ name, sql }) => [name, sql]))
  return Object.entries(wanted).every(([name, body]) => present.get(name) === statementOf(name, body))
}
