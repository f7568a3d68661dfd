/**
 * Retention: what is deleted after a while, what never is, and how much a company may store. The test sets the clock.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Config } from '../../server/config/config.ts'
import type { RetentionPlan } from '../../server/contract/settings.ts'
import { claimOperation, insertOperation, settleOperation } from '../../server/db/operations.ts'
import { libraryItems, posts, runs, runStages } from '../../server/db/schema.ts'
import { saveSource } from '../../server/db/sources.ts'
import { deleteSetting, JOINED_FOOTAGE, setSetting, VERIFIED_BACKUP } from '../../server/db/settings.ts'
import { planCleanUp } from '../../server/domain/settings/storage.ts'
import { readAudit } from '../../server/domain/people/audit.ts'
import { deleteClip } from '../../server/domain/clips/update-clip.ts'
import { findMediaById, registerMedia } from '../../server/domain/rendering/register-media.ts'
import { planRetention, sweepRetention } from '../../server/domain/settings/retention.ts'
import {
  followMovedHome,
  listOldUploads,
  listUnusedUploads,
  storeUpload,
  sweepUploads,
  uploadSource,
} from '../../server/domain/library/uploads.ts'
import { newId } from '../../server/ids.ts'
import { startRetentionLoop } from '../../server/jobs/maintenance.ts'
import { startJobs } from '../../server/jobs/orchestrator.ts'
import { digestOf } from '../../workers/artefacts.ts'
import { artefactFolder, sourcePath } from '../../workers/paths.ts'
import type { StageName } from '../../workers/stages/catalog.ts'
import { storeSource } from '../../workers/stages/ingest/keep.ts'
import { signInAs } from '../support/people.ts'
import { addClip, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'
import type { RunSource } from '../../server/contract/run.ts'

const DAY = 86_400_000
const KEEP: Config['storage'] = { sourceDays: 30, resultDays: 10, uploadDays: 20, companyQuotaBytes: 0 }
let now = Date.now()
let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer({ now: () => now, config: { storage: KEEP } })
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
beforeEach(() => (now = Date.now()))

let made = 0
/** A stored source of 100 bytes, as a run in this state has fetched it. */
async function source(status: 'Completed' | 'Error' | 'Processing' = 'Completed') {
  const { services, companyId } = server
  const digest = digestOf(`source ${made++}`)
  const path = sourcePath(services.home.sources, digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Buffer.alloc(100))
  const url = `https://example.com/${digest}`
  const facts = { bytes: 100, mediaType: 'video/mp4', etag: 'e', lastModified: null }
  saveSource(services.db, { digest, url, ...facts, now })
  const runId = addRun(server, { workflowId, status, sourceDigest: digest, finishedAt: now })
  const ingest = await result(runId, 'ingest', { digest })
  const media = registerMedia(services, { companyId, path, name: 'talk.mp4', mediaType: 'video/mp4' })
  return { digest, path, runId, ingest, media }
}

/** A result of a stage that this run has. */
async function result(runId: string, stage: StageName, output: unknown, key = digestOf(`${made++}`)) {
  const folder = artefactFolder(server.services.home.artefacts, stage, key)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'out.bin'), Buffer.alloc(10))
  server.services.db.orm
    .insert(runStages)
    .values({ runId, slot: stage, stage, key, state: 'finished', output, startedAt: now, finishedAt: now })
    .run()
  return folder
}
const clipOf = (kept: Awaited<ReturnType<typeof source>>) =>
  addClip(server, {
    workflowId,
    runId: kept.runId,
    row: { sourceDigest: kept.digest },
    document: { sourceId: kept.digest, media: { source: kept.media } },
  })
const stagesOf = (runId: string) =>
  server.services.db.orm
    .select()
    .from(runStages)
    .all()
    .filter((row) => row.runId === runId)

