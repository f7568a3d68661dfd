/** Diarization error on recordings whose turns are known. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import type { Turn } from '../../workers/stages/speakers/pure/turns.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { alignedWords, media, modelFolders, RATE, samplesOf, timed, times } from './media.ts'
import { diarizationError, type SpokenTurn } from './measure/diarization.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'
import { wavFile } from '../support/wav.ts'

type Handler = Parameters<typeof runStageForTest>[0]

interface Talk {
  readonly name: string
  readonly file: string
  readonly seconds: number
  readonly turns: readonly SpokenTurn<string>[]
}

/** Recordings, and how much faster and higher they are played: two more voices are the same ones at another pitch. */
const VOICES = {
  rms: { file: 'flite_rms_gettysburg.wav', pitch: 1 },
  slt: { file: 'flite_slt_alice.wav', pitch: 1 },
  jfk: { file: 'jfk.flac', pitch: 1 },
  'rms, higher': { file: 'flite_rms_gettysburg.wav', pitch: 1.18 },
  'slt, lower': { file: 'flite_slt_alice.wav', pitch: 0.86 },
} as const
type Voice = keyof typeof VOICES
/** A pause of a speaker that is longer is not speech, seconds. */
const PAUSE_SECONDS = 0.5

interface Mix {
  readonly name: string
  readonly order: readonly Voice[]
  /** Of each turn in turn, about; seconds. */
  readonly lengths: readonly number[]
  /** Between turns, seconds. */
  readonly silence?: number
  /** White noise so far below the speech, dB. */
  readonly noiseDb?: number
}

const ROUND: readonly Voice[] = ['rms', 'slt', 'jfk', 'slt', 'rms', 'jfk', 'rms', 'slt']
const CLEAN: readonly Voice[] = ['rms', 'slt', 'rms, higher', 'slt', 'rms', 'rms, higher', 'rms', 'slt']
const MIXES: readonly Mix[] = [
  { name: 'two voices, turns of 2 s', order: pairs('rms', 'slt', 4), lengths: [2] },
  {
    name: 'two voices, turns of 3 s, noise at 15 dB',
    order: pairs('rms', 'slt', 4),
    lengths: [3],
    noiseDb: 15,
  },
  { name: 'two voices alike, turns of 4 s', order: pairs('slt', 'slt, lower', 3), lengths: [4] },
  { name: 'three voices, turns of 4 s', order: ROUND, lengths: [4] },
  {
    name: 'three voices, turns of 2 to 6 s',
    order: ROUND.slice(0, 7),
    lengths: [6, 2, 3, 5, 4],
    silence: 0.15,
  },
  {
    name: 'three voices, turns of 2 s',
    order: [...CLEAN, ...CLEAN.slice(0, 4)],
    lengths: [2],
    silence: 0.25,
  },
  { name: 'three voices, turns of 4 s, noise at 15 dB', order: CLEAN, lengths: [4], noiseDb: 15 },
  {
    name: 'four voices, turns of 3 to 5 s',
    order: [
      'rms',
      'slt, lower',
      'rms, higher',
      'slt',
      'rms',
      'slt',
      'rms, higher',
      'slt, lower',
      'slt',
      'rms',
    ],
    lengths: [4, 3, 5],
  },
  { name: 'one voice', order: ['slt', 'slt', 'slt', 'slt'], lengths: [8] },
  { name: 'one voice, noise at 15 dB', order: ['rms', 'rms', 'rms', 'rms'], lengths: [8], noiseDb: 15 },
]

function pairs(one: Voice, other: Voice, times: number): Voice[] {
  return Array.from({ length: times }, () => [one, other]).flat()
}

/** Leaves its files in `folder`. */
export async function speakersTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const talks = [await twoVoices()]
  for (const mix of MIXES) talks.push(await mixed(folder, mix))
  const rows: string[][] = []
  const speeds: number[] = []
  for (const [at, talk] of talks.entries()) {
    const voices = new Set(talk.turns.map(({ speaker }) => speaker)).size
    for (const count of [0, voices]) {
      say(`speakers, ${talk.name}${count === 0 ? '' : ', count given'}`)
      const { turns, speed } = await hear(join(folder, `${at}-${count}`), talk, count)
      speeds.push(speed)
      const { error, missed, falseAlarm, confused } = diarizationError(talk.turns, turns, talk.seconds)
      const detected = new Set(turns.map(({ speaker }) => speaker)).size
      rows.push([
        talk.name,
        count === 0 ? 'no' : 'yes',
        `${detected} of ${voices}`,
        ...[error, missed, falseAlarm, confused].map((share) => percent(share)),
      ])
    }
  }
  return {
    title: 'Who speaks when',
    columns: ['recording', 'count given', 'voices found', 'error', 'missed', 'false alarm', 'wrong voice'],
    rows,
    notes: [
      'Diarization error: shares of all spoken time, in steps of 10 ms, with a collar of 0.25 s around each edge of a turn. Two of the voices are synthetic, the third is a recording of 1961; the rest are the synthetic ones played slower or faster. None talk at once, and pauses of half a second are not speech. Meetings with overlap are far harder: above 50 % was measured on one of four people before this stage was built.',
      `Speed: ${times(speeds.toSorted((a, b) => a - b)[speeds.length >> 1] ?? NaN)} real time on one core.`,
    ],
  }
}

