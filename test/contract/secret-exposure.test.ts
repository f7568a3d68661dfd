/**
 * Secrets with markers go through every family of routes, in right and wrong requests. Afterwards the log, each row of
 * the database and each response are searched for them, except the response that issues them.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getRun } from '../../server/db/runs.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { issueServiceToken } from '../../server/domain/access/service-tokens.ts'
import { createInvitation } from '../../server/domain/people/invitations.ts'
import { saveProvider } from '../../server/domain/people/provider-settings.ts'
import { issueSignInLink } from '../../server/domain/people/sign-in.ts'
import { storeAccount } from '../../server/domain/publishing/accounts.ts'
import { openAccess } from '../../server/domain/runs/source-access.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { createApp } from '../../server/http/app.ts'
import { createDomainApp } from '../../server/http/tenant-api/app.ts'
import { loadConfig, type Config } from '../../server/config/config.ts'
import { domainClient } from '../support/domain.ts'
import { addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const MARK = 'fJ7q2mark'
const mark = (name: string): string => `${name}-${MARK}-${name}`
const URL_PASSWORD = mark('url')
const SOURCE = `https://reader:${URL_PASSWORD}@video.example/talk.mp4`

let server: TestServer
/** By what they are. Those that the appliance makes itself have no mark. */
const secrets = new Map<string, string>()
const answers: { what: string; text: string }[] = []

beforeAll(async () => {
  const plain = loadConfig({ home: '/nonexistent' }, {})
  const config: Partial<Config> = {
    languageModel: { ...plain.languageModel, url: 'http://127.0.0.1:9/v1', model: 'm', key: mark('llm') },
    speechServer: { ...plain.speechServer, url: 'http://127.0.0.1:9', model: 'm', key: mark('asr') },
    pictureServices: {
      ...plain.pictureServices,
      getty: { ...plain.pictureServices.getty, key: mark('getty'), secret: mark('getty-secret') },
    },
    redisUrl: `redis://:${mark('redis')}@127.0.0.1:9`,
    network: 'off',
  }
  server = await startTestServer({ config })
  const { services, companyId } = server
  for (const name of ['llm', 'asr', 'getty', 'getty-secret', 'redis', 'wrong', 'social', 'refresh'])
    secrets.set(name, mark(name))
  secrets.set('url password', URL_PASSWORD)
  secrets.set('key', server.key)
  const { token, clientId } = await domainClient(server)
  secrets.set('delegation', token)
  const another = { clientId, companyId, subject: 'eve', lifeSeconds: 60 }
  secrets.set('another delegation', await issueDelegation(services, another))
  secrets.set('service token', await issueServiceToken(services, { subject: 's', lifeSeconds: 60 }))
  storeAccount(services, {
    companyId,
    platform: 'youtube',
    identified: {
      nativeId: 'UC1',
      handle: '@channel',
      settings: {},
      tokens: { access: mark('social'), refresh: mark('refresh') },
    },
  })
  const hook = { companyId, url: 'http://127.0.0.1:9/in', events: ['*'] }
  secrets.set('webhook secret', createWebhook(services, hook).secret)
  await signInSecrets()
})
afterAll(() => server.close())

/** The secret of the provider's client, a password, right and wrong, and an invitation's token. */
async function signInSecrets(): Promise<void> {
  const { services } = server
  for (const name of ['provider', 'password', 'guess']) secrets.set(name, mark(name))
  saveProvider(services, {
    name: 'Studio login',
    issuer: 'https://login.example.com',
    clientId: 'cutroom',
    clientSecret: mark('provider'),
    scopes: 'openid',
    groupsClaim: 'groups',
    roles: [],
    otherwise: 'refuse',
  })
  const invite = () => {
    const made = createInvitation(services, { role: 'viewer', invitedBy: 'Ann', baseUrl: server.url })
    return made.link.split('/').at(-1) ?? ''
  }
  secrets.set('invitation', invite())
  const json = { token: invite(), name: 'Bea', email: 'bea@example.com', password: mark('password') }
  const page = { key: null, headers: { 'sec-fetch-site': 'same-origin' } }
  await ask('an invitation', '/studio/sign-in/invitation/password', { ...page, json })
  for (const password of [mark('password'), mark('guess')])
    await ask('a password', '/studio/sign-in/password', { ...page, json: { email: json.email, password } })
  expect(answers.map(({ text }) => text.includes('"success"'))).toEqual([true, true, false])
}

async function ask(
  what: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; json?: unknown; key?: string | null },
): Promise<void> {
  const { text, headers } = await server.call(path, options)
  const { 'set-cookie': _cookie, ...others } = headers
  answers.push({ what, text: `${text} ${JSON.stringify(others)}` })
}

/** Signs in; the cookie is a secret too. The link is used up then and never shown again. */
async function session(): Promise<string> {
  const link = new URL(issueSignInLink(server.services, server.url))
  secrets.set('sign-in link', link.searchParams.get('token') ?? '')
  const answer = await server.call(`${link.pathname}${link.search}`, { key: null })
  const cookie = /^[^;]+/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[0] ?? ''
  secrets.set('session', cookie.split('=')[1] ?? '')
  await ask('the same link again', `${link.pathname}${link.search}`, { key: null })
  return cookie
}

