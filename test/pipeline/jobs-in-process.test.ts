/** Runs and renders through the orchestrator in one process: joins, the cache, edits, cancel, turns between companies. */
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import { getMedia } from '../../server/db/media.ts'
import { getRunClip, listRunClips } from '../../server/db/run-clips.ts'
import { getRun } from '../../server/db/runs.ts'
import { clips, operations } from '../../server/db/schema.ts'
import { renderClip, requestRender } from '../../server/domain/rendering/render-clip.ts'
import { resumeRun } from '../../server/domain/runs/runs.ts'
import type { Services } from '../../server/domain/services.ts'
import { deleteClip, updateClip } from '../../server/domain/clips/update-clip.ts'
import { findMediaById, mediaAddresses } from '../../server/domain/rendering/register-media.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { sourcePath } from '../../workers/paths.ts'
import {
  describeRun,
  makeHome,
  queueRun,
  settledRun,
  slotsOf,
  until,
  type TestHome,
} from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { measureSlowness } from '../support/pace.ts'

let root: string
let talk: TinyTalk
let place: TestHome
let jobs: RunningJobs
let services: Services
let runId: string
const errors: string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-jobs-'))
  talk = await makeTinyTalk(root)
  place = makeHome(join(root, 'home'))
  const { home, db } = place
  const config = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const deps = {
    config,
    home,
    db,
    log: createLogger('error', (line) => void errors.push(line)),
    now: Date.now,
  }
  jobs = await startJobs(deps)
  services = { ...deps, jobs }
  const queued = queueRun(db, talk.video)
  runId = queued.runId
  jobs.wake()
  const settled = await jobs.whenSettled(queued.operationId, 60_000)
  expect(settled).toMatchObject({ state: 'succeeded', failure: null })
})
afterAll(async () => {
  await jobs.stop()
  await place.remove()
  await rm(root, { recursive: true, force: true })
})

const firstClip = () => {
  const [clip] = listRunClips(place.db, runId)
  if (clip === undefined) throw new Error('the run made no clips')
  return clip
}
const renders = () => place.db.orm.select().from(operations).where(eq(operations.kind, 'render')).all()

function edit(change: (document: ClipDocument) => ClipDocument): void {
  const { id, document, revision } = firstClip()
  const changes = { document: change(document), revision: revision + 1 }
  place.db.orm.update(clips).set(changes).where(eq(clips.id, id)).run()
}

describe('renders', () => {
  it('returns the run’s own render of an unedited clip, without an operation', async () => {
    const answer = await renderClip(services, { companyId: 'c', clipId: firstClip().id })
    expect(answer.status).toBe('finished')
    const { renderedMedia } = firstClip()
    expect(answer.renderUrl).toBe(mediaAddresses(services, '', [renderedMedia])(renderedMedia))
    expect(renders()).toEqual([])
  })

  it('renders an edited clip once for two callers, and caches it', async () => {
    const { id, renderedMedia } = firstClip()
    edit((document) => ({ ...document, endTimestamp: document.endTimestamp - 0.4 }))
    const ask = () => renderClip(services, { companyId: 'c', clipId: id })
    const [one, other] = await Promise.all([ask(), ask()])
    expect(one).toEqual(other)
    expect(one.status).toBe('finished')
    expect(renders()).toHaveLength(1)
    expect(getRunClip(place.db, id)?.renderedMedia).not.toBe(renderedMedia)
    expect(await ask()).toEqual(one)
    expect(renders()).toHaveLength(1)
  })

  it('renders again when files are missing from the disk, with or without their folder', async () => {
    const { id, renderedMedia } = firstClip()
    const ask = () => renderClip(services, { companyId: 'c', clipId: id })
    const known = await ask()
    const file = join(place.home.root, getMedia(place.db, renderedMedia ?? '')?.path ?? '')
    for (const gone of [file, dirname(file)]) {
      const before = renders().length
      await rm(gone, { recursive: true })
      expect(await ask()).toEqual(known)
      expect([existsSync(file), renders().length]).toEqual([true, before + 1])
    }
  })

  it('returns a failed render with its reason, and may be requested again', async () => {
    const { id } = firstClip()
    edit((document) => ({ ...document, endTimestamp: document.endTimestamp - 0.4 }))
    const asked = requestRender(services, id)
    if (!('operationId' in asked)) throw new Error('expected an operation')
    const waiting = renderClip(services, { companyId: 'c', clipId: id })
    jobs.cancel(asked.operationId)
    expect(await waiting).toMatchObject({ status: 'failed', code: 'CANCELLED' })
    expect(await renderClip(services, { companyId: 'c', clipId: id })).toMatchObject({ status: 'finished' })
  })

  it('reports `rendering` when the wait is over, and finishes all the same', async () => {
    const { id } = firstClip()
    edit((document) => ({ ...document, endTimestamp: document.endTimestamp - 0.4 }))
    expect(await renderClip(services, { companyId: 'c', clipId: id }, 1)).toEqual({ status: 'rendering' })
    expect(await renderClip(services, { companyId: 'c', clipId: id })).toMatchObject({ status: 'finished' })
  })

  it('does not show another company’s clip', async () => {
    const ask = renderClip(services, { companyId: 'other', clipId: firstClip().id })
    await expect(ask).rejects.toMatchObject({ code: 'CLIP_NOT_FOUND' })
  })
})

