/** Signing in at the studio's own provider: against a real OpenID Connect server that runs here, step by step as a browser goes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account, MadeInvitation, ProviderTried } from '../../server/contract/sign-in.ts'
import { startOidc, type OidcServer } from '../support/oidc.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'

let server: TestServer
let oidc: OidcServer
let owner: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  oidc = await startOidc([`${server.url}/studio/sign-in/provider/callback`])
  owner = signInAs(server, 'owner')
})
afterAll(async () => {
  await oidc.close()
  await server.close()
})

const settings = (more: object = {}) => ({
  name: 'Studio login',
  issuer: oidc.issuer,
  clientId: oidc.clientId,
  clientSecret: oidc.clientSecret,
  scopes: 'openid profile email groups',
  groupsClaim: 'groups',
  roles: [
    { group: 'cutters', role: 'editor' },
    { group: 'guests', role: 'viewer' },
    { group: 'admins', role: 'owner' },
  ],
  otherwise: 'refuse',
  ...more,
})
const save = (more: object = {}) =>
  owner.call('/studio/sign-in-provider', { method: 'PUT', json: settings(more) })

const account = async ({ call }: SignedIn) => (await call('/studio/account')).json<Account>()

/** A browser: cookies by host, and redirects followed between the studio and the provider. */
function createBrowser() {
  const jars = new Map<string, Map<string, string>>()
  const keep = (host: string, cookies: readonly string[]): void => {
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    for (const cookie of cookies) {
      const [pair = ''] = cookie.split(';')
      const mark = pair.indexOf('=')
      jar.set(pair.slice(0, mark), pair.slice(mark + 1))
    }
  }
  const cookieFor = (host: string): string =>
    [...(jars.get(host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const studio = async (path: string, json?: object, method?: string): Promise<TestAnswer> => {
    const answer = await server.call(path, {
      key: null,
      headers: { 'sec-fetch-site': 'same-origin', cookie: cookieFor('studio') },
      ...(json === undefined ? {} : { json }),
      ...(method === undefined ? {} : { method }),
    })
    keep('studio', answer.headers['set-cookie'] ?? [])
    return answer
  }
  /** Goes to the provider and back: the address in the studio that it ends at. */
  const follow = async (address: string): Promise<string> => {
    for (let url = address, hops = 0; hops < 10; hops += 1) {
      const { host, pathname, search } = new URL(url)
      if (url.startsWith(server.url)) return pathname + search
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookieFor(host) } })
      keep(host, response.headers.getSetCookie())
      await response.arrayBuffer()
      url = new URL(response.headers.get('location') ?? '/nowhere', url).href
    }
    throw new Error('too many redirects')
  }
  const begin = async (body: object = {}) =>
    (await studio('/studio/sign-in/provider', body)).json<{ address: string; flow: string }>()
  return {
    studio,
    follow,
    begin,
    /** A whole sign-in as this person: where the studio sends the browser then. */
    signIn: async (subject: string, body: object = {}): Promise<string | undefined> => {
      oidc.auto = subject
      const { address } = await begin(body)
      return (await studio(await follow(address))).headers.location
    },
    account: async () => (await studio('/studio/account')).json<Account>(),
  }
}

describe('the settings', () => {
  it('hold the secret sealed, and show it to nobody', async () => {
    expect((await owner.call('/studio/sign-in-provider')).json()).toMatchObject({
      provider: null,
      redirectUri: `${server.url}/studio/sign-in/provider/callback`,
    })
    const saved = await save({ scopes: 'profile, email groups' })
    expect(saved.json()).toMatchObject({
      provider: { hasSecret: true, scopes: 'openid profile email groups' },
    })
    const shown = [saved.text, (await owner.call('/studio/sign-in-provider')).text].join()
    const stored = JSON.stringify(server.services.db.sqlite.prepare('select * from settings').all())
    for (const text of [shown, stored, JSON.stringify(server.log)])
      expect(text).not.toContain(oidc.clientSecret)
    // Left out, it stays; for another client it does not.
    const { clientSecret: _secret, ...others } = settings()
    const again = { method: 'PUT', json: others }
    expect((await owner.call('/studio/sign-in-provider', again)).status).toBe(200)
    const other = { method: 'PUT', json: { ...others, clientId: 'other' } }
    expect((await owner.call('/studio/sign-in-provider', other)).status).toBe(400)
    expect((await server.call('/studio/sign-in/ways', { key: null })).json()).toEqual({
      provider: { name: 'Studio login' },
    })
  })

  it('take https, or http on this machine', async () => {
    for (const issuer of ['http://login.example.com', 'ftp://x', 'nonsense', 'https://x.example/?a=1'])
      expect((await save({ issuer })).status).toBe(400)
  })

  it('are tested by discovery, which says what is wrong', async () => {
    const tried = async (more: object = {}) => {
      await save(more)
      return (await owner.call('/studio/sign-in-provider/test', { method: 'POST' })).json<ProviderTried>()
    }
    const good = await tried()
    expect([good.ok, good.sentences[0]]).toEqual([true, `${oidc.issuer} answers.`])
    expect((await tried({ scopes: 'openid nonsense' })).sentences).toContain(
      'It does not know the scope nonsense.',
    )
    expect((await tried({ roles: [] })).sentences.join()).toContain('No group has a role')
    const closed = await tried({ issuer: 'http://127.0.0.1:9' })
    expect([closed.ok, closed.sentences[1]]).toEqual([
      false,
      'Nothing answers at that address. Check host and port, and that the provider runs.',
    ])
    expect((await tried({ issuer: `${oidc.issuer}/realms/none` })).sentences.join()).toContain(
      'no discovery document',
    )
    const other = await tried({ issuer: oidc.issuer.replace('localhost', '127.0.0.1') })
    expect(other.sentences.join()).toContain('another issuer')
    await save()
  })
})

