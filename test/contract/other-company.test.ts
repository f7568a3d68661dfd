/** A body that names another company, or another thing than the address does, in ways that no client would. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getClip } from '../../server/db/clips.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let clipId: string
let otherKey: string
beforeAll(async () => {
  server = await startTestServer()
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  clipId = addClip(server, { workflowId, runId, document: { title: 'Ours' } })
  otherKey = addCompany(server, 'rival').key
})
afterAll(() => server.close())

const etagOf = async (): Promise<string> => {
  const answer = await server.call(`/studio/clips/${clipId}/editor?companyId=${server.companyId}`)
  return answer.json<{ etag: string }>().etag
}

/** Names of the owner's company that are not a text, which is what is held against the key. */
const disguises = () => [[server.companyId], { company: server.companyId }, 7, true]

describe('a key of another company', () => {
  it('opens, edits and renders no clip, whatever company and clip the body names', async () => {
    const etag = await etagOf()
    const calls = (address: string) =>
      [
        ['POST', `/studio/clips/${address}/compose`, { updates: {} }],
        ['PATCH', `/studio/clips/${address}`, { etag, updates: { title: 'Theirs' } }],
        ['POST', `/studio/clips/${address}/thumbnail`, { updates: {}, design: {} }],
        ['POST', `/studio/clips/${address}/agent`, { text: 'shorter', clip: {} }],
      ] as const
    for (const companyId of disguises())
      for (const address of [clipId, 'no-such-clip'])
        for (const [method, path, body] of calls(address)) {
          const json = { ...body, companyId, clipId, baseUrl: 'http://elsewhere' }
          const answer = await server.call(path, { method, json, key: otherKey })
          const reported = `${method} ${path} with ${JSON.stringify(companyId)}: ${answer.text}`
          expect([400, 401, 404], reported).toContain(answer.status)
        }
    expect(getClip(server.services.db, server.companyId, clipId)?.title).toBe('Ours')
  })

  it('is refused when the company id is not a string', async () => {
    for (const companyId of disguises())
      for (const path of ['/render', '/update-clip', '/clip-transcript']) {
        const method = path === '/clip-transcript' ? 'PATCH' : 'POST'
        const json = { companyId, clipId, updates: { title: 'Theirs' }, operations: [{ index: 0, to: 'x' }] }
        const answer = await server.call(path, { method, json, key: otherKey })
        expect([path, answer.status]).toEqual([path, 400])
      }
    expect(getClip(server.services.db, server.companyId, clipId)?.title).toBe('Ours')
  })
})

describe('the owner’s key', () => {
  it('edits the clip of the address, not one that the body names', async () => {
    const json = { etag: await etagOf(), updates: { title: 'Edited' }, clipId: 'no-such-clip' }
    const answer = await server.call(`/studio/clips/${clipId}?companyId=${server.companyId}`, {
      method: 'PATCH',
      json,
    })
    expect(answer.status, answer.text).toBe(200)
    expect(getClip(server.services.db, server.companyId, clipId)?.title).toBe('Edited')
  })
})