describe('thumbnails', () => {
  const thumbnail = (): string => firstClip().document.media.thumbnail ?? ''
  const settled = (): boolean => {
    const asked = place.db.orm.select().from(operations).where(eq(operations.kind, 'thumbnail')).all()
    return asked.every(({ state }) => state === 'succeeded')
  }
  /** What it is once nothing more is to be taken. */
  const after = async (updates: Record<string, unknown>): Promise<string> => {
    await updateClip(services, { companyId: 'c', clipId: firstClip().id, body: { updates }, merge: true })
    await until(settled, 20_000, () => describeRun(place.db, runId))
    return thumbnail()
  }

  it('of an edited clip are taken again at once, automatically, and by a render', async () => {
    const before = thumbnail()
    expect(before).not.toBe('')
    const started = renders().length
    const titled = await after({ titleConfig: { text: 'Over the picture' } })
    expect(titled).not.toBe(before)
    expect(renders()).toHaveLength(started)
    const { id, revision } = firstClip()
    // What is not seen in it leaves it alone.
    expect(await after({ subtitleConfig: { fontSize: '90' }, bio: 'Nobody sees it' })).toBe(titled)
    // A render checks the thumbnail too, whoever changed the clip, and that is no edit.
    edit((document) => ({ ...document, titleConfig: { text: 'Another one' } }))
    expect(await renderClip(services, { companyId: 'c', clipId: id })).toMatchObject({ status: 'finished' })
    expect(thumbnail()).not.toBe(titled)
    expect(firstClip().revision).toBe(revision + 2)
    expect(await after({ titleConfig: { text: 'Over the picture' } })).toBe(titled)
  })

  it('that cannot be taken are removed: the still of a render is the fallback', async () => {
    const { sourceDigest } = firstClip()
    const source = sourcePath(place.home.sources, sourceDigest)
    await rename(source, `${source}.away`)
    try {
      expect(await after({ titleConfig: { text: 'There is nothing to take it from' } })).toBe('')
    } finally {
      await rename(`${source}.away`, source)
    }
    expect(await after({ titleConfig: { text: 'There is again' } })).not.toBe('')
  })
})

describe('runs', () => {
  it('cancels what is still queued, and what runs within a second', async () => {
    const queued = queueRun(place.db, talk.video)
    jobs.cancel(queued.operationId)
    expect(getRun(place.db, queued.runId)).toMatchObject({ status: 'Error', errorCode: 'CANCELLED' })

    // Other ranges than before: its renders are not in the cache.
    const ranges = { pinnedTimestamps: [{ start: 8, end: 19.2 }], pinnedTimestampsOnly: true }
    const nodes = [{ id: 'f', type: 'find_clips', enabled: true, config: ranges }]
    const running = queueRun(place.db, talk.video, nodes)
    jobs.wake()
    const rendering = () => slotsOf(place.db, running.runId).get('clip:0:render')?.state === 'running'
    await until(rendering, 20_000, () => describeRun(place.db, running.runId))
    const asked = performance.now()
    jobs.cancel(running.operationId)
    expect(await jobs.whenSettled(running.operationId, 5000)).toMatchObject({ state: 'cancelled' })
    expect(performance.now() - asked).toBeLessThan(1000 * measureSlowness())
    expect(getRun(place.db, running.runId)).toMatchObject({ status: 'Error', errorCode: 'CANCELLED' })
  })

  it('ends in Error with a sentence when the source is not there, and can be resumed when it is', async () => {
    const path = join(root, 'later.mp4')
    const { runId: missing } = queueRun(place.db, path)
    jobs.wake()
    const failed = await settledRun(place.db, missing)
    expect(failed.status).toBe('Error')
    expect(failed.error).not.toBe('')
    expect(() => resumeRun(services, { companyId: null, triggerId: runId })).toThrow(/Only a run in Error/)
    const again = await makeTinyTalk(root, 'later')
    expect(again.video).toBe(path)
    const { operationId } = resumeRun(services, { companyId: null, triggerId: missing })
    expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({ state: 'succeeded' })
    expect(getRun(place.db, missing)).toMatchObject({ status: 'Completed', error: null })
  })
})

describe('a clip of another run with the same files', () => {
  it('has addresses of its own, which the deletion of the first leaves alone', async () => {
    const { runId: again, operationId } = queueRun(place.db, talk.video)
    jobs.wake()
    expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({ state: 'succeeded' })
    const [other] = listRunClips(place.db, again)
    const first = firstClip()
    const pathOf = (id: string | undefined) => getMedia(place.db, id ?? '')?.path
    const one = first.document.media.source
    const two = other?.document.media.source
    expect([pathOf(one), one === two]).toEqual([pathOf(two), false])
    deleteClip(services, { companyId: 'c', clipId: first.id })
    expect([findMediaById(services, one), findMediaById(services, two)]).toEqual([null, expect.anything()])
  })

  it('is deleted while its thumbnail is made: the operation ends, and no error is logged', async () => {
    const { runId: again, operationId } = queueRun(place.db, talk.video)
    jobs.wake()
    expect(await jobs.whenSettled(operationId, 60_000)).toMatchObject({ state: 'succeeded' })
    const [clip] = listRunClips(place.db, again)
    if (clip === undefined) throw new Error('the run made no clips')
    const updates = { titleConfig: { text: 'About to go' } }
    await updateClip(services, { companyId: 'c', clipId: clip.id, body: { updates }, merge: true })
    const [taking] = place.db.orm.select().from(operations).where(eq(operations.subjectId, clip.id)).all()
    if (taking === undefined) throw new Error('no thumbnail is taken')
    const before = errors.length
    deleteClip(services, { companyId: 'c', clipId: clip.id })
    const settled = await jobs.whenSettled(taking.id, 30_000)
    expect(settled).toMatchObject({ state: 'failed', failure: { code: 'CLIP_NOT_FOUND' } })
    expect(errors.slice(before)).toEqual([])
  })
})
