/** Accounts of platforms connected in the studio: as a browser goes to the platform and comes back, and who may do it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Connected, ConnectState, StudioAccounts } from '../../server/contract/social-accounts.ts'
import { socialFailure } from '../../server/adapters/social/failure.ts'
import { getSetting } from '../../server/db/settings.ts'
import { withAccount } from '../../server/domain/publishing/accounts.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startPlatformSignIn, type PlatformSignIn } from '../support/platform-sign-in.ts'
import { addCompany, startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'

const SECRET = 'secret-of-the-app'
let time = Date.UTC(2026, 5, 1)
let platform: PlatformSignIn
let server: TestServer
let owner: SignedIn

beforeAll(async () => {
  platform = await startPlatformSignIn()
  const { url } = platform
  const addresses = { youtube: url, facebook: url, tiktok: url, bluesky: url }
  const apps = { tiktok: { clientId: 'app-of-the-machine', clientSecret: SECRET } }
  server = await startTestServer({ now: () => time, config: { social: { apps, addresses } } })
  owner = signInAs(server, 'owner')
})
afterAll(async () => {
  await server.close()
  await platform.close()
})
beforeEach(() => {
  platform.requested = []
})

const listed = async (who = owner) => (await who.call('/studio/social/accounts')).json<StudioAccounts>()
const saveApp = (name: string, json: object, who = owner) =>
  who.call(`/studio/social/apps/${name}`, { method: 'PUT', json })
const cookieOf = (answer: TestAnswer): string => (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''

/** Begins in one browser: what the platform is asked, the flow and the browser's cookie. */
async function begin(name: string, more: object = {}, who = owner) {
  const answer = await who.call('/studio/social/connect', { json: { platform: name, ...more } })
  expect(answer.status, answer.text).toBe(200)
  const { address, flow } = answer.json<{ address: string; flow: string }>()
  return { asked: new URL(address), flow, cookie: cookieOf(answer) }
}
/** The browser comes back from the platform; where it is sent. */
async function comeBack(query: Record<string, string>, cookie = ''): Promise<string> {
  const path = `/studio/social/callback?${new URLSearchParams(query)}`
  const answer = await server.call(path, { key: null, headers: { cookie } })
  expect([answer.status, answer.headers['cache-control']]).toEqual([303, 'no-store'])
  return answer.headers['location'] ?? ''
}
const stateOf = async (flow: string, who = owner) => who.call(`/studio/social/connect/${flow}`)
const finish = (flow: string, json: object = {}, who = owner) =>
  who.call(`/studio/social/connect/${flow}/finish`, { json })

describe('the app of a platform', () => {
  it('is entered by an owner; its secret is sealed and never answered', async () => {
    const refused = await owner.call('/studio/social/connect', { json: { platform: 'youtube' } })
    expect([refused.status, refused.json<{ code: string }>().code]).toEqual([409, 'INVALID_STATE'])
    expect((await saveApp('youtube', { clientId: 'app-1', clientSecret: SECRET })).status).toBe(200)
    const page = await owner.call('/studio/social/accounts')
    expect(page.text).not.toContain(SECRET)
    const { platforms, redirectAddress } = page.json<StudioAccounts>()
    expect(redirectAddress).toBe(`${server.url}/studio/social/callback`)
    expect(platforms.find((one) => one.platform === 'youtube')?.app).toEqual({
      setBy: 'studio',
      clientId: 'app-1',
      hasSecret: true,
    })
    expect(platforms.find((one) => one.platform === 'bluesky')?.app).toBeNull()
    expect(getSetting(server.services.db, 'social-app:youtube')).not.toContain(SECRET)
    expect(JSON.stringify(server.log)).not.toContain(SECRET)
  })

  it('holds its secret where only that is left out, and wants it again for another id', async () => {
    expect((await saveApp('youtube', { clientId: 'app-1' })).status).toBe(200)
    const other = await saveApp('youtube', { clientId: 'app-2' })
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('another app')])
  })

  it('is the machine’s where whoever runs it has set one, and none where there are passwords', async () => {
    const taken = await saveApp('tiktok', { clientId: 'mine', clientSecret: 'x' })
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('whoever runs the appliance')])
    expect((await saveApp('bluesky', { clientId: 'mine' })).status).toBe(400)
    expect((await saveApp('myspace', { clientId: 'mine' })).status).toBe(400)
    const { asked } = await begin('tiktok')
    expect(asked.searchParams.get('client_key')).toBe('app-of-the-machine')
  })
})

