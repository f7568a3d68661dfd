import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isLocalHost } from './block-network.ts'

const execute = promisify(execFile)

/** A program of its own: what is held stays held. */
const PROGRAM = `
import { blockNetwork, inheritNetworkBlock } from ${JSON.stringify(join(import.meta.dirname, 'block-network.ts'))}
import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { connect as secure } from 'node:tls'
import { isMainThread, Worker } from 'node:worker_threads'

if (isMainThread) blockNetwork()
else inheritNetworkBlock()
const describeError = (error) => (error === null ? 'went through' : (error.cause ?? error).message)
const event = (socket) => new Promise((done) => socket.once('error', (error) => done(describeError(error))).once('connect', () => done('went through')))
const promised = (work) => work.then(() => 'went through', describeError)
const called = (work) => new Promise((done) => work((error) => done(describeError(error))))
const thrown = (work) => { try { work(); return 'went through' } catch (error) { return describeError(error) } }
const socket = () => dgram.createSocket('udp4').unref()

const out = {
  address: await event(connect(443, '192.0.2.1')),
  options: await event(connect({ host: '2001:db8::1', port: 443 })),
  name: await event(connect({ host: 'example.com', port: 443 })),
  tls: await event(secure({ host: 'example.com', port: 443 })),
  fetch: await promised(fetch('http://example.com/')),
  undici: await promised(import('undici').then(({ request }) => request('http://192.0.2.1/'))),
  lookup: await called((done) => lookup('example.com', done)),
  lookupLater: await promised(dns.promises.lookup('example.com')),
  resolve: await called((done) => new dns.Resolver().resolve4('example.com', done)),
  send: thrown(() => socket().send('x', 53, '192.0.2.1')),
  join: thrown(() => socket().connect(53, '192.0.2.1')),
}
const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
await new Promise((done) => server.once('listening', done))
const { port } = server.address()
const here = [
  await (await fetch('http://127.0.0.1:' + port)).text(),
  await (await fetch('http://localhost:' + port)).text(),
]
server.close()
server.closeAllConnections()
console.log(JSON.stringify({ out, here }))
if (isMainThread) new Worker(new URL(import.meta.url))
`

test('nothing of this process or its threads turns to another machine, and this one is reached', async () => {
  // Inside the repository, so that it finds its packages.
  const folder = await mkdtemp(join(import.meta.dirname, '..', 'node_modules', '.held-'))
  try {
    const file = join(folder, 'program.mjs')
    await writeFile(file, PROGRAM)
    const { stdout } = await execute(process.execPath, [file], { timeout: 30_000 })
    const lines = stdout.trim().split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      const { out, here } = JSON.parse(line) as { out: Record<string, string>; here: string[] }
      expect(here).toEqual(['here', 'here'])
      expect(Object.keys(out)).toHaveLength(11)
      for (const [way, message] of Object.entries(out)) expect(message, way).toMatch(/^The network is off/)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost', true],
  ['a.localhost', true],
  ['10.0.0.1', false],
  ['::ffff:10.0.0.1', false],
  ['128.0.0.1', false],
  ['localhost.example.com', false],
  ['example.com', false],
])('%s is local: %s', (host, local) => expect(isLocalHost(host)).toBe(local))
