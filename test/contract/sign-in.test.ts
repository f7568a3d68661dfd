/** Signing in by password and by invitation, and the sessions of whoever is signed in: by HTTP, as the studio's pages do it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAudit } from '../../server/domain/people/audit.ts'
import { invitePerson } from '../../server/domain/people/people.ts'
import type { Account, InvitationView, MadeInvitation } from '../../server/contract/sign-in.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestAnswer, type TestRequest, type TestServer } from '../support/server.ts'

const PASSWORD = 'the heron left before noon'
const OTHER = 'seven lamps and a violin'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: TestServer
let owner: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  owner = signInAs(server, 'owner')
})
afterAll(() => server.close())

const cookieOf = ({ headers }: TestAnswer): string => headers['set-cookie']?.[0]?.split(';')[0] ?? ''
/** A page of the studio in a browser of its own, with or without a session. */
const browser =
  (cookie = '') =>
  (path: string, request: TestRequest = {}) =>
    server.call(path, {
      ...request,
      key: null,
      headers: {
        'user-agent': FIREFOX,
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...request.headers,
      },
    })
const stranger = browser()
const signIn = (email: string, password: string) =>
  stranger('/studio/sign-in/password', { json: { email, password } })
const account = async (call: SignedIn['call']) => (await call('/studio/account')).json<Account>()
const codeOf = (answer: TestAnswer) => answer.json<{ code: string; error: string }>()

async function invite(body: object): Promise<MadeInvitation & { token: string }> {
  const made = (await owner.call('/studio/invitations', { json: body })).json<MadeInvitation>()
  return { ...made, token: made.link.split('/').at(-1) ?? '' }
}

