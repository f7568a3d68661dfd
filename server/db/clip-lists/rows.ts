/** Clips as lists show them, by their place in a list. */
import type Database from 'better-sqlite3'
import { ROW_BITS } from './index-sql.ts'
import { statusesOf } from './statuses.ts'
import type { ListedClip } from './types.ts'

interface ListedRow {
  readonly row: number
  readonly clip_id: string
  readonly workflow_id: string
  readonly run_id: string | null
  readonly title: string
  readonly duration: number
  readonly virality_score: number
  readonly aspect_ratio: string
  readonly people: string
  readonly keywords: string
  readonly tags: string
  readonly source_id: string
  readonly rendered: number
  readonly edited: number
  readonly render_state: number
  readonly post_states: number
  readonly created_at: number
  readonly updated_at: number
  readonly media_id: string | null
  readonly media_name: string | null
}

const names = (json: string): readonly string[] => JSON.parse(json) as string[]

const listedOf = (row: ListedRow): ListedClip => ({
  id: row.clip_id,
  title: row.title,
  statuses: statusesOf({
    rendered: row.rendered === 1,
    edited: row.edited === 1,
    renderState: row.render_state,
    postStates: row.post_states,
  }),
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

/** In the order of `docs`. */
export function listedClips(sqlite: Database.Database, docs: readonly number[]): ListedClip[] {
  if (docs.length === 0) return []
  const rows = docs.map((doc) => doc % 2 ** ROW_BITS)
  return sqlite
    .prepare<[string], ListedRow>(
      `select l.row, l.clip_id, l.workflow_id, l.run_id, l.title, l.duration, l.virality_score, l.aspect_ratio, l.people,
         l.keywords, l.tags, l.source_id, l.rendered, l.edited, l.render_state, l.post_states, l.created_at,
         l.updated_at, media.id as media_id, media.name as media_name
       from json_each(?) as wanted cross join listed_clips as l on l.row = wanted.value
       left join media on media.id = l.thumbnail_media order by wanted.key`,
    )
    .all(JSON.stringify(rows))
    .map(listedOf)
}
