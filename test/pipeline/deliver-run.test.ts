/** A workflow that delivers: the finished file is made of its clips by itself, is kept for a week, and is asked for by name. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listClipExports, requestExport, sweepExports } from '../../server/domain/rendering/clip-exports.ts'
import { getMediaByToken } from '../../server/db/media.ts'
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