it('deletes an unused source after its retention time, so that it is fetched again', async () => {
  const failed = await source('Error')
  const shown = await source()
  const clip = clipOf(shown)
  const inLibrary = await source()
  server.services.db.orm
    .insert(libraryItems)
    .values({
      id: newId(),
      companyId: server.companyId,
      folderId: null,
      name: 'n',
      tags: [],
      kind: 'video',
      digest: inLibrary.digest,
      mediaType: 'video/mp4',
      bytes: 100,
      width: 1,
      height: 1,
      createdAt: now,
    })
    .run()
  now += 29 * DAY
  expect((await sweepRetention(server.services)).files).toBe(0)
  now += 2 * DAY
  const plan = (await planRetention(server.services)).items.find(({ kind }) => kind === 'sources')
  expect(plan).toMatchObject({ files: 1, bytes: 100, days: 30 })
  expect(existsSync(failed.path)).toBe(true)
  expect((await sweepRetention(server.services)).items).toEqual([{ kind: 'sources', files: 1, bytes: 100 }])
  expect([failed, shown, inLibrary].map(({ path }) => existsSync(path))).toEqual([false, true, true])
  // The failed run may go on: it begins with fetching.
  expect([existsSync(failed.ingest), stagesOf(failed.runId)]).toEqual([false, []])
  expect(findMediaById(server.services, shown.media)).not.toBeNull()
  const rows = readAudit(server.services, {}).rows.filter(({ method }) => method === 'SWEEP')
  expect(rows.map(({ resourceId }) => resourceId)).toEqual(['sources: 1 files, 100 bytes'])

  deleteClip(server.services, { companyId: server.companyId, clipId: clip })
  expect((await sweepRetention(server.services)).files).toBe(1)
  expect(existsSync(shown.path)).toBe(false)
  // The run is completed, and what it did is still reported.
  expect(stagesOf(shown.runId)).toHaveLength(1)
})

it('shows before it is saved what the next sweep takes, and takes just that', async () => {
  const own = await startTestServer({ now: () => now })
  const before = { server, workflowId }
  server = own
  workflowId = addWorkflow(own)
  try {
    const owner = signInAs(own, 'owner')
    const read = async (path: string, call = {}) =>
      (await owner.call(path, call)).json<RetentionPlan>().items.find(({ kind }) => kind === 'sources')
    const kept = await source('Error')
    now += 10 * DAY
    const at = '/studio/storage/retention'
    expect(await read(at)).toMatchObject({ days: null, setBy: null, files: 0, largest: [], others: 0 })
    const shown = await read(`${at}?sources=7`)
    const name = 'example.com/talk.mp4'
    expect(shown).toMatchObject({ days: 7, files: 1, bytes: 100, largest: [{ name, bytes: 100 }] })
    expect(await read(`${at}?sources=30`)).toMatchObject({ days: 30, files: 0 })
    // Asking has stored and deleted nothing.
    expect((await sweepRetention(own.services)).files).toBe(0)
    expect((await owner.call(`${at}?sources=-1`)).status).toBe(400)
    const saved = await read(at, { method: 'PUT', json: { sources: 7 } })
    expect(saved).toEqual({ ...shown, setBy: 'studio' })
    expect(await read(`${at}?sources=0`)).toMatchObject({ days: null, files: 0 })
    expect((await owner.call(at, { method: 'PUT', json: { sources: 0.5 } })).status).toBe(400)
    expect((await signInAs(own, 'editor').call(at)).status).toBe(403)
    expect((await sweepRetention(own.services)).items).toEqual([{ kind: 'sources', files: 1, bytes: 100 }])
    expect(existsSync(kept.path)).toBe(false)
    await read(at, { method: 'PUT', json: { sources: 0 } })
    expect(await read(at)).toMatchObject({ days: null, setBy: null })
  } finally {
    await own.close()
    ;({ server, workflowId } = before)
  }
  const fixed = await signInAs(server, 'owner').call('/studio/storage/retention', {
    method: 'PUT',
    json: { sources: 7 },
  })
  expect(fixed.json()).toMatchObject({ code: 'INVALID_STATE' })
})

