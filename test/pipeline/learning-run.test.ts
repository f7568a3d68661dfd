/**
 * The `Learning` phase of real runs: scores and their order follow the company's own results, and no other company's.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEATURES_VERSION } from '../../server/contract/clip-candidate.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listClipsOfRun } from '../../server/db/clips.ts'
import { clipExamples, companies } from '../../server/db/schema.ts'
import { examplesOfRun, insertClipExample, markExampleDeleted } from '../../server/db/learning.ts'
import { openRunEnvironment, type RunEnvironment } from '../support/run-environment.ts'
import { describeRun } from '../support/run-on-jobs.ts'
import { syntheticExamples } from '../support/taste-examples.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'

let house: RunEnvironment
let talk: TinyTalk

beforeAll(async () => {
  house = await openRunEnvironment()
  talk = await makeTinyTalk(house.root)
}, 60_000)
afterAll(() => house.close())

/** A company that deletes every clip whose opening is strong, and edits the others. */
function dislikesHooks(companyId: string): void {
  const { db } = house
  const values = { id: companyId, name: companyId, plan: 'starter' as const, features: [], createdAt: 1 }
  db.orm.insert(companies).values(values).run()
  const made = syntheticExamples(80, { preference: ({ hook }) => (50 - hook) / 15, chance: 0, seed: 1 })
  for (const { clipId: id, group, features, score, truth } of made) {
    const clipId = `${companyId} ${id}`
    const row = { clipId, companyId, runId: `${companyId} ${group}`, version: FEATURES_VERSION, createdAt: 1 }
    insertClipExample(db, { ...row, features, score })
    if (truth < 0) markExampleDeleted(db, { companyId, clipId }, 2)
    else {
      // Still there, and edited.
      const clip = `insert into clips (id, company_id, workflow_id, run_id, ordinal, source_digest, published, title,
        duration, virality_score, document, revision, created_at, updated_at)
        values (?, ?, 'w', null, 0, '', 1, '', 1, 1, '{}', 2, 1, 1)`
      db.sqlite.prepare(clip).run(clipId, companyId)
    }
  }
}

const nodes: readonly ResolvedNode[] = [
  {
    id: 'find_clips',
    type: 'find_clips',
    enabled: true,
    config: {
      min_length: 3,
      max_length: 12,
      pinnedTimestampsOnly: true,
      pinnedTimestamps: [0, 4, 8, 12, 24].map((start) => ({ start, end: start + 3.5 })),
    },
  },
]

async function run(companyId: string) {
  const { runId, state } = await house.run(talk.video, nodes, companyId)
  return { runId, state, clips: listClipsOfRun(house.db, runId) }
}

describe('a run of a company with results of its own', () => {
  it('scores its clips by them, reports it, and keeps the previous score', async () => {
    dislikesHooks('taste')
    const plain = await run('c')
    const { runId, state, clips } = await run('taste')
    expect(state, describeRun(house.db, runId)).toBe('succeeded')
    expect(clips).toHaveLength(5)
    const before = examplesOfRun(house.db, runId)
    const moved = clips.map((clip) => {
      const { score = -1, features = {} } = before.get(clip.id) ?? {}
      const reason = clip.document.scoreReasons.find(({ name }) => name === 'results')
      expect(reason?.reason).toMatch(/^(Raised|Lowered) by \d+ points?|^Left as it is/)
      expect(clip.document.viralityScore).toBe(clip.viralityScore)
      return { hook: features.hook ?? 0, by: clip.viralityScore - score }
    })
    // The stronger its opening, the more a clip loses.
    const byHook = moved.toSorted((a, b) => a.hook - b.hook)
    expect(byHook[0]?.by ?? 0).toBeGreaterThan((byHook.at(-1)?.by ?? 0) + 5)
    const marks = clips.map(({ viralityScore }) => viralityScore)
    expect(marks).toEqual(marks.toSorted((a, b) => b - a))
    // Another company without results has the original scores.
    for (const clip of plain.clips) {
      expect(clip.viralityScore).toBe(examplesOfRun(house.db, plain.runId).get(clip.id)?.score)
      expect(clip.document.scoreReasons.some(({ name }) => name === 'results')).toBe(false)
    }
    const kept = house.db.orm.select().from(clipExamples).all()
    expect(kept.filter((row) => row.runId === runId).map((row) => row.companyId)).toEqual(
      Array(5).fill('taste'),
    )
  }, 180_000)
})
