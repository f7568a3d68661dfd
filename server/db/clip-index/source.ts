/** What the index reads of the database, by a connection of its own that cannot write. */
import type Database from 'better-sqlite3'
import type { ListedClip } from './protocol.ts'
import { statusesOf } from './statuses.ts'
import type { ClipEntry } from './table.ts'

/** A row of the list as it is now; `entry` null: the clip is gone. */
export interface ChangedClip {
  readonly key: number
  readonly seq: number
  readonly entry: ClipEntry | null
}

export interface ClipSource {
  readonly newestSeq: (companyId: string) => number
  /** What was written after `seq`, in order. */
  readonly changesAfter: (companyId: string, seq: number, limit: number) => ChangedClip[]
  readonly listed: (keys: readonly number[]) => Map<number, ListedClip>
  /** Everything in here sees one state of the database. */
  readonly atOnce: <T>(read: () => T) => T
}

interface ChangeRow {
  readonly key: number
  readonly seq: number
  readonly gone: number
  readonly clip_id: string
  readonly workflow_id: string
  readonly run_id: string | null
  readonly title: string
  readonly bio: string
  readonly duration: number
  readonly virality_score: number
  readonly aspect_ratio: string
  readonly people: string
  readonly keywords: string
  readonly tags: string
  readonly source_id: string
  readonly source_input_id: string
  readonly rendered: number
  readonly edited: number
  readonly render_state: number
  readonly post_states: number
  readonly created_at: number
  readonly updated_at: number
  readonly media_id: string | null
  readonly media_name: string | null
}

const names = (json: string): readonly string[] => (json === '[]' ? [] : (JSON.parse(json) as string[]))

const statuses = (row: ChangeRow) =>
  statusesOf({
    rendered: row.rendered === 1,
    edited: row.edited === 1,
    renderState: row.render_state,
    postStates: row.post_states,
  })

const entryOf = (row: ChangeRow): ClipEntry => ({
  key: row.key,
  id: row.clip_id,
  workflowId: row.workflow_id,
  runId: row.run_id,
  episodes: row.source_input_id === '' ? [row.source_id] : [row.source_id, row.source_input_id],
  title: row.title,
  bio: row.bio,
  duration: row.duration,
  viralityScore: row.virality_score,
  aspectRatio: row.aspect_ratio,
  people: names(row.people),
  keywords: names(row.keywords),
  tags: names(row.tags),
  statuses: statuses(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const listedOf = (row: ChangeRow): ListedClip => ({
  id: row.clip_id,
  title: row.title,
  statuses: statuses(row),
  duration: row.duration,
  viralityScore: row.virality_score,
  aspectRatio: row.aspect_ratio,
  tags: names(row.tags),
  people: names(row.people),
  keywords: names(row.keywords),
  workflowId: row.workflow_id,
  runId: row.run_id,
  episodeId: row.source_id,
  thumbnail:
    row.media_id === null || row.media_name === null ? null : { id: row.media_id, name: row.media_name },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export function clipSource(sqlite: Database.Database): ClipSource {
  const newest = sqlite
    .prepare<[string], number | null>('select max(seq) from listed_clips where company_id = ?')
    .pluck()
  const changes = sqlite.prepare<[string, number, number], ChangeRow>(
    'select row as key, * from listed_clips where company_id = ? and seq > ? order by seq limit ?',
  )
  const listed = sqlite.prepare<[string], ChangeRow>(
    `select row as key, listed_clips.*, media.id as media_id, media.name as media_name
     from json_each(?) as wanted join listed_clips on listed_clips.row = wanted.value
     left join media on media.id = listed_clips.thumbnail_media`,
  )
  return {
    newestSeq: (companyId) => newest.get(companyId) ?? 0,
    changesAfter: (companyId, seq, limit) =>
      changes.all(companyId, seq, limit).map((row) => ({
        key: row.key,
        seq: row.seq,
        entry: row.gone === 1 ? null : entryOf(row),
      })),
    listed: (keys) => new Map(listed.all(JSON.stringify(keys)).map((row) => [row.key, listedOf(row)])),
    atOnce: (read) => sqlite.transaction(read)(),
  }
}
