/** What is learned of a company: from the rows of clips and posts to GET /studio/learning and `cutroom learning show`. */
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURES_VERSION } from '../../server/contract/clip-candidate.ts'
import { LearningReport } from '../../server/contract/learning.ts'
import { COMMANDS } from '../../server/cli/registry.ts'
import { saveClipEdit } from '../../server/db/edit-clips.ts'
import { insertPost } from '../../server/db/posts.ts'
import { clipExamples, companies } from '../../server/db/schema.ts'
import { insertClipExample } from '../../server/db/learning.ts'
import { recordPostRefresh } from '../../server/domain/analytics/published-posts.ts'
import type { Example } from '../../server/domain/learning/labels.ts'
import { calibrateRun } from '../../server/domain/learning/learn.ts'
import { newId } from '../../server/ids.ts'
import { LIKES_FEELINGS, syntheticExamples } from '../support/taste-examples.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const DAY = 86_400_000
const db = () => server.services.db

/** Clips of a company with a known taste; nothing is known of how they did yet. */
function clipsOf(companyId: string, count: number, seed = 1, runOf = (made: Example) => made.group) {
  return syntheticExamples(count, { preference: LIKES_FEELINGS, chance: 0.2, seed }).map((made) => {
    const clipId = addClip(server, { workflowId, row: { companyId } })
    const { features, score } = made
    const row = { clipId, companyId, runId: `${companyId} ${runOf(made)}`, version: FEATURES_VERSION }
    insertClipExample(db(), { ...row, features, score, createdAt: 1 })
    return { ...made, clipId }
  })
}

function publish(companyId: string, clipId: string, likes: number): void {
  const id = newId()
  const now = server.services.now()
  insertPost(db(), {
    id,
    companyId,
    clipId,
    platform: 'tiktok',
    text: '',
    status: 'success',
    publishedAt: now - 9 * DAY,
    createdAt: now,
    updatedAt: now,
  })
  const counters = { views: 0, likes, comments: 0, shares: 0, platformMetrics: {} }
  recordPostRefresh(server.services, { companyId, postId: id, refreshedAt: now - DAY, ...counters })
}

const show = async (key: string) => {
  const answer = await server.call('/studio/learning', { key })
  expect(answer.status).toBe(200)
  const report = answer.json<LearningReport>()
  expect([...Value.Errors(LearningReport, report)]).toEqual([])
  return report
}

