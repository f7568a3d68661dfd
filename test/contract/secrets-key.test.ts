/**
 * A home whose key is missing or another one: no new key is created, what needs it waits, and continues when it is
 * back.
 */
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { insertAction } from '../../server/db/social-actions.ts'
import { posts, socialActions, webhookDeliveries } from '../../server/db/schema.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { createWebhook, listWebhooks } from '../../server/domain/webhooks/webhooks.ts'
import { withServices } from '../../server/cli/open-home.ts'
import { watchKey, startSocialLoop } from '../../server/jobs/social-loop.ts'
import { startWebhookLoop } from '../../server/jobs/webhook-loop.ts'
import {
  forgetKeys,
  keyTrouble,
  openSecret,
  prepareKey,
  recordKey,
  sealSecret,
} from '../../server/secrets.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { typedCommands } from '../support/typed-commands.ts'

const HOOK = { companyId: 'acme', url: 'https://hook.example/', events: [] }
let time = Date.UTC(2026, 0, 1)
let server: TestServer
let key: string

beforeEach(async () => {
  forgetKeys()
  server = await startTestServer({ now: () => time })
  key = join(server.services.home.root, 'secret.key')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

function addPost(accountId: string | null): string {
  const { db } = server.services
  const id = `post-${accountId ?? 'package'}`
  const moments = { createdAt: time, updatedAt: time }
  const platform = 'youtube' as const
  const post = { id, companyId: 'acme', platform, text: 'Hi', accountId, ...moments }
  db.orm
    .insert(posts)
    .values({ ...post, status: 'scheduled' })
    .run()
  insertAction(db, {
    id,
    companyId: 'acme',
    postId: id,
    kind: 'publish',
    state: 'queued',
    availableAt: time,
    key: id,
    approved: {},
    memo: {},
    confirmationId: id,
    ...moments,
  })
  return id
}

it('webhooks and accounts wait for a missing key, and continue when it is restored', async () => {
  const { services } = server
  const { db, home } = services
  createWebhook(services, HOOK)
  storeAccount(services, {
    companyId: 'acme',
    platform: 'youtube',
    identified: { nativeId: 'UC1', handle: '@us', settings: {}, tokens: { access: 'a' } },
  })
  const account = db.sqlite.prepare<[], string>('select id from social_accounts').pluck().get() ?? ''
  const right = await readFile(key)
  await rm(key)
  forgetKeys()
  expect(prepareKey(home, services.config)).toMatch(/is not here. Put secret.key back/)
  const post = addPost(account)
  let sent = 0
  const send = () => Promise.resolve(((sent += 1), 200))
  const webhooks = startWebhookLoop(services, { send, close: () => Promise.resolve() }, { pollMs: 3_600_000 })
  const social = startSocialLoop(services)
  const states = () => db.orm.select().from(webhookDeliveries).all()
  const action = () => db.orm.select().from(socialActions).all()
  try {
    await webhooks.tick()
    expect(states()).toMatchObject([{ state: 'queued', attempts: 0, availableAt: time + 60_000 }])
    expect(states()[0]?.error).toContain('Put secret.key back')
    expect(action()).toMatchObject([{ id: post, state: 'queued', attempts: 0, availableAt: time + 30_000 }])
    // Another key is no better, and nothing was made by looking.
    expect(existsSync(key)).toBe(false)
    expect(() => createWebhook(services, HOOK)).toThrow(
      expect.objectContaining({ code: 'SECRETS_KEY_UNAVAILABLE' }),
    )
    await writeFile(key, Buffer.alloc(32, 1))
    expect(keyTrouble(home)).toMatch(/is another key/)
    time += 60_000
    await webhooks.tick()
    expect([sent, states()[0]?.state]).toEqual([0, 'queued'])
    await writeFile(key, right)
    time += 60_000
    await webhooks.tick()
    expect([sent, states()[0]?.state, states()[0]?.attempts]).toEqual([1, 'delivered', 1])
    expect(listWebhooks(services, null)[0]?.state).toBe('active')
  } finally {
    await webhooks.stop()
    await social.stop()
  }
})

it('a command without the service’s key creates none of its own', async () => {
  const { services } = server
  const { db, home } = services
  const given = join(home.root, 'given')
  await writeFile(given, Buffer.alloc(32, 7))
  expect(prepareKey(home, { secretKey: 'file', secretKeyFile: given })).toBeNull()
  // As the appliance does by itself: nothing was sealed yet.
  watchKey(services)()
  forgetKeys()
  expect(() => sealSecret(home, 'a', 'b')).toThrow(
    expect.objectContaining({ code: 'SECRETS_KEY_UNAVAILABLE' }),
  )
  expect(existsSync(key)).toBe(false)
  // One that an earlier version has made beside it keeps nobody from starting.
  await writeFile(key, Buffer.alloc(32, 8))
  expect(prepareKey(home, { secretKey: 'file', secretKeyFile: given })).toBeNull()
  recordKey(home, db)
})

it('a home older than fingerprints uses the key that opens its sealed secrets', () => {
  const { services } = server
  createWebhook(services, HOOK)
  forgetKeys()
  expect(keyTrouble(services.home)).toBeNull()
  recordKey(services.home, services.db)
  const row = "select value from settings where key = 'secrets-key-fingerprint'"
  expect(services.db.sqlite.prepare(row).pluck().get()).toMatch(/^[0-9a-f]{32}$/)
})

const { home, cutroom, json } = typedCommands()

it('only commands that need a secret fail without a key file', async () => {
  const given = join(home(), 'credential')
  await writeFile(join(home(), 'config.json'), JSON.stringify({ secretKeyFile: given }))
  expect(loadConfig({ home: home() }, {}).secretKeyFile).toBe(given)
  const backup = join(home(), 'monday')
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  for (const words of [
    ['webhook', 'list'],
    ['backup', backup],
    ['restore', backup],
  ])
    expect(await cutroom(...words)).toMatchObject({ code: 0 })
  const hook = ['webhook', 'create', '--company', 'acme', '--url', HOOK.url]
  expect((await cutroom(...hook)).notes.join()).toContain('CUTROOM_SECRET_KEY_FILE names is not there')
  expect(existsSync(join(home(), 'secret.key'))).toBe(false)
  await writeFile(given, Buffer.alloc(32, 7))
  expect(await cutroom(...hook)).toMatchObject({ code: 0 })
})

it('a lost key is given up by command only', async () => {
  // The one of the test before.
  await rm(join(home(), 'config.json'))
  forgetKeys()
  const hook = ['webhook', 'create', '--company', 'acme', '--url', HOOK.url]
  expect((await cutroom(...hook)).notes.join()).toContain('cutroom secrets renew')
  const renewed = await json<{ made: boolean; shut: string[] }>('secrets', 'renew')
  expect(renewed).toEqual({ made: true, shut: [expect.stringMatching(/^webhook:/)] })
  expect(await cutroom(...hook)).toMatchObject({ code: 0 })
  expect(await json('secrets', 'renew')).toMatchObject({ made: false })
  await withServices({ home: home(), json: false }, ({ home: own, db, now }) => {
    createCompany({ db, now }, { id: 'other', name: 'Other', plan: 'business', features: [] })
    expect(openSecret(own, 'a', sealSecret(own, 'a', 'b'))).toBe('b')
  })
})
