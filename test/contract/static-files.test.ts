/**
 * The built studio as it is served: precompressed files, what a browser may cache, and what stays open when a client
 * disconnects.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { precompress } from '../../server/cli/precompress.ts'
import { staticFiles } from '../../server/http/studio/static-files.ts'

const SCRIPT = `export const words = ${JSON.stringify('clip '.repeat(500))}\n`
const PAGE = `<!doctype html><title>studio</title>${'<p>page</p>'.repeat(50)}`

let root: string
let server: Server
let port: number

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cutroom-static-'))
  const folder = join(root, 'renderer')
  mkdirSync(join(folder, 'assets'), { recursive: true })
  mkdirSync(join(root, 'fonts'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'assets', 'index-abc.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'tiny-abc.js'), 'go()')
  writeFileSync(join(root, 'fonts', 'Large.ttf'), Buffer.alloc(8_000_000))
  await precompress(folder, ['index.html', 'assets/index-abc.js', 'assets/tiny-abc.js'])
  const files = staticFiles(folder, { fonts: join(root, 'fonts'), publicUrl: null })
  server = createServer((requested, response) => {
    void files.serve(requested, response, requested.url ?? '/').then((served) => {
      if (!served) response.writeHead(404).end('no')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections())
  rmSync(root, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Bytes as they are sent: `fetch` would decompress them. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('a script', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip; q=0.0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('is sent to a client that accepts "%s" as %s', async (accepted, coding) => {
    const answer = await get('/assets/index-abc.js', { 'accept-encoding': accepted })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(answer.headers['content-length']).toBe(String(answer.body.length))
    const plain =
      coding === 'br'
        ? brotliDecompressSync(answer.body)
        : coding === 'gzip'
          ? gunzipSync(answer.body)
          : answer.body
    expect(plain.toString()).toBe(SCRIPT)
    if (coding !== undefined) expect(answer.body.length).toBeLessThan(SCRIPT.length / 10)
  })

  it('is sent as it is when compression would make it larger', async () => {
    expect(readdirSync(join(root, 'renderer', 'assets')).filter((name) => name.startsWith('tiny'))).toEqual([
      'tiny-abc.js',
    ])
    const answer = await get('/assets/tiny-abc.js', { 'accept-encoding': 'br, gzip' })
    expect([answer.headers['content-encoding'], answer.body.toString()]).toEqual([undefined, 'go()'])
  })

  it('has no body for HEAD', async () => {
    const answer = await get('/assets/index-abc.js', {}, 'HEAD')
    expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([
      200,
      String(SCRIPT.length),
      0,
    ])
  })
})

test('a range is answered in full', async () => {
  const answer = await get('/assets/index-abc.js', { range: 'bytes=-5' })
  expect([answer.status, answer.body.toString()]).toEqual([200, SCRIPT])
})

test('sends a page again only when its content differs, even at the same length', async () => {
  const first = await get('/', { 'accept-encoding': 'br' })
  expect(brotliDecompressSync(first.body).toString()).toBe(PAGE)
  expect(first.headers['cache-control']).toBe('no-cache')
  const etag = first.headers.etag ?? ''
  const again = await get('/', { 'if-none-match': etag })
  expect([again.status, again.headers.etag, again.headers.vary]).toEqual([304, etag, 'Accept-Encoding'])
  writeFileSync(join(root, 'renderer', 'index.html'), PAGE.replace('studio', 'change'))
  await precompress(join(root, 'renderer'), ['index.html'])
  const other = await get('/', { 'if-none-match': etag, 'accept-encoding': 'gzip' })
  expect(other.status).toBe(200)
  expect(gunzipSync(other.body).toString()).toContain('change')
})

test('answers 404 for a file that a new build has removed, and keeps running', async () => {
  writeFileSync(join(root, 'renderer', 'assets', 'old-abc.js'), 'old()')
  expect((await get('/assets/old-abc.js')).status).toBe(200)
  rmSync(join(root, 'renderer', 'assets', 'old-abc.js'))
  expect((await get('/assets/old-abc.js')).status).toBe(404)
})

test.runIf(process.platform === 'linux')(
  'leaves no file open for clients that disconnect in the middle',
  async () => {
    const open = (): number => readdirSync('/proc/self/fd').length
    const before = open()
    for (let count = 0; count < 40; count++)
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write('GET /fonts/Large.ttf HTTP/1.1\r\nHost: localhost\r\n\r\n'),
        )
        socket.once('data', () => {
          socket.destroy()
          resolve()
        })
      })
    await expect.poll(open).toBeLessThan(before + 10)
  },
)
