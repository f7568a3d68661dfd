/** How well a voice is found again: in later sources, for names, and in the chunks of a stream, by whole runs of the stage. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { matchNames, MIN_NAMED_SECONDS } from '../../server/domain/voices/match-names.ts'
import { thresholdOf } from '../../server/domain/voices/recognise.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import type { Turn } from '../../workers/stages/speakers/pure/turns.ts'
import type { SpeakerVoice } from '../../workers/stages/speakers/pure/voices.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { wavFile } from '../support/wav.ts'
import type { SpokenTurn } from './measure/diarization.ts'
import { percent } from './measure/spread.ts'
import { media, modelFolders, RATE, samplesOf } from './media.ts'
import type { FigureTable } from './report.ts'
import { readTurns, type Half } from './speaker-talks.ts'

type Handler = Parameters<typeof runStageForTest>[0]

/** Meetings by who is in them: those of one line share people. Nobody is in both halves. */
const MEETINGS: Readonly<Record<Half, readonly (readonly string[])[]>> = {
  tuned: [['trn01', 'trn03'], ['trn04'], ['trn05'], ['trn07', 'trn08']],
  'held out': [
    ['dev00', 'dev01'],
    ['trn06', 'trn09'],
  ],
}
/** Recordings of one person who speaks alone; two of them are synthetic. */
const SOLOS: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['jfk.flac', 'flite_rms_gettysburg.wav'],
  'held out': ['flite_slt_alice.wav', 'people/nasa_13013.mp4'],
}
/** Clips of GRID: one sentence of 3 s of one person each. */
const GRID: Readonly<Record<Half, readonly string[]>> = {
  tuned: ['bbaf2n', 'lbax4n'],
  'held out': ['brbk7n', 'lbbc2a', 'sbia1a'],
}
/** Sentences in each chunk: two of one person, then two of the next; each chunk begins with the next person. */
const GRID_TURNS = 4
const GRID_CHUNKS = 4
/** Recordings are cut into sources of this length, and streams into chunks of that; seconds. */
const SOURCE = 15
const CHUNK = 10
/** What a later source may sound like. */
const MICROPHONES = {
  'as recorded': '',
  'by telephone': 'highpass=f=300,lowpass=f=3400,aresample=8000',
} as const
type Microphone = keyof typeof MICROPHONES

interface Part {
  readonly samples: Int16Array
  readonly turns: readonly SpokenTurn<string>[]
}

/** A source after the stage, with the true person of each speaker. */
interface Source {
  readonly recording: string
  readonly voices: readonly SpeakerVoice[]
  readonly people: ReadonlyMap<number, string>
}

/** Two tables. Leaves its files in `folder`. */
export async function namedVoicesTables(folder: string, say: (line: string) => void): Promise<FigureTable[]> {
  const rows: string[][] = []
  const streams: string[][] = []
  let model = ''
  for (const half of ['tuned', 'held out'] as const) {
    say(`named voices, ${half}`)
    const sources = new Map<Microphone, Source[]>()
    for (const microphone of ['as recorded', 'by telephone'] as const)
      sources.set(microphone, await listSources(join(folder, `named-${half}`, microphone), half, microphone))
    const named = sources.get('as recorded') ?? []
    model = named.flatMap(({ voices }) => voices).find(({ seconds }) => seconds > 0)?.model ?? ''
    for (const [microphone, later] of sources)
      rows.push([half, microphone, ...countNames(named, later, model)])
    const root = join(folder, `streams-${half}`)
    const meetings = await Promise.all(MEETINGS[half].map(cutUpAll))
    streams.push([`meetings, ${half}`, ...(await countLabels(join(root, 'meetings'), meetings))])
    streams.push([`GRID, ${half}`, ...(await countLabels(join(root, 'grid'), [await listGridChunks(half)]))])
  }
  return [
    {
      title: 'Voices that were named, in later sources',
      columns: [
        'voices',
        'later source',
        'same voice',
        'of them without the name',
        'another voice',
        'of them with the name',
      ],
      rows,
      notes: [
        `Each voice of one source of ${SOURCE} s is named, and looked for among the speakers of every other one with the threshold of ${model}, ${thresholdOf(model) ?? 'none'}, set on the tuned half; both must speak for ${MIN_NAMED_SECONDS} s. Excerpts of AMI meetings (distant microphones), a speech of 1961, a narrator and two synthetic voices, through the whole stage, so that its own mistakes are in it. By telephone: 300 to 3400 Hz. These are few people: the shares are rough. The threshold of WeSpeaker could not be measured here.`,
      ],
    },
    {
      title: 'The same voice in the chunks of a stream',
      columns: ['voices', 'seen again', 'same number', 'a new number', 'another’s number'],
      rows: streams,
      notes: [
        `Meetings as streams in chunks of ${CHUNK} s, and two people of GRID at a time in chunks of 12 s, each with one sentence again and again. A person is seen again in each later chunk in which one of the speakers found is mostly that person. Short chunks are the hardest: the product cuts every ten minutes.`,
      ],
    },
  ]
}

