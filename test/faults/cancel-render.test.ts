/** A long render that is cancelled in the middle: over within a second, and nothing is left of it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { getOperation } from '../../server/db/operations.ts'
import { listRunClips } from '../../server/db/run-clips.ts'
import { clips } from '../../server/db/schema.ts'
import { renderClip, requestRender } from '../../server/domain/rendering/render-clip.ts'
import type { Services } from '../../server/domain/services.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { leftovers } from '../support/appliance.ts'
import { makeHome, processesNaming, queueRun, until, type TestHome } from '../support/run-on-jobs.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

let root = ''
let place: TestHome
let jobs: RunningJobs
let services: Services
let runId = ''

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-cancel-'))
  const talk = await makeTinyTalk(root)
  place = makeHome(join(root, 'home'))
  const { home, db } = place
  const config = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const deps = { config, home, db, log: createLogger('error'), now: Date.now }
  jobs = await startJobs(deps)
  services = { ...deps, jobs }
  const queued = queueRun(db, talk.video)
  runId = queued.runId
  jobs.wake()
  expect(await jobs.whenSettled(queued.operationId, 60_000)).toMatchObject({ state: 'succeeded' })
}, 90_000)
afterAll(async () => {
  await jobs.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})

const renderFolders = async (): Promise<string[]> =>
  (await readdir(join(place.home.artefacts, 'render'), { recursive: true })).sort()

it('stops within a second and leaves no process, no temporary file and no result', async () => {
  const [clip] = listRunClips(place.db, runId)
  if (clip === undefined) throw new Error('the run made no clips')
  // Played again and again at a quarter of its speed, the clip is long to make, on any machine.
  const segments = Array.from({ length: 8 }, () => ({ startSeconds: 0, endSeconds: 3, playbackRate: 0.25 }))
  const document = { ...clip.document, segments }
  place.db.orm
    .update(clips)
    .set({ document, revision: clip.revision + 1 })
    .where(eq(clips.id, clip.id))
    .run()
  const before = await renderFolders()
  const requested = requestRender(services, clip.id)
  if (!('operationId' in requested)) throw new Error('expected an operation')
  const { operationId } = requested
  const operation = () => getOperation(place.db, operationId)
  const encoders = () => processesNaming(place.home.root, /ffmpeg/)
  // In the middle of the pass that makes the file: past the measuring of the sound.
  await until(
    () => encoders().length > 0 && (operation()?.progress ?? 0) > 0.06,
    30_000,
    () => JSON.stringify([operation(), encoders()]),
  )
  const during = operation()?.progress ?? 1
  expect(during).toBeLessThan(0.95)

  const at = performance.now()
  jobs.cancel(operationId)
  expect(await jobs.whenSettled(operationId, 5000)).toMatchObject({ state: 'cancelled' })
  const settledMs = performance.now() - at
  const left = await until(
    async () => ((await leftovers(place.home.root)).length === 0 ? performance.now() - at : null),
    5000,
    () => 'something is left',
  )
  expect([settledMs < 1000, left < 1000]).toEqual([true, true])
  expect(encoders()).toEqual([])
  expect(await renderFolders()).toEqual(before)

  // Requested again it succeeds: nothing of the first attempt is in the way.
  const again = await renderClip(services, { companyId: 'c', clipId: clip.id })
  expect(again.status).toBe('finished')
}, 240_000)
