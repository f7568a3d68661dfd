import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppError } from '../../../server/contract/errors.ts'

/** What the name server says, answer by answer; the last one stays. */
const dns = vi.hoisted(() => ({ answers: [] as { address: string; family: number }[][], lookups: 0 }))
vi.mock('node:dns', () => ({
  lookup: (_name: string, _options: unknown, done: (error: null, found: unknown) => void) => {
    dns.lookups += 1
    const answer = dns.answers.length > 1 ? dns.answers.shift() : dns.answers[0]
    setImmediate(() => done(null, answer ?? []))
  },
}))
const { guardedAgent, guardedLookup } = await import('./guard.ts')

const four = (address: string) => ({ address, family: 4 })
const six = (address: string) => ({ address, family: 6 })

let server: Server
let port = 0
let requests = 0
beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1
    response.end('inside')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => Object.assign(dns, { answers: [], lookups: 0 }))

/** What came of asking this address: the body, or the code and the sentence. */
async function ask(url: string, policy: 'any' | 'public' | 'loopback'): Promise<string> {
  const agent = guardedAgent(policy, 2)
  try {
    const { body } = await request(url, { dispatcher: agent })
    return await body.text()
  } catch (error) {
    return (error as AppError).code
  } finally {
    await agent.destroy()
  }
}

describe('names', () => {
  test('that lead inside are refused at the socket, whatever they led to before (DNS rebinding)', async () => {
    dns.answers = [[four('93.184.216.34')], [four('127.0.0.1')]]
    // Somebody has looked, and found a public address...
    await new Promise((resolve) => guardedLookup('public')('rebind.test', { all: true }, resolve))
    // ...the connection looks for itself.
    const before = requests
    expect(await ask(`http://rebind.test:${port}/`, 'public')).toBe('SOURCE_FORBIDDEN')
    expect([dns.lookups, requests - before]).toEqual([2, 0])
  })

  test('are looked up once for a connection, and that answer is the one that is connected to', async () => {
    dns.answers = [[four('127.0.0.1')], [four('169.254.169.254')]]
    expect(await ask(`http://inside.test:${port}/`, 'any')).toBe('inside')
    expect(dns.lookups).toBe(1)
  })

  test('with several addresses lose those that are refused', async () => {
    dns.answers = [[four('169.254.169.254'), six('fd00:ec2::254'), four('127.0.0.1')]]
    expect(await ask(`http://mixed.test:${port}/`, 'any')).toBe('inside')
    expect(await ask(`http://mixed.test:${port}/`, 'public')).toBe('SOURCE_FORBIDDEN')
  })

  test('of other machines are not even looked up with the network off', async () => {
    dns.answers = [[four('127.0.0.1')]]
    for (const host of ['example.com', 'rebind.test', 'localhost.example.com', 'intranet'])
      expect(await ask(`http://${host}:${port}/`, 'loopback')).toBe('SOURCE_FORBIDDEN')
    expect(await ask(`http://localhost:${port}/`, 'loopback')).toBe('inside')
    expect(await ask(`http://studio.localhost:${port}/`, 'loopback')).toBe('inside')
    expect(dns.lookups).toBe(0)
  })
})

const LOOPBACK_FORMS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[::127.0.0.1]',
  '10.0.0.1',
  '192.168.0.1',
  '[fd00::1]',
  '100.64.0.1',
]
const NEVER = [
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '224.0.0.1',
  '255.255.255.255',
  '[ff02::1]',
]

test('streams turn to nobody with the network off either, by TCP or by UDP', async () => {
  const { connectGuarded } = await import('../record/pull-rtmp.ts')
  const { startUdpRelay } = await import('../record/pull-srt.ts')
  const refused = { code: 'SOURCE_FORBIDDEN', message: expect.stringMatching(/network is off/i) as string }
  for (const host of ['stream.example', '93.184.216.34']) {
    const to = { host, port: 1935, secure: false, addresses: 'loopback', timeoutSeconds: 2 } as const
    await expect(connectGuarded(to, AbortSignal.timeout(5000))).rejects.toMatchObject(refused)
    await expect(startUdpRelay(to, 'loopback')).rejects.toMatchObject(refused)
  }
  expect(dns.lookups).toBe(0)
})

test.each(LOOPBACK_FORMS)(
  'an address inside, written as %s, is refused to the public policy',
  async (host) => {
    const before = requests
    expect(await ask(`http://${host}:${port}/`, 'public')).toBe('SOURCE_FORBIDDEN')
    expect([dns.lookups, requests - before]).toEqual([0, 0])
  },
)

test.each(NEVER)('%s is refused to every policy', async (host) => {
  for (const policy of ['any', 'public', 'loopback'] as const)
    expect(await ask(`http://${host}:${port}/`, policy), policy).toBe('SOURCE_FORBIDDEN')
})

test.each(['93.184.216.34', '10.0.0.1', '[2a00:1450:4001:80e::200e]', '[64:ff9b::7f00:1]'])(
  '%s is refused with the network off',
  async (host) => expect(await ask(`http://${host}:${port}/`, 'loopback')).toBe('SOURCE_FORBIDDEN'),
)