describe('an account', () => {
  it('is connected by the platform’s page, with PKCE, and used with a sealed token', async () => {
    const { asked, flow, cookie } = await begin('youtube')
    expect(asked.origin).toBe('https://accounts.google.com')
    const { redirect_uri, state = '' } = Object.fromEntries(asked.searchParams)
    expect(redirect_uri).toBe(`${server.url}/studio/social/callback`)
    expect((await stateOf(flow)).json<ConnectState>()).toEqual({ platform: 'youtube', state: 'waiting' })
    expect((await finish(flow)).status).toBe(409)
    expect(await comeBack({ state, code: 'the-code' }, cookie)).toBe(`/#/publish/connect:${flow}`)
    expect((await stateOf(flow)).json<ConnectState>().state).toBe('returned')
    const answer = await finish(flow)
    expect(answer.json<Connected>().account).toMatchObject({ handle: '@acme', state: 'connected' })
    expect(answer.text).not.toContain('token-')
    const exchange = platform.requested.find(({ body }) => body.get('code') === 'the-code')
    expect(exchange?.body.get('code_verifier')).toMatch(/^[\w-]{43,}$/)
    expect(exchange?.body.get('client_secret')).toBe(SECRET)
    // Both are used up.
    expect(await comeBack({ state, code: 'the-code' }, cookie)).toBe('/#/publish/connect:over')
    expect((await finish(flow)).status).toBe(404)
  })

  it('is chosen where a person manages several', async () => {
    await saveApp('facebook', { clientId: 'pages', clientSecret: SECRET })
    const { asked, flow, cookie } = await begin('facebook')
    await comeBack({ state: asked.searchParams.get('state') ?? '', code: 'many' }, cookie)
    expect((await finish(flow)).json<Connected>()).toEqual({
      account: null,
      choices: [
        { id: '31', name: 'Acme' },
        { id: '32', name: 'Other' },
      ],
    })
    const chosen = (await finish(flow, { accountId: '32' })).json<Connected>()
    expect(chosen.account).toMatchObject({ nativeId: '32', platform: 'facebook' })
    // The code was exchanged once.
    expect(platform.requested.filter(({ body }) => body.get('code') === 'many')).toHaveLength(1)
  })

  it('is connected by handle and app password where the platform has no such page', async () => {
    const json = { platform: 'bluesky', handle: 'acme.test', password: 'pass-word', server: platform.url }
    const answer = await owner.call('/studio/social/password', { json })
    expect(answer.json<Connected>().account).toMatchObject({ platform: 'bluesky', handle: 'acme.test' })
    const remote = { ...json, server: 'http://example.com' }
    expect((await owner.call('/studio/social/password', { json: remote })).status).toBe(400)
    expect(`${answer.text}${JSON.stringify(server.log)}`).not.toContain('pass-word')
  })

  it('tells what the platform refused last, until a call goes well again', async () => {
    const account = (await listed()).accounts.find((one) => one.platform === 'bluesky')
    const use = (work: () => Promise<void>) =>
      withAccount(
        server.services,
        { companyId: 'acme', accountId: account?.id ?? '', signal: AbortSignal.timeout(10_000) },
        work,
      )
    const lastError = async () => (await listed()).accounts.find(({ id }) => id === account?.id)?.lastError
    const refusal = () => Promise.reject(socialFailure('rate_limited', 'Too many posts today.'))
    await expect(use(refusal)).rejects.toThrow('Too many')
    expect(await lastError()).toEqual({
      message: 'Too many posts today.',
      at: new Date(time).toISOString(),
    })
    await use(() => Promise.resolve())
    expect(await lastError()).toBeNull()
  })

  it('is disconnected, and what opened it is gone', async () => {
    const [first] = (await listed()).accounts
    const left = await owner.call(`/studio/social/accounts/${first?.id ?? ''}`, { method: 'DELETE' })
    expect(left.json<StudioAccounts>().accounts.map(({ id }) => id)).not.toContain(first?.id)
    expect((await owner.call('/studio/social/accounts/none', { method: 'DELETE' })).status).toBe(404)
  })
})

