/** Everything that can be wrong with a source, at once, against one real server: each ends with its reason, and cleanly. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandLine, until } from '../support/run-on-jobs.ts'
import { descendantsOf, leftovers, startAppliance, type RunningAppliance } from '../support/appliance.ts'
import { serveBytes, startBadServer, type Answer, type BadServer } from '../support/bad-server.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'

const SRT = '1\n00:00:01,000 --> 00:00:02,500\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n'
const PAGE = Buffer.from(`<!DOCTYPE html><html><body>${'words '.repeat(2000)}</body></html>`)
/** The whole file of cases in one go; the machine may be busy with others. */
const ALL_MS = 90_000

let folder = ''
let server: BadServer
let appliance: RunningAppliance
const home = () => join(folder, 'home')

const endless: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': 3 * 1024 ** 3 })
  const send = (): void => {
    while (!response.destroyed && response.write(PAGE)) continue
    if (!response.destroyed) response.once('drain', send)
  }
  send()
}

const declaring =
  (bytes: Buffer, length: number): Answer =>
  (_request, response) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\ncontent-length: ${length}\r\n\r\n`
    response.socket?.write(head)
    response.socket?.end(bytes)
  }

async function makeSources(): Promise<Record<string, Answer>> {
  const sound = [...picture(30), ...tone(30)]
  const [whole, faststart, mute, soundOnly] = await Promise.all([
    makeMedia(folder, 'whole.mp4', [...sound, ...h264()]),
    makeMedia(folder, 'faststart.mp4', [...sound, ...h264(), '-movflags', '+faststart']),
    makeMedia(folder, 'mute.mp4', [...picture(30), ...h264()]),
    makeMedia(folder, 'sound.m4a', [...tone(30), '-c:a', 'aac']),
  ])
  const read = await Promise.all([whole, faststart, mute, soundOnly].map((path) => readFile(path)))
  const [atEnd, atStart, noSound, noPicture] = read as [Buffer, Buffer, Buffer, Buffer]
  const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
  return {
    '/endless.mp4': endless,
    '/mute.mp4': serveBytes(noSound),
    '/sound.m4a': serveBytes(noPicture, { type: 'audio/mp4' }),
    '/empty.mp4': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
    '/cut-index-lost.mp4': serveBytes(half(atEnd)),
    '/cut-index-kept.mp4': serveBytes(half(atStart)),
    '/says-more.mp4': declaring(atStart, atStart.length + 50_000),
    '/says-less.mp4': declaring(atStart, atStart.length - 50_000),
    '/to-metadata.mp4': (_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
    '/to-file.mp4': (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/silent.mp4': () => undefined,
    '/subtitles.mp4': serveBytes(Buffer.from(SRT)),
    '/noise.mp4': serveBytes(Buffer.from('not a moving picture\n'.repeat(5000))),
  }
}

/** Address, code and what the sentence must speak of. */
const CASES: readonly (readonly [string, string, RegExp])[] = [
  ['/gone.mp4', 'SOURCE_UNREACHABLE', /404|not found|nothing/i],
  ['/endless.mp4', 'SOURCE_NOT_VIDEO', /web page|html/i],
  ['/mute.mp4', 'NO_SPEECH', /no sound/i],
  ['/sound.m4a', 'SOURCE_NOT_VIDEO', /no picture/i],
  ['/empty.mp4', 'SOURCE_NOT_VIDEO', /empty/i],
  ['/cut-index-lost.mp4', 'SOURCE_NOT_VIDEO', /cut off|incomplete|index|damaged/i],
  ['/cut-index-kept.mp4', 'SOURCE_NOT_VIDEO', /cut off|incomplete|missing|damaged/i],
  ['/says-more.mp4', 'SOURCE_UNREACHABLE', /promised \d+ bytes/i],
  ['/says-less.mp4', 'SOURCE_UNREACHABLE', /sends more/i],
  ['/to-metadata.mp4', 'SOURCE_FORBIDDEN', /169\.254\.169\.254/],
  ['/to-file.mp4', 'SOURCE_FORBIDDEN', /file:/],
  ['/silent.mp4', 'SOURCE_UNREACHABLE', /answer|silen|sent nothing/i],
  ['/subtitles.mp4', 'SOURCE_NOT_VIDEO', /subtitle|caption/i],
  ['/noise.mp4', 'SOURCE_NOT_VIDEO', /video/i],
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-bad-input-'))
  const workflow = join(folder, 'workflow.json')
  const nodes = [{ id: 'find', type: 'find_clips', config: { min_length: 8, max_length: 15 } }]
  await writeFile(workflow, JSON.stringify({ name: 'Plain', description: '', nodes, edges: [] }))
  server = await startBadServer(await makeSources())
  appliance = await startAppliance(home(), workflow, { CUTROOM_SOURCE_IDLE_TIMEOUT: '1' })
}, 60_000)
afterAll(async () => {
  await appliance.process.stop('SIGKILL')
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A sentence for a person: begins and ends as one, and names no file, code or stack of ours. */
function expectSentence(text: string): void {
  expect(text).toMatch(/^[A-Z].{15,}[.!]$/s)
  expect(text).not.toMatch(/\bat \S+:\d+|ENOENT|undefined|\[object|Error:|ffprobe|moov|\/tmp\//)
  expect(text).not.toContain(folder)
}

test.each([
  ['not a url', 'INVALID_URL'],
  ['http://', 'INVALID_URL'],
  ['ftp://example.com/a.mp4', 'UNSUPPORTED_SOURCE_URL'],
  ['file:///etc/passwd', 'UNSUPPORTED_SOURCE_URL'],
])('the address %j is refused at once with %s', async (url, code) => {
  const { companyId, workflowId } = appliance.tenant
  const body = { companyId, workflowId, url }
  const answer = await appliance.client.call<Record<string, string>>('POST', '/trigger-template', body)
  expect(answer).toMatchObject({ status: 400, body: { status: 'error', code } })
  expectSentence(answer.body['error'] ?? '')
})

describe('side by side on one server', () => {
  test(
    'every bad source ends in Error with its code and a sentence, and nothing of it stays',
    async () => {
      const { client, process: running } = appliance
      const ended = await Promise.all(
        CASES.map(async ([path]) =>
          client
            .settled(await client.trigger(server.url(path)), ALL_MS)
            .then((results) => ({ path, results })),
        ),
      )
      const outcome = ended.map(({ path, results }) => [path, results.status, results.code])
      expect(outcome).toEqual(CASES.map(([path, code]) => [path, 'Error', code]))
      for (const [index, [, , words]] of CASES.entries()) {
        const { error = '', clips } = ended[index]?.results ?? { clips: [] }
        expect(error).toMatch(words)
        expectSentence(error)
        expect(clips).toEqual([])
      }
      await until(
        async () => (await leftovers(home())).length === 0,
        3000,
        () => 'something is left behind',
      )
      // The engine and its reaper stay, as they do between runs.
      const below = descendantsOf(running.pid).map(commandLine)
      expect(below.filter((line) => !/\/(engine|reaper)\.(js|ts) /.test(line))).toEqual([])
      // And the server is as well as before.
      expect((await client.call('GET', `/workflows?companyId=${appliance.tenant.companyId}`)).status).toBe(
        200,
      )
      expect(running.stdout).toHaveLength(1)
    },
    ALL_MS + 10_000,
  )
})

test('where only public sources are allowed, this network is refused by number and by name', async () => {
  const workflow = join(folder, 'workflow.json')
  const strict = await startAppliance(join(folder, 'strict'), workflow, { CUTROOM_SOURCES: 'public' })
  try {
    const before = server.seen.length
    const { port } = new URL(server.url('/'))
    const urls = [server.url('/mute.mp4'), `http://localhost:${port}/mute.mp4`, 'http://10.1.2.3/a.mp4']
    const ended = await Promise.all(
      urls.map(async (url) => strict.client.settled(await strict.client.trigger(url), ALL_MS)),
    )
    for (const { status, code, error = '' } of ended) {
      expect([status, code]).toEqual(['Error', 'SOURCE_FORBIDDEN'])
      expectSentence(error)
    }
    // Refused before a connection was made, not after an answer.
    expect(server.seen.length).toBe(before)
    expect(await leftovers(join(folder, 'strict'))).toEqual([])
  } finally {
    await strict.process.stop('SIGKILL')
  }
}, 60_000)