it('deletes no file that this database does not know: it may be of one that was lost', async () => {
  const { services } = server
  const { home, db } = services
  const unknown = sourcePath(home.sources, digestOf('of a lost database'))
  await mkdir(dirname(unknown), { recursive: true })
  await writeFile(unknown, 'x')
  const upload = join(home.uploads, newId())
  await writeFile(upload, 'x')
  const rendered = artefactFolder(home.artefacts, 'render', digestOf('rendered by a lost database'))
  await mkdir(rendered, { recursive: true })
  await writeFile(join(rendered, 'clip.mp4'), 'x')
  for (const path of [unknown, upload, rendered]) await utimes(path, 1, 1)
  now += 400 * DAY
  await sweepRetention(services)
  await sweepUploads(services, { leftOver: true })
  expect((await listUnusedUploads(services)).map(({ id }) => join(home.uploads, id))).not.toContain(upload)
  const results = async () => (await planCleanUp(services, ['cache'])).items[0]?.files
  expect(await results()).toBe(1)
  setSetting(db, JOINED_FOOTAGE, '2000')
  expect(await results()).toBe(0)
  deleteSetting(db, JOINED_FOOTAGE)
  expect([unknown, upload].map((path) => existsSync(path))).toEqual([true, true])
})

it('deletes no original that came after the last verified backup, until there is a newer one', async () => {
  const { db } = server.services
  setSetting(db, VERIFIED_BACKUP, String(now - DAY))
  const since = await source('Error')
  const sound = await result(since.runId, 'audio', {})
  now += 40 * DAY
  await sweepRetention(server.services)
  expect([existsSync(since.path), existsSync(sound)]).toEqual([true, false])
  setSetting(db, VERIFIED_BACKUP, String(now))
  await sweepRetention(server.services)
  expect(existsSync(since.path)).toBe(false)
  deleteSetting(db, VERIFIED_BACKUP)
})

it('deletes nothing by itself while the database is damaged', async () => {
  const kept = await source('Error')
  now += 40 * DAY
  const { services } = server
  const damaged = await startTestServer({ now: () => now, config: { storage: KEEP } })
  const { db } = damaged.services
  db.sqlite.pragma('foreign_keys = off')
  db.sqlite.exec("insert into source_addresses (url, digest, fetched_at) values ('x', 'of none', 1)")
  const fast = { lookMs: 10, firstMs: 0 }
  const unsound = startRetentionLoop({ ...services, db }, fast)
  const said = (): string => JSON.stringify(server.log)
  await expect.poll(said).toContain('a row of source_addresses refers to none of sources')
  await unsound.stop()
  expect(existsSync(kept.path)).toBe(true)
  await damaged.close()
  const sound = startRetentionLoop(services, fast)
  await expect.poll(() => existsSync(kept.path)).toBe(false)
  await sound.stop()
})

it('deletes nothing while there is work', async () => {
  const { services, companyId } = server
  const { db } = services
  const kept = await source('Error')
  now += 40 * DAY
  const id = insertOperation(db, { companyId, kind: 'run', subjectId: kept.runId, now })
  expect((await sweepRetention(services)).files).toBe(0)
  claimOperation(db, id, 'me', now)
  expect((await sweepRetention(services)).files).toBe(0)
  settleOperation(db, id, 'me', now, { state: 'cancelled' })
  expect(existsSync(kept.path)).toBe(true)
  expect((await sweepRetention(services)).files).toBe(1)
})

it('deletes no source whose content was just requested by a run that is not stored yet', async () => {
  const { services } = server
  const kept = await source('Error')
  await utimes(kept.path, 0, 0)
  services.db.sqlite.prepare('update sources set created_at = 0').run()
  services.db.sqlite.prepare('update source_addresses set fetched_at = 0').run()
  services.db.sqlite.prepare('update runs set finished_at = 0').run()
  services.db.sqlite.prepare('update run_stages set finished_at = 0, started_at = 0').run()
  const before = statSync(kept.path)
  await pause(20)
  await storeSource(services.home.sources, 'unused', kept.digest, 100)
  const after = statSync(kept.path)
  expect(after.ctimeMs).toBeGreaterThan(before.ctimeMs)
  // The file has no new version, so its address keeps its validator.
  expect(after.mtimeMs).toBe(before.mtimeMs)
  await sweepRetention({ ...services, now: () => before.ctimeMs + 30 * DAY + 1 })
  expect(existsSync(kept.path)).toBe(true)
  await sweepRetention({ ...services, now: () => after.ctimeMs + 30 * DAY + 1 })
  expect(existsSync(kept.path)).toBe(false)
})

