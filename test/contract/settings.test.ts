/** Routes of the settings: what they show, what they begin, what they refuse. Roles are in people.test.ts. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CleanPlan, SettingsModels, SettingsTask, Storage } from '../../server/contract/settings.ts'
import type { Deliveries, WebhookMade, Webhooks } from '../../server/contract/events.ts'
import { insertOperation, settleOperation, claimOperation } from '../../server/db/operations.ts'
import { newId } from '../../server/ids.ts'
import { startCleanUp } from '../../server/domain/settings/storage.ts'
import { registerMedia } from '../../server/domain/rendering/register-media.ts'
import { startTask } from '../../server/domain/settings/tasks.ts'
import { storeUpload } from '../../server/domain/library/uploads.ts'
import { Readable } from 'node:stream'
import { signInAs, type SignedIn } from '../support/people.ts'
import { addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const DAY = 86_400_000
let now = Date.now()
let server: TestServer
let owner: SignedIn
beforeAll(async () => {
  server = await startTestServer({ now: () => now })
  owner = signInAs(server, 'owner')
})
afterAll(() => server.close())

const post = (path: string, json: unknown = {}) => owner.call(path, { json })
const remove = (path: string) => owner.call(path, { method: 'DELETE' })
/** The task as it ended. */
async function ended(id: string): Promise<SettingsTask> {
  let found: SettingsTask | undefined
  await expect
    .poll(async () => {
      const { tasks } = (await owner.call('/studio/tasks')).json<{ tasks: SettingsTask[] }>()
      found = tasks.find((task) => task.id === id)
      return found?.state
    })
    .not.toBe('running')
  if (found === undefined) throw new Error('the task is not listed')
  return found
}
const begun = async (answer: Promise<{ json: <T>() => T }>) =>
  (await answer).json<{ task: SettingsTask }>().task

describe('storage', () => {
  /** A result of a stage as the cache has it, two days old. */
  async function result(stage: string, letter: string): Promise<string> {
    const key = letter.repeat(64)
    const folder = join(server.services.home.artefacts, stage, letter.repeat(2), key)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'result.json'), '{}')
    await writeFile(join(folder, 'out.mp4'), 'x'.repeat(1000))
    await utimes(folder, new Date(now - 2 * DAY), new Date(now - 2 * DAY))
    return folder
  }
  const use = async () =>
    new Map((await owner.call('/studio/storage')).json<Storage>().kinds.map((one) => [one.kind, one]))
  const plan = async (...kinds: string[]) =>
    (await post('/studio/storage/plan', { kinds })).json<CleanPlan>().items.map(({ kind, files, bytes }) => ({
      kind,
      files,
      bytes,
    }))

  it('leaves models that a command is installing', async () => {
    const scratch = join(server.services.home.models, '.partial')
    const long = new Date(now - 2 * 3_600_000)
    for (const name of ['left', 'coming']) {
      await mkdir(join(scratch, name), { recursive: true })
      await writeFile(join(scratch, name, 'weights.part'), 'x'.repeat(10))
      if (name === 'left') await utimes(join(scratch, name, 'weights.part'), long, long)
      await utimes(join(scratch, name), long, long)
    }
    expect(await plan('partial-models')).toEqual([{ kind: 'partial-models', files: 1, bytes: 10 }])
    const task = await begun(post('/studio/storage/clean', { kinds: ['partial-models'] }))
    expect((await ended(task.id)).state).toBe('done')
    expect(await readdir(scratch)).toEqual(['coming'])
    await rm(scratch, { recursive: true })
  })

  it('is reported by kind, and cleaned of unreferenced files after they were shown', async () => {
    const { services, companyId } = server
    const unneeded = await result('render', 'a')
    const shown = await result('render', 'b')
    registerMedia(services, {
      companyId,
      path: join(shown, 'out.mp4'),
      name: 'clip.mp4',
      mediaType: 'video/mp4',
    })
    const stream = Readable.from([Buffer.alloc(50)])
    await storeUpload(services, { companyId, name: 'a.mp4', stream, bytes: 50 })
    expect((await use()).get('clips')).toMatchObject({ files: 1, bytes: 1000 })
    expect((await use()).get('cache')).toMatchObject({ files: 3, bytes: 1004 })
    expect((await use()).get('uploads')).toMatchObject({ files: 1, bytes: 50 })
    for (const [stage, kind] of [
      ['cut', 'proxies'],
      ['peaks', 'previews'],
      ['speech', 'words'],
    ] as const) {
      const made = await result(stage, 'e')
      expect((await use()).get(kind)).toMatchObject({ files: 2, bytes: 1002 })
      await rm(made, { recursive: true })
    }

    // Recent uploads stay; what an address points to stays with its sidecar files.
    expect(await plan('uploads', 'cache')).toEqual([
      { kind: 'uploads', files: 0, bytes: 0 },
      { kind: 'cache', files: 2, bytes: 1002 },
    ])
    now += 2 * DAY
    expect((await plan('uploads'))[0]).toMatchObject({ files: 1, bytes: 50 })
    // A dry run has touched nothing.
    expect(await readdir(unneeded)).toHaveLength(2)

    const running = insertOperation(services.db, { companyId, kind: 'render', subjectId: 'c', now })
    expect((await plan('cache'))[0]).toMatchObject({ files: 0 })
    expect((await post('/studio/storage/clean', { kinds: ['cache'] })).json()).toMatchObject({
      code: 'INVALID_STATE',
    })
    claimOperation(services.db, running, 'o', now)
    settleOperation(services.db, running, 'o', now, { state: 'succeeded' })

    const task = await begun(post('/studio/storage/clean', { kinds: ['cache', 'uploads'] }))
    expect(await ended(task.id)).toMatchObject({ state: 'done', note: '3 files removed, 0.0 MB.' })
    await expect(readdir(unneeded)).rejects.toThrow('ENOENT')
    expect(await readdir(shown)).toHaveLength(2)
    expect(await plan('uploads', 'cache')).toEqual([
      { kind: 'uploads', files: 0, bytes: 0 },
      { kind: 'cache', files: 0, bytes: 0 },
    ])
    expect((await post('/studio/storage/clean', { kinds: ['sources'] })).status).toBe(400)
  })

  it('neither removes nor reports files that were needed again since the clean-up began', async () => {
    const { services, companyId } = server
    const shown = await result('render', 'c')
    const free = await result('render', 'd')
    const path = join(shown, 'out.mp4')
    const stays = /^0 files removed, 0\.0 MB\. 2 of 2 stayed/
    // What may be deleted is found from here on; each part is checked again before it is deleted.
    const refused = startCleanUp(services, ['cache'])
    const running = insertOperation(services.db, { companyId, kind: 'render', subjectId: 'c', now })
    expect((await ended(refused.id)).note).toMatch(stays)
    claimOperation(services.db, running, 'o', now)
    settleOperation(services.db, running, 'o', now, { state: 'succeeded' })

    const task = startCleanUp(services, ['cache'])
    registerMedia(services, { companyId, path, name: 'clip.mp4', mediaType: 'video/mp4' })
    expect((await ended(task.id)).note).toMatch(/^2 files removed, 0\.0 MB\. 1 of 2 stayed/)
    expect(await readdir(shown)).toHaveLength(2)
    await expect(readdir(free)).rejects.toThrow('ENOENT')
  })
})

