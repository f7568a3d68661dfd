/** The data behind lists of clips follows clips, posts and renders, whatever code writes them. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepClipsListed, LOOK_UPS } from '../../server/db/listed-clips.ts'
import { clips, operations, posts, runs } from '../../server/db/schema.ts'
import { newId } from '../../server/ids.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import type { PostState } from '../../server/domain/publishing/action-rules.ts'
import type { OperationState } from '../../server/jobs/queue.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const rowOf = (clipId: string) =>
  server.services.db.sqlite
    .prepare<[string], Record<string, string | number | null>>('select * from listed_clips where clip_id = ?')
    .get(clipId)

it('lists a clip once it is published, and removes it when it is deleted, also with its run', () => {
  const { orm } = server.services.db
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  const id = addClip(server, {
    workflowId,
    runId,
    row: { published: false },
    document: { tags: ['Launch'], chunk: { index: 0, offsetSeconds: 0, episodeId: 'live_1' } },
  })
  expect(rowOf(id)).toBeUndefined()
  orm.update(clips).set({ published: true }).where(eq(clips.id, id)).run()
  const first = rowOf(id)
  expect(first).toMatchObject({
    people: '["Ada"]',
    keywords: '["switch"]',
    tags: '["Launch"]',
    source_id: 'live_1',
    rendered: 0,
    edited: 0,
    render_state: 0,
    post_states: 0,
    gone: 0,
    aspect_ratio: '9:16',
  })
  orm.update(clips).set({ renderedMedia: 'm', revision: 2 }).where(eq(clips.id, id)).run()
  const second = rowOf(id)
  expect(second).toMatchObject({ rendered: 1, edited: 1, row: first?.['row'] })
  expect(Number(second?.['seq'])).toBeGreaterThan(Number(first?.['seq']))
  orm.delete(runs).where(eq(runs.id, runId)).run()
  const last = rowOf(id)
  expect(last).toMatchObject({ gone: 1, title: '', people: '[]' })
  expect(Number(last?.['seq'])).toBeGreaterThan(Number(second?.['seq']))
})

it('lists the states of its posts and renders with it', () => {
  const { orm } = server.services.db
  const { companyId } = server
  const clipId = addClip(server, { workflowId: addWorkflow(server) })
  const times = { createdAt: 1, updatedAt: 1 }
  const post = (status: PostState) => ({
    id: newId(),
    companyId,
    clipId,
    platform: 'tiktok' as const,
    text: '',
    status,
    publishedAt: 1,
    ...times,
  })
  const draft = post('draft')
  const failed = post('error')
  orm.insert(posts).values([draft, failed]).run()
  expect(rowOf(clipId)?.['post_states']).toBe(1 + 16)
  orm.update(posts).set({ status: 'success' }).where(eq(posts.id, draft.id)).run()
  expect(rowOf(clipId)?.['post_states']).toBe(8 + 16)
  orm.delete(posts).where(eq(posts.id, failed.id)).run()
  expect(rowOf(clipId)?.['post_states']).toBe(8)
  const render = (state: OperationState, createdAt: number) => ({
    id: newId(),
    companyId,
    kind: 'render' as const,
    subjectId: clipId,
    state,
    availableAt: 0,
    ...times,
    createdAt,
  })
  const first = render('queued', 1)
  const second = render('queued', 2)
  const settle = (id: string, state: OperationState) =>
    orm.update(operations).set({ state }).where(eq(operations.id, id)).run()
  const seen: unknown[] = []
  const see = () => seen.push(rowOf(clipId)?.['render_state'])
  orm.insert(operations).values(first).run()
  see()
  settle(first.id, 'failed')
  see()
  orm.insert(operations).values(second).run()
  see()
  settle(second.id, 'cancelled')
  see()
  settle(second.id, 'succeeded')
  see()
  expect(seen).toEqual([1, 2, 1, 2, 0])
})

it('updates a list that fell behind or lost a trigger', () => {
  const { sqlite, orm } = server.services.db
  const clipId = addClip(server, { workflowId: addWorkflow(server) })
  sqlite.exec('drop trigger listed_clips_changed; drop trigger listed_clips_deleted')
  const gone = addClip(server, { workflowId: addWorkflow(server) })
  orm.update(clips).set({ title: 'Another' }).where(eq(clips.id, clipId)).run()
  orm.delete(clips).where(eq(clips.id, gone)).run()
  const before = [rowOf(clipId), rowOf(gone)]
  keepClipsListed(sqlite)
  expect(rowOf(clipId)).toMatchObject({ title: 'Another', row: before[0]?.['row'] })
  expect(rowOf(gone)).toMatchObject({ gone: 1 })
  for (const [index, id] of [clipId, gone].entries())
    expect(Number(rowOf(id)?.['seq'])).toBeGreaterThan(Number(before[index]?.['seq']))
  const seqs = sqlite.prepare('select seq from listed_clips where company_id = ?').pluck().all('acme')
  expect(new Set(seqs).size).toBe(seqs.length)
  orm.update(clips).set({ title: 'Third' }).where(eq(clips.id, clipId)).run()
  expect(rowOf(clipId)?.['title']).toBe('Third')
})

it('looks up what the triggers need by an index, however many rows there are', () => {
  const { sqlite } = server.services.db
  const plans = Object.values(LOOK_UPS).map((expression) =>
    sqlite
      .prepare<[], { detail: string }>(
        `explain query plan select ${expression} from listed_clips where listed_clips.clip_id = 'x'`,
      )
      .all()
      .map(({ detail }) => detail)
      .join('\n'),
  )
  expect(plans[0]).toMatch(/SEARCH posts USING INDEX posts_of_clip/)
  expect(plans[1]).toMatch(/SEARCH operations USING .*INDEX operations_by_subject/)
  expect(plans[2]).toMatch(/SEARCH listed_clips USING COVERING INDEX listed_clips_by_change/)
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (posts|operations|listed_clips)/)
})