test('each route is requested with each kind of credentials', async () => {
  const cookie = await session()
  const get = (name: string): string => secrets.get(name) ?? ''
  const ways: [string, Record<string, string>, string | null][] = [
    ['key', {}, server.key],
    ['wrong key', {}, get('wrong')],
    ['delegation', { 'x-service-delegation': get('delegation') }, null],
    ['broken delegation', { 'x-service-delegation': `${get('another delegation')}x` }, null],
    ['service', {}, get('service token')],
    ['session', { cookie, 'sec-fetch-site': 'same-origin' }, null],
  ]
  const routes = [
    ...(createApp(server.services, '0.0.0').routes as { method: string; path: string }[]),
    ...(createDomainApp(server.services).routes as { method: string; path: string }[]),
  ]
  for (const { method, path } of routes) {
    // Requests that issue a new secret (a key, a link) are sent without permission.
    const reads = method === 'GET'
    for (const [name, headers, key] of ways) {
      if (!reads && (name === 'session' || name === 'key')) continue
      if (name === 'session' && !path.startsWith('/studio')) continue
      if (name === 'service' && !path.startsWith('/internal')) continue
      const json = reads ? {} : { json: { companyId: server.companyId, nonsense: get('wrong') } }
      const target = `${path.replaceAll(/:[\w-]+/g, 'x').replaceAll('*', 'x')}?companyId=${server.companyId}`
      await ask(`${method} ${path} by ${name}`, target, { method, headers, key, ...json })
    }
  }
  expect(answers.length).toBeGreaterThan(300)
})

test('fetches an address with its password, and reports it without', async () => {
  const workflowId = addWorkflow(server)
  const started = await server.call('/trigger-template', {
    json: { companyId: server.companyId, workflowId, url: SOURCE },
  })
  const { triggerId } = started.json<{ triggerId: string }>()
  answers.push({ what: 'trigger', text: started.text })
  await ask('results', `/workflow-results/${triggerId}`, {})
  await ask('runs of the studio', `/studio/runs?companyId=${server.companyId}`, {})
  const source = getRun(server.services.db, triggerId)?.snapshot.source
  if (source === undefined) throw new Error('no run')
  expect(source).toMatchObject({ kind: 'url', url: 'https://video.example/talk.mp4' })
  expect(openAccess(server.services.home, source)).toBe(`reader:${URL_PASSWORD}`)
  for (const url of [
    `ftp://u:${URL_PASSWORD}@h/x`,
    `rtmp://u:${URL_PASSWORD}@h`,
    `https://u:${URL_PASSWORD}@`,
  ])
    await ask(`a refused address ${url}`, '/trigger-template', {
      json: { companyId: server.companyId, workflowId, url },
    })
})

test('does not repeat secrets of an invalid JSON body, a path or a query', async () => {
  const wrong = secrets.get('wrong') ?? ''
  await ask('an unknown path', `/${wrong}`, {})
  await ask('a key in the query', `/workflows?companyId=acme&key=${wrong}`, { key: null })
  await ask('a wrong sign-in link', `/studio/sign-in?token=${wrong}`, { key: null })
})

test('logs an unexpected error without the request’s secrets', async () => {
  const { sqlite } = server.services.db
  const wrong = secrets.get('wrong') ?? ''
  sqlite.exec('alter table workflows rename to workflows_gone')
  try {
    const reported = () => server.log.filter(({ level }) => level === 'error').length
    const before = reported()
    for (const key of [server.key, null])
      await ask('a broken table', `/workflows?companyId=acme&key=${wrong}`, {
        key,
        headers: key === null ? { 'x-service-delegation': secrets.get('delegation') ?? '' } : {},
      })
    expect(answers.at(-2)?.text).toContain('INTERNAL')
    expect(reported()).toBeGreaterThan(before)
  } finally {
    sqlite.exec('alter table workflows_gone rename to workflows')
  }
})

/** Every value of every table, as text. */
function database(): { where: string; text: string }[] {
  const { sqlite } = server.services.db
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like '%_fts%'")
    .pluck()
    .all()
  return tables.map((table) => {
    const rows = sqlite.prepare(`select * from "${table}"`).all()
    return { where: table, text: JSON.stringify(rows) }
  })
}

const found = (text: string): string[] =>
  [...secrets].flatMap(([name, secret]) => (secret !== '' && text.includes(secret) ? [name] : []))

test('no secret is in the log', () => {
  expect(secrets.size).toBe(20)
  expect([...secrets.values()].every((secret) => secret.length > 12)).toBe(true)
  expect(server.log.length).toBeGreaterThan(0)
  expect(found(JSON.stringify(server.log))).toEqual([])
})

test('no secret is in the database in plain text', () => {
  const tables = database()
  expect(tables.length).toBeGreaterThan(20)
  expect(tables.flatMap(({ where, text }) => found(text).map((name) => `${name} in ${where}`))).toEqual([])
  const file = readFileSync(server.services.home.database).toString('latin1')
  const log = readFileSync(`${server.services.home.database}-wal`).toString('latin1')
  expect(found(file + log)).toEqual([])
})

test('no secret is in a response', () => {
  const received = answers.flatMap(({ what, text }) => found(text).map((name) => `${name} in ${what}`))
  expect(received).toEqual([])
})
