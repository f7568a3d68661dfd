/** Words and their times: the measure proven on aligned words, the timing of captions, and a real speech model if there is one. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transcript } from '../../server/contract/transcript.ts'
import { chooseModel } from '../../models/installed.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { transcribeForTest } from '../support/transcribe.ts'
import { wavFile } from '../support/wav.ts'
import {
  alignedWords,
  media,
  modelFolders,
  RATE,
  samplesOf,
  timed,
  times,
  type AlignedWord,
} from './media.ts'
import { percent, seconds } from './measure/spread.ts'
import { scoreWords, type TimedText, type WordScores } from './measure/words.ts'
import type { FigureTable } from './report.ts'

type Handler = Parameters<typeof runStageForTest>[0]

const RECORDINGS = [
  ['flite_rms_gettysburg', 'wav'],
  ['flite_slt_alice', 'wav'],
  ['jfk', 'flac'],
] as const
const COLUMNS = ['word error', 'start: median', '95th percentile', 'end: median', '95th percentile']

const cells = (scores: WordScores): string[] => [
  percent(scores.wordError),
  ...[scores.startMedian, scores.startLate, scores.endMedian, scores.endLate].map(seconds),
]

/** Result of the measure for words that were changed by known amounts. */
export async function proofTable(): Promise<FigureTable> {
  const words = await alignedWords('flite_slt_alice')
  const moved = (by: (at: number) => number): TimedText[] =>
    words.map(({ word, start, end }, at) => ({ word, start: start + by(at), end: end + by(at) }))
  const cases: [string, string, TimedText[]][] = [
    ['as they are', '0 %, 0 s', words],
    ['all 0.100 s late', '0 %, 0.100 s', moved(() => 0.1)],
    ['all 0.250 s early', '0 %, 0.250 s', moved(() => -0.25)],
    ['each tenth word 1 s late', '0 %, median 0 s, 95th 1 s', moved((at) => (at % 10 === 0 ? 1 : 0))],
    ['each tenth word left out', '10 %', words.filter((_, at) => at % 10 !== 0)],
    [
      'each tenth word another',
      '10 %',
      words.map((one, at) => (at % 10 === 0 ? { ...one, word: `x${one.word}` } : one)),
    ],
    [
      'each tenth word twice',
      '10 %',
      words.flatMap((one, at) => (at % 10 === 0 ? [one, { ...one, start: one.end }] : [one])),
    ],
  ]
  return {
    title: 'The measure of words, proven',
    columns: ['aligned words', 'must be', ...COLUMNS],
    rows: cases.map(([name, expected, heard]) => [name, expected, ...cells(scoreWords(words, heard))]),
    notes: [
      `${words.length} words; a tenth of them is ${percent(Math.ceil(words.length / 10) / words.length)}.`,
    ],
  }
}

/** How precisely words of captions are timed when the captions give only the time of each line. */
export async function captionsTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const rows: string[][] = []
  const speeds: number[] = []
  for (const [name, ending] of RECORDINGS) {
    say(`words of captions, ${name}`)
    const root = join(folder, `captions-${name}`)
    await mkdir(root)
    const samples = await samplesOf(media(`${name}.${ending}`))
    await writeFile(join(root, 'speech.wav'), wavFile(samples))
    const reported = await alignedWords(name)
    const cues = cuesOf(reported)
    await writeFile(join(root, 'c.srt'), cues.map(asSrt).join('\n'))
    const length = samples.length / RATE
    const track = { kind: 'sidecar', file: 'c.srt', format: 'srt', language: 'en' } as const
    const { result, speed } = await timed(length, () =>
      runStageForTest(
        runCaptions as Handler,
        { track, durationSeconds: length },
        {
          root: join(root, 'run'),
          inputs: { ingest: root, audio: root },
          results: { audio: { speechFile: 'speech.wav', silent: false } },
        },
      ),
    )
    speeds.push(speed)
    const even = cues.flatMap(({ words, start, end }) =>
      words.map(({ word }, at) => {
        const each = (end - start) / words.length
        return { word, start: start + at * each, end: start + (at + 1) * each }
      }),
    )
    rows.push([
      name,
      'by the sound',
      ...cells(scoreWords(reported, (await transcriptIn(result.folder)).words)),
    ])
    rows.push([name, 'spread evenly', ...cells(scoreWords(reported, even))])
  }
  return {
    title: 'Times of words from captions',
    columns: ['recording', 'timing', ...COLUMNS],
    rows,
    notes: [
      'Captions of up to 14 words, broken at pauses, their edges moved by up to 0.1 s; “spread evenly” is what they would give without listening. The alignment of the old, noisy recording (jfk) is itself coarse.',
      `Speed: ${times(Math.min(...speeds))} real time on one core.`,
    ],
  }
}

interface Cue {
  readonly words: readonly AlignedWord[]
  readonly start: number
  readonly end: number
}

function cuesOf(words: readonly AlignedWord[]): Cue[] {
  const groups: AlignedWord[][] = [[]]
  words.forEach((word, at) => {
    groups.at(-1)?.push(word)
    const pause = (words[at + 1]?.start ?? Infinity) - word.end
    if (pause > 0.2 || (groups.at(-1)?.length ?? 0) >= 14) groups.push([])
  })
  // Captions are a little early and late, the same in every run.
  return groups
    .filter((group) => group.length > 0)
    .map((group, at) => ({
      words: group,
      start: Math.max(0, (group[0]?.start ?? 0) + (((at * 37) % 21) - 10) / 100),
      end: (group.at(-1)?.end ?? 0) + (((at * 53) % 21) - 10) / 100,
    }))
}

function asSrt({ words, start, end }: Cue, at: number): string {
  return `${at + 1}\n${stamp(start)} --> ${stamp(end)}\n${words.map(({ word }) => word).join(' ')}\n`
}

const stamp = (at: number): string =>
  new Date(Math.round(at * 1000)).toISOString().slice(11, 23).replace('.', ',')

async function transcriptIn(folder: string): Promise<Transcript> {
  return JSON.parse(await readFile(join(folder, 'transcript.json'), 'utf8')) as Transcript
}

/** Word errors of a speech model; null where only the stand-in of tests is installed, or no model of that name. */
export async function modelTable(
  folder: string,
  name: string | undefined,
  say: (line: string) => void,
): Promise<FigureTable | null> {
  const model = await chooseModel(modelFolders(), 'speech', name)
  if (model === null || (model.development && name !== model.name)) return null
  const rows: string[][] = []
  for (const [recording, ending] of RECORDINGS) {
    say(`${model.name}, ${recording}`)
    const root = join(folder, `speech-${recording}`)
    const source = media(`${recording}.${ending}`)
    const received = await alignedWords(recording)
    const length = (await samplesOf(source)).length / RATE
    const given = { streamIndex: 0, durationSeconds: length }
    const inputs = { source }
    const sound = await runStageForTest(runAudio as Handler, given, { inputs, root: join(root, 'audio') })
    const { result, speed } = await timed(length, () =>
      transcribeForTest(
        { language: 'en', keywords: [], model: model.name },
        {
          root: join(root, 'run'),
          inputs: { audio: sound.folder },
          results: { audio: sound.output },
          modelFolders: modelFolders(),
        },
      ),
    )
    rows.push([
      recording,
      ...cells(scoreWords(received, (await transcriptIn(result.folder)).words)),
      times(speed),
    ])
  }
  return {
    title: `Speech: ${model.name}`,
    columns: ['recording', ...COLUMNS, 'real time on one core'],
    rows,
    notes: model.development
      ? [`${model.name} is a stand-in with random weights: its words mean nothing.`]
      : [],
  }
}
