import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createNodeBucket } from './bucket.ts'

let root: string
let server: Server
let url: string
/** What each answer has, the last one again and again. */
let answers: string[] = []
let asked = 0

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-bucket-'))
  server = createServer((_request, response) => {
    response.end(answers[Math.min(asked, answers.length - 1)])
    asked += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/studio/sources/a%20b?X-Amz-Signature=secret`
})
afterAll(async () => {
  server.close()
  await rm(root, { recursive: true, force: true })
})
beforeEach(() => {
  asked = 0
})

describe('an object in the bucket that is not what was put there', () => {
  const wanted = (name: string) => ({
    to: join(root, name),
    sha256: createHash('sha256').update('whole').digest('hex'),
    address: () => Promise.resolve(url),
  })
  const { signal } = new AbortController()

  it('is asked for again, since it may be the way', async () => {
    answers = ['whale', 'whole']
    await createNodeBucket({ network: 'on' }).fetch(wanted('mended'), signal)
    expect(await readFile(join(root, 'mended'), 'utf8')).toBe('whole')
    expect(asked).toBe(2)
  })

  it('is not asked for without end: it is named, without what opens it, and nothing of it stays', async () => {
    answers = ['whale']
    const fetching = createNodeBucket({ network: 'on' }).fetch(wanted('damaged'), signal)
    const error = (await fetching.catch((caught: unknown) => caught)) as { code: string; message: string }
    expect(error.code).toBe('STAGE_FAILED')
    expect(error.message).toMatch(
      /^What the store at http:\/\/127[\d.:]+ has as \/studio\/sources\/a b is not what/,
    )
    expect(error.message).not.toContain('secret')
    expect(asked).toBe(3)
    expect((await readdir(root)).filter((name) => name.startsWith('damaged'))).toEqual([])
  })
})
