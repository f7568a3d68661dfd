/** What the limits of the domain API mean: lengths are in characters; filters may be empty, and long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipSummary } from '../../server/contract/tenant-api/clip.ts'
import { prepareConfirmation } from '../../server/domain/operations/confirmations.ts'
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
  it.each(['/clips', '/search'])('of the search text at %s', async (path) => {
    const of = (length: number) =>
      client.call('GET', `${path}?query=${encodeURIComponent(FACE.repeat(length))}`)
    expect((await of(500)).status).toBe(200)
    const { status, error } = await of(501)
    expect([status, error.details?.['field']]).toEqual([400, 'query'])
  })

  it('of a person’s own words', async () => {
    const decide = (length: number) => {
      const { id } = prepareConfirmation(server.services, {
        caller: {
          companyId: 'acme',
          clientId: client.clientId,
          principalId: 'ada',
          via: 'delegation',
          scopes: null,
        },
        action: 'publish_post',
        subject: { id: 'p1', revision: 1 },
        preview: {},
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
        json: { tags: [FACE.repeat(length)] },
        match: etag,
        once: `tag-${length}`,
      })
    expect((await name(101)).status).toBe(400)
    expect((await name(100)).status).toBe(200)
  })
})

const list = (name: string, value: string) =>
  client.call<ClipSummary[]>('GET', `/clips?${new URLSearchParams([[name, value]]).toString()}`)
const found = async (name: string, value: string) => {
  const { status, data, text } = await list(name, value)
  expect(status, text).toBe(200)
  return data.map(({ id }) => id)
}

describe('a filter of clips', () => {
  const NAMES = ['status', 'statuses', 'aspectRatio', 'tags', 'people', 'keywords', 'query']

  it.each([...NAMES, 'workflowId', 'workflowRunId', 'episodeId'])(
    '%s is ignored when it is empty',
    async (name) => {
      expect(await found(name, '')).toEqual([clipId])
    },
  )

  it.each(['status', 'statuses', 'aspectRatio', 'tags', 'people', 'keywords'])(
    '%s may be long, and then matches nothing',
    async (name) => {
      expect(await found(name, 'x'.repeat(2000))).toEqual([])
      expect((await list(name, 'x'.repeat(2001))).status).toBe(400)
    },
  )

  it('ignores an empty entry among others', async () => {
    const of = async (query: string) =>
      (await client.call<ClipSummary[]>('GET', `/clips?${query}`)).data.length
    expect([await of('keywords=&keywords=switch'), await of('keywords=&keywords=none')]).toEqual([1, 0])
    expect(await of('personMode=all&people=&people=Ada')).toBe(1)
  })

  it('leaves a cursor valid when it is empty', async () => {
    const other = addClip(server, { workflowId: addWorkflow(server) })
    const first = await client.call<ClipSummary[]>('GET', '/clips?limit=1')
    const next = await client.call<ClipSummary[]>(
      'GET',
      `/clips?limit=1&tags=&status=&cursor=${first.meta.nextCursor ?? ''}`,
    )
    expect([...first.data, ...next.data].map(({ id }) => id).toSorted()).toEqual([clipId, other].toSorted())
  })

  it('accepts a number as programs print it', async () => {
    expect(await found('durationMin', '0.30000000000000004')).toContain(clipId)
    expect(await found('durationMax', '1e-7')).toEqual([])
    expect((await list('durationMax', '1e400')).status).toBe(400)
  })
})
