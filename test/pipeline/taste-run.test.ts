/** Runs that look at more than the words, from a file to finished clips; here without captions and without any model. */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { getRun } from '../../server/db/runs.ts'
import { findClipsSettings } from '../../server/nodes/index.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { pretendModel, type PretendModel } from '../support/language-model.ts'
import { makeRoot, openRunEnvironment, type RunEnvironment } from '../support/run-environment.ts'
import { describeRun } from '../support/run-on-jobs.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { wavFile } from '../support/wav.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'

let root: string
let talk: TinyTalk
let captioned: TinyTalk
let model: PretendModel
let house: RunEnvironment

beforeAll(async () => {
  root = await makeRoot()
  talk = await makeTinyTalk(root, 'town-hall')
  captioned = await makeTinyTalk(root, 'studio')
  await rm(talk.captions)
  model = await pretendModel(({ body }) => ({
    content: JSON.stringify({
      // What a model writes is held against what is said: it quotes the first words of each clip.
      clips: [...(body.messages[1]?.content ?? '').matchAll(/opening: (\S+ \S+ \S+)/g)].map(
        ([, words], at) => ({
          id: at + 1,
          score: 40 + at * 40,
          titles: [`Named by a model: "${words ?? ''}"`],
          bio: 'A bio.',
          keywords: ['studio'],
          reason: 'It holds.',
        }),
      ),
    }),
  }))
  house = await openRunEnvironment({
    root,
    environment: { CUTROOM_LLM_URL: model.url, CUTROOM_LLM_MODEL: 'small', CUTROOM_NETWORK: 'off' },
  })
}, 60_000)
afterAll(async () => {
  await house.close()
  await model.stop()
})

const finder = (config: Record<string, unknown>): ResolvedNode => ({
  id: 'find_clips',
  type: 'find_clips',
  enabled: true,
  config: { min_length: 6, max_length: 15, ...config },
})

async function run(config: Record<string, unknown>, video = talk.video) {
  const made = await house.run(video, [finder(config)])
  return { ...made, run: getRun(house.db, made.runId) }
}

describe('a video without captions, where no model is installed', () => {
  it('yields clips by sound alone in a multimodal run, with warnings about what it could not do', async () => {
    const {
      runId,
      state,
      run: ended,
      clips,
    } = await run({ model_key: 'multimodal', max_length: 25, min_length: 15 })
    expect(state, describeRun(house.db, runId)).toBe('succeeded')
    expect(clips.length).toBeGreaterThan(0)
    for (const { document, words } of clips) {
      expect(document.title).toMatch(/^town-hall 0:\d\d$/)
      expect(words).toEqual([])
      // The talk is silent for the last 0.8 s of every four: both edges are there.
      expect((document.startTimestamp + 1e-6) % 4).toSatisfy((at: number) => at >= 3.2 || at < 0.2)
      expect(document.endTimestamp % 4).toSatisfy((at: number) => at >= 3.1 || at < 0.2)
    }
    const warnings = ended?.warnings.join('\n') ?? ''
    expect(warnings).toContain('cutroom models install yamnet --from')
    expect(warnings).toMatch(
      /no speech model is installed.*cutroom models install whisper.*by their sound and picture alone/,
    )
  }, 120_000)

  it('gives clips by its picture alone to a multimodal run of a video without sound', async () => {
    const mute = join(root, 'mute.mp4')
    const source = 'testsrc2=size=320x180:rate=25:duration=30'
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p']
    const args = ['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...codec, mute]
    await promisify(execFile)(bundledTools().ffmpeg, args)
    const { runId, state, run: ended, clips } = await run({ model_key: 'multimodal', max_length: 12 }, mute)
    expect(state, describeRun(house.db, runId)).toBe('succeeded')
    expect(clips.length).toBeGreaterThan(0)
    for (const { document } of clips) expect(document.whyPicked).toMatch(/^Chosen by its picture alone: /)
    expect(ended?.warnings.join()).toContain('chosen by their picture alone and have no captions')
  }, 120_000)

  it('ends a conversational run with the command that installs a model', async () => {
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
    expect(state, describeRun(house.db, runId)).toBe('succeeded')
    expect(model.asked.length).toBe(before + 1)
    const asked = model.asked[before]
    expect(asked?.body.messages[1]?.content).toContain('the secret of editing')
    expect(clips[0]?.document.title).toMatch(/^Named by a model: /)
    const order = clips.map(({ document }) => document.viralityScore)
    expect(order).toEqual(order.toSorted((a, b) => b - a))
    for (const { words } of clips) expect(words.length).toBeGreaterThan(0)
  }, 120_000)
})

describe('the sound data of find-clips', () => {
  it('extends a clip of captions to detected laughter, from the files of earlier stages', async () => {
    const folder = (name: string) => join(root, 'given', name)
    const words = Array.from({ length: 90 }, (_, index) => {
      const start = 1 + Math.floor(index / 9) * 4 + (index % 9) * 0.3
      return {
        word: index % 9 === 8 ? 'wall.' : index % 9 === 0 ? 'The' : 'garden',
        start,
        end: start + 0.28,
      }
    })
    const level = (second: number): number => ((second - 1) % 4 < 2.7 && second > 1 ? -20 : -60)
    const audio = {
      speechFile: 'speech.wav',
      envelopeFile: 'envelope.f32',
      envelopeHopSeconds: 0.01,
      durationSeconds: 42,
      silent: false,
      speechLevelDb: -20,
      noiseLevelDb: -60,
    }
    for (const name of ['audio', 'events', 'transcript']) await mkdir(folder(name), { recursive: true })
    await writeFile(join(folder('audio'), 'speech.wav'), wavFile(new Int16Array(42 * 16_000)))
    const envelope = Float32Array.from({ length: 4200 }, (_, hop) => level(hop / 100))
    await writeFile(join(folder('audio'), 'envelope.f32'), new Uint8Array(envelope.buffer))
    const laughter = { kind: 'laughter', start: 23.6, end: 24.7, score: 0.9 }
    await writeFile(join(folder('events'), 'events.json'), JSON.stringify([laughter]))
    const transcript = { origin: 'sidecar-captions', language: 'en', detail: '', words }
    await writeFile(join(folder('transcript'), 't.json'), JSON.stringify(transcript))
    const settings = findClipsSettings([finder({ min_length: 8, max_length: 14 })], [])
    const inputs = { audio: folder('audio'), transcript: folder('transcript') }
    const results = { audio, events: { eventsFile: 'events.json' }, transcript: { transcriptFile: 't.json' } }
    const find = async (name: string, extra: { events?: string }, senses: object) =>
      (
        await runStageForTest(
          runFindClips,
          { settings, durationSeconds: 42, ...senses },
          { root: folder(name), inputs: { ...inputs, ...extra }, results },
        )
      ).output.candidates
    const events = { events: folder('events') }
    const wide = await find('wide', events, { senses: { name: 'x' } })
    expect(wide[0]?.end).toBeCloseTo(24.7, 1)
    expect(wide[0]?.whyPicked.toLowerCase()).toContain('people laugh')
    // A choice by words alone is the same, with or without sound data.
    expect(await find('narrow', events, {})).toEqual(await find('plain', {}, {}))
  })
})
