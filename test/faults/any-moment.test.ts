/**
 * Faults at any moment of a run, and at each boundary between its stages: kill -9 of the server, the engine or a tool;
 * power failures; flipped bits. With `npm test` one round of the last (durable-run.test.ts kills at two stages); all of
 * it by `CUTROOM_FAULTS=long npm run faults`. Each round has a seed, which a failure names.
 */
import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getRun, listRunStages } from '../../server/db/runs.ts'
import {
  childrenOf,
  describeRun,
  engineOf,
  makeHome,
  processesNaming,
  queueRun,
  startJobsProcess,
  until,
  type JobsProcess,
  type TestHome,
} from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { ASKED, LONG, rounds, seeded } from './support/long.ts'
import { expectWholeHome } from './support/whole.ts'

const CLIPS = 2
const TOOLS = /ff(mpeg|probe)/
type Victim = 'server' | 'engine' | 'tool'
const VICTIMS: readonly Victim[] = ['server', 'engine', 'tool']

let root: string
let talk: TinyTalk
let place: TestHome
let jobs: JobsProcess | null = null
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-faults-'))
  talk = await makeTinyTalk(root)
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  place = makeHome(await mkdtemp(join(root, 'home-')))
})
afterEach(async () => {
  await jobs?.kill()
  jobs = null
  await place.remove()
})

const start = async (at: TestHome = place): Promise<JobsProcess> => (jobs = await startJobsProcess(at.home))
/** Backoff is for real faults: the test has no time. */
const hurry = (at: TestHome = place) => at.db.sqlite.prepare('update operations set available_at = 0').run()
const settled = (runId: string) => ['Completed', 'Error'].includes(getRun(place.db, runId)?.status ?? '')
const finishedOf = (runId: string) =>
  listRunStages(place.db, runId).filter(({ state }) => state === 'finished')

/** Kills it, if it is there; the server is started again. */
async function kill(victim: Victim, server: JobsProcess): Promise<JobsProcess> {
  if (victim === 'server') {
    const engine = engineOf(server)
    await server.kill()
    await until(
      () => processesNaming(place.home.root, TOOLS).length === 0 && !existsSync(`/proc/${engine ?? 0}`),
      5000,
      () => 'the engine or a tool outlived the server',
    )
    hurry()
    return start()
  }
  const pid = victim === 'engine' ? engineOf(server) : (processesNaming(place.home.root, TOOLS)[0] ?? null)
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended on its own while the test looked.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  return server
}

describe('kill -9', () => {
  it.runIf(ASKED).each(Array.from({ length: rounds(200) }, (_, round) => round + 1))(
    'at random moments, seed %i',
    async (seed) => {
      const chance = seeded(seed)
      const { runId } = queueRun(place.db, talk.video)
      let server = await start()
      const kills: string[] = []
      for (let fault = 0; fault < 2 && !settled(runId); fault++) {
        const victim = VICTIMS[Math.floor(chance() * VICTIMS.length)] ?? 'server'
        const after = Math.round(chance() * 2500)
        await pause(after)
        kills.push(`${victim} after ${after} ms`)
        const before = finishedOf(runId)
        server = await kill(victim, server)
        // What was finished at the time of the blow is not done again.
        const now = new Map(listRunStages(place.db, runId).map((row) => [row.slot, row]))
        for (const row of before) expect(now.get(row.slot)).toEqual(row)
      }
      await expectWholeHome(place, {
        runId,
        clips: CLIPS,
        jobs: server,
        note: `seed ${seed}: ${kills.join(', ')}`,
      })
    },
  )

  it
    .runIf(LONG)
    .each(
      Array.from({ length: 14 }, (_, boundary) => boundary).flatMap((boundary) =>
        VICTIMS.map((victim) => [boundary + 1, victim] as const),
      ),
    )('as soon as %i stages are finished, of the %s', async (boundary, victim) => {
    const { runId } = queueRun(place.db, talk.video)
    let server = await start()
    await until(
      () => finishedOf(runId).length >= boundary,
      60_000,
      () => describeRun(place.db, runId, server),
    )
    server = await kill(victim, server)
    await expectWholeHome(place, { runId, clips: CLIPS, jobs: server, note: `${boundary}, ${victim}` })
  })
})