async function listSources(root: string, half: Half, microphone: Microphone): Promise<Source[]> {
  const sources: Source[] = []
  for (const recording of [...MEETINGS[half].flat().map((name) => `ami-dev/${name}.flac`), ...SOLOS[half]])
    for (const [place, part] of (await cutUp(recording, SOURCE)).entries()) {
      const { voices, turns } = await detect(
        join(root, `${recording.replaceAll('/', '-')}-${place}`),
        part,
        microphone,
      )
      sources.push({ recording, voices, people: mapPeople(turns, part.turns) })
    }
  return sources
}

/** Every named voice against every speaker of every other source; the pairs of each kind, and those that are wrong. */
function countNames(sources: readonly Source[], later: readonly Source[], model: string): string[] {
  const pairs = { same: 0, missed: 0, other: 0, wrong: 0 }
  for (const [at, source] of sources.entries())
    for (const voice of source.voices.filter(({ seconds }) => seconds >= MIN_NAMED_SECONDS)) {
      const name = source.people.get(voice.speaker)
      if (name === undefined) continue
      for (const { voices, people } of later.filter((_, place) => place !== at)) {
        const names = matchNames(voices, [{ ...voice, name }], thresholdOf(model) ?? 1)
        for (const { speaker, seconds } of voices) {
          const person = people.get(speaker)
          if (person === undefined || seconds < MIN_NAMED_SECONDS) continue
          const found = names.has(speaker)
          if (person === name) pairs.same += 1
          else pairs.other += 1
          if (person === name && !found) pairs.missed += 1
          if (person !== name && found) pairs.wrong += 1
        }
      }
    }
  return [
    String(pairs.same),
    percent(pairs.missed / Math.max(1, pairs.same)),
    String(pairs.other),
    percent(pairs.wrong / Math.max(1, pairs.other)),
  ]
}

/** Meetings of the same people one after the other. */
const cutUpAll = async (names: readonly string[]): Promise<Part[]> =>
  (await Promise.all(names.map((name) => cutUp(`ami-dev/${name}.flac`, CHUNK)))).flat()

async function listGridChunks(half: Half): Promise<Part[]> {
  const people = await Promise.all(GRID[half].map((name) => samplesOf(media(`people/grid/${name}.mpg`))))
  const length = Math.max(...people.map((samples) => samples.length))
  return Array.from({ length: GRID_CHUNKS }, (_, chunk) => {
    const order = Array.from({ length: GRID_TURNS }, (_turn, turn) => (chunk + (turn >> 1)) % people.length)
    const samples = new Int16Array(GRID_TURNS * length)
    for (const [turn, person] of order.entries()) samples.set(people[person] ?? [], turn * length)
    const turns = order.map((person, turn) => ({
      speaker: GRID[half][person] ?? '',
      start: (turn * length) / RATE,
      end: ((turn + 1) * length) / RATE,
    }))
    return { samples, turns }
  })
}

