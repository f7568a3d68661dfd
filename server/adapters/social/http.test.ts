import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSocialHttp, inPieces, type HttpOptions } from './http.ts'

/** An account on a server that somebody has named. */
const on = (server: string, more: Partial<HttpOptions> = {}) =>
  createSocialHttp({
    label: 'Bluesky',
    addresses: { server },
    uploadHosts: [],
    override: null,
    network: 'on',
    reach: 'any',
    now: Date.now,
    signal: AbortSignal.timeout(10_000),
    ...more,
  })({ at: 'server', path: '/xrpc/x' })

test.each(['http://169.254.169.254', 'http://[::ffff:a9fe:a9fe]', 'http://2852039166'])(
  'an account whose server is %s is asked nothing',
  (server) =>
    expect(on(server)).rejects.toMatchObject({
      message: expect.stringMatching(/^Bluesky: .*does not fetch from/) as string,
    }),
)

test('nor one inside, where only public addresses are allowed, nor anybody with the network off', async () => {
  await expect(on('http://127.0.0.1:9', { reach: 'public' })).rejects.toThrow(/does not fetch from/)
  await expect(on('https://pds.example', { network: 'off', reach: 'loopback' })).rejects.toThrow(
    /network is off/,
  )
})

async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a part of a file goes out in small pieces, so that an answer is waited for from the last one on', async () => {
  const sizes = [...inPieces(new Uint8Array(64e6))].map(({ length }) => length)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(64e6)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024)
  const url = await serverOf((request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => response.end(JSON.stringify({ bytes, told: request.headers['content-length'] })))
  })
  const ask = createSocialHttp({
    label: 'TikTok',
    addresses: { server: url },
    uploadHosts: [],
    override: null,
    network: 'on',
    reach: 'any',
    now: Date.now,
    signal: AbortSignal.timeout(60_000),
  })
  for (const length of [0, 1, 3e6]) {
    const { json } = await ask({ at: 'server', path: '/', method: 'PUT', body: new Uint8Array(length) })
    expect(json).toEqual({ bytes: length, told: String(length) })
  }
})

test('a time at which limits are lifted counts where one was met; the clock of the other side is told', async () => {
  const now = Date.UTC(2026, 5, 1)
  const url = await serverOf((request, response) => {
    const reset = String(now / 1000 + 600)
    response.writeHead(Number(request.url?.slice(1)), {
      ...(request.url === '/420' ? { 'retry-after': '0' } : { 'x-rate-limit-reset': reset }),
      date: new Date(now + 90_000).toUTCString(),
    })
    response.end('{}')
  })
  const ask = createSocialHttp({
    label: 'X',
    addresses: { server: url },
    uploadHosts: [],
    override: null,
    network: 'on',
    reach: 'any',
    now: () => now,
    signal: AbortSignal.timeout(60_000),
  })
  const told = async (status: number) => {
    const { retryAfterMs, aheadMs } = await ask({ at: 'server', path: `/${status}` })
    return [retryAfterMs, aheadMs]
  }
  expect(await told(429)).toEqual([600_000, 90_000])
  expect(await told(420)).toEqual([1000, 90_000])
  expect(await told(503)).toEqual([null, 90_000])
})