it('deletes intermediate results of ended runs, but none that clips are edited with or an open run uses', async () => {
  const { runId } = await source()
  const sound = await result(runId, 'audio', {})
  const words = await result(runId, 'speech', {})
  const key = digestOf('shared')
  const shared = await result(runId, 'faces', {}, key)
  const open = await source('Processing')
  await result(open.runId, 'faces', {}, key)
  now += 11 * DAY
  const { items } = await sweepRetention(server.services)
  expect(items).toContainEqual({ kind: 'results', files: 1, bytes: 10 })
  expect([sound, words, shared].map((folder) => existsSync(folder))).toEqual([false, true, true])
})

it('deletes uploads of runs that failed long ago', async () => {
  const { services, companyId } = server
  const upload = async () => {
    const stream = Readable.from([Buffer.alloc(50)])
    const { uploadId } = await storeUpload(services, { companyId, name: 'a.mp4', stream, bytes: 50 })
    return uploadSource(services, { companyId, uploadId })
  }
  const failed = await upload()
  const going = await upload()
  const snapshot = (source: RunSource) => ({ nodes: [], source, originalUrl: 'a', keywords: [] })
  addRun(server, { workflowId, status: 'Error', snapshot: snapshot(failed) })
  addRun(server, { workflowId, status: 'Processing', snapshot: snapshot(going) })
  now += 21 * DAY
  await sweepRetention(server.services)
  const paths = [failed, going].map((one) => (one.kind === 'file' ? one.path : ''))
  expect(paths.map((path) => existsSync(path))).toEqual([false, true])
})

const fileOf = ({ services }: TestServer, runId: string): string => {
  const row = services.db.orm
    .select()
    .from(runs)
    .all()
    .find(({ id }) => id === runId)
  const source = row?.snapshot.source
  return source?.kind === 'file' ? source.path : ''
}

it('lets a command that resumes runs read uploads at the home’s current path, as the appliance does', async () => {
  const moved = await startTestServer()
  try {
    const { services, companyId } = moved
    const stream = Readable.from([Buffer.alloc(50)])
    const { uploadId } = await storeUpload(services, { companyId, name: 'a.mp4', stream, bytes: 50 })
    const kind = 'file' as const
    const source = { kind, path: `/old/home/uploads/${uploadId}`, displayName: 'a.mp4' }
    const snapshot = { nodes: [], source, originalUrl: 'a', keywords: [] }
    const runId = addRun(moved, { workflowId: addWorkflow(moved), status: 'Error', snapshot })
    const jobs = await startJobs(services)
    await jobs.stop()
    expect(fileOf(moved, runId)).toBe(join(services.home.uploads, uploadId))
  } finally {
    await moved.close()
  }
})

it('keeps the upload of an unfinished run when the home was moved or is opened by another path', async () => {
  const { services, companyId } = server
  const stream = Readable.from([Buffer.alloc(50)])
  const { uploadId } = await storeUpload(services, { companyId, name: 'a.mp4', stream, bytes: 50 })
  const here = uploadSource(services, { companyId, uploadId })
  const elsewhere = (path: string) => ({ ...here, path })
  const snapshot = (source: RunSource) => ({ nodes: [], source, originalUrl: 'a', keywords: [] })
  const failed = addRun(server, {
    workflowId,
    status: 'Error',
    snapshot: snapshot(elsewhere(`/old/home/uploads/${uploadId}`)),
  })
  // The user's own file of `cutroom run` stays where it is.
  const own = addRun(server, {
    workflowId,
    status: 'Error',
    snapshot: snapshot(elsewhere('/media/talk.mp4')),
  })
  const pathOf = (runId: string) => fileOf(server, runId)
  // A command that cleans up resumes no runs: it uses what they name as it is.
  now += 2 * DAY
  expect((await listUnusedUploads(services)).map(({ id }) => id)).not.toContain(uploadId)
  const going = addRun(server, {
    workflowId,
    status: 'Processing',
    snapshot: snapshot(elsewhere(`/link/uploads/${uploadId}`)),
  })
  expect((await listOldUploads(services, now)).map(({ id }) => id)).not.toContain(uploadId)
  expect(followMovedHome(services)).toBe(2)
  expect([failed, going, own].map(pathOf)).toEqual([here.path, here.path, '/media/talk.mp4'])
  expect(followMovedHome(services)).toBe(0)
  await sweepUploads(services)
  expect(existsSync(here.path)).toBe(true)
})

