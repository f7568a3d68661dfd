/** Runs that look at more than the words, from a file to finished clips; here without captions and without any model. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { getRun } from '../../server/db/runs.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { pretendModel, type PretendModel } from '../support/language-model.ts'
import { describeRun, makeHome, queueRun, type TestHome } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'

let root: string
let talk: TinyTalk
let captioned: TinyTalk
let model: PretendModel
let place: TestHome
let jobs: RunningJobs

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-taste-'))
  talk = await makeTinyTalk(root, 'town-hall')
  captioned = await makeTinyTalk(root, 'studio')
  await rm(talk.captions)
  model = await pretendModel(() => ({
    content: JSON.stringify({
      clips: [1, 2].map((id) => ({
        ...{ id, score: id * 40, title: `Named by a model ${id}`, bio: 'A bio.', keywords: ['studio'] },
        reason: 'It holds.',
      })),
    }),
  }))
  place = makeHome(join(root, 'home'))
  const config = loadConfig(
    { home: place.home.root },
    {
      CUTROOM_MIN_FREE_BYTES: '0',
      CUTROOM_LLM_URL: model.url,
      CUTROOM_LLM_MODEL: 'small',
      CUTROOM_NETWORK: 'off',
    },
  )
  const { home, db } = place
  jobs = await startJobs({ config, home, db, log: createLogger('error'), now: Date.now })
}, 60_000)
afterAll(async () => {
  await jobs.stop()
  await model.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})

const finder = (config: Record<string, unknown>): ResolvedNode => ({
  ...{ id: 'find_clips', type: 'find_clips', enabled: true },
  config: { min_length: 6, max_length: 15, ...config },
})

async function run(config: Record<string, unknown>, video = talk.video) {
  const { runId, operationId } = queueRun(place.db, video, [finder(config)])
  jobs.wake()
  const ended = await jobs.whenSettled(operationId, 120_000)
  return { runId, state: ended?.state, run: getRun(place.db, runId), clips: listRunClips(place.db, runId) }
}

describe('a video without captions, where no model is installed', () => {
  it('gives clips by its sound alone to a multimodal run, which says what it could not do', async () => {
    const {
      runId,
      state,
      run: ended,
      clips,
    } = await run({ model_key: 'multimodal', max_length: 25, min_length: 15 })
    expect(state, describeRun(place.db, runId)).toBe('succeeded')
    expect(clips.length).toBeGreaterThan(0)
    for (const { document, words } of clips) {
      expect(document.title).toMatch(/^town-hall 0:\d\d$/)
      expect(words).toEqual([])
      // The talk is quiet for the last 0.8 s of every four: both edges lie there.
      expect((document.startTimestamp + 1e-6) % 4).toSatisfy((at: number) => at >= 3.2 || at < 0.2)
      expect(document.endTimestamp % 4).toSatisfy((at: number) => at >= 3.1 || at < 0.2)
    }
    const warnings = ended?.warnings.join('\n') ?? ''
    expect(warnings).toContain('cutroom models install yamnet --from')
    expect(warnings).toMatch(
      /no speech model is installed.*cutroom models install whisper.*by their sound alone/,
    )
  }, 120_000)

  it('ends a conversational run with the command that mends it', async () => {
    const { run: ended } = await run({ model_key: 'conversational' })
    expect(ended?.errorCode).toBe('MODEL_NOT_INSTALLED')
    expect(ended?.error).toContain('cutroom models install whisper')
  }, 60_000)
})

describe('a run with a language model', () => {
  it('has its clips ranked and named by it, with their own times and words', async () => {
    const before = model.asked.length
    const config = { min_length: 10, max_length: 16, prompt: 'the secret of editing' }
    const { runId, state, clips } = await run(config, captioned.video)
    expect(state, describeRun(place.db, runId)).toBe('succeeded')
    expect(model.asked.length).toBe(before + 1)
    const [asked] = model.asked.slice(before)
    expect(asked?.body.messages[1]?.content).toContain('the secret of editing')
    expect(clips[0]?.document.title).toMatch(/^Named by a model \d$/)
    const order = clips.map(({ document }) => document.viralityScore)
    expect(order).toEqual(order.toSorted((a, b) => b - a))
    for (const { words } of clips) expect(words.length).toBeGreaterThan(0)
  }, 120_000)
})