async function twoVoices(): Promise<Talk> {
  const text = await readFile(media('two_speakers_flite.json'), 'utf8')
  const { turns } = JSON.parse(text) as { turns: SpokenTurn<string>[] }
  const file = media('two_speakers_flite.wav')
  return { name: 'two voices, turns of 4 s', file, seconds: (await samplesOf(file)).length / RATE, turns }
}

/** Whole words of each voice's own recording, from its beginning again once it is at its end. */
async function mixed(folder: string, mix: Mix): Promise<Talk> {
  const next = new Map<Voice, number>()
  const parts: Int16Array[] = []
  const turns: SpokenTurn<string>[] = []
  let at = 0
  const add = (samples: Int16Array): void => {
    parts.push(samples)
    at += samples.length / RATE
  }
  for (const [place, speaker] of mix.order.entries()) {
    const { file, pitch } = VOICES[speaker]
    const length = (mix.lengths[place % mix.lengths.length] ?? 4) * pitch
    const words = await alignedWords(file.replace(/\.\w+$/, ''))
    const left = words.filter(({ start }) => start >= (next.get(speaker) ?? 0))
    const rest = (left.at(-1)?.end ?? 0) - (left[0]?.start ?? 0) < 0.7 * length ? words : left
    const begin = rest[0]?.start ?? 0
    const reported = rest.filter(({ end }) => end <= begin + length)
    const end = reported.at(-1)?.end ?? begin + length
    next.set(speaker, end)
    add(new Int16Array(Math.round((mix.silence ?? 0.4) * RATE)))
    for (const { start, end: to } of spokenWithout(reported)) {
      const moved = (second: number): number => at + (second - begin) / pitch
      turns.push({ speaker, start: moved(start), end: moved(to) })
    }
    const samples = await samplesOf(media(file))
    add(played(samples.subarray(Math.round(begin * RATE), Math.round(end * RATE)), pitch))
  }
  add(new Int16Array(0.4 * RATE))
  const file = join(folder, `${mix.name.replace(/\W+/g, '-')}.wav`)
  const all = Int16Array.from(parts.flatMap((part) => [...part]))
  await writeFile(file, wavFile(mix.noiseDb === undefined ? all : withNoise(all, mix.noiseDb)))
  return { name: mix.name, file, seconds: at, turns }
}

/** Stretches of words without a longer pause. */
function spokenWithout(words: readonly { start: number; end: number }[]): { start: number; end: number }[] {
  const received: { start: number; end: number }[] = []
  for (const { start, end } of words) {
    const last = received.at(-1)
    if (last !== undefined && start - last.end <= PAUSE_SECONDS) last.end = end
    else received.push({ start, end })
  }
  return received
}

/** So much faster, and higher by as much. */
function played(samples: Int16Array, pitch: number): Int16Array {
  return Int16Array.from({ length: Math.floor(samples.length / pitch) }, (_, at) => {
    const place = Math.floor(at * pitch)
    const share = at * pitch - place
    return (samples[place] ?? 0) * (1 - share) + (samples[place + 1] ?? 0) * share
  })
}

/** The same noise each time. */
function withNoise(samples: Int16Array, below: number): Int16Array {
  const loud = samples.filter((sample) => Math.abs(sample) > 200)
  const level = Math.sqrt(loud.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, loud.length))
  let seed = 1
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
  // Four even numbers between -0.5 and 0.5 spread by the root of a third.
  const scale = (level / 10 ** (below / 20)) * Math.sqrt(3)
  return samples.map((sample) => {
    const noisy = sample + scale * (random() + random() + random() + random())
    return Math.max(-32_768, Math.min(32_767, noisy))
  })
}

async function hear(root: string, talk: Talk, count: number): Promise<{ turns: Turn[]; speed: number }> {
  const inputs = { source: talk.file }
  const given = { streamIndex: 0, durationSeconds: talk.seconds }
  const sound = await runStageForTest(runAudio as Handler, given, { inputs, root: join(root, 'audio') })
  const words = join(root, 'words')
  await mkdir(words)
  const transcript = { origin: 'speech-model', language: 'en', detail: '', words: [] }
  await writeFile(join(words, 'transcript.json'), JSON.stringify(transcript))
  const { result, speed } = await timed(talk.seconds, () =>
    runStageForTest(
      runSpeakers as Handler,
      { count },
      {
        root: join(root, 'speakers'),
        inputs: { audio: sound.folder, transcript: words },
        results: { audio: sound.output, transcript: { transcriptFile: 'transcript.json', wordCount: 0 } },
        modelFolders: modelFolders(),
      },
    ),
  )
  const text = await readFile(join(result.folder, 'turns.json'), 'utf8')
  return { turns: JSON.parse(text) as Turn[], speed }
}
