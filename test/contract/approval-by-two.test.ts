/** Who may approve what goes out: a person's own words from a program, and another person where the company asks for two. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeCompany } from '../../server/domain/people/companies.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { draft, once } from '../support/social.ts'

let server: TestServer
let client: DomainClient
let owner: SignedIn
let second: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  owner = signInAs(server, 'owner', undefined, 'Ada')
  second = signInAs(server, 'owner', undefined, 'Grace')
})
afterAll(() => server.close())

const consent = { consentText: 'Yes, publish it.', source: 'mcp_written_consent' }
const yes = { decision: 'approve', ...consent }

async function prepared(by: DomainClient): Promise<{ postId: string; confirmationId: string }> {
  const { id: postId } = await draft(by, { platform: 'bluesky', text: 'Hello' })
  const path = `/social/posts/${postId}:prepare-publish`
  const { data } = await by.call<{ id: string }>('POST', path, { once: once() })
  return { postId, confirmationId: data.id }
}

const decide = (by: DomainClient, id: string, json: unknown) =>
  by.call('POST', `/confirmations/${id}:decide`, { json, once: once() })

/** As a page of the studio does it: writes a post, or approves one, which prepares it first. */
const inStudio = (person: SignedIn, path: string, json: unknown = {}) =>
  person.call(path, { method: 'POST', json, headers: { 'idempotency-key': once() } })

async function writtenBy(person: SignedIn): Promise<string> {
  const made = await inStudio(person, '/social/posts', { platform: 'bluesky', text: 'Hello' })
  expect(made.status, made.text).toBe(201)
  return made.json<{ data: { id: string } }>().data.id
}

async function approvedBy(person: SignedIn, postId: string) {
  const asked = await inStudio(person, `/social/posts/${postId}:prepare-publish`)
  expect(asked.status, asked.text).toBe(201)
  const { id } = asked.json<{ data: { id: string } }>().data
  const decided = await inStudio(person, `/confirmations/${id}:decide`, { decision: 'approve' })
  const code = decided.status === 200 ? null : decided.json<{ error: { code: string } }>().error.code
  return { id, code, text: decided.text }
}

const setRule = (separateApproval: boolean): void => {
  changeCompany(server.services, 'acme', { separateApproval })
}

describe('an agent’s token alone, where the company asks for two people', () => {
  beforeAll(() => setRule(true))
  afterAll(() => setRule(false))

  it.each([
    [{ decision: 'approve' }],
    [{ decision: 'approve', consentText: 'Yes.' }],
    [{ decision: 'approve', source: 'mcp_written_consent' }],
    [{ decision: 'approve', consentText: ' \n ', source: 'mcp_written_consent' }],
    [{ decision: 'decline', source: 'mcp_written_consent' }],
  ])('is not enough: %j', async (json) => {
    const { postId, confirmationId } = await prepared(client)
    const refused = await decide(client, confirmationId, json)
    expect([refused.status, refused.error.code]).toEqual([400, 'CONSENT_NEEDED'])
    const published = await client.call('POST', `/social/posts/${postId}:publish`, {
      json: { confirmationId },
      once: once(),
    })
    expect([published.status, published.error.code]).toEqual([409, 'CONFIRMATION_NOT_APPROVED'])
  })

  it('may decline, and a person in the studio approves', async () => {
    const { confirmationId } = await prepared(client)
    expect((await decide(client, confirmationId, yes)).error.code).toBe('SECOND_PERSON_NEEDED')
    expect((await decide(client, confirmationId, { decision: 'decline' })).status).toBe(200)
    const path = `/confirmations/${(await prepared(client)).confirmationId}:decide`
    expect((await inStudio(owner, path, { decision: 'approve' })).status).toBe(200)
  })
})

it('takes a decision without words elsewhere, as the document has it', async () => {
  const { confirmationId } = await prepared(client)
  expect((await decide(client, confirmationId, { decision: 'approve' })).status).toBe(200)
})

describe('preparing and approving by different people', () => {
  const rule = (person: SignedIn, separateApproval: boolean) =>
    person.call('/studio/social/approval', { method: 'PUT', json: { separateApproval } })

  it('is for owners to ask for, and off until they do', async () => {
    const editor = signInAs(server, 'editor')
    expect((await rule(editor, true)).status).toBe(403)
    const before = await editor.call('/studio/social/approval')
    expect(before.json()).toEqual({ separateApproval: false })
    expect((await approvedBy(owner, await writtenBy(owner))).code).toBeNull()
    expect((await rule(owner, true)).json()).toEqual({ separateApproval: true })
  })

  it('refuses who wrote the post in the studio, with a sentence, and takes somebody else', async () => {
    const postId = await writtenBy(owner)
    const refused = await approvedBy(owner, postId)
    expect(refused.code).toBe('SECOND_PERSON_NEEDED')
    expect(refused.text).toContain('another person')
    const { code, id } = await approvedBy(second, postId)
    expect(code).toBeNull()
    const sent = await inStudio(second, `/social/posts/${postId}:publish`, { confirmationId: id })
    expect(sent.status, sent.text).toBe(202)
  })

  it('counts a delegation as its subject, by id and by whichever way', async () => {
    const asOwner = await domainClient(server, { subject: owner.id, clientId: 'other' })
    const { confirmationId } = await prepared(asOwner)
    expect((await decide(asOwner, confirmationId, yes)).error.code).toBe('SECOND_PERSON_NEEDED')
    const path = `/confirmations/${confirmationId}:decide`
    expect((await inStudio(owner, path, { decision: 'approve' })).status).toBe(403)
    expect((await inStudio(second, path, { decision: 'approve' })).status).toBe(200)
  })

  it('lets whoever prepared it decline, and take a post back', async () => {
    const { confirmationId } = await prepared(client)
    expect((await decide(client, confirmationId, { decision: 'decline' })).status).toBe(200)
    const postId = await writtenBy(owner)
    const { id } = await approvedBy(second, postId)
    await inStudio(second, `/social/posts/${postId}:publish`, { confirmationId: id })
    const asked = await inStudio(owner, `/social/posts/${postId}:prepare-cancel`)
    expect(asked.status, asked.text).toBe(201)
    const path = `/confirmations/${asked.json<{ data: { id: string } }>().data.id}:decide`
    expect((await inStudio(owner, path, { decision: 'approve' })).status).toBe(200)
    expect((await rule(owner, false)).json()).toEqual({ separateApproval: false })
  })
})