/** How often a person has the first number again, in each stream chunk by chunk. */
async function countLabels(root: string, events: readonly (readonly Part[])[]): Promise<string[]> {
  const seen = { again: 0, same: 0, fresh: 0, wrong: 0 }
  for (const [event, chunks] of events.entries()) {
    const labels = new Map<string, number>()
    const owners = new Map<number, string>()
    let before: Detected | null = null
    for (const [place, part] of chunks.entries()) {
      before = await detect(join(root, `${event}-${place}`), part, 'as recorded', before)
      for (const [speaker, person] of mapPeople(before.turns, part.turns)) {
        const label = labels.get(person)
        const owner = owners.get(speaker)
        if (label !== undefined) {
          seen.again += 1
          if (label === speaker) seen.same += 1
          else if (owner === undefined || owner === person) seen.fresh += 1
          else seen.wrong += 1
        }
        if (label === undefined) labels.set(person, speaker)
        if (owner === undefined) owners.set(speaker, person)
      }
    }
  }
  return [seen.again, seen.same, seen.fresh, seen.wrong].map(String)
}

async function cutUp(recording: string, seconds: number): Promise<Part[]> {
  const samples = await samplesOf(media(recording))
  const whole = samples.length / RATE
  const turns = recording.startsWith('ami-dev/')
    ? await readTurns(recording.replace(/^ami-dev\/|\.flac$/g, ''))
    : [{ speaker: recording, start: 0, end: whole }]
  const count = Math.max(1, Math.floor(whole / seconds))
  const length = Math.min(seconds, whole / (whole < 2 * seconds ? 2 : 1))
  return Array.from({ length: whole < 2 * seconds ? 2 : count }, (_, place) => ({
    samples: samples.slice(Math.round(place * length * RATE), Math.round((place + 1) * length * RATE)),
    turns: turns.map(({ speaker, start, end }) => ({
      speaker,
      start: start - place * length,
      end: end - place * length,
    })),
  }))
}

/** The person who speaks in most of what was found of each speaker. */
function mapPeople(found: readonly Turn[], truth: readonly SpokenTurn<string>[]): Map<number, string> {
  const common = new Map<number, Map<string, number>>()
  for (const turn of found)
    for (const { speaker, start, end } of truth) {
      const seconds = Math.min(turn.end, end) - Math.max(turn.start, start)
      const own = common.get(turn.speaker) ?? new Map<string, number>()
      if (seconds > 0) common.set(turn.speaker, own.set(speaker, (own.get(speaker) ?? 0) + seconds))
    }
  return new Map(
    [...common].map(([speaker, own]) => [speaker, [...own].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '']),
  )
}

interface Detected {
  readonly folder: string
  readonly output: unknown
  readonly voices: SpeakerVoice[]
  readonly turns: Turn[]
}

async function detect(
  root: string,
  { samples }: Part,
  microphone: Microphone,
  before: Detected | null = null,
): Promise<Detected> {
  await mkdir(root, { recursive: true })
  const file = join(root, 'source.wav')
  await writeFile(file, wavFile(samples))
  const filter = MICROPHONES[microphone]
  if (filter !== '') await writeFile(file, wavFile(await samplesOf(`amovie=${file},${filter}`, true)))
  const sound = await runStageForTest(
    runAudio as Handler,
    { streamIndex: 0, durationSeconds: samples.length / RATE },
    { inputs: { source: file }, root: join(root, 'audio') },
  )
  const result = await runStageForTest(
    runSpeakers as Handler,
    { count: 0 },
    {
      root: join(root, 'speakers'),
      inputs: { audio: sound.folder, ...(before === null ? {} : { voices: before.folder }) },
      results: { audio: sound.output, ...(before === null ? {} : { voices: before.output }) },
      modelFolders: modelFolders(),
    },
  )
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(result.folder, name), 'utf8'))
  return {
    folder: result.folder,
    output: result.output,
    voices: (await read('voices.json')) as SpeakerVoice[],
    turns: (await read('turns.json')) as Turn[],
  }
}
