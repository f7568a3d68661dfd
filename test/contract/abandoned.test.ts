/** Clients that disconnect before a response has begun: what was opened for the response is closed. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createTrace } from '../../server/http/call-trace.ts'
import { NO_LIMITS } from '../../server/http/rate-limits.ts'
import { answerByElysia } from '../../server/http/elysia-exchange.ts'

it('cancels the stream of a client that disconnected, without an error', async () => {
  let cancelled = false
  const body = new ReadableStream({ cancel: () => void (cancelled = true) })
  const ended = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    response.once('close', () => {
      const trace = createTrace(request, NO_LIMITS)
      const app = { fetch: () => new Response(body) }
      answerByElysia(
        app,
        { request, response, requestId: 'x' },
        { principal: null, trace, baseUrl: '' },
      ).then(
        () => ended.resolve('no error'),
        (error: unknown) => ended.resolve(String(error)),
      )
    })
  })
  try {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(server, 'request')
    client.destroy()
    expect(await ended.promise).toBe('no error')
    await expect.poll(() => cancelled, { timeout: 10_000 }).toBe(true)
  } finally {
    server.close()
  }
})