describe('backups', () => {
  it('are made, listed, downloaded, and deleted; no other file of the disk can be requested', async () => {
    const task = await begun(owner.call('/studio/backups', { method: 'POST' }))
    const { state, note } = await ended(task.id)
    expect([state, note]).toEqual(['done', expect.stringMatching(/^cutroom-\d{8}T\d{6}Z\.sqlite$/)])
    await writeFile(join(server.services.home.root, 'backups', 'other.txt'), 'not ours')
    const { backups } = (await owner.call('/studio/backups')).json<{
      backups: { name: string; bytes: number }[]
    }>()
    expect(backups.map(({ name }) => name)).toEqual([note])
    const fetched = await owner.call(`/studio/backups/${note}`)
    expect(fetched.bytes).toHaveLength(backups[0]?.bytes ?? 0)
    const folder = await mkdtemp(join(tmpdir(), 'cutroom-backup-'))
    await writeFile(join(folder, 'copy.sqlite'), fetched.bytes)
    const copy = new Database(join(folder, 'copy.sqlite'), { readonly: true })
    expect(copy.prepare('select id from companies').pluck().all()).toEqual(['acme'])
    copy.close()
    await rm(folder, { recursive: true })
    for (const name of ['other.txt', '..%2Fcutroom.sqlite', '%2Fetc%2Fpasswd'])
      expect((await owner.call(`/studio/backups/${name}`)).status).toBe(404)
    expect((await remove(`/studio/backups/${note}`)).status).toBe(200)
    expect((await remove(`/studio/backups/${note}`)).status).toBe(404)
  })
})