describe('an invitation', () => {
  it('makes a person with its role, once', async () => {
    const { token, link, invitation } = await invite({ role: 'editor', email: 'Ada@Example.com', days: 2 })
    expect(link).toMatch(/\/#\/welcome\/[\w-]{43}$/)
    expect(invitation).toMatchObject({ role: 'editor', email: 'ada@example.com', invitedBy: 'Some owner' })
    const seen = await stranger('/studio/sign-in/invitation', { json: { token } })
    expect(seen.json<InvitationView>()).toMatchObject({
      role: 'editor',
      email: 'ada@example.com',
      invitedBy: 'Some owner',
      provider: null,
    })
    const accept = (password: string) =>
      stranger('/studio/sign-in/invitation/password', {
        json: { token, name: 'Ada', email: 'somebody@else.com', password },
      })
    const weak = await accept('passwordpassword')
    expect([weak.status, codeOf(weak).error]).toEqual([400, expect.stringContaining('too easy') as string])
    const entered = await accept(PASSWORD)
    expect(entered.status).toBe(200)
    expect(entered.headers['set-cookie']?.[0]).toContain('HttpOnly; SameSite=Strict')
    const ada = browser(cookieOf(entered))
    // The address is the invitation's, whatever was sent.
    expect(await account(ada)).toMatchObject({ name: 'Ada', role: 'editor', email: 'ada@example.com' })
    const again = await accept(PASSWORD)
    expect([again.status, codeOf(again).code]).toEqual([403, 'SIGN_IN_REFUSED'])
    expect((await stranger('/studio/sign-in/invitation', { json: { token } })).status).toBe(403)
    expect((await ada('/studio/invitations')).status).toBe(403)
    const taken = await owner.call('/studio/invitations', {
      json: { role: 'viewer', email: 'ada@example.com' },
    })
    expect(codeOf(taken).code).toBe('INVALID_STATE')
  })

  it('is listed, taken back and over in time; its token is stored as a hash', async () => {
    const { token, invitation } = await invite({ role: 'viewer', scope: 'acme' })
    const listed = (await owner.call('/studio/invitations')).json<{ invitations: unknown[] }>()
    expect(listed.invitations).toEqual([invitation])
    expect(invitation.companyId).toBe('acme')
    const stored = JSON.stringify(server.services.db.sqlite.prepare('select * from invitations').all())
    expect(stored).not.toContain(token)
    const path = `/studio/invitations/${invitation.id}`
    expect((await owner.call(path, { method: 'DELETE' })).status).toBe(200)
    expect((await owner.call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await stranger('/studio/sign-in/invitation', { json: { token } })).status).toBe(403)
    expect((await owner.call('/studio/invitations', { json: { role: 'owner', scope: 'acme' } })).status).toBe(
      400,
    )
    let now = Date.UTC(2026, 0, 1)
    const own = await startTestServer({ now: () => now })
    try {
      const first = signInAs(own, 'owner')
      const made = (
        await first.call('/studio/invitations', { json: { role: 'viewer' } })
      ).json<MadeInvitation>()
      now += 7 * 86_400_000
      const look = { key: null, headers: { 'sec-fetch-site': 'same-origin' } }
      const late = await own.call('/studio/sign-in/invitation', {
        ...look,
        json: { token: made.link.split('/').at(-1) },
      })
      expect(late.status).toBe(403)
    } finally {
      await own.close()
    }
  })
})

describe('a password', () => {
  it('signs in, whatever the case of the address; another does not, and no answer tells which was wrong', async () => {
    const right = await signIn(' ADA@example.com ', PASSWORD)
    expect(right.status).toBe(200)
    expect((await account(browser(cookieOf(right)))).hasPassword).toBe(true)
    const answers = [await signIn('ada@example.com', OTHER), await signIn('nobody@example.com', PASSWORD)]
    expect(answers.map((answer) => codeOf(answer).code)).toEqual(['SIGN_IN_REFUSED', 'SIGN_IN_REFUSED'])
    expect(answers.map((answer) => codeOf(answer).error)).toEqual([
      'The email address or the password is not right.',
      'The email address or the password is not right.',
    ])
    expect(answers.every(({ headers }) => headers['set-cookie'] === undefined)).toBe(true)
    const times = async (email: string) => {
      const taken: number[] = []
      for (let at = 0; at < 4; at++) {
        const began = performance.now()
        await signIn(email, OTHER)
        taken.push(performance.now() - began)
      }
      return Math.min(...taken)
    }
    // Nobody's address takes as long as somebody's: both are hashed.
    const known = await times('ada@example.com')
    const unknown = await times('no@example.com')
    expect(unknown).toBeGreaterThan(known / 3)
  })

  it('is not taken from a page of another site', async () => {
    const json = { email: 'ada@example.com', password: PASSWORD }
    const { headers, status } = await server.call('/studio/sign-in/password', {
      key: null,
      json,
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect([status, headers['set-cookie']]).toEqual([403, undefined])
  })

  it('is changed with the one before it, and ends the other sessions', async () => {
    const here = browser(cookieOf(await signIn('ada@example.com', PASSWORD)))
    const there = browser(cookieOf(await signIn('ada@example.com', PASSWORD)))
    const change = (body: object) => here('/studio/account/password', { method: 'PUT', json: body })
    expect(codeOf(await change({ password: OTHER })).code).toBe('SIGN_IN_REFUSED')
    expect(codeOf(await change({ current: OTHER, password: OTHER })).code).toBe('SIGN_IN_REFUSED')
    expect((await change({ current: PASSWORD, password: 'ada@example.com!!' })).status).toBe(400)
    expect((await change({ current: PASSWORD, password: OTHER })).status).toBe(200)
    expect((await there('/studio/session')).status).toBe(401)
    expect((await here('/studio/session')).status).toBe(200)
    expect((await signIn('ada@example.com', PASSWORD)).status).toBe(403)
    expect((await signIn('ada@example.com', OTHER)).status).toBe(200)
  })

  it('that was forgotten is set anew after a link, for an hour', async () => {
    let now = Date.UTC(2026, 0, 1)
    const own = await startTestServer({ now: () => now })
    try {
      const recovered = signInAs(own, 'editor')
      const set = (body: object) => recovered.call('/studio/account/password', { method: 'PUT', json: body })
      expect((await set({ password: PASSWORD })).status).toBe(400)
      const first = await set({ email: 'bo@example.com', password: PASSWORD })
      expect(first.json<Account>()).toMatchObject({ hasPassword: true, needsPassword: false })
      now += 3_600_000
      expect((await account(recovered.call)).needsPassword).toBe(true)
      expect((await set({ password: OTHER })).status).toBe(403)
      expect((await set({ password: OTHER, current: PASSWORD })).status).toBe(200)
      const other = signInAs(own, 'viewer')
      const taken = await other.call('/studio/account/password', {
        method: 'PUT',
        json: { email: 'BO@example.com', password: PASSWORD },
      })
      expect(codeOf(taken).code).toBe('INVALID_STATE')
    } finally {
      await own.close()
    }
  })

  it('is guessed ten times, then once a minute, also where only this machine reaches the studio', async () => {
    const guesses: number[] = []
    for (let at = 0; at < 12; at++) guesses.push((await signIn('target@example.com', OTHER)).status)
    expect(guesses).toEqual([...Array<number>(10).fill(403), 429, 429])
    // Others are not held up, and a right password does not count.
    for (let at = 0; at < 12; at++) expect((await signIn('ada@example.com', OTHER)).status).toBe(200)
  })

  it('leaves rows in the audit log, and itself nowhere', () => {
    const rows = readAudit(server.services, { limit: 500 }).rows.filter(
      ({ route }) => route === '/studio/sign-in/password',
    )
    expect(rows.find(({ status }) => status === 200)?.actor).toMatchObject({ kind: 'person', name: 'Ada' })
    expect(rows.find(({ status }) => status === 403)?.actor.kind).toBe('nobody')
    const { sqlite } = server.services.db
    const stored = ['audit_log', 'person_passwords', 'sessions', 'people']
      .map((table) => JSON.stringify(sqlite.prepare(`select * from ${table}`).all()))
      .join()
    for (const secret of [PASSWORD, OTHER]) {
      expect(stored).not.toContain(secret)
      expect(JSON.stringify(server.log)).not.toContain(secret)
    }
  })
})

describe('a passkey', () => {
  it('is refused in a sentence where browsers allow none, and where nobody has it', async () => {
    const numbers = await stranger('/studio/sign-in/passkey-options', { method: 'POST' })
    expect([numbers.status, codeOf(numbers).error]).toEqual([
      409,
      expect.stringContaining('host name') as string,
    ])
    const atName = { headers: { host: `localhost:${server.port}` } }
    const { flow, options } = (
      await stranger('/studio/sign-in/passkey-options', { method: 'POST', ...atName })
    ).json<{ flow: string; options: object }>()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    const answer = (json: object) => stranger('/studio/sign-in/passkey', { json, ...atName })
    const response = { id: 'bm9ib2R5', rawId: 'bm9ib2R5', type: 'public-key', response: {} }
    expect(codeOf(await answer({ flow, response })).error).toContain('does not sign anybody in')
    // A challenge is for one answer.
    expect(codeOf(await answer({ flow, response })).error).toContain('too long')
    const own = await owner.call('/studio/account/passkey-options', { method: 'POST', ...atName })
    expect(own.json()).toMatchObject({
      options: { rp: { id: 'localhost' }, authenticatorSelection: { residentKey: 'required' } },
    })
    const made = { flow: own.json<{ flow: string }>().flow, name: 'Mine', response }
    expect((await owner.call('/studio/account/passkeys', { json: made, ...atName })).status).toBe(403)
    expect((await owner.call('/studio/account/passkeys/none', { method: 'DELETE' })).status).toBe(404)
  })
})

describe('sessions', () => {
  it('are listed with device and way, and ended one by one or all others', async () => {
    const entered = []
    for (let at = 0; at < 3; at++) entered.push(browser(cookieOf(await signIn('ada@example.com', OTHER))))
    const [one, two, three] = entered
    if (one === undefined || two === undefined || three === undefined) throw new Error('three')
    await one('/studio/account/sessions', { method: 'DELETE' })
    expect((await two('/studio/session')).status).toBe(401)
    const again = browser(cookieOf(await signIn('ada@example.com', OTHER)))
    const { sessions } = await account(one)
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(
      sessions.every(
        ({ way, browser: name, system }) => `${way} ${name} ${system}` === 'password Firefox Windows',
      ),
    ).toBe(true)
    const other = sessions.find(({ current }) => !current)?.id ?? ''
    const elsewhere = await owner.call(`/studio/account/sessions/${other}`, { method: 'DELETE' })
    expect(elsewhere.status).toBe(404)
    expect((await one(`/studio/account/sessions/${other}`, { method: 'DELETE' })).status).toBe(200)
    expect((await again('/studio/session')).status).toBe(401)
    expect((await one('/studio/session')).status).toBe(200)
  })

  it('are nobody’s for a key', async () => {
    expect((await server.call('/studio/account')).status).toBe(403)
  })

  it('say who signs in how, to owners', async () => {
    const { people } = (await owner.call('/studio/people')).json<{
      people: { name: string; ways: string[]; email: string | null }[]
    }>()
    expect(people.find(({ name }) => name === 'Ada')).toMatchObject({
      ways: ['password'],
      email: 'ada@example.com',
    })
    const { person } = invitePerson(server.services, { name: 'Cy', role: 'viewer', baseUrl: server.url })
    expect(person.ways).toEqual([])
  })
})
