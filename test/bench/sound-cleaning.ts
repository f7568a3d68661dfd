/**
 * Cleaned sound measured: recorded voices with known noise, held out from those that it was tuned on, and what cleaning costs:
 * `npm run bench -- sound-cleaning --write`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SoundCleaning } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { makeCleanSound } from '../../workers/stages/render/clean.ts'
import { cleanSound } from '../../workers/stages/render/pure/clean/clean-sound.ts'
import { sampleComposition } from '../support/sample-composition.ts'
import { judgeSpeech, whyNotJudged, type SpeechQuality } from '../support/speech-quality.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { cleanVoices, likeness, lowered, mixedAt, noisesOf, powerOf, raised } from './cleaning-sounds.ts'
import { hasMedia, media, NO_MEDIA, RATE } from './media.ts'
import { median } from './measure/spread.ts'
import { qualityBench, type FigureTable, type QualityBench } from './report.ts'
import type { Half } from './speaker-talks.ts'

const HALVES: readonly Half[] = ['tuned', 'held out']
const LEVELS = [5, 15] as const
const OFF: SoundCleaning = { noise: 'off', hum: false, reverb: false }
/** Raw samples at 48 kHz, one channel. */
const RAW = ['-f', 'f32le', '-ar', '48000', '-ac', '1'] as const

type Method = (sound: Float32Array) => Promise<Float32Array> | Float32Array

const byOurs =
  (noise: 'light' | 'strong'): Method =>
  (sound) =>
    cleanSound({ left: sound, right: sound.slice() }, { ...OFF, noise }).left

const byFfmpeg =
  (filter: string): Method =>
  async (sound) => {
    const chunks: Buffer[] = []
    await runTool({
      executable: bundledTools().ffmpeg,
      args: ['-v', 'error', ...RAW, '-i', 'pipe:3', '-af', filter, ...RAW, 'pipe:1'],
      inputs: [
        async (pipe) => {
          await new Promise<void>((done) =>
            pipe.end(Buffer.from(sound.buffer, sound.byteOffset, sound.byteLength), () => done()),
          )
        },
      ],
      onStdout: (chunk) => void chunks.push(Buffer.from(chunk)),
    })
    const bytes = new Uint8Array(Buffer.concat(chunks))
    return new Float32Array(bytes.buffer, 0, bytes.length >> 2)
  }

const AFFTDN = ['afftdn=nr=12:nf=-40:tn=1', 'afftdn=nr=20:nf=-35:tn=1'] as const
const METHODS: Readonly<Record<string, Method>> = {
  light: byOurs('light'),
  strong: byOurs('strong'),
  [AFFTDN[0]]: byFfmpeg(AFFTDN[0]),
  [AFFTDN[1]]: byFfmpeg(AFFTDN[1]),
}

/** One voice in one noise through one method, or none; higher is better. */
interface Score extends Partial<SpeechQuality> {
  readonly half: Half
  readonly isFar: boolean
  readonly noise: string
  /** By how much the noise is below the voice, dB; null: none was added. */
  readonly level: number | null
  readonly method: string
  readonly likeness: number
  /** Mean level where the voice pauses, dB of full scale. */
  readonly pause: number
}

const UNTOUCHED = 'untouched'

