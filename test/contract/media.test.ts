/** GET and HEAD /media/{id}/{name}: whole, in part, unchanged, and never anything outside the home. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerMedia } from '../../server/domain/rendering/register-media.ts'
import { addMedia, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let clip: { id: string; path: string; file: string }
const CONTENT = Buffer.from('0123456789')
beforeAll(async () => {
  server = await startTestServer()
  clip = await addMedia(server, 'clip.mp4', CONTENT)
})
afterAll(() => server.close())

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  server.call(clip.path, { method, headers, key: null })

describe('media', () => {
  it('needs no key and sends whole files with validators, to any page and any cache', async () => {
    const answer = await get({ origin: 'https://anything.example' })
    expect([answer.status, answer.text]).toEqual([200, '0123456789'])
    expect(answer.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'content-disposition': 'inline; filename="clip.mp4"',
      'cache-control': 'public, max-age=60, must-revalidate',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[\w-]{27}"$/) as string,
      'last-modified': expect.stringMatching(/GMT$/) as string,
      'x-request-id': expect.any(String) as string,
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-50', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
    ['bytes=5-500', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('Range %s: %s %j', async (range, status, text, contentRange) => {
    const answer = await get({ range })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([
      status,
      text,
      contentRange,
    ])
    expect(answer.headers['content-length']).toBe(String(text.length))
  })

  it('HEAD sends all headers and no body, and ignores a Range', async () => {
    const answer = await get({ range: 'bytes=0-3' }, 'HEAD')
    expect([answer.status, answer.bytes.length, answer.headers['content-length']]).toEqual([200, 0, '10'])
    expect(answer.headers['content-range']).toBeUndefined()
  })

  it('If-None-Match and If-Modified-Since: 304 without a body', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await get()).headers
    for (const headers of [
      { 'if-none-match': etag },
      { 'if-none-match': '*' },
      { 'if-modified-since': modified },
      { 'if-none-match': etag, range: 'bytes=0-1' },
    ]) {
      const answer = await get(headers)
      expect([answer.status, answer.bytes.length, answer.headers.etag]).toEqual([304, 0, etag])
    }
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('If-Range: a part when it is the same file, the whole when it is not', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await get()).headers
    expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': modified })).status).toBe(206)
    expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200)
    expect((await get({ range: 'bytes=0-1', 'if-range': `W/${etag}` })).status).toBe(200)
  })

  it('OPTIONS lets pages of any origin send Range', async () => {
    const answer = await get(
      { origin: 'https://a.example', 'access-control-request-method': 'GET' },
      'OPTIONS',
    )
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': expect.stringContaining('Range') as string,
    })
  })

  it('an empty file is answered whole, and has no part', async () => {
    const empty = await addMedia(server, 'empty.txt', '', 'text/plain')
    const whole = await server.call(empty.path)
    expect([whole.status, whole.headers['content-length']]).toEqual([200, '0'])
    expect((await server.call(empty.path, { headers: { range: 'bytes=0-' } })).status).toBe(416)
  })

  it('the same company, path and name keep their id; another name gets another', () => {
    const media = { companyId: 'acme', path: clip.file, name: 'clip.mp4', mediaType: 'video/mp4' }
    expect(registerMedia(server.services, media)).toBe(clip.id)
    expect(registerMedia(server.services, { ...media, name: 'other.mp4' })).not.toBe(clip.id)
    expect(clip.id).toMatch(/^[\w-]{27}$/)
  })
})

describe('addresses that are no media', () => {
  const folder = (): string => dirname(clip.path)
  it.each([
    () => `${folder()}/wrong-name.mp4`,
    () => `${folder()}`,
    () => `${folder()}/clip.mp4/more`,
    () => '/media/unknown/clip.mp4',
    () => `/media/${clip.id}/clip.mp4`,
    () => `${folder()}/..%2f..%2fcutroom.sqlite`,
    () => `${folder()}/../../cutroom.sqlite`,
    () => '/media/..%2f..%2fetc/passwd',
    () => `${folder()}/%zz`,
  ])('404 NOT_FOUND for addresses that are not exactly one of ours (%#)', async (path) => {
    const answer = await server.call(path())
    expect([answer.status, answer.json()['code']]).toEqual([404, 'NOT_FOUND'])
  })

  it('a row whose path leads out of the stored folders, by dots or by a link, is 404', async () => {
    const { root, artefacts } = server.services.home
    writeFileSync(join(root, 'outside.txt'), 'secret')
    const link = join(artefacts, 'test', 'link.txt')
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'outside.txt'), link)
    const point = server.services.db.sqlite.prepare('update media set path = ? where id = ?')
    const victim = await addMedia(server, 'victim.txt', 'fine')
    for (const path of [
      'outside.txt',
      'artefacts/../outside.txt',
      '../../etc/passwd',
      'artefacts/test/link.txt',
    ]) {
      point.run(path, victim.id)
      expect([path, (await server.call(victim.path)).status]).toEqual([path, 404])
    }
  })

  it('only files under sources and artefacts can become media', () => {
    const media = { companyId: 'acme', name: 'a.txt', mediaType: 'text/plain' }
    for (const path of ['cutroom.sqlite', '../x', '/etc/passwd', 'artefacts/../cutroom.sqlite'])
      expect(() => registerMedia(server.services, { ...media, path })).toThrow(/only files under/)
    expect(() => registerMedia(server.services, { ...media, path: clip.file, name: '../x' })).toThrow(
      /media name/,
    )
  })

  it('a file that was removed is 404, not 500', async () => {
    const gone = await addMedia(server, 'gone.mp4', 'x')
    rmSync(gone.file)
    expect((await server.call(gone.path)).status).toBe(404)
  })
})

describe('large files', () => {
  it('arrive byte for byte, and a client that disconnects in the middle leaves no file open', async () => {
    const content = randomBytes(24 * 1024 ** 2)
    const large = await addMedia(server, 'large.mp4', content)
    const whole = await server.call(large.path)
    expect(whole.bytes.equals(content)).toBe(true)
    const middle = await server.call(large.path, { headers: { range: 'bytes=1000000-9999999' } })
    expect(middle.bytes.equals(content.subarray(1_000_000, 10_000_000))).toBe(true)
    for (let count = 0; count < 8; count += 1) await startAndLeave(large.path)
    await expect.poll(() => openFiles().filter((file) => file === large.file), { timeout: 5000 }).toEqual([])
  })
})

function startAndLeave(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const requested = request({ port: server.port, host: '127.0.0.1', path, agent: false }, (response) => {
      response.once('data', () => {
        requested.destroy()
        resolve()
      })
      response.on('error', () => undefined)
    })
    requested.once('error', reject).end()
  })
}

/** Files that this process has open; on systems without /proc the check is of the transfer alone. */
function openFiles(): string[] {
  const folder = '/proc/self/fd'
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    console.warn('open files are not counted: no /proc here')
    return []
  }
  return names.flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))]
    } catch {
      // Closed between listing and looking.
      return []
    }
  })
}
