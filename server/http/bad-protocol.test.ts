import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { answerBadProtocol } from './server.ts'

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** All that a connection is told on which this is sent, and nothing more. */
async function readAfter(sent: string): Promise<string> {
  server = createServer({ headersTimeout: 200, requestTimeout: 0, connectionsCheckingInterval: 50 })
  server.on('clientError', answerBadProtocol)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(sent))
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  await new Promise((resolve) => socket.on('close', resolve).on('error', () => undefined))
  return received
}

it('closes a connection that never said anything without a word: a browser would take it for its next answer', async () => {
  expect(await readAfter('')).toBe('')
})

it.each([
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', '408 Request Timeout'],
  ['what is not HTTP', 'what is this?\r\n\r\n', '400 Bad Request'],
  ['headers beyond measure', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431 Request Header'],
])('answers %s', async (_name, sent, status) => {
  const received = await readAfter(sent)
  expect(received).toContain(`HTTP/1.1 ${status}`)
  expect(received).toContain('"code":"INVALID_REQUEST"')
})