/** About ten minutes. */
export async function runSoundCleaningBench({ say }: { say: (line: string) => void }): Promise<QualityBench> {
  const title = 'Cleaned sound'
  if (!hasMedia) return qualityBench('sound-cleaning', { title, tables: [], unmeasured: [`${NO_MEDIA}.`] })
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-cleaning-'))
  try {
    const why = whyNotJudged()
    const scores: Score[] = []
    for (const half of HALVES) scores.push(...(await scoresOf(half, { folder, judges: why === null, say })))
    const tables = [
      ...gainTables(scores),
      noiseTable(scores),
      untouchedTable(scores),
      await costTable(folder, say),
    ]
    const unmeasured = [
      ...(why === null ? [] : [`PESQ and STOI: ${why}.`]),
      'de-reverberation in recorded rooms, for which there is no recording here of the same voice without the room; levelling and hum, which have tests of their own (test/pipeline/render-sound-clean.test.ts).',
    ]
    return qualityBench('sound-cleaning', { title, tables, unmeasured })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Scoring {
  readonly folder: string
  readonly judges: boolean
  readonly say: (line: string) => void
}

async function scoresOf(half: Half, { folder, judges, say }: Scoring): Promise<Score[]> {
  const scores: Score[] = []
  const pairs: [string, string][] = []
  const noises = await noisesOf(half)
  for (const { name, isFar, samples } of await cleanVoices(half)) {
    say(`${half}: ${name}`)
    const voice = lowered(raised(samples))
    const voiceFile = await writeSound(folder, `${pairs.length}-voice`, voice)
    const mixes: { noise: string; level: number | null; sound: Float32Array }[] = [
      { noise: 'none', level: null, sound: samples },
    ]
    for (const noise of noises)
      for (const level of LEVELS) {
        const sound = mixedAt(samples, noise.samples(samples.length, name), level)
        mixes.push({ noise: noise.name, level, sound })
      }
    for (const { noise, level, sound } of mixes) {
      const high = raised(sound)
      for (const [method, clean] of [
        [UNTOUCHED, (given: Float32Array) => given] as const,
        ...Object.entries(METHODS),
      ]) {
        const judged = lowered(await clean(high))
        pairs.push([voiceFile, await writeSound(folder, `${pairs.length}`, judged)])
        scores.push({
          half,
          isFar,
          noise,
          level,
          method,
          likeness: likeness(voice, judged),
          pause: pauseLevel(voice, judged),
        })
      }
    }
  }
  if (!judges) return scores
  say(`${half}: PESQ and STOI of ${pairs.length}`)
  const judged = await judgeSpeech(pairs)
  return scores.map((score, at) => ({ ...score, ...judged[at] }))
}

async function writeSound(folder: string, name: string, sound: Float32Array): Promise<string> {
  const file = join(folder, `${name}.f32`)
  await writeFile(file, new Uint8Array(sound.buffer, sound.byteOffset, sound.byteLength))
  return file
}

const BLOCK = RATE / 50
/** What is so far below the loudest part of a voice is a pause, dB. */
const PAUSE_DB = 35

function pauseLevel(voice: Float32Array, judged: Float32Array): number {
  const blocks = Array.from({ length: Math.floor(voice.length / BLOCK) }, (_, at) => at * BLOCK)
  const power = (of: Float32Array, at: number): number => powerOf(of.subarray(at, at + BLOCK))
  const loudest = Math.max(...blocks.map((at) => power(voice, at)))
  const quiet = blocks.filter((at) => power(voice, at) < loudest * 10 ** (-PAUSE_DB / 10))
  return (
    10 * Math.log10(quiet.reduce((sum, at) => sum + power(judged, at), 1e-20) / Math.max(1, quiet.length))
  )
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const signed = (value: number, digits: number): string =>
  Number.isFinite(value) ? `${value >= 0 ? '+' : ''}${value.toFixed(digits)}` : ''

interface Figure {
  readonly name: string
  readonly digits: number
  readonly of: (score: Score) => number
}
const FIGURES: readonly Figure[] = [
  { name: 'SI-SDR, dB', digits: 1, of: (score) => score.likeness },
  { name: 'PESQ', digits: 2, of: (score) => score.pesq ?? NaN },
  { name: 'STOI', digits: 3, of: (score) => score.stoi ?? NaN },
  { name: 'pauses, dB', digits: 1, of: (score) => score.pause },
]

/** Mean of what a method adds to each of these mixes. */
function gain(scores: readonly Score[], method: string, { of }: Figure): number {
  const before = scores.filter((score) => score.method === UNTOUCHED)
  const after = scores.filter((score) => score.method === method)
  return mean(after.map((score, at) => of(score) - of(before[at] ?? score)))
}

function gainTables(scores: readonly Score[]): FigureTable[] {
  return HALVES.map((half) => ({
    title: half === 'tuned' ? 'On the half that it was tuned on' : 'On the half that was held out',
    columns: ['voices', 'noise below', 'method', ...FIGURES.map(({ name }) => name)],
    rows: [false, true].flatMap((isFar) =>
      LEVELS.flatMap((level) =>
        Object.keys(METHODS).map((method) => {
          const own = scores.filter((one) => one.half === half && one.isFar === isFar && one.level === level)
          const cells = FIGURES.map((figure) => signed(gain(own, method, figure), figure.digits))
          return [isFar ? 'across a room' : 'near', `${level} dB`, method, ...cells]
        }),
      ),
    ),
    ...(half === 'tuned' ? {} : { notes: HALVES_NOTE }),
  }))
}

const HALVES_NOTE = [
  'What each method adds to the mix, as a mean over voices and noises; `light` and `strong` are ours, `afftdn` is the same ffmpeg’s. Near voices: three sentences of GRID, held out; two of GRID, a speech of 1961 and a narrator, tuned. Across a room: the first three people of AMI meetings who speak alone for five seconds, whose room and noise are in what they are held against, so that taking those away counts as a fault. Nobody is in both halves, and the noises of both are of other kinds: white, pink, a fan; blue, an engine, typing, music before an audience. Room (meetings while nobody speaks) and babble (all others of the half at once) are recorded, in each half of its own people. Six seconds of each at most, at 16 kHz.',
  'SI-SDR by the bench itself; PESQ (ITU-T P.862.2, wide band) and STOI by `pesq` and `pystoi`. Pauses: the level where the voice is 35 dB below its loudest.',
]

function noiseTable(scores: readonly Score[]): FigureTable {
  const own = scores.filter(({ half, level, isFar }) => half === 'held out' && level === 5 && !isFar)
  const noises = [...new Set(own.map(({ noise }) => noise))]
  const [likest, pesq] = FIGURES
  const methods = ['light', 'strong', AFFTDN[1]]
  return {
    title: 'By noise: near voices, held out, 5 dB',
    columns: ['noise', ...methods.flatMap((method) => [`${method}: SI-SDR, dB`, 'PESQ'])],
    rows: noises.map((noise) => {
      const of = own.filter((score) => score.noise === noise)
      const cells = methods.flatMap((method) =>
        [likest, pesq].map((figure) =>
          figure === undefined ? '' : signed(gain(of, method, figure), figure.digits),
        ),
      )
      return [noise, ...cells]
    }),
  }
}

function untouchedTable(scores: readonly Score[]): FigureTable {
  const own = scores.filter(({ half, level }) => half === 'held out' && level === null)
  return {
    title: 'Distortion: voices to which no noise was added, held out',
    columns: ['voices', 'method', 'SI-SDR, dB', 'PESQ (4.64 is the same)', 'STOI'],
    rows: [false, true].flatMap((isFar) =>
      Object.keys(METHODS).map((method) => {
        const of = own.filter((score) => score.isFar === isFar && score.method === method)
        const cell = (value: number, digits: number): string =>
          Number.isFinite(value) ? value.toFixed(digits) : ''
        return [
          isFar ? 'across a room' : 'near',
          method,
          cell(mean(of.map((score) => score.likeness)), 1),
          cell(mean(of.map((score) => score.pesq ?? NaN)), 2),
          cell(mean(of.map((score) => score.stoi ?? NaN)), 3),
        ]
      }),
    ),
  }
}

const COST_SECONDS = 60
const COST_ROUNDS = 3
const ALL: SoundCleaning = {
  noise: 'strong',
  hum: true,
  reverb: true,
  turns: [0, 1, 2, 3].map((turn) => ({
    speaker: turn % 2,
    start: secondsToTicks(turn * 15),
    end: secondsToTicks(turn * 15 + 14),
  })),
}
const COSTS: Readonly<Record<string, SoundCleaning>> = {
  light: { ...OFF, noise: 'light' },
  strong: { ...OFF, noise: 'strong' },
  'hum alone': { ...OFF, hum: true },
  'all four': ALL,
}

/** What a minute of sound costs: the stage's own work, from the source to the file that the render reads. */
async function costTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const source = join(folder, 'minute.mkv')
  const { ffmpeg } = bundledTools()
  const loop = ['-stream_loop', '9', '-i', media('jfk.flac'), '-t', `${COST_SECONDS + 2}`]
  await runTool({
    executable: ffmpeg,
    args: ['-v', 'error', '-y', ...loop, '-ar', '48000', '-ac', '2', '-c:a', 'aac', source],
  })
  const dialect = await detectDialect(ffmpeg)
  const base = sampleComposition({
    durationFrames: COST_SECONDS * 30,
    fromFrame: 0,
    source: { width: 320, height: 180, hasVideo: false, audioStream: 0 },
  })
  const pass = (filters: readonly string[]) => async (): Promise<void> => {
    const args = [
      '-v',
      'error',
      '-y',
      '-i',
      source,
      '-t',
      `${COST_SECONDS}`,
      ...filters,
      '-c:a',
      'aac',
      '-b:a',
      '192k',
    ]
    await runTool({
      executable: ffmpeg,
      args: [...args, '-ar', '48000', '-ac', '2', join(folder, 'pass.mp4')],
    })
  }
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'ffmpeg alone: reads and encodes the sound': pass([]),
    [`the same through ${AFFTDN[0]}`]: pass(['-af', AFFTDN[0]]),
    ...Object.fromEntries(
      Object.entries(COSTS).map(([name, cleaning]) => [
        `ours: ${name}`,
        () =>
          runStageForTest(
            async (context) => {
              const composition = { ...base, audio: { ...base.audio, cleaning } }
              return { file: await makeCleanSound(context, composition, dialect) }
            },
            {},
            { root: join(folder, 'stage'), inputs: { source } },
          ),
      ]),
    ),
  }
  const times = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < COST_ROUNDS; round++)
    for (const [name, run] of Object.entries(ways)) {
      say(`cost, round ${round + 1}: ${name}`)
      const started = performance.now()
      await run()
      times.get(name)?.push((performance.now() - started) / 1000)
    }
  const [floor = []] = times.values()
  return {
    title: 'What a minute of sound costs',
    columns: ['what', 'seconds', 'over ffmpeg alone'],
    rows: [...times].map(([name, own]) => [
      name,
      median(own).toFixed(2),
      median(own.map((time, round) => time / (floor[round] ?? time))).toFixed(2),
    ]),
    notes: [
      `Medians of ${COST_ROUNDS} rounds in turn; a minute of speech, stereo at 48 kHz. Ours cuts the sound from the source, cleans it and writes it; it is one thread.`,
    ],
  }
}
