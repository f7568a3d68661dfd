/** Speech that is transcribed while the source is still on its way, against what is heard when all of it is here. */
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { createRunWithOperation } from '../../server/db/runs.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { artefactFolder, digestOf } from '../../workers/artefacts.ts'
import { makeHalfHourTalk } from '../support/half-hour-talk.ts'
import { describeRun, queueRun, settledRun, slotsOf, TINY_NODES, until } from '../support/run-on-jobs.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const hasMedia = existsSync(SHARED)
if (!hasMedia) console.log('Skipped: the development media and models are not beside the project.')

let root: string
let video: string
let body: Buffer
let server: Server
let appliance: Appliance | null = null
/** Bytes that are sent at once; the rest follows when `open` is called. */
let firstBytes = 0
let gate = Promise.withResolvers<void>()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-ahead-'))
  if (!hasMedia) return
  await mkdir(join(root, 'models'))
  for (const kind of ['asr', 'vad']) await symlink(join(SHARED, 'models', kind), join(root, 'models', kind))
  video = await makeHalfHourTalk(join(root, 'talk.mp4'))
  body = await readFile(video)
  server = createServer((request, response) => {
    if (request.url !== '/talk.mp4') return void response.writeHead(404).end()
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const headers = { 'content-type': 'video/mp4', 'content-length': body.length - start, etag: '"talk"' }
    response.writeHead(start === 0 ? 200 : 206, {
      ...headers,
      ...(start === 0 ? {} : { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }),
    })
    if (start < firstBytes) response.write(body.subarray(start, firstBytes))
    void gate.promise.then(() => response.end(body.subarray(Math.max(start, firstBytes))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
}, 400_000)
afterEach(async () => {
  gate.resolve()
  await appliance?.stop()
  appliance = null
})
afterAll(async () => {
  if (hasMedia) server.close()
  await rm(root, { recursive: true, force: true })
})

async function start(name: string): Promise<Appliance> {
  const environment = {
    CUTROOM_MIN_FREE_BYTES: '0',
    CUTROOM_MODELS: join(root, 'models'),
    CUTROOM_SPEECH_MODEL: 'random-whisper',
  }
  const config = loadConfig({ home: join(root, name), port: '0' }, environment)
  const log = createLogger('error', () => undefined)
  return (appliance = await startAppliance(config, log))
}

/** A run of the talk by its address. */
function fetchTalk({ services }: Appliance): string {
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/talk.mp4`
  const snapshot = {
    workflowId: 'w',
    workflowName: 'W',
    nodes: [...TINY_NODES],
    originalUrl: url,
    keywords: [],
    source: { kind: 'url' as const, url },
    channel: 'current' as const,
    pipelineVersion: '1.0.0',
  }
  const { runId } = createRunWithOperation(services.db, { companyId: 'local', snapshot, now: Date.now() })
  services.jobs.wake()
  return runId
}

/** The words as they lie on the disk, and their key. */
async function wordsOf({ services }: Appliance, runId: string): Promise<{ key: string; words: string }> {
  const { status } = await settledRun(services.db, runId, undefined, 300_000)
  const key = slotsOf(services.db, runId).get('speech')?.key ?? ''
  expect(status, describeRun(services.db, runId)).toBe('Completed')
  const folder = artefactFolder(services.home.artefacts, 'speech', key)
  return { key, words: await readFile(join(folder, 'transcript.json'), 'utf8') }
}

describe.skipIf(!hasMedia)('the speech of a long download', () => {
  let alone: { key: string; words: string }
  beforeAll(async () => {
    const own = await start('alone')
    const { runId } = queueRun(own.services.db, video, TINY_NODES, 'local')
    own.services.jobs.wake()
    alone = await wordsOf(own, runId)
    expect(slotsOf(own.services.db, runId).has('piece:0')).toBe(false)
    await own.stop()
    appliance = null
  }, 400_000)

  it('is transcribed before the last byte is here, and is what one file gives', async () => {
    firstBytes = Math.round(body.length * 0.8)
    gate = Promise.withResolvers()
    const own = await start('ahead')
    const { db, home } = own.services
    const runId = fetchTalk(own)
    const explain = () => describeRun(db, runId)
    const isHeard = (part: number) => slotsOf(db, runId).get(`ahead:${part}`)?.state === 'finished'
    await until(() => isHeard(0) && isHeard(1), 120_000, explain)
    expect(slotsOf(db, runId).get('ingest')?.state).toBe('running')
    const counts = [0, 1].map((part) => slotsOf(db, runId).get(`ahead:${part}`)?.output)
    for (const output of counts) expect((output as { windowCount: number }).windowCount).toBeGreaterThan(0)

    gate.resolve()
    expect(await wordsOf(own, runId)).toEqual(alone)
    // The pieces are gone once the run has ended; the source stays.
    const sources = () => readdirSync(home.sources, { recursive: true, encoding: 'utf8' })
    const files = () => sources().filter((name) => /[0-9a-f]{64}$/.test(name))
    await expect.poll(() => files().length, { timeout: 10_000 }).toBe(1)
    // Nothing is begun any more when all of it is here.
    expect([...slotsOf(db, runId).keys()].filter((slot) => slot.startsWith('ahead:'))).toEqual([
      'ahead:0',
      'ahead:1',
    ])
  }, 580_000)

  it('is not transcribed again: what was found ahead is taken as it is', async () => {
    firstBytes = Math.round(body.length * 0.5)
    gate = Promise.withResolvers()
    const own = await start('marked')
    const { db, home } = own.services
    const runId = fetchTalk(own)
    const heard = await until(
      () => {
        const stage = slotsOf(db, runId).get('ahead:0')
        return stage?.state === 'finished' ? stage : null
      },
      120_000,
      () => describeRun(db, runId),
    )
    const file = join(artefactFolder(home.artefacts, 'speech-ahead', heard.key), 'windows.jsonl')
    const [first = '', ...rest] = (await readFile(file, 'utf8')).trim().split('\n')
    const line = JSON.parse(first) as { sound: string; decoded: { pieces: { text: string }[] } }
    const [piece] = line.decoded.pieces
    if (piece === undefined) throw new Error('nothing was heard in the first window')
    piece.text = ' Marked'
    const sum = digestOf({ decoded: line.decoded, sound: line.sound })
    await writeFile(file, [JSON.stringify({ ...line, sum }), ...rest].map((text) => `${text}\n`).join(''))
    gate.resolve()
    const { key, words } = await wordsOf(own, runId)
    expect(key).toBe(alone.key)
    expect(words).toContain('Marked')
    expect(alone.words).not.toContain('Marked')
  }, 580_000)
})
