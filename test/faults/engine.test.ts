/** The engine and its pool, with real stages: outcomes, the cache, cancel, death. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { openHome, type Home } from '../../server/home.ts'
import { createEngineClient, type EngineClient, entryPoints } from '../../server/jobs/engine-client.ts'
import { createLogger } from '../../server/log.ts'
import { artefactFolder, digestOf } from '../../workers/artefacts.ts'
import type { StageTask } from '../../workers/protocol.ts'
import { mediaTools } from '../../server/adapters/media-tools.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { measureSlowness } from '../support/pace.ts'

let root: string
let home: Home
let talk: TinyTalk
let engine: EngineClient
let base: Omit<StageTask, 'taskId' | 'stage' | 'key' | 'params' | 'inputs'>
const never = new AbortController().signal
const log: string[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-engine-'))
  home = openHome(join(root, 'home'))
  talk = await makeTinyTalk(root)
  const { sources, artefacts, temporary } = home
  const tools = await mediaTools(loadConfig({ home: home.root }, {}))
  base = { folders: { sources, artefacts, temporary }, tools: tools.paths, modelFolders: [], resources: root }
  engine = createEngineClient({
    entryPoints: entryPoints(),
    threads: 3,
    log: createLogger('debug', (line) => log.push(line)),
  })
})
afterAll(async () => {
  await engine.stop()
  await rm(root, { recursive: true, force: true })
})

let tasks = 0
const ingest = (path: string, key: string): StageTask => ({
  ...base,
  taskId: String(tasks++),
  stage: 'ingest',
  key: digestOf(key),
  params: {
    source: { kind: 'file', path },
    addresses: 'any',
    maxBytes: 1e9,
    minFreeBytes: 0,
    idleTimeoutSeconds: 10,
    totalTimeoutSeconds: 60,
    known: null,
  },
  inputs: {},
})

async function digest(): Promise<string> {
  const answer = await engine.run(ingest(talk.video, 'ingest'), { signal: never })
  if (answer.kind !== 'outcome' || !answer.outcome.ok) throw new Error(JSON.stringify(answer))
  return (answer.outcome.output as { digest: string }).digest
}

describe('engine', () => {
  it('starts with the first task, runs a stage, and takes it from the cache the second time', async () => {
    expect(engine.pid()).toBeNull()
    const fractions: number[] = []
    const onProgress = (fraction: number) => fractions.push(fraction)
    const first = await engine.run(ingest(talk.video, 'ingest'), { signal: never, onProgress })
    expect(first).toMatchObject({ kind: 'outcome', outcome: { ok: true, reused: false } })
    expect(fractions.at(-1)).toBe(1)
    const second = await engine.run(ingest(talk.video, 'ingest'), { signal: never })
    expect(second).toMatchObject({ kind: 'outcome', outcome: { ok: true, reused: true } })
    expect(await readdir(home.temporary)).toEqual([])
  })

  it('continues when progress cannot be stored, as on a full disk', async () => {
    const onProgress = () => {
      throw new Error('database or disk is full')
    }
    const answer = await engine.run(ingest(talk.video, 'unnoted'), { signal: never, onProgress })
    expect(answer).toMatchObject({ kind: 'outcome', outcome: { ok: true } })
    expect(log.join('')).toContain('database or disk is full')
  })

  it('computes again what was damaged', async () => {
    await digest()
    await writeFile(
      join(artefactFolder(home.artefacts, 'ingest', digestOf('ingest')), 'result.json'),
      '{"stage":',
    )
    const again = await engine.run(ingest(talk.video, 'ingest'), { signal: never })
    expect(again).toMatchObject({ outcome: { ok: true, reused: false } })
  })

  it('returns failures as values: bad parameters, a bad source', async () => {
    const bad = await engine.run({ ...ingest(talk.video, 'x'), params: { source: 1 } }, { signal: never })
    expect(bad).toMatchObject({ outcome: { ok: false, retryable: false, failure: { code: 'STAGE_FAILED' } } })
    const gone = await engine.run(ingest(join(root, 'nothing.mp4'), 'y'), { signal: never })
    expect(gone).toMatchObject({ outcome: { ok: false, retryable: false } })
    expect(await readdir(home.temporary)).toEqual([])
  })

  it('reports that it died, and starts again for the next task', async () => {
    const source = { kind: 'source' as const, digest: await digest() }
    const probe: StageTask = {
      ...base,
      taskId: 'probe',
      stage: 'probe',
      key: digestOf('probe'),
      params: {},
      inputs: { source },
    }
    const pid = engine.pid()
    const running = engine.run(probe, { signal: never })
    if (pid !== null) process.kill(pid, 'SIGKILL')
    expect(await running).toEqual({ kind: 'engine-died' })
    expect(engine.pid()).toBeNull()
    const again = await engine.run({ ...probe, taskId: 'again' }, { signal: never })
    expect(again).toMatchObject({ outcome: { ok: true, output: { video: { width: 320, height: 180 } } } })
    expect(engine.pid()).not.toBe(pid)
  })

  it('cancels within a second', async () => {
    const cancel = new AbortController()
    const source = { kind: 'source' as const, digest: await digest() }
    const slow: StageTask = {
      ...base,
      taskId: 'slow',
      stage: 'probe',
      key: digestOf('slow'),
      params: {},
      // A tool that never ends stands in for a very long source.
      tools: { ...base.tools, ffprobe: join(root, 'slow-tool') },
      inputs: { source },
    }
    await writeFile(slow.tools.ffprobe, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
    const running = engine.run(slow, { signal: cancel.signal })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const requested = performance.now()
    cancel.abort()
    expect(await running).toMatchObject({ outcome: { ok: false, failure: { code: 'CANCELLED' } } })
    expect(performance.now() - requested).toBeLessThan(1500 * measureSlowness())
    expect(await readdir(home.temporary)).toEqual([])
  })

  it('ends its process when it has nothing to do', async () => {
    const idle = createEngineClient({
      entryPoints: entryPoints(),
      threads: 1,
      log: createLogger('error'),
      idleMs: 100,
    })
    await idle.run(ingest(talk.video, 'ingest'), { signal: never })
    const pid = idle.pid()
    expect(pid).not.toBeNull()
    await expect.poll(() => idle.pid(), { timeout: 5000 }).toBeNull()
    await expect.poll(() => isAlive(pid ?? 0), { timeout: 5000 }).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
