/**
 * Runs under kills: three runs in one appliance that is killed with -9 about every twelve seconds for twelve minutes, and
 * then left alone. How many of them completed, and how often it was killed. Needs the development media and models.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRun, listRunStages } from '../../server/db/runs.ts'
import { faceNodes, makeLongSource, workUnderKills } from '../support/interruptions.ts'
import { makeHome, queueRun } from '../support/run-on-jobs.ts'
import { speedBench } from './report.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const MODELS = join(SHARED, 'models')
const SOURCE = join(SHARED, 'media', 'two_faces_two_voices_26s.mp4')
const RUNS = 3
const KILL_EVERY_MS = 12_000

interface Options {
  readonly say?: (line: string) => void
  /** Minutes of kills. */
  readonly minutes?: number
  /** Length of the clip of each run, whose faces are looked for. */
  readonly seconds?: number
}

export async function runInterruptionsBench({ say = () => undefined, minutes = 12, seconds = 60 }: Options) {
  if (!existsSync(MODELS) || !existsSync(SOURCE))
    throw new Error('The development media and models are not beside the project.')
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-interruptions-'))
  const place = makeHome(join(folder, 'home'))
  try {
    const runIds: string[] = []
    for (let run = 0; run < RUNS; run += 1) {
      const video = join(folder, `talk-${run}.mp4`)
      // Of different lengths, so that nothing is shared.
      await makeLongSource(SOURCE, video, seconds + 4 * (run + 1))
      runIds.push(queueRun(place.db, video, faceNodes(seconds)).runId)
    }
    const began = performance.now()
    const runs = () => runIds.map((id) => getRun(place.db, id))
    const kills = await workUnderKills(place, {
      models: MODELS,
      nextMs: () => (performance.now() - began > minutes * 60_000 ? Infinity : KILL_EVERY_MS),
      isOver: () => runs().every((run) => ['Completed', 'Error'].includes(run?.status ?? '')),
      onKill: (count) =>
        say(
          `${count} kills: ${runs()
            .map((run) => `${((run?.progress ?? 0) * 100).toFixed(1)} %`)
            .join(', ')}`,
        ),
    })
    const ends = runIds.map((id) => ({
      status: getRun(place.db, id)?.status ?? '',
      error: getRun(place.db, id)?.error ?? null,
      starts: Object.fromEntries(listRunStages(place.db, id).map(({ slot, attempts }) => [slot, attempts])),
    }))
    const completed = ends.filter(({ status }) => status === 'Completed').length
    const wallSeconds = Math.round((performance.now() - began) / 1000)
    const load = loadavg()[2]?.toFixed(0) ?? ''
    const table = {
      title: `${RUNS} runs, a kill every ${KILL_EVERY_MS / 1000} s for ${minutes} minutes, then left alone`,
      columns: ['run', 'end', 'starts of the stages that were interrupted'],
      rows: ends.map(({ status, error, starts }, run) => [
        String(run + 1),
        `${status} ${error ?? ''}`.trim(),
        Object.entries(starts)
          .flatMap(([slot, count]) => (count > 1 ? [`${slot} ${count}`] : []))
          .join(', '),
      ]),
      notes: [
        `${completed} of ${RUNS} completed without a hand, asked for: all; ${kills} kills, ${wallSeconds} s in all. A clip of ${seconds} s of each source. The load of the machine was ${load} in the last quarter of an hour.`,
      ],
    }
    const json = { completed, runs: RUNS, kills, minutes, seconds, wallSeconds, load, ends }
    return speedBench('interruptions', { title: 'Runs under kill -9', tables: [table], unmeasured: [] }, json)
  } finally {
    await place.remove()
    await rm(folder, { recursive: true, force: true })
  }
}
