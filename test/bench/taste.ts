/**
 * The choice of clips, measured: where their edges are, whether a prompt is followed, how fast it is. On the bundled
 * talk, whose word times are known exactly, and on generated talks: `npm run bench -- taste`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClipCandidate, FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import type { PictureFacts } from '../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { findClips } from '../../workers/stages/find-clips/pure/find-clips.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { runLookOver } from '../../workers/stages/look-over/stage.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import {
  generatedTalk,
  GENERATED_WISHES,
  PLAIN_SETTINGS,
  sampleTalk,
  SAMPLE_WISHES,
  type Talk,
  type Wish,
} from '../support/topics.ts'
import { timed, modelFolders } from './media.ts'
import type { FigureTable, QualityReport } from './report.ts'
import { learnedTable } from './taste-learned.ts'
import { promptTable } from './taste-prompts.ts'
import { storyTables } from './taste-stories.ts'
import { titleTables } from './taste-titles.ts'
import { chooseModel } from '../../models/installed.ts'
import { loadTextEmbedder } from '../../workers/inference/text-embedder.ts'
import {
  compareMeaning,
  listPreferences,
  textsToCompare,
  type Understood,
} from '../../workers/stages/find-clips/pure/meaning.ts'
import { splitSentences } from '../../workers/stages/find-clips/pure/sentences.ts'

const TALKS = 40
const SAMPLE_SIZE = { width: 1280, height: 720 }
const SAMPLE_FILE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')

/** The tables of taste, and what could not be measured. About ten seconds. */
export async function runTasteBench({
  say = () => undefined,
  model,
}: { say?: (line: string) => void; model?: string } = {}): Promise<QualityReport> {
  const talks = Array.from({ length: TALKS }, (_, seed) => generatedTalk(seed + 1))
  say('edges')
  const heard = await bySound()
  const edges = edgesTable(talks, heard.candidates)
  say('steering')
  const meaning = await understanding(model)
  const steering = await steeringTable(talks, meaning)
  say('stories')
  const stories = await storyTables(meaning?.embed ?? null)
  say('titles')
  const titles = await titleTables(meaning?.embed ?? null)
  say('prompts')
  const prompts = await promptTable(meaning?.embed ?? null)
  say('learning')
  const learned = learnedTable()
  say('speed')
  const looking = await lookOver()
  return {
    title: 'Taste',
    tables: [
      ...stories,
      ...titles,
      prompts,
      edges,
      steering,
      learned,
      cutsTable(looking),
      speedTable(heard.speed, looking.speed),
    ],
    unmeasured: [
      ...(meaning === null ? [NO_MEANING] : []),
      'how well the chosen clips please an audience, and how much is learned from a real one: that needs results of published posts. Where there are some, `cutroom learning show` prints the hit rate with what was learned and without.',
      'what an ear for laughter and applause, and an eye for cuts, movement and faces, add to the choice: that needs videos whose best moments are known. That they find what they look for is tested.',
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

function edgesTable(talks: readonly Talk[], heard: readonly ClipCandidate[]): FigureTable {
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

const NO_MEANING =
  'how much better a prompt is followed in other words by a model that knows what is meant, for want of weights: it was only tested on a tiny one made for tests. With them: `cutroom models install multilingual-minilm && npm run bench -- taste --write docs/quality.md`.'

async function steeringTable(talks: readonly Talk[], meaning: Understanding | null): Promise<FigureTable> {
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
  const byMeaning = async (on: readonly Talk[], wishes: readonly Wish[]): Promise<string[]> => {
    if (meaning === null) return []
    let right = 0
    for (const talk of on)
      for (const { prompt, holds } of wishes) {
        const settings = { ...PLAIN_SETTINGS, prompt: `Find the moments about ${prompt}.` }
        const near = await meaning.of(talk, settings)
        const [best] = findClips({ ...talk, language: 'en', settings, ...near }).candidates
        if (best !== undefined && holds.test(best.text)) right += 1
      }
    return [`${((100 * right) / (on.length * wishes.length)).toFixed(1)} %`]
  }
  const sample = [sampleTalk()]
  return {
    title: 'Following a prompt',
    columns: [
      'talk',
      'wishes',
      'best clip is about it',
      'without asking',
      ...(meaning === null ? [] : [`with ${meaning.model}`]),
    ],
    rows: [
      [...row('the sample talk', sample, SAMPLE_WISHES), ...(await byMeaning(sample, SAMPLE_WISHES))],
      [
        ...row(`${talks.length} generated talks`, talks, GENERATED_WISHES),
        ...(await byMeaning(talks, GENERATED_WISHES)),
      ],
    ],
    notes: [
      'Two thirds of the wishes for the sample talk, and all of those for generated talks, are in words or forms that are not said. The lists of words were made by the same people as the wishes: other topics will do worse.',
    ],
  }
}

function speedTable(hearing: number, looking: number): FigureTable {
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
      ['a look over the picture for cuts and movement', times(looking)],
    ],
    notes: [
      `The picture is the sample's, ${SAMPLE_SIZE.width}x${SAMPLE_SIZE.height}, by its keyframes; larger pictures take longer, nearly in proportion to their pixels.`,
    ],
  }
}

interface Looking {
  /** Seconds of the sample looked over in one of one core, decoding included. */
  readonly speed: number
  readonly facts: PictureFacts
  /** True cut times of every picture. */
  readonly truth: readonly number[]
}

/** The quick look over the sample, with ffmpeg's own analysis of each picture for comparison. */
async function lookOver(): Promise<Looking> {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-look-'))
  const { durationSeconds } = sampleTalk()
  const params = { streamIndex: 0, durationSeconds, ...SAMPLE_SIZE }
  try {
    const look = () => runStageForTest(runLookOver, params, { root, inputs: { source: SAMPLE_FILE } })
    const { speed, result } = await timed(durationSeconds, look)
    const text = await readFile(join(result.folder, result.output.pictureFile), 'utf8')
    return { speed, facts: JSON.parse(text) as PictureFacts, truth: await cutsByEveryPicture() }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function cutsByEveryPicture(): Promise<number[]> {
  const { stderr } = await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-hide_banner',
      '-nostdin',
      '-i',
      SAMPLE_FILE,
      '-an',
      '-vf',
      "scale=160:90,select='gt(scene,0.15)',showinfo",
      '-f',
      'null',
      '-',
    ],
  })
  return [...stderr.matchAll(/pts_time:([\d.]+)/g)].map(([, time]) => Number(time))
}

/** A cut between two keyframes is found at the later one. */
function cutsTable({ facts, truth }: Looking): FigureTable {
  const times = facts.looks.map(([time]) => time)
  const keyframeOf = (cut: number): number => times.find((time) => time >= cut - 0.05) ?? cut
  const wanted = new Set(truth.map(keyframeOf))
  const right = facts.cuts.filter((cut) => wanted.has(cut)).length
  return {
    title: 'Cuts in the picture',
    columns: ['talk', 'cuts', 'found', 'false'],
    rows: [['the sample talk', String(truth.length), String(right), String(facts.cuts.length - right)]],
    notes: [
      `Found by ${facts.looks.length} keyframes alone; held against what changes between each picture and the next.`,
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
        durationSeconds,
        senses: { name: 'sample' },
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

interface Understanding {
  readonly model: string
  of(talk: Talk, settings: FindClipsSettings): Promise<Understood>
  /** Vectors of length 1; those that were made before are known. */
  readonly embed: (texts: readonly string[]) => Promise<Float32Array[]>
}

/** `name`: the model to take; left out: the one that a run would take. */
async function understanding(name = ''): Promise<Understanding | null> {
  const model = await chooseModel(modelFolders(), 'text-embedding', name)
  if (model === null) return null
  const embedder = await loadTextEmbedder(model, { warn: () => undefined })
  const known = new Map<string, Float32Array>()
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text))
    const vectors = await embedder.embed(missing, new AbortController().signal)
    missing.forEach((text, at) => known.set(text, vectors[at] ?? new Float32Array()))
    return texts.map((text) => known.get(text) ?? new Float32Array())
  }
  return {
    model: model.name,
    embed,
    of: async (talk, settings) => {
      const wishes = listPreferences(settings)
      const sentences = splitSentences(talk.words, talk.durationSeconds)
      return compareMeaning(sentences, wishes, await embed(textsToCompare(wishes, sentences)))
    },
  }
}
