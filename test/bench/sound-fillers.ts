/** Fillers that captions leave out: how many are cut or offered, and what else is taken for one. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transcript, UnwrittenFiller } from '../../server/contract/transcript.ts'
import { openWav } from '../../workers/inference/wav-file.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { fillersBeside, findHeldSounds } from '../../workers/stages/captions/sustained.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { wavFile } from '../support/wav.ts'
import {
  JOINTS,
  listFillerVoices,
  TRAPS,
  withDrawnWords,
  withFillers,
  withoutWords,
  withTraps,
  type FillerTalk,
  type Voice,
} from './filler-talks.ts'
import { RATE, samplesOf, type AlignedWord } from './media.ts'
import { quantile, seconds } from './measure/spread.ts'
import type { FigureTable } from './report.ts'
import type { Half } from './speaker-talks.ts'

type Handler = Parameters<typeof runStageForTest>[0]
type Say = (line: string) => void

const HALVES: readonly Half[] = ['tuned', 'held out']
const MODES = ['captions, timed by the sound', 'words with their right times'] as const
type Mode = (typeof MODES)[number]
const SEEDS = [1, 2, 3, 4, 5]
const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample')

/** Leaves its files in `folder`. */
export async function fillerTables(folder: string, say: Say): Promise<FigureTable[]> {
  const root = join(folder, 'fillers')
  await mkdir(root)
  const found: string[][] = []
  const mistaken: string[][] = []
  for (const half of HALVES) {
    const voices = await listFillerVoices(half)
    for (const mode of MODES) {
      say(`fillers, ${half}, ${mode}`)
      found.push([half, mode, ...(await countFound(root, voices, mode))])
    }
    say(`what is no filler, ${half}`)
    mistaken.push(...(await countMistaken(root, voices, half)))
  }
  return [
    {
      title: 'Fillers that captions leave out',
      columns: [
        'voices',
        'words',
        ...JOINTS.map((joint) => `${joint}: cut, offered`),
        'cut by mistake',
        'minutes',
      ],
      rows: found,
      notes: [
        'The hesitations are made, for want of recordings with marked ones: 0.22 to 0.62 s of a speaker’s own voice, the periods of a vowel laid at a slowly falling pitch, as they are or through the formants of “uh”, “um”, “eh” and “euh”, 2 to 8 dB below the speech, after every fifth word. They stand between two pauses of 0.1 to 0.45 s, at one, or at none. Tuned: a speech of 1961, a synthetic voice, two people of GRID; held out: a narrated film, another synthetic voice, three people of GRID. Cut: what the node removes; offered: what the editor shows to be looked at. Found counts where half of a hesitation is covered.',
      ],
    },
    {
      title: 'What is no filler',
      columns: ['what', 'voices', ...MODES.map((mode) => `${mode}: cut, offered`), 'minutes'],
      rows: mistaken,
      notes: [
        'The same recordings: with whole captions; with every tenth word left out of the captions (ten times, so that each word is once); with the vowel of every fourth word drawn out by 0.2 to 0.45 s; and with made laughter, an instrument, or single words of other voices in pauses after every fifth word. Right would be 0 everywhere.',
      ],
    },
    await sampleTable(root, say),
  ]
}

async function countFound(root: string, voices: readonly Voice[], mode: Mode): Promise<string[]> {
  const counts = new Map(JOINTS.map((joint) => [joint, { all: 0, cut: 0, offered: 0 }]))
  let mistakes = 0
  let minutes = 0
  for (const voice of voices)
    for (const seed of SEEDS) {
      const talk = withFillers(voice, seed)
      const fillers = await findIn(root, talk, mode)
      minutes += talk.samples.length / RATE / 60
      for (const made of talk.fillers) {
        const count = counts.get(made.joint)
        const hits = fillers.filter((filler) => common(filler, made) >= 0.5 * (made.end - made.start))
        if (count === undefined) continue
        count.all += 1
        if (hits.some(({ sure }) => sure)) count.cut += 1
        else if (hits.length > 0) count.offered += 1
      }
      mistakes += fillers.filter(
        (one) => one.sure && !talk.fillers.some((made) => common(one, made) >= 0.5 * (one.end - one.start)),
      ).length
    }
  const cells = [...counts.values()].map(({ all, cut, offered }) => `${cut}, ${offered} of ${all}`)
  return [...cells, String(mistakes), minutes.toFixed(1)]
}

interface Span {
  readonly start: number
  readonly end: number
}

const common = (one: Span, other: Span): number =>
  Math.min(one.end, other.end) - Math.max(one.start, other.start)

async function countMistaken(root: string, voices: readonly Voice[], half: Half): Promise<string[][]> {
  const spoken = voices.filter(({ name }) => name.includes('.'))
  const tens = Array.from({ length: 10 }, (_, first) => first)
  const sets: [string, FillerTalk[]][] = [
    ['captions as they are', voices.map((voice) => withoutWords(voice, null))],
    ['every tenth word left out', voices.flatMap((voice) => tens.map((first) => withoutWords(voice, first)))],
    ['words drawn out', spoken.flatMap((voice) => [0, 1, 2, 3].map((seed) => withDrawnWords(voice, seed)))],
    ...TRAPS.map((trap): [string, FillerTalk[]] => [
      `${trap} in pauses`,
      voices.flatMap((voice) => [1, 2, 3].map((seed) => withTraps(voice, trap, voices, seed))),
    ]),
  ]
  const rows: string[][] = []
  for (const [name, talks] of sets) {
    const cells: string[] = []
    for (const mode of MODES) {
      let cut = 0
      let offered = 0
      for (const talk of talks)
        for (const { sure } of await findIn(root, talk, mode)) {
          cut += sure ? 1 : 0
          offered += sure ? 0 : 1
        }
      cells.push(`${cut}, ${offered}`)
    }
    const minutes = talks.reduce((sum, { samples }) => sum + samples.length / RATE / 60, 0)
    rows.push([name, half, ...cells, minutes.toFixed(1)])
  }
  return rows
}

