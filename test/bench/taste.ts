/**
 * How clips are chosen, measured: where their edges lie, whether a prompt is followed, how fast it is. On the bundled talk,
 * whose word times are known exactly, and on generated talks: `npm run bench -- taste`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClipCandidate, FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { findClips } from '../../workers/stages/find-clips/pure/find-clips.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import {
  generatedTalk,
  GENERATED_WISHES,
  PLAIN_SETTINGS,
  sampleTalk,
  SAMPLE_WISHES,
  type Talk,
  type Wish,
} from '../support/topics.ts'

const TALKS = 40
const SAMPLE_FILE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')

interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes?: readonly string[]
}

/** The tables of taste, and what could not be measured. About ten seconds. */
export async function runTasteBench({
  say = () => undefined,
}: { say?: (line: string) => void } = {}): Promise<{
  title: string
  tables: Table[]
  unmeasured: string[]
}> {
  const talks = Array.from({ length: TALKS }, (_, seed) => generatedTalk(seed + 1))
  say('edges')
  const heard = await bySound()
  const edges = edgesTable(talks, heard.candidates)
  say('steering')
  const steering = steeringTable(talks)
  say('speed')
  return {
    title: 'Taste',
    tables: [edges, steering, speedTable(heard.speed)],
    unmeasured: [
      'how well the chosen clips please an audience: that needs results of published posts. What an ear for laughter and applause adds needs recordings of them whose truth is known.',
    ],
  }
}

interface Edges {
  readonly edges: number
  readonly insideWord: number
  readonly insideSentence: number
}

/** Judged from the words alone, not from what the chooser believes of its own edges. */
function edgesOf(clips: readonly ClipCandidate[], words: readonly TranscriptWord[]): Edges {
  const all = clips.flatMap(({ start, end }) => [start, end])
  const insideWord = all.filter((at) => words.some((word) => word.start < at && at < word.end))
  const insideSentence = all.filter((at) => {
    const before = words.findLast((word) => word.start < at)
    const after = words.find((word) => word.end > at)
    return before !== undefined && after !== undefined && !/[.?!]["'”’)]*$/.test(before.word)
  })
  return { edges: all.length, insideWord: insideWord.length, insideSentence: insideSentence.length }
}

function edgesTable(talks: readonly Talk[], heard: readonly ClipCandidate[]): Table {
  const sample = sampleTalk()
  const row = (name: string, of: readonly Edges[]): string[] => {
    const sum = (key: keyof Edges): number => of.reduce((total, one) => total + one[key], 0)
    const share = (count: number): string => `${((100 * count) / Math.max(1, sum('edges'))).toFixed(1)} %`
    return [name, String(sum('edges')), share(sum('insideWord')), share(sum('insideSentence'))]
  }
  const bounds: readonly [number, number][] = [
    [8, 30],
    [20, 60],
    [15, 25],
  ]
  const chosen = (talk: Talk): Edges[] =>
    bounds.map(([minLength, maxLength]) =>
      edgesOf(choose(talk, { minLength, maxLength, maxClips: 10 }), talk.words),
    )
  return {
    title: 'Edges of clips',
    columns: ['talk', 'edges', 'inside a word', 'inside a sentence'],
    rows: [
      row('the sample talk', chosen(sample)),
      row(`${talks.length} generated talks`, talks.flatMap(chosen)),
      row('the sample talk by its sound alone', [edgesOf(heard, sample.words)]),
    ],
    notes: [
      'Clips of 8 to 30, 20 to 60 and 15 to 25 s. By sound alone (no captions, no speech model) sentences are not known: pauses are all there is to go by.',
    ],
  }
}

function choose(talk: Talk, change: Partial<FindClipsSettings>): ClipCandidate[] {
  const settings = { ...PLAIN_SETTINGS, ...change }
  return findClips({ ...talk, language: 'en', settings }).candidates
}

function steeringTable(talks: readonly Talk[]): Table {
  const hits = (talk: Talk, wishes: readonly Wish[], asked: boolean): number =>
    wishes.filter(({ prompt, holds }) => {
      const [best] = choose(talk, { prompt: asked ? `Find the moments about ${prompt}.` : '' })
      return best !== undefined && holds.test(best.text)
    }).length
  const row = (name: string, on: readonly Talk[], wishes: readonly Wish[]): string[] => {
    const count = on.length * wishes.length
    const share = (asked: boolean): string =>
      `${((100 * on.reduce((sum, talk) => sum + hits(talk, wishes, asked), 0)) / count).toFixed(1)} %`
    return [name, String(count), share(true), share(false)]
  }
  return {
    title: 'Following a prompt',
    columns: ['talk', 'wishes', 'best clip is about it', 'without asking'],
    rows: [
      row('the sample talk', [sampleTalk()], SAMPLE_WISHES),
      row(`${talks.length} generated talks`, talks, GENERATED_WISHES),
    ],
    notes: [
      'Two thirds of the wishes for the sample talk, and all of those for generated talks, are in words or forms that are not said. The lists of words were made by the same people as the wishes: other topics will do worse.',
    ],
  }
}

function speedTable(hearing: number): Table {
  const hour = 3600
  const one = sampleTalk()
  const words: TranscriptWord[] = []
  for (let at = 0; at < 3 * hour; at += one.durationSeconds)
    words.push(...one.words.map((word) => ({ ...word, start: word.start + at, end: word.end + at })))
  const long: Talk = { ...one, words, durationSeconds: (words.at(-1)?.end ?? 0) + 2 }
  const choosing = cpuSeconds(() =>
    choose(long, { minLength: 20, maxLength: 60, maxClips: 10, prompt: 'pricing' }),
  )
  return {
    title: 'Speed, one core',
    columns: ['what', 'times real time'],
    rows: [
      ['choosing from three hours of words', times(long.durationSeconds / choosing)],
      ['loudness, pitch and pauses of the sound, and choosing by them', times(hearing)],
    ],
  }
}

/** The sample as a run without captions sees it, and how fast that is once the sound is decoded. */
async function bySound(): Promise<{ candidates: readonly ClipCandidate[]; speed: number }> {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-taste-'))
  const { durationSeconds } = sampleTalk()
  try {
    const sound = await runStageForTest(
      runAudio,
      { streamIndex: 1, durationSeconds },
      { root: join(root, 'audio'), inputs: { source: SAMPLE_FILE } },
    )
    const before = process.cpuUsage()
    const found = await runStageForTest(
      runFindClips,
      {
        settings: { ...PLAIN_SETTINGS, minLength: 8, maxLength: 30, maxClips: 10 },
        ...{ durationSeconds, senses: { name: 'sample' } },
      },
      { root: join(root, 'found'), inputs: { audio: sound.folder }, results: { audio: sound.output } },
    )
    const { user, system } = process.cpuUsage(before)
    return { candidates: found.output.candidates, speed: durationSeconds / ((user + system) / 1e6) }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(1e-3, (user + system) / 1e6)
}

const times = (speed: number): string => `${speed >= 10 ? Math.round(speed) : speed.toFixed(1)}×`