describe('tasks', () => {
  it('run once at a time, and can be cancelled', async () => {
    let seen = 0
    const work = {
      kind: 'clean-up' as const,
      subject: 'test',
      work: ({ signal, onProgress }: { signal: AbortSignal; onProgress: (f: number, n: string) => void }) => {
        seen += 1
        onProgress(0.25, 'A quarter')
        return new Promise<string>((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        )
      },
    }
    const task = startTask(server.services, work)
    expect(startTask(server.services, work).id).toBe(task.id)
    const { tasks } = (await owner.call('/studio/tasks')).json<{ tasks: SettingsTask[] }>()
    expect(tasks[0]).toMatchObject({ id: task.id, state: 'running', progress: 0.25, note: 'A quarter' })
    await remove(`/studio/tasks/${task.id}`)
    expect((await ended(task.id)).state).toBe('cancelled')
    expect([(await remove(`/studio/tasks/${task.id}`)).status, seen]).toEqual([404, 1])
  })
})

describe('models', () => {
  it('are listed with those in the inbox; only listed ones can be installed', async () => {
    const { home } = server.services
    const listed = (await owner.call('/studio/models')).json<SettingsModels>()
    expect(listed.models.length).toBeGreaterThan(5)
    expect(listed.inbox).toEqual({ folder: join(home.root, 'models-inbox'), entries: [] })
    await writeFile(join(home.root, 'models-inbox', 'notes.txt'), 'x')
    await mkdir(join(home.root, 'models-inbox', 'empty'))
    const { inbox } = (await owner.call('/studio/models')).json<SettingsModels>()
    expect(inbox.entries).toEqual(['empty'])
    for (const entry of ['notes.txt', '../sources', '/etc', 'empty/..'])
      expect((await post('/studio/models-inbox/install', { entry })).status).toBe(404)
    const task = await begun(post('/studio/models-inbox/install', { entry: 'empty' }))
    expect(await ended(task.id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('No complete model') as string,
    })
    expect((await owner.call('/studio/models/no-such/install', { method: 'POST' })).status).toBe(404)
    const byHand = listed.models.find(({ downloadable, installed }) => !downloadable && !installed)
    const refused = await owner.call(`/studio/models/${byHand?.name ?? ''}/install`, { method: 'POST' })
    expect(refused.json()).toMatchObject({ code: 'INVALID_STATE' })
  })
})

describe('the language model', () => {
  it('is shown without its secrets, and tried', async () => {
    let answer = { status: 200, body: JSON.stringify({ data: [{ id: 'small' }] }) }
    const heard: (string | undefined)[] = []
    const fake: Server = createServer((request, response) => {
      heard.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`)
      response.writeHead(answer.status).end(answer.body)
    })
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    const { port } = fake.address() as AddressInfo
    const url = `http://user:pass@127.0.0.1:${port}/v1`
    const languageModel = { url, model: 'small', key: 'sk-secret', timeoutSeconds: 5 }
    const own = await startTestServer({ config: { languageModel } })
    try {
      const me = signInAs(own, 'owner')
      const shown = await me.call('/studio/model-servers/language-model')
      expect(shown.json()).toMatchObject({
        setBy: 'machine',
        address: `http://127.0.0.1:${port}/v1`,
        hasKey: true,
      })
      expect(shown.text).not.toMatch(/secret|pass/)
      const attempt = async () =>
        (await me.call('/studio/model-servers/language-model/try', { method: 'POST' })).json<{
          works: boolean
          said: string
        }>()
      expect(await attempt()).toMatchObject({ works: true, said: 'It answers, and has small.' })
      expect(heard).toEqual(['/v1/models Bearer sk-secret'])
      answer = { status: 200, body: JSON.stringify({ data: [{ id: 'large' }] }) }
      expect(await attempt()).toMatchObject({
        works: false,
        said: expect.stringContaining('it has large') as string,
      })
      answer = { status: 401, body: '' }
      expect(await attempt()).toMatchObject({
        works: false,
        said: expect.stringContaining('CUTROOM_LLM_KEY') as string,
      })
      answer = { status: 404, body: '' }
      expect(await attempt()).toMatchObject({ works: true })
      fake.closeAllConnections()
      await new Promise<void>((resolve) => fake.close(() => resolve()))
      expect(await attempt()).toMatchObject({
        works: false,
        said: expect.stringContaining('cannot be reached') as string,
      })
    } finally {
      fake.close()
      await own.close()
    }
    const off = await post('/studio/model-servers/language-model/try')
    expect(off.json()).toMatchObject({ code: 'INVALID_STATE' })
  })
})

describe('keys and clients', () => {
  it('are made for the given company, shown once, listed without secrets, and revoked', async () => {
    const unscoped = await post('/studio/keys', { name: 'farm', companyId: 'acme' })
    expect(unscoped.status).toBe(400)
    const end = new Date(now + DAY).toISOString()
    const asked = { name: 'farm', companyId: 'acme', scopes: ['render', 'read'], expiresAt: end }
    for (const wrong of [
      { scopes: [] },
      { scopes: ['all'] },
      { expiresAt: 'soon' },
      { expiresAt: '2001-01-01' },
    ])
      expect((await post('/studio/keys', { ...asked, ...wrong })).status).toBe(400)
    const made = (await post('/studio/keys', asked)).json<{
      id: string
      key: string
    }>()
    expect((await server.call('/workflows?companyId=acme', { key: made.key })).status).toBe(200)
    const listed = await owner.call('/studio/keys')
    expect(listed.text).not.toContain(made.key.slice(25))
    expect(listed.json<{ keys: object[] }>().keys).toContainEqual(
      expect.objectContaining({
        id: made.id,
        name: 'farm',
        companyId: 'acme',
        revokedAt: null,
        scopes: ['read', 'render'],
        expiresAt: end,
      }),
    )
    expect((await remove(`/studio/keys/${made.id}`)).status).toBe(200)
    expect((await server.call('/workflows?companyId=acme', { key: made.key })).status).toBe(401)
    expect((await post('/studio/keys', { ...asked, companyId: 'nobody' })).status).toBe(404)

    await post('/studio/clients', { id: 'planner' })
    expect((await post('/studio/clients', { id: 'planner' })).status).toBe(400)
    const grantOf = (more: object) =>
      owner.call('/studio/clients/planner/grant', {
        method: 'PUT',
        json: { companyId: 'acme', days: 30, ...more },
      })
    // A new grant says what it is for; a renewal leaves that as it is.
    expect((await grantOf({})).status).toBe(400)
    await grantOf({ scopes: ['edit', 'read'] })
    const given = (await grantOf({})).json<{ expiresAt: string }>()
    expect(Date.parse(given.expiresAt) - now).toBe(30 * DAY)
    const { clients } = (await owner.call('/studio/clients')).json<{
      clients: { id: string; grants: unknown[] }[]
    }>()
    expect(clients).toMatchObject([
      { id: 'planner', grants: [{ companyId: 'acme', scopes: ['read', 'edit'] }] },
    ])
    expect((await remove('/studio/clients/planner/grant?companyId=acme')).status).toBe(200)
    expect((await remove('/studio/clients/planner/grant?companyId=acme')).status).toBe(404)
  })

  it('lists webhooks, shows their secret once, pauses them and redelivers', async () => {
    const url = 'https://studio.example/hooks'
    const answer = await post('/studio/webhooks', { url, events: ['run.*'], companyId: 'acme' })
    const { webhook, secret } = answer.json<WebhookMade>()
    expect(secret).toMatch(/^whsec_/)
    const list = await owner.call('/studio/webhooks')
    expect(list.text).not.toContain(secret.slice(6))
    expect(list.json<Webhooks>().webhooks).toEqual([webhook])
    expect(webhook).toMatchObject({ url, events: ['run.*'], companyId: 'acme', state: 'active' })
    expect(list.json<Webhooks>().eventPatterns).toContain('post.published')
    for (const refused of [{ url: 'ftp://x' }, { url, events: ['post.exploded'] }, { url, secret: 'mine' }])
      expect((await post('/studio/webhooks', refused)).status).toBe(400)

    const runId = addRun(server, { workflowId: addWorkflow(server) })
    const told = async (query = '') =>
      (await owner.call(`/studio/webhooks/${webhook.id}/deliveries${query}`)).json<Deliveries>().deliveries
    const [delivery] = await told('?state=queued')
    expect(delivery).toMatchObject({ event: 'run.queued', subjectId: runId, state: 'queued', attempts: 0 })
    expect(await told('?state=dead')).toEqual([])
    expect((await owner.call(`/studio/webhooks/${webhook.id}/deliveries?state=lost`)).status).toBe(400)

    const change = (state: string) =>
      owner.call(`/studio/webhooks/${webhook.id}`, { method: 'PATCH', json: { state } })
    expect((await change('paused')).json()).toEqual({ webhook: { ...webhook, state: 'paused' } })
    expect((await change('asleep')).status).toBe(400)
    const replay = (of: string) =>
      post(`/studio/webhooks/${of}/deliveries/${delivery?.id ?? ''}/replay`).then(({ status }) => status)
    // Of another webhook it is not there.
    expect([await replay(newId()), await replay(webhook.id)]).toEqual([404, 200])
    expect((await owner.call('/studio/webhooks')).json<Webhooks>().webhooks[0]?.state).toBe('active')
    expect((await remove(`/studio/webhooks/${webhook.id}`)).status).toBe(200)
    expect((await remove(`/studio/webhooks/${webhook.id}`)).status).toBe(404)
    expect((await change('active')).status).toBe(404)
  })

  it('lists fonts, models and the ffmpeg of the appliance', async () => {
    const about = (await owner.call('/studio/about')).json<{
      fonts: object[]
      models: object[]
      ffmpeg: object
    }>()
    expect(about.fonts).toContainEqual({ family: 'Inter', licence: 'OFL-1.1' })
    expect(about.models.length).toBeGreaterThan(5)
    expect(about.ffmpeg).toMatchObject({ version: expect.stringContaining('ffmpeg') as string })
  })
})