let runs = 0

async function findIn(root: string, talk: FillerTalk, mode: Mode): Promise<readonly UnwrittenFiller[]> {
  runs += 1
  const folder = join(root, `run-${runs}`)
  await mkdir(folder)
  await writeFile(join(folder, 'speech.wav'), wavFile(talk.samples))
  if (mode === 'captions, timed by the sound')
    return (await timeCaptions(folder, srtOf(talk.words), talk.samples.length / RATE)).fillers ?? []
  await using wav = await openWav(join(folder, 'speech.wav'))
  const held = await findHeldSounds({ signal: new AbortController().signal }, wav)
  return fillersBeside(talk.words, held).fillers
}

async function timeCaptions(folder: string, srt: string, durationSeconds: number): Promise<Transcript> {
  await writeFile(join(folder, 'c.srt'), srt)
  const { folder: made } = await runStageForTest(
    runCaptions as Handler,
    { track: { kind: 'sidecar', file: 'c.srt', format: 'srt', language: 'en' }, durationSeconds },
    {
      root: join(folder, 'run'),
      inputs: { ingest: folder, audio: folder },
      results: { audio: { speechFile: 'speech.wav', silent: false } },
    },
  )
  return JSON.parse(await readFile(join(made, 'transcript.json'), 'utf8')) as Transcript
}

/** Captions of up to nine words that do not care for pauses under 0.8 s; their edges are up to 0.1 s off. */
function srtOf(words: readonly AlignedWord[]): string {
  const groups: AlignedWord[][] = [[]]
  words.forEach((word, at) => {
    groups.at(-1)?.push(word)
    const pause = (words[at + 1]?.start ?? Infinity) - word.end
    if (pause > 0.8 || (groups.at(-1)?.length ?? 0) >= 9) groups.push([])
  })
  return groups
    .filter((group) => group.length > 0)
    .map((group, at) => {
      const start = Math.max(0, (group[0]?.start ?? 0) + (((at * 37) % 21) - 10) / 100)
      const end = (group.at(-1)?.end ?? 0) + (((at * 53) % 21) - 10) / 100
      return `${at + 1}\n${stamp(start)} --> ${stamp(end)}\n${group.map(({ word }) => word).join(' ')}\n`
    })
    .join('\n')
}

const stamp = (at: number): string =>
  new Date(Math.round(at * 1000)).toISOString().slice(11, 23).replace('.', ',')

interface SampleWord extends AlignedWord {
  readonly speaker: string
}

/** The bundled talk, whose captions have its "um" and "uh": without them. */
async function sampleTable(root: string, say: Say): Promise<FigureTable> {
  say('fillers, the sample talk')
  const folder = join(root, 'sample')
  await mkdir(folder)
  const samples = await samplesOf(join(SAMPLE, 'sample.mp4'))
  await writeFile(join(folder, 'speech.wav'), wavFile(samples))
  const said = JSON.parse(await readFile(join(SAMPLE, 'words.json'), 'utf8')) as SampleWord[]
  const isFiller = ({ word }: { word: string }): boolean => /^(um|uh)\W*$/i.test(word)
  const srt = (await readFile(join(SAMPLE, 'sample.srt'), 'utf8')).replaceAll(/\b(um|uh)\b[,.]? ?/gi, '')
  const { words, fillers = [] } = await timeCaptions(folder, srt, samples.length / RATE)
  const written = said.filter((word) => !isFiller(word))
  const late = written.map(({ start }, at) => Math.abs(start - (words[at]?.start ?? Infinity)))
  const rows = (['host', 'guest'] as const).map((speaker) => {
    const own = said.filter((word) => isFiller(word) && word.speaker === speaker)
    const hits = own.map((word) =>
      fillers.find((filler) => common(filler, word) > 0.5 * (word.end - word.start)),
    )
    const cut = hits.filter((hit) => hit?.sure === true).length
    const offered = hits.filter((hit) => hit?.sure === false).length
    return [speaker, String(own.length), String(cut), String(offered)]
  })
  const mistakes = fillers.filter(
    (filler) => !said.some((word) => isFiller(word) && common(filler, word) > 0),
  )
  return {
    title: 'The sample talk, its “um” and “uh” left out of the captions',
    columns: ['speaker', 'fillers', 'cut', 'offered'],
    rows,
    notes: [
      `Four minutes, ${written.length} other words; ${mistakes.length} found that are none. Word starts are ${seconds(quantile(late, 0.5))} off in the median, ${seconds(quantile(late, 0.95))} in the 95th percentile. The fillers are synthetic, 0.11 to 0.29 s long; limits were set on the host’s, whose voice is among the tuned ones.`,
    ],
  }
}