it('keeps every file that an address of a clip or a post points to, however old it is', async () => {
  const step = fc.record({
    status: fc.constantFrom('Completed' as const, 'Error' as const, 'Processing' as const),
    clip: fc.boolean(),
    deleted: fc.boolean(),
    post: fc.boolean(),
    days: fc.integer({ min: 0, max: 400 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const { services, companyId } = server
      const promised: string[] = []
      for (const { status, clip, deleted, post, days } of steps) {
        const kept = await source(status)
        // A result that would go by its stage, were there no address into it.
        const folder = await result(kept.runId, 'audio', {})
        const path = join(folder, 'out.bin')
        const shown = registerMedia(services, { companyId, path, name: 'a.bin', mediaType: 'video/mp4' })
        promised.push(shown)
        if (clip) {
          const id = clipOf(kept)
          if (!deleted) promised.push(kept.media)
          else if (status !== 'Processing') deleteClip(services, { companyId, clipId: id })
        }
        if (post) {
          services.db.orm
            .insert(posts)
            .values({
              id: newId(),
              companyId,
              platform: 'youtube',
              text: '',
              status: 'draft',
              mediaUrl: `http://a/media/${kept.media}/talk.mp4`,
              createdAt: now,
              updatedAt: now,
            })
            .run()
          promised.push(kept.media)
        }
        now += days * DAY
        await sweepRetention(services)
      }
      for (const media of promised) expect(findMediaById(services, media)).not.toBeNull()
    }),
    { numRuns: 15 },
  )
})

it('refuses new runs, uploads and library items of a company that has used up its quota', async () => {
  const companyQuotaBytes = 150
  const small = await startTestServer({ config: { storage: { ...KEEP, companyQuotaBytes } } })
  try {
    const owner = signInAs(small, 'owner')
    const { services, companyId } = small
    const workflow = addWorkflow(small)
    const url = 'https://example.com/a.mp4'
    const start = () => small.call('/trigger-template', { json: { companyId, workflowId: workflow, url } })
    const upload = (bytes: number) =>
      storeUpload(services, { companyId, name: 'a', stream: Readable.from([Buffer.alloc(bytes)]), bytes })
    expect((await start()).status).toBe(200)
    await upload(100)
    await expect(upload(51)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    // A body in chunks has no length header.
    const pieces = [30, 30].map((bytes) => Buffer.alloc(bytes))
    await expect(
      storeUpload(services, { companyId, name: 'a', stream: Readable.from(pieces), bytes: null }),
    ).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    await upload(50)
    const refused = await start()
    expect([refused.status, refused.json()]).toMatchObject([507, { code: 'QUOTA_EXCEEDED', status: 'error' }])
    expect(refused.json()['error']).toMatch(/CUTROOM_COMPANY_QUOTA_BYTES/)
    const shown = (await owner.call('/studio/storage/retention')).json<RetentionPlan>()
    expect(shown.companies).toEqual([
      { id: companyId, name: 'Acme', bytes: 150, quotaBytes: companyQuotaBytes },
    ])
    expect(shown.items.map(({ kind, days }) => [kind, days])).toEqual([
      ['sources', 30],
      ['results', 10],
      ['uploads', 20],
    ])
  } finally {
    await small.close()
  }
})

it('refuses the upload that exceeds the quota when several arrive at the same time', async () => {
  const storage = { ...KEEP, companyQuotaBytes: 100 }
  const small = await startTestServer({ config: { storage } })
  const { services, companyId } = small
  try {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    const upload = (name: string) => {
      const stream = Readable.from(
        (async function* () {
          await gate
          yield Buffer.alloc(60)
        })(),
      )
      return storeUpload(services, { companyId, name, stream, bytes: 60 })
    }
    const both = Promise.allSettled([upload('a.mp4'), upload('b.mp4')])
    await pause(0)
    open()
    const came = (await both).map((one) =>
      one.status === 'rejected' ? (one.reason as { code: string }).code : 'kept',
    )
    expect(came.sort()).toEqual(['QUOTA_EXCEEDED', 'kept'])
    expect(readdirSync(services.home.uploads)).toHaveLength(1)
  } finally {
    await small.close()
  }
})