/**
 * The home as a disk may have it after a power failure: copied while all processes are stopped, without the end of the
 * database's log (more than a disk may lose: every commit is synced, and here only the first `synced` bytes of the log
 * are certain), and with holes in what was being written. It does not simulate writes that a disk has reordered, or
 * that it has lost although it had reported them as synced.
 */
async function afterPowerLoss(chance: () => number, synced: number): Promise<TestHome> {
  const copy = await mkdtemp(join(root, 'home-'))
  cpSync(place.home.root, copy, { recursive: true })
  const wal = join(copy, 'cutroom.sqlite-wal')
  const { size } = await stat(wal).catch(() => ({ size: 0 }))
  if (size > synced)
    await truncate(wal, Math.max(synced, size - Math.floor(chance() * Math.min(size, 20_000))))
  // The index of the log is memory, so it is lost.
  await rm(join(copy, 'cutroom.sqlite-shm'), { force: true })
  for (const entry of await readdir(join(copy, 'temporary'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name), 0)
  return makeHome(copy)
}

const everyProcess = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(everyProcess)]

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

describe('a power failure', () => {
  it.runIf(ASKED).each(Array.from({ length: rounds(50) }, (_, round) => round + 1))(
    'leaves a home on which the run continues, seed %i',
    async (seed) => {
      const chance = seeded(1000 + seed)
      const { runId } = queueRun(place.db, talk.video)
      // The run must be stored: without it there would be nothing to continue.
      const { size: synced } = await stat(join(place.home.root, 'cutroom.sqlite-wal'))
      const server = await start()
      await pause(Math.round(chance() * 4000))
      const standing = everyProcess(server.pid)
      signalAll(standing, 'SIGSTOP')
      const left = await afterPowerLoss(chance, synced)
      signalAll(standing, 'SIGCONT')
      await server.kill()
      try {
        expect(left.db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
        hurry(left)
        const again = await start(left)
        await expectWholeHome(left, { runId, clips: CLIPS, jobs: again, note: `seed ${seed}` })
        await again.kill()
      } finally {
        await left.remove()
      }
    },
  )
})

describe('flipped bits', () => {
  it.each(Array.from({ length: rounds(25) }, (_, round) => round + 1))(
    'in stored results are found, and the results are computed again with a warning, seed %i',
    async (seed) => {
      const chance = seeded(2000 + seed)
      const first = queueRun(place.db, talk.video)
      const server = await start()
      await expectWholeHome(place, { runId: first.runId, clips: CLIPS, jobs: server, note: 'before' })
      const results = listRunStages(place.db, first.runId).filter(
        ({ stage }) => stage === 'audio' || stage === 'probe',
      )
      const hit = results[Math.floor(chance() * results.length)]
      if (hit === undefined) throw new Error('the run left no result')
      const folder = join(place.home.artefacts, hit.stage, hit.key.slice(0, 2), hit.key)
      const names = (await readdir(folder)).sort()
      const name = names[Math.floor(chance() * names.length)] ?? ''
      const file = await open(join(folder, name), 'r+')
      const at = Math.floor(chance() * (await file.stat()).size)
      const byte = Buffer.alloc(1)
      await file.read(byte, 0, 1, at)
      byte[0] = (byte[0] ?? 0) ^ (1 << Math.floor(chance() * 8))
      await file.write(byte, 0, 1, at)
      await file.close()
      const note = `seed ${seed}: byte ${at} of ${hit.stage}/${name}`
      const second = queueRun(place.db, talk.video)
      await expectWholeHome(place, { runId: second.runId, clips: CLIPS, jobs: server, note })
      const again = listRunStages(place.db, second.runId).find(({ slot }) => slot === hit.slot)
      expect(again?.reused, note).toBe(false)
      expect(getRun(place.db, second.runId)?.warnings.join(' '), note).toContain('was damaged on the disk')
    },
  )
})
