import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { request } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { readBounded } from './guarded-fetch.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const bytes = (...sizes: number[]): Readable => Readable.from(sizes.map((size) => Buffer.alloc(size, 0x61)))

/** A server that answers in the given way; its address. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  ['nothing', [], 0],
  ['less than the limit', [3, 4], 7],
  ['exactly the limit', [4, 4, 2], 10],
])('reads %s', async (_, sizes, length) => {
  expect(await readBounded(bytes(...sizes), 10)).toEqual(Buffer.alloc(length, 0x61))
})

it.each([
  ['one byte over, at the end', [5, 5, 1]],
  ['one byte over, in one piece', [11]],
])('refuses %s, and closes the body', async (_, sizes) => {
  const body = bytes(...sizes)
  expect(await readBounded(body, 10)).toBeNull()
  expect(body.destroyed).toBe(true)
})

it('asks for nothing after the byte that was too many', async () => {
  let given = 0
  const closed: string[] = []
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        given += 4
        yield await Promise.resolve(Buffer.alloc(4))
      }
    } finally {
      closed.push('closed')
    }
  }
  expect(await readBounded(endless(), 10)).toBeNull()
  expect([given, closed]).toEqual([12, ['closed']])
})

it('keeps letters whole that come in two pieces', async () => {
  const word = Buffer.from('Grüße')
  const body = Readable.from([word.subarray(0, 3), word.subarray(3)])
  expect((await readBounded(body, 100))?.toString()).toBe('Grüße')
})

it('rejects with what broke the body', async () => {
  const body = new PassThrough()
  body.write('half')
  const read = readBounded(body, 100)
  body.destroy(new Error('the line was cut'))
  await expect(read).rejects.toThrow('the line was cut')
})

it('ends with its request when that is aborted', async () => {
  const abort = new AbortController()
  const address = await serve((response) => {
    response.write('the first half')
  })
  const { body } = await request(address, { signal: abort.signal })
  const read = readBounded(body, 100)
  abort.abort(new Error('nobody wants it any more'))
  await expect(read).rejects.toThrow('nobody wants it any more')
})

it('closes the connection to a server that does not stop', async () => {
  const gone = Promise.withResolvers<void>()
  const address = await serve((response) => {
    const more = (): void => {
      while (response.write(Buffer.alloc(64 * 1024)));
    }
    response.on('drain', more).on('close', () => gone.resolve())
    more()
  })
  const { body } = await request(address)
  expect(await readBounded(body, 1_000_000)).toBeNull()
  await gone.promise
})