describe('somebody signs in', () => {
  it('and has the role of their groups, looked at each time; without one they are out', async () => {
    oidc.people['ada'] = { name: 'Ada', groups: ['guests', 'cutters'] }
    const browser = createBrowser()
    expect(await browser.signIn('ada')).toBe('/')
    expect(await browser.account()).toMatchObject({
      name: 'Ada',
      role: 'editor',
      provider: { name: 'Studio login', connected: true },
      sessions: [{ way: 'provider', current: true }],
    })
    oidc.people['ada'].groups = ['guests']
    const again = createBrowser()
    expect(await again.signIn('ada')).toBe('/')
    expect((await again.account()).role).toBe('viewer')
    const { people } = (await owner.call('/studio/people')).json<{
      people: { id: string; name: string; ways: string[] }[]
    }>()
    const listed = people.filter(({ name }) => name === 'Ada')
    expect(listed.map(({ ways }) => ways)).toEqual([['provider']])
    const changed = await owner.call(`/studio/people/${listed[0]?.id}`, {
      method: 'PATCH',
      json: { role: 'owner' },
    })
    expect(changed.text).toContain('comes from their groups at Studio login')
    oidc.people['ada'].groups = ['else']
    expect(await again.signIn('ada')).toBe('/#/sign-in/no-group')
    // Every session ends, that of the other browser too.
    expect((await browser.studio('/studio/session')).status).toBe(401)
  })

  it('without a group only where everybody has a role', async () => {
    oidc.people['bo'] = { name: 'Bo' }
    expect(await createBrowser().signIn('bo')).toBe('/#/sign-in/no-group')
    await save({ otherwise: 'viewer' })
    const browser = createBrowser()
    expect(await browser.signIn('bo')).toBe('/')
    expect((await browser.account()).role).toBe('viewer')
    await save()
  })

  it('is who they were by subject, never by an address that changed hands', async () => {
    oidc.people['cy'] = { name: 'Cy', email: 'cy@example.com', email_verified: true, groups: ['admins'] }
    const browser = createBrowser()
    expect(await browser.signIn('cy')).toBe('/')
    oidc.people['eve'] = { name: 'Eve', email: 'cy@example.com', email_verified: true, groups: ['guests'] }
    const other = createBrowser()
    expect(await other.signIn('eve')).toBe('/')
    expect(await other.account()).toMatchObject({ name: 'Eve', role: 'viewer', email: null })
    expect((await browser.account()).role).toBe('owner')
  })

  it('with an invitation, by its link or by a verified address', async () => {
    const invite = async (body: object) =>
      (await owner.call('/studio/invitations', { json: body })).json<MadeInvitation>()
    oidc.people['dee'] = { name: 'Dee', email: 'dee@example.com' }
    const { link } = await invite({ role: 'editor', scope: 'acme' })
    const browser = createBrowser()
    expect(await browser.signIn('dee', { invitation: link.split('/').at(-1) })).toBe('/')
    expect(await browser.account()).toMatchObject({ name: 'Dee', role: 'editor' })
    // The role is the invitation's: no group is looked at.
    expect(await browser.signIn('dee')).toBe('/')
    expect((await createBrowser().studio('/studio/sign-in/provider', { invitation: 'gone' })).status).toBe(
      403,
    )

    await invite({ role: 'editor', email: 'fay@example.com' })
    oidc.people['mallory'] = { name: 'Mallory', email: 'fay@example.com', email_verified: false }
    expect(await createBrowser().signIn('mallory')).toBe('/#/sign-in/no-group')
    oidc.people['fay'] = { name: 'Fay', email: 'Fay@Example.com', email_verified: true }
    expect(await createBrowser().signIn('fay')).toBe('/')
    expect((await owner.call('/studio/invitations')).json()).toEqual({ invitations: [] })
  })

  it('who connects an account that they have here already', async () => {
    const gil = signInAs(server, 'editor', undefined, 'Gil')
    oidc.people['gil'] = { name: 'Gil' }
    oidc.auto = 'gil'
    const begun = await gil.call('/studio/account/provider', { json: {} })
    const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const back = await createBrowser().follow(begun.json<{ address: string }>().address)
    const returned = await server.call(back, { key: null, headers: { cookie } })
    expect(returned.headers.location).toBe('/#/settings/account')
    const browser = createBrowser()
    expect(await browser.signIn('gil')).toBe('/')
    expect((await browser.account()).name).toBe('Gil')
    const ada = signInAs(server, 'viewer', undefined, 'Hal')
    const second = await ada.call('/studio/account/provider', { json: {} })
    const own = second.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const taken = await createBrowser().follow(second.json<{ address: string }>().address)
    const refused = await server.call(taken, { key: null, headers: { cookie: own } })
    expect(refused.headers.location).toBe('/?refused=taken#/settings/account')
    expect((await gil.call('/studio/account/provider', { method: 'DELETE' })).status).toBe(200)
    expect(await createBrowser().signIn('gil')).toBe('/#/sign-in/no-group')
  })
})

