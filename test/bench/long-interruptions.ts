/**
 * A run of a long source, left alone and under a kill -9 every minute, and the processor time of both:
 * `npm run bench -- interruptions --long [--minutes 180] [--seconds 60]`. Needs the development media and models.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRun } from '../../server/db/runs.ts'
import { makeTakes, type Take } from '../support/grid-people.ts'
import { faceNodes, makeLongSource, workUnderKills } from '../support/interruptions.ts'
import { makeHome, queueRun, type TestHome } from '../support/run-on-jobs.ts'
import { processorSeconds } from './measure/processor.ts'
import { speedBench } from './report.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const MODELS = join(SHARED, 'models')
const MEDIA = join(SHARED, 'media')
const KILL_EVERY_MS = 60_000
const LIMIT = 1.3
const SECTION = 'long-interruptions'

interface Options {
  readonly say?: (line: string) => void
  /** Length of the source. */
  readonly minutes?: number
  /** Length of each clip; there is one for each half hour, at least two. */
  readonly seconds?: number
}

/** A long source of two filmed people who talk. Left alone first, and then killed every minute: about three times as long. */
export async function runLongInterruptionsBench(options: Options) {
  const { say = () => undefined, minutes = 180, seconds = 60 } = options
  if (!existsSync(MODELS) || !existsSync(MEDIA))
    throw new Error('The development media and models are not beside the project.')
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-interruptions-'))
  try {
    const clips = Math.max(2, Math.ceil(minutes / 30))
    const video = join(folder, 'talk.mp4')
    await makeTalk(folder, video, minutes * 60)
    const starts = Array.from({ length: clips }, (_, clip) => Math.floor((clip * minutes * 60) / clips) + 5)
    const live = async (name: string, everyMs: number) => {
      const place = makeHome(join(folder, name))
      try {
        const { runId } = queueRun(place.db, video, faceNodes(seconds, starts))
        return await measureRun(place, runId, everyMs, (line) => say(`${name}: ${line}`))
      } finally {
        await place.remove()
      }
    }
    const alone = await live('alone', Infinity)
    const killed = await live('killed', KILL_EVERY_MS)
    const ratio = killed.processor / alone.processor
    const row = (name: string, { kills, status, processor, wall, load }: Measured): string[] => [
      name,
      ...[kills, status, processor.toFixed(0), wall.toFixed(0), load.toFixed(0)].map(String),
    ]
    const table = {
      title: `A source of ${minutes} minutes, ${clips} clips of ${seconds} s`,
      columns: ['', 'kills', 'end', 'processor s', 's in all', 'load of the machine'],
      rows: [row('left alone', alone), row(`a kill every ${KILL_EVERY_MS / 1000} s`, killed)],
      notes: [
        `${ratio.toFixed(2)} times the processor time; asked for: ${LIMIT} of a source of three hours. Two filmed people, with captions beside it. Of each life, up to a tenth of a second before the kill is not counted.`,
      ],
    }
    const json = { minutes, seconds, clips, alone, killed, ratio, limit: LIMIT }
    const report = { title: 'A long source under kill -9', tables: [table], unmeasured: [] }
    return { ...speedBench(SECTION, report, json), section: SECTION }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Two people side by side, of whom one speaks at a time, end to end. */
async function makeTalk(folder: string, video: string, seconds: number): Promise<void> {
  const people = [{ clip: 'lbbc2a' }, { clip: 'bbaf2n' }] as const
  const takes: Take[] = [0, 1, 1, 0, null, 0, 1, 0].map((sound) => ({ people, sound }))
  const once = join(folder, 'takes.mp4')
  await makeTakes(MEDIA, once, takes)
  await makeLongSource(once, video, seconds)
}

interface Measured {
  readonly kills: number
  readonly status: string
  readonly error: string | null
  readonly processor: number
  readonly wall: number
  readonly load: number
}

async function measureRun(
  place: TestHome,
  runId: string,
  everyMs: number,
  say: (line: string) => void,
): Promise<Measured> {
  /** Of each life by its process, as it was seen last. */
  const lives = new Map<number, number>()
  const began = performance.now()
  const run = () => getRun(place.db, runId)
  const kills = await workUnderKills(place, {
    models: MODELS,
    nextMs: () => everyMs,
    isOver: () => ['Completed', 'Error'].includes(run()?.status ?? ''),
    onLife: (pid) => void lives.set(pid, Math.max(lives.get(pid) ?? 0, processorSeconds(pid))),
    onKill: (count) => say(`${count} kills: ${((run()?.progress ?? 0) * 100).toFixed(1)} %`),
  })
  const measured = {
    kills,
    status: run()?.status ?? '',
    error: run()?.error ?? null,
    processor: [...lives.values()].reduce((sum, seconds) => sum + seconds, 0),
    wall: (performance.now() - began) / 1000,
    load: loadavg()[2] ?? 0,
  }
  say(JSON.stringify(measured))
  return measured
}