describe('what is learned of a company', () => {
  it('is nothing with 19 examples, and a new version of its weights with more', async () => {
    const { companyId, key } = addCompany(server, 'published')
    const clips = clipsOf(companyId, 80, 1, ({ clipId }) => clipId)
    const likes = (at: number): number => Math.round(1000 * (1 + (clips[at]?.label ?? 0)))
    for (let at = 0; at < 19; at += 1) publish(companyId, clips[at]?.clipId ?? '', likes(at))
    const before = await show(key)
    expect(before).toMatchObject({
      state: 'few',
      examples: 19,
      examplesNeeded: 20,
      hitRate: null,
      version: 1,
    })
    expect(before.summary).toContain('19 examples')
    for (let at = 19; at < 80; at += 1) publish(companyId, clips[at]?.clipId ?? '', likes(at))
    const after = await show(key)
    expect(after).toMatchObject({ state: 'learned', examples: 80, version: 2 })
    expect(after.from).toEqual({ published: 80, kept: 0, passedOver: 0, deleted: 0 })
    expect(after.hitRate ?? 0).toBeGreaterThan((after.defaultHitRate ?? 1) + 0.1)
    expect(
      after.preferences
        .map(({ feature }) => feature)
        .slice(0, 3)
        .sort(),
    ).toEqual(['emotion', 'length', 'value'])
    expect(after.summary).toMatch(/\d+ % of \d+ pairs .*, \d+ % without/)
    // Nothing has changed, so nothing is learned again.
    expect(await show(key)).toEqual(after)
  })

  it('uses clips that were edited and deleted as well, and stores only numbers of a deleted clip', async () => {
    const { companyId, key } = addCompany(server, 'by-hand')
    const clips = clipsOf(companyId, 60, 2)
    for (const { clipId, label } of clips) {
      if (label > 0.4) saveClipEdit(db(), { companyId, clipId, clearRender: true, now: 5 })
      if (label < -0.4)
        expect((await server.call(`/studio/clips/${clipId}`, { method: 'DELETE', key })).status).toBe(200)
    }
    const report = await show(key)
    expect(report.state).toBe('learned')
    expect(report.from.published).toBe(0)
    expect(report.from.deleted).toBe(clips.filter(({ label }) => label < -0.4).length)
    expect(report.from.kept).toBe(clips.filter(({ label }) => label > 0.4).length)
    const gone = clips.find(({ label }) => label < -0.4)?.clipId ?? ''
    expect((await server.call(`/clip?companyId=${companyId}&clipId=${gone}`, { key })).status).toBe(404)
    const again = await server.call(`/studio/clips/${gone}`, { method: 'DELETE', key })
    expect([again.status, again.json()['code']]).toEqual([404, 'CLIP_NOT_FOUND'])
    const left = db()
      .orm.select()
      .from(clipExamples)
      .all()
      .find(({ clipId }) => clipId === gone)
    expect(Object.keys(left?.features ?? {}).sort()).toEqual([
      'emotion',
      'ending',
      'flow',
      'hook',
      'length',
      'relevance',
      'value',
    ])
    expect(left?.deletedAt).not.toBeNull()
  })

  it('belongs to this company: another one learns nothing from it and cannot delete its clips', async () => {
    const { companyId } = addCompany(server, 'rich')
    const clips = clipsOf(companyId, 40, 3)
    for (const { clipId, label } of clips) publish(companyId, clipId, Math.round(1000 * (1 + label)))
    const other = addCompany(server, 'poor')
    expect(await show(other.key)).toMatchObject({ state: 'few', examples: 0 })
    const clipId = clips[0]?.clipId ?? ''
    const refused = await server.call(`/studio/clips/${clipId}`, { method: 'DELETE', key: other.key })
    expect(refused.status).toBe(404)
    const foreign = await server.call(`/studio/learning?companyId=${companyId}`, { key: other.key })
    expect([foreign.status, foreign.json()['code']]).toEqual([401, 'INVALID_API_KEY'])
    const marks = (company: string) =>
      calibrateRun(server.services, { id: `${companyId} run-0`, companyId: company }).size
    expect([marks(companyId), marks(other.companyId)]).toEqual([6, 0])
  })

  it('refuses to delete clips whose run is not finished', async () => {
    for (const [status, expected] of [
      ['Processing', 409],
      ['Completed', 200],
    ] as const) {
      const runId = addRun(server, { workflowId, status })
      const clipId = addClip(server, { workflowId, runId })
      const answer = await server.call(`/studio/clips/${clipId}`, { method: 'DELETE' })
      expect(answer.status, answer.text).toBe(expected)
    }
  })

  it('ignores clips that were deleted with their run, and examples of another version', async () => {
    const { companyId, key } = addCompany(server, 'swept')
    const clips = clipsOf(companyId, 40, 4)
    for (const { clipId } of clips.slice(0, 20))
      db().sqlite.prepare('delete from clips where id = ?').run(clipId)
    for (const { clipId } of clips.slice(20))
      db().sqlite.prepare('update clip_examples set version = 99 where clip_id = ?').run(clipId)
    for (const { clipId } of clips) publish(companyId, clipId, 5)
    expect(await show(key)).toMatchObject({ state: 'few', examples: 0 })
  })

  it('is shown by `cutroom learning show`, as text and as JSON', async () => {
    const command = await COMMANDS['learning show']()
    const home = server.services.home.root
    const reported = async (options: object): Promise<string> => {
      const lines: string[] = []
      const terminal = { out: (line: string) => lines.push(line), note: () => undefined } as never
      await command.run({ options: { home, ...options } as never, positionals: [], terminal })
      return lines.join('\n')
    }
    expect(db().orm.select().from(companies).all().length).toBeGreaterThan(2)
    const text = await reported({ company: 'published', json: false })
    expect(text).toContain('Scores go by 80 examples of this company')
    expect(text).toMatch(/strong feelings: \d+\.\d points/)
    const report: unknown = JSON.parse(await reported({ company: 'by-hand', json: true }))
    expect(Value.Check(LearningReport, report)).toBe(true)
    await expect(reported({ company: 'nobody', json: true })).rejects.toMatchObject({
      code: 'COMPANY_NOT_FOUND',
    })
  })
})