describe('what comes back', () => {
  it('is taken from the browser in which it began, once', async () => {
    oidc.people['ann'] = { name: 'Ann', groups: ['guests'] }
    oidc.auto = 'ann'
    const browser = createBrowser()
    const { address } = await browser.begin()
    const back = await browser.follow(address)
    expect(address).toContain('code_challenge_method=S256')
    const stolen = await createBrowser().studio(back)
    expect([stolen.headers.location, stolen.headers['set-cookie']]).toEqual(['/#/sign-in/expired', undefined])
    // Whoever tried it has used it up.
    expect((await browser.studio(back)).headers.location).toBe('/#/sign-in/expired')
    const unknown = await browser.studio('/studio/sign-in/provider/callback?code=x&state=nonsense')
    expect(unknown.headers.location).toBe('/#/sign-in/expired')
    const next = await browser.begin()
    const other = new URL(await browser.follow(next.address), server.url)
    other.searchParams.set('code', 'another-code')
    expect((await browser.studio(other.pathname + other.search)).headers.location).toBe('/#/sign-in/failed')
    expect(await createBrowser().signIn('no')).toBe('/#/sign-in/declined')
  })

  it('for a desktop window comes by another browser of this machine, and the window takes it', async () => {
    oidc.auto = 'ann'
    const window = createBrowser()
    const { address, flow } = await window.begin({ desktop: true })
    const state = (who: ReturnType<typeof createBrowser>) =>
      who.studio(`/studio/sign-in/provider/state?flow=${flow}`)
    expect((await state(window)).json()).toEqual({ state: 'waiting' })
    const outside = createBrowser()
    const back = await outside.studio(await outside.follow(address))
    expect(back.headers.location).toBe('/#/sign-in/back')
    expect((await outside.studio('/studio/session')).status).toBe(401)
    expect((await state(outside)).status).toBe(403)
    expect((await outside.studio('/studio/sign-in/provider/finish', { flow })).status).toBe(403)
    expect((await state(window)).json()).toEqual({ state: 'ready' })
    expect((await window.studio('/studio/sign-in/provider/finish', { flow })).status).toBe(200)
    expect((await window.account()).name).toBe('Ann')
    expect((await window.studio('/studio/sign-in/provider/finish', { flow })).status).toBe(403)
  })

  it('connects an account for a desktop window in the same way', async () => {
    oidc.people['ivy'] = { name: 'Ivy' }
    oidc.auto = 'ivy'
    const window = signInAs(server, 'editor', undefined, 'Ivy')
    const begun = await window.call('/studio/account/provider', { json: { desktop: true } })
    const { address, flow } = begun.json<{ address: string; flow: string }>()
    const outside = createBrowser()
    expect((await outside.studio(await outside.follow(address))).headers.location).toBe('/#/sign-in/back')
    const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const state = await server.call(`/studio/sign-in/provider/state?flow=${flow}`, {
      key: null,
      headers: { cookie },
    })
    expect(state.json()).toEqual({ state: 'ready' })
    expect((await account(window)).provider?.connected).toBe(true)
  })

  it('is refused in a sentence while the provider is away, or taken away', async () => {
    await save({ issuer: 'http://127.0.0.1:9' })
    const answer = await createBrowser().studio('/studio/sign-in/provider', {})
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining('Studio login does not answer'),
    ])
    expect((await owner.call('/studio/sign-in-provider', { method: 'DELETE' })).json()).toMatchObject({
      provider: null,
    })
    expect((await createBrowser().studio('/studio/sign-in/provider', {})).status).toBe(409)
  })
})