describe('a visit to a platform', () => {
  it('is over when the person says no there', async () => {
    const { asked, flow, cookie } = await begin('youtube')
    await comeBack({ state: asked.searchParams.get('state') ?? '', error: 'access_denied' }, cookie)
    expect((await stateOf(flow)).json<ConnectState>().state).toBe('declined')
    expect((await finish(flow)).status).toBe(409)
    expect(platform.requested).toEqual([])
  })

  it('brings nothing from another browser, with a wrong state, or after ten minutes', async () => {
    const { asked, flow, cookie } = await begin('youtube')
    const state = asked.searchParams.get('state') ?? ''
    expect(await comeBack({ state: 'wrong', code: 'evil' }, cookie)).toBe('/#/publish/connect:over')
    // Somebody else's browser was sent here with this state, and brings a code of its own account.
    expect(await comeBack({ state, code: 'evil' })).toBe('/#/publish/connect:over')
    expect((await stateOf(flow)).json<ConnectState>().state).toBe('waiting')
    expect(await comeBack({ state, code: 'late' }, cookie)).toBe('/#/publish/connect:over')
    const slow = await begin('youtube')
    time += 11 * 60_000
    const late = { state: slow.asked.searchParams.get('state') ?? '', code: 'late' }
    expect(await comeBack(late, slow.cookie)).toBe('/#/publish/connect:over')
    expect((await stateOf(slow.flow)).status).toBe(404)
    expect(platform.requested).toEqual([])
  })

  it('comes back in the browser beside a desktop window, on this machine', async () => {
    const { asked, flow } = await begin('youtube', { desktop: true })
    const state = asked.searchParams.get('state') ?? ''
    expect(await comeBack({ state, code: 'beside' })).toBe('/#/sign-in/connected')
    expect((await finish(flow)).json<Connected>().account).toMatchObject({ platform: 'youtube' })
  })

  it('is ended by whoever began it, in the company that it is for', async () => {
    const { asked, flow, cookie } = await begin('youtube')
    await comeBack({ state: asked.searchParams.get('state') ?? '', code: 'mine' }, cookie)
    const colleague = signInAs(server, 'owner', undefined, 'Another owner')
    expect((await stateOf(flow, colleague)).status).toBe(404)
    expect((await finish(flow, {}, colleague)).status).toBe(404)
    addCompany(server, 'elsewhere')
    const headers = { 'x-cutroom-company': 'elsewhere' }
    const answer = await owner.call(`/studio/social/connect/${flow}/finish`, { json: {}, headers })
    expect(answer.status).toBe(404)
    expect((await finish(flow)).status).toBe(200)
  })
})

it('is for owners; everybody sees the list, and keys nothing else', async () => {
  const editor = signInAs(server, 'editor')
  const viewer = signInAs(server, 'viewer')
  for (const who of [editor, viewer]) {
    expect((await who.call('/studio/social/accounts')).status).toBe(200)
    const refused = [
      await who.call('/studio/social/connect', { json: { platform: 'youtube' } }),
      await who.call('/studio/social/password', {
        json: { platform: 'bluesky', handle: 'a.test', password: 'b' },
      }),
      await who.call('/studio/social/accounts/x', { method: 'DELETE' }),
      await saveApp('youtube', { clientId: 'theirs' }, who),
      await who.call('/studio/social/apps/youtube', { method: 'DELETE' }),
      await stateOf('x', who),
      await finish('x', {}, who),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
  }
  expect((await server.call('/studio/social/connect', { json: { platform: 'youtube' } })).status).toBe(403)
  expect((await server.call('/studio/social/accounts', { key: null })).status).toBe(401)
})
