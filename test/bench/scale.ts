/**
 * `npm run bench -- scale --write`: what 10, 100 and 1,000 hours a day need, into docs/scale.md. A real run is recorded (its stages,
 * its commits, what it stores), real transactions are counted, and days of such runs are simulated (scale-days.ts).
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseModel } from '../../models/installed.ts'
import { openDatabase } from '../../server/db/client.ts'
import { openLogReader, type LogReader } from '../../server/db/log-reader.ts'
import { saveStageFinished, saveStageStarted, setRunProgress, type RunStage } from '../../server/db/runs.ts'
import { makeHome, queueRun } from '../support/run-on-jobs.ts'
import { speedBench, type FigureTable, type QualityReport } from './report.ts'
import { makeLongTalk, runOnce } from './run.ts'
import { fewestWorkers, type HourOfVideo, type Waits } from './scale-days.ts'

const HOUR = 3600
/** Long enough for clips, short enough to be recorded while others work. */
const SOURCE_SECONDS = 150
const HOURS_A_DAY = [10, 100, 1000] as const
const DAYS = 7
/** Until when nineteen in twenty sources are to be done. */
const WITHIN_SECONDS = 4 * HOUR
const COUNT_MS = 3000

export interface Recorded {
  readonly seconds: number
  readonly hour: HourOfVideo
  /** Seconds of work by stage, of one hour of video. */
  readonly stages: Readonly<Record<string, number>>
  readonly commits: number
  /** Of one hour of video. */
  readonly databaseBytes: number
  readonly artefactBytes: number
  readonly sourceBytes: number
  readonly speech: boolean
}

interface Needed {
  readonly hoursADay: number
  readonly workers: number
  readonly waits: Waits
  readonly commitsPerSecond: number
  readonly databaseBytesADay: number
  readonly storeBytesADay: number
}

