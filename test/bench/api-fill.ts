/** A home with very many clips and posts, filled as fast as SQLite takes them. */
import { openDatabase } from '../../server/db/client.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { PLATFORMS } from '../../server/contract/post.ts'
import { openHome } from '../../server/home.ts'
import { newId } from '../../server/ids.ts'
import { DEFAULT_WORKFLOWS } from '../../server/nodes/index.ts'
import { sampleDocument } from '../support/sample-document.ts'

export interface Filled {
  readonly key: string
  readonly companyId: string
  readonly workflowId: string
  /** Some of them, spread over all. */
  readonly clipIds: readonly string[]
  readonly runIds: readonly string[]
  /** The clip with the most posts. */
  readonly postedClipId: string
  readonly seconds: number
}

const CLIPS_PER_RUN = 10
const BATCH = 50_000
const POSTS_OF_ONE_CLIP = 100
const START = Date.UTC(2024, 0, 1)

/** Needs about 2 KB of disk for each clip. */
export function fillHome(
  root: string,
  size: { clips: number; posts: number },
  say: (line: string) => void,
): Filled {
  const started = performance.now()
  const db = openDatabase(openHome(root).database)
  try {
    const services = { db, now: Date.now }
    const companyId = createCompany(services, { id: 'acme', name: 'Acme' }).id
    const { key } = createApiKey(services, { companyId, name: 'bench' })
    const { workflowId } = importWorkflow(services, { companyId, file: DEFAULT_WORKFLOWS[0] })
    // Nothing is lost if the power fails in the middle of this.
    for (const pragma of ['synchronous = OFF', 'cache_size = -400000', 'foreign_keys = OFF'])
      db.sqlite.pragma(pragma)
    const inBatches = (total: number, add: (index: number) => void, what: string): void => {
      for (let from = 0; from < total; from += BATCH) {
        const to = Math.min(total, from + BATCH)
        db.sqlite.transaction(() => {
          for (let index = from; index < to; index += 1) add(index)
        })()
        say(`${to} ${what}`)
      }
    }
    const insertRun = db.sqlite.prepare(
      `insert into runs (id, company_id, workflow_id, status, snapshot, channel, pipeline_version, created_at, updated_at)
       values (?, ?, ?, 'Completed', ?, 'current', '1.0.0', ?, ?)`,
    )
    const insertClip = db.sqlite.prepare(
      `insert into clips (id, company_id, workflow_id, run_id, ordinal, source_digest, published, title, duration,
         virality_score, document, created_at, updated_at) values (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    )
    const insertPost = db.sqlite.prepare(
      `insert into posts (id, company_id, clip_id, platform, text, status, published_at, views, likes, comments, shares,
         engagement_score, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const source = { kind: 'url', url: 'https://example.com/talk.mp4' }
    const snapshot = JSON.stringify({
      workflowId,
      workflowName: 'Vertical shorts',
      nodes: [],
      source,
      originalUrl: source.url,
      keywords: [],
      channel: 'current',
      pipelineVersion: '1.0.0',
    })
    const document = sampleDocument()
    const text = JSON.stringify(document)
    const stored = { clips: [] as string[], runs: [] as string[] }
    let runId = ''
    inBatches(
      size.clips,
      (index) => {
        const at = START + index * 1000
        if (index % CLIPS_PER_RUN === 0) {
          runId = newId()
          insertRun.run(runId, companyId, workflowId, snapshot, at, at)
        }
        const id = newId()
        const facts = [document.sourceId, document.title, document.duration, (index * 37) % 100]
        insertClip.run(id, companyId, workflowId, runId, index % CLIPS_PER_RUN, ...facts, text, at, at)
        if (index % Math.max(1, Math.floor(size.clips / 1000)) === 0) {
          stored.clips.push(id)
          stored.runs.push(runId)
        }
      },
      'clips',
    )
    const postedClipId = stored.clips[0] ?? newId()
    inBatches(
      size.posts,
      (index) => {
        const at = START + index * 60_000
        const clipId =
          index % Math.max(1, Math.floor(size.posts / POSTS_OF_ONE_CLIP)) === 0 ? postedClipId : newId()
        // Few different counters, so that publish time and id have much to decide between equals.
        const counters = [(index * 7919) % 5000, (index * 104_729) % 300, (index * 31) % 20, index % 7]
        const words = [
          clipId,
          PLATFORMS[index % PLATFORMS.length],
          'A caption as long as captions are',
          'success',
        ]
        insertPost.run(newId(), companyId, ...words, at, ...counters, 25, at, at)
      },
      'posts',
    )
    db.sqlite.exec('analyze')
    db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    const seconds = (performance.now() - started) / 1000
    return { key, companyId, workflowId, clipIds: stored.clips, runIds: stored.runs, postedClipId, seconds }
  } finally {
    db.close()
  }
}
