import { expect, test } from 'vitest'
import { createSocialHttp, type HttpOptions } from './http.ts'

/** An account on a server that somebody has named. */
const on = (server: string, more: Partial<HttpOptions> = {}) =>
  createSocialHttp({
    ...{ label: 'Bluesky', addresses: { server }, uploadHosts: [], override: null },
    ...{ network: 'on', reach: 'any', now: Date.now, signal: AbortSignal.timeout(10_000) },
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