export async function runScaleBench({
  say,
  seconds = SOURCE_SECONDS,
}: {
  readonly say: (line: string) => void
  readonly seconds?: number
}) {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-scale-'))
  try {
    const recorded = await recordRun(folder, seconds, say)
    const writes = countWrites(folder)
    say(`${writes} transactions a second`)
    const needed = HOURS_A_DAY.map((hoursADay) => whatIsNeeded(recorded, hoursADay))
    const json = { recorded, writes, needed, cores: availableParallelism() }
    return { ...speedBench('scale', reportOf(recorded, writes, needed), json), file: 'scale.md' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A run of the default vertical workflow with the models of CUTROOM_MODELS; its words are of captions where no real speech model is among them. */
async function recordRun(folder: string, seconds: number, say: (line: string) => void): Promise<Recorded> {
  const video = join(folder, 'talk.mp4')
  await makeLongTalk(video, seconds)
  const models = process.env['CUTROOM_MODELS']
  const folders = models === undefined ? [] : [models]
  const model = await chooseModel(folders, 'speech')
  // What a model for tests decodes costs nothing like speech.
  const speech = model?.development === false
  if (speech) await rm(video.replace(/\.mp4$/, '.srt'))
  const root = join(folder, 'home')
  const database = join(root, 'cutroom.sqlite')
  let reader: LogReader | null = null
  const { stages } = await runOnce(root, video, say, folders, () => {
    reader ??= existsSync(database) ? openLogReader(database) : null
    reader?.read()
    return false
  })
  const counted = reader as LogReader | null
  counted?.read()
  const commits = counted?.commits() ?? 0
  counted?.close()
  const times = HOUR / seconds
  const scaled = async (path: string): Promise<number> => Math.round((await bytesBelow(path)) * times)
  return {
    seconds,
    hour: hourOf(stages, times),
    stages: workOf(stages, times),
    commits: Math.round(commits * times),
    databaseBytes: await scaled(database),
    artefactBytes: await scaled(join(root, 'artefacts')),
    sourceBytes: await scaled(join(root, 'sources')),
    speech,
  }
}

async function bytesBelow(path: string): Promise<number> {
  const facts = await stat(path)
  if (facts.isFile()) return facts.size
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

const isOfClip = ({ slot }: RunStage): boolean => slot.startsWith('clip:')
const secondsOf = ({ milliseconds }: RunStage): number => (milliseconds ?? 0) / 1000

/** Those of the source grow with its length; of clips there are more. */
function hourOf(stages: readonly RunStage[], times: number): HourOfVideo {
  const source = stages
    .filter((stage) => !isOfClip(stage))
    .map((stage) => secondsOf(stage) * times)
    .filter((seconds) => seconds > 0)
  const ofClips = stages.filter(isOfClip)
  const clips = new Set(ofClips.map(({ slot }) => slot.split(':')[1])).size
  const kinds = [...new Set(ofClips.map(({ stage }) => stage))]
  const clip = kinds.map((kind) => {
    const all = ofClips.filter(({ stage }) => stage === kind)
    return all.reduce((sum, stage) => sum + secondsOf(stage), 0) / Math.max(1, clips)
  })
  return { source, clip, clips: Math.max(1, Math.round(clips * times)) }
}

function workOf(stages: readonly RunStage[], times: number): Record<string, number> {
  const work: Record<string, number> = {}
  for (const stage of stages) work[stage.stage] = (work[stage.stage] ?? 0) + secondsOf(stage) * times
  return work
}

/** Transactions of a stage that begins, says how far it is, and ends, synced one by one, as in a home. */
function countWrites(folder: string): number {
  const place = makeHome(join(folder, 'writes'))
  const db = openDatabase(place.home.database)
  try {
    const { runId } = queueRun(db, '/talk.mp4')
    const output = {
      words: Array.from({ length: 200 }, (_, at) => ({ text: 'word', start: at, end: at + 1 })),
    }
    let transactions = 0
    const began = performance.now()
    for (let at = 0; performance.now() - began < COUNT_MS; at++) {
      const slot = `clip:${at}:cut`
      const now = Date.now()
      saveStageStarted(db, { runId, slot, stage: 'cut', key: `k${at}`, now })
      setRunProgress(db, runId, 0.5, 'Cutting', now)
      saveStageFinished(db, { runId, slot, output, reused: false, milliseconds: 1, warnings: [], now })
      transactions += 3
    }
    return Math.round(transactions / ((performance.now() - began) / 1000))
  } finally {
    db.close()
    place.db.close()
  }
}

/** Numbers that are the same each time. */
function seeded(): () => number {
  let seed = 20_261_129
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
}

function whatIsNeeded(recorded: Recorded, hoursADay: number): Needed {
  const wanted = { hoursADay, days: DAYS, withinSeconds: WITHIN_SECONDS }
  const { workers, waits } = fewestWorkers(recorded.hour, wanted, seeded)
  const { commits, databaseBytes, artefactBytes, sourceBytes } = recorded
  return {
    hoursADay,
    workers,
    waits,
    commitsPerSecond: (commits * hoursADay) / 86_400,
    databaseBytesADay: databaseBytes * hoursADay,
    storeBytesADay: (artefactBytes + sourceBytes) * hoursADay,
  }
}

const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 0)
const hours = (seconds: number): string => (seconds / HOUR).toFixed(2)

function reportOf(recorded: Recorded, writes: number, needed: readonly Needed[]): QualityReport {
  const { hour, stages, commits, databaseBytes, artefactBytes, sourceBytes, seconds, speech } = recorded
  const work = Object.entries(stages).filter(([, took]) => took >= 1)
  const total = Object.values(stages).reduce((sum, took) => sum + took, 0)
  const largest = Math.floor((writes * 86_400) / commits)
  const trace: FigureTable = {
    title: 'What an hour of video takes',
    columns: ['stage', 'seconds of work'],
    rows: work.sort(([, a], [, b]) => b - a).map(([stage, took]) => [stage, took.toFixed(0)]),
    notes: [
      `Recorded from a run of ${seconds} s of 720p${speech ? '' : ' with captions, so that nothing is transcribed'}, one appliance on this machine, times ${(HOUR / seconds).toFixed(0)}: ${(total / HOUR).toFixed(2)} h of work, ${hour.clips} clips, ${commits} transactions, ${gigabytes(databaseBytes)} GB of database, ${gigabytes(artefactBytes)} GB of results, ${gigabytes(sourceBytes)} GB of source.`,
    ],
  }
  const days: FigureTable = {
    title: 'Days of it',
    columns: [
      'hours a day',
      'workers',
      'busy',
      'done: p50 h',
      'p95 h',
      'transactions a second',
      'database, GB a day',
      'store, GB a day',
    ],
    rows: needed.map((one) => [
      String(one.hoursADay),
      String(one.workers),
      `${Math.round(one.waits.busy * 100)} %`,
      hours(one.waits.p50),
      hours(one.waits.p95),
      one.commitsPerSecond.toFixed(2),
      gigabytes(one.databaseBytesADay),
      gigabytes(one.storeBytesADay),
    ]),
    notes: [
      `The fewest workers, each as this machine, with which 95 of 100 sources of an hour are done within ${WITHIN_SECONDS / HOUR} h; ${DAYS} days simulated, three in four sources between 8 and 18 o’clock.`,
      `One writer does ${writes} such transactions a second here: it ends at about ${largest.toLocaleString('en')} hours a day.`,
    ],
  }
  return {
    title: 'Figures',
    tables: [trace, days],
    unmeasured: [
      'Each of these loads on that many real workers; a card for graphics; disks and networks of others.',
      ...(speech ? [] : ['Speech: no model of real weights is in the folder that CUTROOM_MODELS names.']),
    ],
  }
}
