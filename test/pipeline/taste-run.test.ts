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
let long: TinyTalk
let model: PretendModel
let house: RunEnvironment

/** A story of 92 s between greetings; its middle is to spare. */
const OPENING = 'My grandfather kept a lighthouse that nobody could find.'
const ASIDE = 'You have to know how those towers were painted back then.'
const ASIDE_END = 'All of that paint came from one shop near the harbour.'
const PAYOFF = 'He had switched it off every night to save the bulb.'
const LONG_TALK = [
  'Hello everybody and welcome to the show.',
  'Please leave a review wherever you listen.',
  OPENING,
  'My grandfather was hired in a winter of terrible storms.',
  'The captain brought him out with one bag and one lamp.',
  ASIDE,
  'White and red bands were the rule along this coast.',
  'Every tower had bands of its own width and order.',
  'A painter needed eleven days for a tower of that height.',
  'Linseed oil was mixed with lead and with a little chalk.',
  'Brushes were made of hair from the tails of horses.',
  'Rain could ruin a whole week of work on the bands.',
  'Inspectors measured each band with a wooden ruler.',
  ASIDE_END,
  'My grandfather climbed the stairs on the first evening.',
  'Ships complained that the coast was black all night.',
  'A letter came from the admiral about two lost boats.',
  'My grandfather answered that the lamp was in perfect order.',
  'An officer rowed out to see the lamp with his own eyes.',
  'The lamp was clean, and the bulb was as good as new.',
  'The officer asked how one bulb could last for eleven years.',
  'My grandfather was silent, and then he smiled at the officer.',
  'My grandfather said that good things must be looked after.',
  'The officer waited in the tower until the sun was down.',
  PAYOFF,
  'Thank you for listening, that is all for today.',
  'Next week we talk about gardens and their fences.',
]
const isAboutStory = (messages: readonly { readonly content: string }[]): boolean =>
  messages[1]?.content.includes('<talk>') === true
/** The story as it is marked above; a talk without it has none. */
function marksIn(question: string): string {
  const numberOf = (text: string): number =>
    Number(
      question
        .split('\n')
        .find((line) => line.includes(text))
        ?.split(' ')[0] ?? 0,
    )
  const leave_out = numberOf(ASIDE) === 0 ? [] : [{ from: numberOf(ASIDE), to: numberOf(ASIDE_END) }]
  return JSON.stringify({ begins: numberOf(OPENING), ends: numberOf(PAYOFF), leave_out })
}

beforeAll(async () => {
  root = await makeRoot()
  talk = await makeTinyTalk(root, 'town-hall')
  captioned = await makeTinyTalk(root, 'studio')
  await rm(talk.captions)
  long = await makeTinyTalk(root, 'lighthouse', LONG_TALK)
  model = await pretendModel(({ body }) => ({
    content: isAboutStory(body.messages)
      ? marksIn(body.messages[1]?.content ?? '')
      : JSON.stringify({
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
    const questions = model.asked.slice(before).filter((one) => !isAboutStory(one.body.messages))
    expect(questions).toHaveLength(1)
    const asked = questions[0]
    expect(asked?.body.messages[1]?.content).toContain('the secret of editing')
    expect(clips[0]?.document.title).toMatch(/^Named by a model: /)
    const order = clips.map(({ document }) => document.viralityScore)
    expect(order).toEqual(order.toSorted((a, b) => b - a))
    for (const { words } of clips) expect(words.length).toBeGreaterThan(0)
  }, 120_000)

  it('has a story that is longer than a clip shortened: two segments that play opening and pay-off', async () => {
    const { runId, state, clips } = await run({ min_length: 20, max_length: 60 }, long.video)
    expect(state, describeRun(house.db, runId)).toBe('succeeded')
    const clip = clips.find(({ document }) => document.segments.length > 0)
    const segments = clip?.document.segments ?? []
    expect(segments, describeRun(house.db, runId)).toHaveLength(2)
    const played = segments.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0)
    expect(played).toBeGreaterThan(50)
    expect(played).toBeLessThanOrEqual(60)
    expect(segments.at(-1)?.endSeconds).toBeGreaterThan(80)
    const start = clip?.document.startTimestamp ?? 0
    const heard = (clip?.words ?? [])
      .filter((word) =>
        segments.some(
          (one) => word.start >= start + one.startSeconds - 0.05 && word.end <= start + one.endSeconds + 0.05,
        ),
      )
      .map(({ word }) => word)
      .join(' ')
    expect(heard.startsWith(OPENING)).toBe(true)
    expect(heard.endsWith(PAYOFF)).toBe(true)
    expect(heard).not.toContain(ASIDE)
    const reasons = JSON.stringify(clip?.document)
    expect(reasons).toContain('The set-up is shortened by')
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
