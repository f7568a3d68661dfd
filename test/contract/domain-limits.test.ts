/** What the limits of the domain API mean: lengths are in characters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareConfirmation } from '../../server/domain/confirmations.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let client: DomainClient
let clipId = ''
const FACE = '😀'

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  clipId = addClip(server, { workflowId: addWorkflow(server), document: { tags: ['Launch'] } })
})
afterAll(() => server.close())

describe('lengths are characters', () => {
  it.each(['/clips', '/search'])('of what is looked for at %s', async (path) => {
    const of = (length: number) =>
      client.call('GET', `${path}?query=${encodeURIComponent(FACE.repeat(length))}`)
    expect((await of(500)).status).toBe(200)
    const { status, error } = await of(501)
    expect([status, error.details?.['field']]).toEqual([400, 'query'])
  })

  it('of what a person wrote', async () => {
    const decide = (length: number) => {
      const { id } = prepareConfirmation(server.services, {
        caller: { companyId: 'acme', clientId: client.clientId, principalId: 'ada', via: 'delegation' },
        ...{ action: 'publish_post', subject: { id: 'p1', revision: 1 }, preview: {} },
      })
      const json = { decision: 'approve', consentText: FACE.repeat(length), source: 'mcp_written_consent' }
      return client.call('POST', `/confirmations/${id}:decide`, { json, once: `decide-${length}` })
    }
    expect((await decide(1000)).status).toBe(200)
    const { status, error } = await decide(1001)
    expect([status, error.details?.['field']]).toEqual([400, 'consentText'])
  })

  it('of settings of a clip, which have rules of their own', async () => {
    const { etag } = await client.call('GET', `/clips/${clipId}`)
    const name = (length: number) =>
      client.call('PATCH', `/clips/${clipId}`, {
        ...{ json: { tags: [FACE.repeat(length)] }, match: etag, once: `tag-${length}` },
      })
    expect((await name(101)).status).toBe(400)
    expect((await name(100)).status).toBe(200)
  })
})
