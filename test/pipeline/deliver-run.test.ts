/** A workflow that delivers: the finished file is made of its clips by itself, is kept for a week, and is asked for by name. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listClipExports, requestExport, sweepExports } from '../../server/domain/rendering/clip-exports.ts'
import type { ExportedFile } from '../../server/contract/tenant-api/export.ts'
import type { DomainOperation } from '../../server/contract/tenant-api/operation.ts'
import { getMediaByToken } from '../../server/db/media.ts'
import { startHttpServer } from '../../server/http/server.ts'
import { domainClient } from '../support/domain.ts'
import type { TestServer } from '../support/server.ts'
import { node } from '../support/node-values.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'

const WEEK = 7 * 86_400_000

let house: RunEnvironment
let clipId = ''
let companyId = ''

beforeAll(async () => {
  house = await openRunEnvironment()
  const deliver = node('deliver', { delivery_config: { profile: 'gif' } })
  const made = await house.clipOf(join('resources', 'sample', 'sample.mp4'), [pinned(1, 4), deliver])
  ;({ id: clipId, companyId } = made.clip)
}, 300_000)
afterAll(() => house.close())

const list = () => listClipExports(house.services, { companyId, clipId, baseUrl: 'http://here' })

/** The bytes behind an address. */
async function bytesAt(url: string): Promise<Buffer> {
  const token = new URL(url).pathname.split('/')[2] ?? ''
  return readFile(join(house.home.root, getMediaByToken(house.db, token)?.path ?? ''))
}

it('makes the file that the node names, once the run has ended', async () => {
  await expect
    .poll(() => list().exports.map(({ state }) => state), { timeout: 120_000 })
    .toEqual(['finished'])
  const { exports, chosen } = list()
  expect([chosen, exports[0]?.profile, exports[0]?.old]).toEqual(['gif', 'gif', false])
  expect((await bytesAt(exports[0]?.url ?? '')).subarray(0, 4).toString()).toBe('GIF8')
})

it('refuses before any work what is no file to make', async () => {
  const wanted = (profile: string) => requestExport(house.services, { companyId, clipId, profile })
  await expect(wanted('no-such')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(wanted('captions-srt')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(requestExport(house.services, { companyId: 'other', clipId, profile: 'gif' })).rejects.toMatchObject({ code: 'CLIP_NOT_FOUND' }) // prettier-ignore
  expect(list().exports).toHaveLength(1)
})

it('is one file for two who ask for the same at once', async () => {
  const request = () => requestExport(house.services, { companyId, clipId, profile: 'webp' })
  const [one, other] = await Promise.all([request(), request()])
  expect(one.operationId).toBe(other.operationId)
  await house.services.jobs.whenSettled(one.operationId, 120_000)
})

it('is made for a service that asks by the domain API, and lies behind the address of its operation', async () => {
  const server = await startHttpServer(house.services)
  try {
    const call: TestServer['call'] = async (path, { method = 'GET', json, headers = {} } = {}) => {
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      const type = json === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}${path}`, { method, ...body, headers: { ...headers, ...type } as Record<string, string> }) // prettier-ignore
      const text = await answer.text()
      const { status } = answer
      return { status, headers: Object.fromEntries(answer.headers), bytes: Buffer.from(text), text, json: () => JSON.parse(text) as never } // prettier-ignore
    }
    const client = await domainClient({ services: house.services, companyId, call } as TestServer)
    const asked = await client.call<DomainOperation>('POST', `/clips/${clipId}/exports`, { json: { profile: 'audio-stems' }, once: 'stems' }) // prettier-ignore
    expect([asked.status, asked.data.kind]).toEqual([202, 'export'])
    await house.services.jobs.whenSettled(asked.data.id, 120_000)
    const { data } = await client.call<DomainOperation>('GET', `/operations/${asked.data.id}`)
    expect(data).toMatchObject({ state: 'succeeded', result: { clipId, profile: 'audio-stems' } })
    const file = Buffer.from(await (await fetch(String(data.result?.['exportUrl']))).arrayBuffer())
    expect(file.subarray(0, 2).toString()).toBe('PK')
    const listed = await client.call<ExportedFile[]>('GET', `/clips/${clipId}/exports`)
    expect(listed.data.find(({ operationId }) => operationId === asked.data.id)).toMatchObject({
      state: 'succeeded',
      bytes: file.length,
    })
  } finally {
    await server.close()
  }
})

it('goes with its address after a week, and not before', async () => {
  const { signal } = new AbortController()
  const sweep = (now: number) => sweepExports({ ...house.services, now: () => now }, signal)
  const files = list().exports.length
  expect(files).toBeGreaterThan(0)
  expect(await sweep(Date.now() + WEEK - 3_600_000)).toBe(0)
  expect(list().exports).toHaveLength(files)
  expect(await sweep(Date.now() + WEEK + 3_600_000)).toBe(files)
  expect(list().exports).toEqual([])
})
