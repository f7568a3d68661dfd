/** A disk that is really full, where the machine lets the test mount one. */
import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { getRun, reopenRun, type Run } from '../../server/db/runs.ts'
import { waitsForOf } from '../../server/domain/runs/waiting.ts'
import { openHome } from '../../server/home.ts'
import { createReserve } from '../../server/jobs/work-loop.ts'
import { serve } from '../support/appliance-process.ts'
import {
  describeRun,
  makeHome,
  queueRun,
  settledRun,
  startJobsProcess,
  TINY_NODES,
  until,
  type JobsProcess,
} from '../support/run-on-jobs.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { ASKED, rounds, seeded } from './support/long.ts'
import { expectWholeHome } from './support/whole.ts'

const root = mkdtempSync(join(tmpdir(), 'cutroom-full-'))
const disk = join(root, 'disk')
const small = mountSmallDisk(disk, 48)
const mounted = small !== null
let talk: TinyTalk

beforeAll(async () => {
  talk = await makeTinyTalk(root)
})
afterAll(async () => {
  small?.remove()
  await rm(root, { recursive: true, force: true })
})

/** Leaves this much free space. */
const fill = async (file: string, leaveBytes: number): Promise<void> => small?.fill(file, leaveBytes)

it.skipIf(!mounted).each([
  ['already while the source is copied', 300_000],
  ['while stages write their results', 3_500_000],
])('ends in DISK_FULL %s, and continues when there is space', async (_name, room) => {
  const place = makeHome(join(disk, `home-${room}`))
  const filler = join(disk, 'filler')
  let jobs: JobsProcess | null = null
  try {
    const { runId } = queueRun(place.db, talk.video)
    // As any appliance does that was started while there was space.
    createReserve(place.home).take()
    await fill(filler, room)
    jobs = await startJobsProcess(place.home)
    const failed = await settledRun(place.db, runId, jobs)
    expect(failed, describeRun(place.db, runId, jobs)).toMatchObject({
      status: 'Error',
      errorCode: 'DISK_FULL',
    })
    await until(
      async () => (await readdir(place.home.temporary)).length === 0,
      2000,
      () => 'temporary files stay',
    )
    expect(place.db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    await rm(filler)
    expect(reopenRun(place.db, runId, Date.now())).not.toBeNull()
    const done = () => getRun(place.db, runId)?.status === 'Completed'
    await until(done, 60_000, () => describeRun(place.db, runId, jobs ?? undefined))
    expect(await readdir(place.home.temporary)).toEqual([])
  } finally {
    await jobs?.kill()
    await rm(filler, { force: true })
    await place.remove()
  }
})

const FREE_BYTES = Array.from({ length: rounds(40) }, (_, round) =>
  Math.round(200_000 + seeded(round)() * 7_000_000),
)
it.skipIf(!mounted || !ASKED).each(FREE_BYTES)(
  'loses nothing when it is full after %i bytes',
  async (room) => {
    const place = makeHome(join(disk, `home-${room}`))
    const filler = join(disk, 'filler')
    let jobs: JobsProcess | null = null
    try {
      const { runId } = queueRun(place.db, talk.video)
      createReserve(place.home).take()
      await fill(filler, room)
      jobs = await startJobsProcess(place.home)
      const run = await settledRun(place.db, runId, jobs)
      if (run.status === 'Error') {
        expect(run.errorCode, describeRun(place.db, runId, jobs)).toBe('DISK_FULL')
        await rm(filler)
        place.db.sqlite.prepare("update operations set state = 'succeeded' where state = 'failed'").run()
        expect(reopenRun(place.db, runId, Date.now())).not.toBeNull()
        const done = () => getRun(place.db, runId)?.status === 'Completed'
        await until(done, 60_000, () => describeRun(place.db, runId, jobs ?? undefined))
      }
      await expectWholeHome(place, { runId, clips: 2, jobs, note: `${room} bytes` })
    } finally {
      await jobs?.kill()
      await rm(filler, { force: true })
      await place.remove()
    }
  },
)

const RUNS = 20
const FULL_BYTES = 12 * 1024 ** 2

it.skipIf(!mounted)(
  'lets twenty runs go on by themselves, once there is space again',
  async () => {
    const root = join(disk, 'home-twenty')
    const filler = join(disk, 'filler')
    const appliance = await serve(root, [], { CUTROOM_MIN_FREE_BYTES: String(FULL_BYTES) })
    const db = openDatabase(openHome(root).database)
    try {
      await fill(filler, FULL_BYTES - 4 * 1024 ** 2)
      const ids = Array.from({ length: RUNS }, () => queueRun(db, talk.video, TINY_NODES, 'local').runId)
      const runs = () => ids.map((id) => getRun(db, id))
      const explain = (): string => JSON.stringify(runs().map((run) => [run?.status, run?.error]))
      await until(() => runs().every((run) => run?.status === 'Error'), 120_000, explain)
      expect(new Set(runs().map((run) => run?.errorCode))).toEqual(new Set(['DISK_FULL']))
      expect(waitsForOf(runs()[0] as Run, Date.now())).toBe('disk')
      await rm(filler)
      const freed = performance.now()
      const seconds = (): string => ((performance.now() - freed) / 1000).toFixed(1)
      await until(() => runs().every((run) => run?.status !== 'Error'), 120_000, explain)
      console.log(`${RUNS} runs went on by themselves after ${seconds()} s`)
      await until(() => runs().every((run) => run?.status === 'Completed'), 600_000, explain)
      console.log(`${RUNS} runs completed after ${seconds()} s`)
    } finally {
      db.close()
      await appliance.stop()
      await rm(filler, { force: true })
      await rm(root, { recursive: true, force: true })
    }
  },
  900_000,
)
