/** Connecting accounts: the code flow of every platform that has one, by a redirect to this machine; tokens; the command line. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoopback } from '../../server/cli/social-loopback.ts'
import { APP_PLATFORMS, type AppPlatform } from '../../server/config/social.ts'
import { socialFailure } from '../../server/adapters/social/failure.ts'
import { ADAPTERS } from '../../server/adapters/social/registry.ts'
import { socialAccounts } from '../../server/db/schema.ts'
import {
  disconnectAccount,
  storeAccount,
  listSocialAccounts,
  renewLasting,
  withAccount,
} from '../../server/domain/publishing/accounts.ts'
import { beginAuthorisation, connectByCode, connectByToken } from '../../server/domain/publishing/connect.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { withServices } from '../../server/cli/open-home.ts'
import { socialConnect, socialDisconnect, socialList } from '../../server/cli/commands/social.ts'
import { domainClient } from '../support/domain.ts'
import { startPlatformSignIn, type PlatformSignIn } from '../support/platform-sign-in.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const SECRET = 'secret-of-the-app'
let time = Date.UTC(2026, 5, 1)
let platform: PlatformSignIn
let url: string
let server: TestServer
const DAY = 86_400_000

beforeAll(async () => {
  platform = await startPlatformSignIn()
  ;({ url } = platform)
  const apps = Object.fromEntries(
    APP_PLATFORMS.map((name) => [name, { clientId: `app-${name}`, clientSecret: SECRET }]),
  )
  const addresses = Object.fromEntries(APP_PLATFORMS.map((name) => [name, url]))
  server = await startTestServer({ now: () => time, config: { social: { apps, addresses } } })
})
afterAll(async () => {
  await server.close()
  await platform.close()
})

const signal = (): AbortSignal => AbortSignal.timeout(30_000)

describe.each(APP_PLATFORMS)('%s', (name: AppPlatform) => {
  it('is connected by a code that is redirected to this machine', async () => {
    platform.requested = []
    const loopback = await startLoopback(0)
    const authorisation = beginAuthorisation(server.services, {
      platform: name,
      redirectAddress: loopback.address,
    })
    const { way } = ADAPTERS[name]
    const { origin, pathname, searchParams: given } = new URL(authorisation.address)
    expect(way.kind === 'oauth' ? way.authorizeAddress : '').toBe(origin + pathname)
    expect(given.get(name === 'tiktok' ? 'client_key' : 'client_id')).toBe(`app-${name}`)
    expect([given.get('redirect_uri'), given.get('response_type')]).toEqual([loopback.address, 'code'])
    expect(authorisation.address).not.toContain(SECRET)
    const coming = loopback.code(given.get('state') ?? '', signal())
    expect((await fetch(`${loopback.address}?code=evil&state=wrong`)).status).toBe(404)
    expect((await fetch(`${loopback.address}?code=the-code&state=${given.get('state') ?? ''}`)).status).toBe(
      200,
    )
    const code = await coming
    loopback.close()
    const input = { companyId: 'acme', platform: name, code, authorisation, signal: signal() }
    const wanted = name === 'facebook' ? 'other' : null
    const account = await connectByCode(server.services, { ...input, wanted })
    expect(account).toMatchObject({ platform: name, state: 'connected' })
    expect(account.handle.toLowerCase()).toMatch(name === 'facebook' ? /^other$/ : /^@?acme$/)
    const exchange = platform.requested.find(({ body }) => body.get('code') === 'the-code')
    const challenge = given.get('code_challenge')
    const verifier = exchange?.body.get('code_verifier') ?? ''
    const how = name === 'tiktok' ? 'hex' : 'base64url'
    if (challenge !== null) expect(createHash('sha256').update(verifier).digest(how)).toBe(challenge)
    expect(exchange?.body.get('redirect_uri')).toBe(loopback.address)
    expect(
      platform.requested.every(({ query }) => name === 'threads' || !query.toString().includes(SECRET)),
    ).toBe(true)
  })

  it('is used with a renewed token when the old one is about to expire', async () => {
    const { id } = listSocialAccounts(server.services, 'acme').find((one) => one.platform === name) ?? {
      id: '',
    }
    const use = () =>
      withAccount(server.services, { companyId: 'acme', accountId: id, signal: signal() }, (call) =>
        Promise.resolve(call.account.tokens.access),
      )
    const first = await use()
    expect(await use()).toBe(first)
    time += name === 'threads' ? 31 * DAY : 3_600_000
    const { way } = ADAPTERS[name]
    // Two at once renew once.
    const [a, b] = await Promise.all([use(), use()])
    expect(a).toBe(b)
    expect(a === first).toBe(way.refresh === null)
  })
})

it('requires the name of a page when a person manages several, and accepts an existing token', async () => {
  const input = {
    companyId: 'acme',
    platform: 'facebook' as const,
    tokens: { access: 'at-hand' },
    signal: signal(),
  }
  await expect(connectByToken(server.services, { ...input, wanted: null })).rejects.toThrow(
    /--account: Acme \(31\), Other \(32\)/,
  )
  expect(await connectByToken(server.services, { ...input, wanted: 'Acme' })).toMatchObject({
    nativeId: '31',
  })
})

it('no token or app secret is in a row, a response or the log; a disconnected account’s token is deleted', async () => {
  const client = await domainClient(server)
  const listed = await client.call<{ id: string }[]>('GET', '/social/accounts')
  const rows = server.services.db.orm.select().from(socialAccounts).all()
  expect(listed.data).toHaveLength(rows.length)
  for (const text of [listed.text, JSON.stringify(rows), JSON.stringify(server.log)])
    for (const secret of [SECRET, 'token-', 'refresh-', 'page-3', 'at-hand'])
      expect(text).not.toContain(secret)
  const [first] = rows
  const accountId = first?.id ?? ''
  const made = await client.call<{ id: string }>('POST', '/social/posts', {
    json: { platform: first?.platform, accountId, text: 'Hello', title: 'T' },
    once: 'kept-handle',
  })
  expect(made.status, made.text).toBe(201)
  const accountOfPost = async () => {
    const { data } = await client.call<{ account: object }[]>('GET', '/social/posts')
    return data.map(({ account }) => account)
  }
  const shown = { id: accountId, handle: first?.handle }
  expect(await accountOfPost()).toEqual([{ ...shown, state: first?.state }])
  disconnectAccount(server.services, { companyId: 'acme', id: accountId })
  expect(await accountOfPost()).toEqual([{ ...shown, state: 'disconnected' }])
  const after = await client.call<{ id: string }[]>('GET', '/social/accounts')
  expect(after.data.map(({ id }) => id)).not.toContain(first?.id)
  expect(server.services.db.orm.select().from(socialAccounts).all()[0]?.sealedTokens).toBe('')
})

describe('renewing', () => {
  const ended = () => socialFailure('auth', 'The token has ended.', { status: 401 })
  const connected = (name: AppPlatform, nativeId: string, lives = 7_200_000) =>
    storeAccount(server.services, {
      companyId: 'acme',
      platform: name,
      identified: {
        nativeId,
        handle: '@acme',
        tokens: { access: 'first', refresh: 'first-refresh', expiresAt: time + lives },
      },
    }).id
  const used = <T>(accountId: string, use: (access: string) => Promise<T>) =>
    withAccount(server.services, { companyId: 'acme', accountId, signal: signal() }, (call) =>
      use(call.account.tokens.access),
    )
  const stateOf = (id: string) =>
    listSocialAccounts(server.services, 'acme').find((one) => one.id === id)?.state

  it('uses the token that another call has got meanwhile: a refresh token works once', async () => {
    const id = connected('twitter', 'race')
    platform.requested = []
    const open = async (access: string, before: Promise<unknown>) => {
      await before
      if (access === 'first') throw ended()
      return access
    }
    const quick = used(id, (access) => open(access, Promise.resolve()))
    const slow = used(id, (access) => open(access, quick))
    expect(await slow).toBe(await quick)
    expect(platform.requested.map(({ body }) => body.get('refresh_token'))).toEqual(['first-refresh'])
    expect(stateOf(id)).toBe('connected')
  })

  it('is repeated when a long upload outlives the token that it began with', async () => {
    const id = connected('tiktok', 'long', 60_000)
    const seen: string[] = []
    const access = await used(id, (one) => {
      seen.push(one)
      if (seen.length > 1) return Promise.resolve(one)
      time += 7_200_000
      return Promise.reject(ended())
    })
    expect([seen.length, new Set(['first', ...seen]).size, access]).toEqual([2, 3, seen[1]])
    expect(stateOf(id)).toBe('connected')
  })

  it('does not reconnect an account that was disconnected meanwhile', async () => {
    const id = connected('snapchat', 'left', 60_000)
    platform.meanwhile = () => void disconnectAccount(server.services, { companyId: 'acme', id })
    await used(id, (access) => Promise.resolve(access)).finally(() => (platform.meanwhile = () => undefined))
    expect(stateOf(id)).toBeUndefined()
  })

  it('renews the token of an unused Threads account, which would expire after 60 days', async () => {
    const id = connected('threads', 'quiet', 60 * DAY)
    const endOf = () =>
      listSocialAccounts(server.services, 'acme').find((one) => one.id === id)?.expiresAt ?? ''
    time += 29 * DAY
    platform.requested = []
    await renewLasting(server.services, signal())
    expect(platform.requested.filter(({ query }) => query.get('access_token') === 'first')).toEqual([])
    time += 2 * DAY
    await renewLasting(server.services, signal())
    expect(Date.parse(endOf())).toBe(time + 60 * DAY)
  })
})

it('sends no request with the network off, and reports why', async () => {
  const services = { ...server.services, config: { ...server.services.config, network: 'off' as const } }
  const input = { companyId: 'acme', platform: 'twitter' as const, tokens: { access: 'x' }, signal: signal() }
  platform.requested = []
  await expect(connectByToken(services, { ...input, wanted: null })).rejects.toThrow(/network is off/)
  expect(platform.requested).toEqual([])
})

it('connects, lists and disconnects from the command line, with the password from a file', async () => {
  const home = await mkdtemp(join(tmpdir(), 'cutroom-social-cli-'))
  const common = { home, json: true, company: 'acme' }
  const run = async (
    command: typeof socialList,
    positionals: string[],
    options: Record<string, string> = {},
  ) => {
    const lines: string[] = []
    const line = (text: string) => void lines.push(text)
    const terminal = { out: line, note: line, status: () => undefined, interactive: false, columns: 80 }
    const given = { ...common, ...options }
    const code = await command
      .run({ options: given as never, positionals, terminal })
      .catch((error: Error) => error.message)
    return { code, text: lines.join('\n') }
  }
  try {
    const secret = join(home, 'password')
    await writeFile(secret, 'an-app-password\n')
    await withServices(common, (services) => createCompany(services, { id: 'acme', name: 'Acme' }))
    const bluesky = { handle: 'acme.test', secret }
    const made = await run(socialConnect, ['bluesky'], { ...bluesky, server: url })
    expect(made).toEqual({ code: 0, text: expect.stringContaining('"did:plc:cli"') as string })
    const account = JSON.parse(made.text) as { id: string }
    const listed = await run(socialList, [])
    expect(JSON.parse(listed.text)).toEqual([account])
    expect(made.text + listed.text).not.toMatch(/an-app-password|a\.b\.c/)
    const refusals = [
      [await run(socialConnect, ['myspace']), 'youtube, tiktok'],
      [await run(socialConnect, ['bluesky'], { ...bluesky, server: 'http://example.com' }), 'https'],
      [await run(socialConnect, ['bluesky'], { handle: 'acme.test' }), '--secret'],
      [
        await run(socialConnect, ['bluesky'], { ...bluesky, secret: join(home, 'no-file') }),
        'cannot be read',
      ],
      [await run(socialConnect, ['youtube']), 'CUTROOM_YOUTUBE_CLIENT_ID'],
      [await run(socialDisconnect, ['nothing']), 'no such account'],
    ] as const
    for (const [{ code, text }, sentence] of refusals) {
      expect(code).toContain(sentence)
      expect(`${code}${text}`).not.toContain('an-app-password')
    }
    expect((await run(socialDisconnect, [account.id])).code).toBe(0)
    expect((await run(socialList, [])).text).toBe('[]')
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
