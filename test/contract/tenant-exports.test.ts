/** Files of delivery profiles by the domain API: asked for, joined, listed, refused. One is made for real in deliver-run.test.ts. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ExportedFile, ExportsMeta } from '../../server/contract/tenant-api/export.ts'
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import { PROFILES } from '../../server/contract/profiles/registry.ts'
import { operations } from '../../server/db/schema.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { addClip, addCompany, addFacts, addMedia, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts' // prettier-ignore

let server: TestServer
let client: DomainClient
let clipId = ''
let keys = 0

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  clipId = addClip(server, { workflowId, runId })
})
afterAll(() => server.close())

const ask = (profile: string, by = client) =>
  by.call<DomainOperation>('POST', `/clips/${clipId}/exports`, {
    json: { profile },
    once: `key-${(keys += 1)}`,
  })
const list = async (by = client) => {
  const { status, data, meta } = await by.call<ExportedFile[]>('GET', `/clips/${clipId}/exports`)
  return { status, data, meta: meta as unknown as ExportsMeta }
}

it('is one operation for those who ask for the same, and is listed while it waits', async () => {
  const first = await ask('gif')
  expect([first.status, first.data]).toMatchObject([202, { kind: 'export', state: 'queued', progress: 0 }])
  expect((await ask('gif')).data.id).toBe(first.data.id)
  const again = await client.call<DomainOperation>('POST', `/clips/${clipId}/exports`, { json: { profile: 'gif' }, once: 'key-1' }) // prettier-ignore
  expect([again.status, again.data.id]).toEqual([202, first.data.id])
  const { data, meta } = await list()
  expect(data).toEqual([
    {
      operationId: first.data.id,
      profile: 'gif',
      state: 'queued',
      progress: 0,
      url: null,
      bytes: 0,
      warnings: [],
      error: null,
      outdated: false,
      removedAt: null,
    },
  ])
  // Words are no file that has to be made.
  const made = PROFILES.filter(({ delivery }) => delivery.kind !== 'words')
  expect(meta.profiles.map(({ name }) => name)).toEqual(made.map(({ name }) => name))
  expect(meta.chosen).toBeNull()
})

it('has its address once it is made, in the list and in the operation', async () => {
  const { data: operation } = await ask('webp')
  const { id: mediaId } = await addMedia(server, 'clip.webp', 'a picture', 'image/webp')
  const result = { mediaId, revision: -1, warnings: ['A font is missing.'] }
  const { orm } = server.services.db
  orm.update(operations).set({ state: 'succeeded', progress: 1, result }).where(eq(operations.id, operation.id)).run() // prettier-ignore
  const file = (await list()).data.find(({ profile }) => profile === 'webp')
  expect(file).toMatchObject({ state: 'succeeded', bytes: 9, warnings: result.warnings, outdated: true })
  expect(await (await fetch(file?.url ?? '')).text()).toBe('a picture')
  const ended = await client.call<DomainOperation>('GET', `/operations/${operation.id}`)
  expect(ended.data.result).toEqual({
    clipId,
    profile: 'webp',
    warnings: result.warnings,
    exportUrl: file?.url,
  })
})

it('is refused before any work: no such profile, words, HDR that is none, another company’s clip', async () => {
  const before = (await list()).data.length
  for (const name of ['no-such', 'captions-srt', ''])
    expect(await ask(name)).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } })
  expect(await ask('hevc-hdr')).toMatchObject({
    status: 422,
    error: {
      code: 'PROFILE_UNAVAILABLE',
      message: expect.stringContaining('The source is not HDR') as string,
    },
  })
  const other = await domainClient(server, {
    companyId: addCompany(server, 'other').companyId,
    clientId: 'theirs',
  })
  expect(await ask('gif', other)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
  expect((await list(other)).status).toBe(404)
  expect((await list()).data).toHaveLength(before)
})
