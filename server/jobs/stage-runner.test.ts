import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { digestOf } from '../../workers/artefacts.ts'
import { loadConfig } from '../config/config.ts'
import { openHome, type Home } from '../home.ts'
import type { EngineAnswer, EngineClient } from './engine-client.ts'
import { AppError } from '../contract/errors.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import type { MediaStore } from '../domain/store/media-store.ts'
import { laneLimits } from '../domain/operations/lane-limits.ts'
import { createLanes } from './lanes.ts'
import { createStageRunner, modelsOf } from './stage-runner.ts'
import type { RemoteExecutor } from './remote/executor.ts'
import { isRemote } from './remote/protocol.ts'
import type { StageRequest, StageVerdict } from './attempt-stage.ts'

let home: Home
let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-stages-'))
  home = openHome(root)
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const died: EngineAnswer = { kind: 'engine-died' }
const later = () => new Promise((resolve) => setTimeout(resolve, 20))

/** An engine that fails every task after a moment, and counts how many it had in hand at once. */
function countingEngine() {
  const seen = { now: 0, most: 0, tasks: 0 }
  const engine: EngineClient = {
    run: async () => {
      seen.tasks += 1
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await later()
      seen.now -= 1
      return died
    },
    pid: () => null,
    stop: () => Promise.resolve(),
  }
  return { engine, seen }
}

function runner(engine: EngineClient, remote: RemoteExecutor | null = null, store?: MediaStore) {
  const tools = { paths: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, fingerprint: 'x' }
  return createStageRunner(
    { config: { ...loadConfig({ home: root }, {}), minFreeBytes: 0 }, home, ...omitUndefined({ store }) },
    {
      engine,
      lanes: createLanes(laneLimits(8)),
      toolbox: {
        tools: () => Promise.resolve(tools),
        modelFingerprint: (task) => Promise.resolve(`${task}@1`),
      },
      remote,
    },
  )
}

function request(signal: AbortSignal = new AbortController().signal): StageRequest {
  return {
    invocation: { slot: 'probe', stage: 'probe', params: {}, inputs: {} },
    key: digestOf('probe'),
    companyId: 'c',
    urgent: false,
    signal,
    onProgress: () => undefined,
    begin: () => null,
  }
}

it('computes one key once at a time, also when the one that was waited for fails', async () => {
  const { engine, seen } = countingEngine()
  const stages = runner(engine)
  const verdicts = await Promise.all([1, 2, 3, 4].map(() => stages.run(request())))
  expect(verdicts).toEqual(Array.from({ length: 4 }, (): StageVerdict => ({ kind: 'engine-died' })))
  expect(seen).toEqual({ now: 0, most: 1, tasks: 4 })
})

it('stops waiting for another when its own run is stopped', async () => {
  const { engine, seen } = countingEngine()
  const stages = runner(engine)
  const cancel = new AbortController()
  const first = stages.run(request())
  const second = stages.run(request(cancel.signal))
  cancel.abort()
  expect(await second).toEqual({ kind: 'stopped' })
  expect(await first).toEqual({ kind: 'engine-died' })
  expect(seen.tasks).toBe(1)
})

it('does here what another server is waited for, under a key of its address and the models that matter', async () => {
  const { engine, seen } = countingEngine()
  const taken: string[] = []
  const remote = {
    takes: ({ stage, lane }: StageRequest['invocation']) => isRemote(stage, lane),
    run: ({ stage }: { stage: string }) => {
      taken.push(stage)
      return Promise.resolve<StageVerdict>({ kind: 'engine-died' })
    },
  } as unknown as RemoteExecutor
  const stages = runner(engine, remote)
  const local: StageRequest['invocation'] = {
    slot: 'speech',
    stage: 'speech',
    params: { model: '' },
    inputs: {},
  }
  const server = { address: 'http://gpu/v1', model: 'large' }
  const byServer = (key: string) => ({
    ...local,
    params: { model: '', server: { ...server, key } },
    keyParams: { model: '', server },
    lane: 'network' as const,
    models: ['voice-activity'],
  })
  await stages.run({ ...request(), invocation: byServer('hush'), key: digestOf('server') })
  expect([taken, seen.tasks]).toEqual([[], 1])
  await stages.run({ ...request(), invocation: local, key: digestOf('local') })
  expect([taken, seen.tasks]).toEqual([['speech'], 1])
  const [first, second, third] = await Promise.all(
    [byServer('hush'), byServer('another'), local].map((invocation) => stages.keyOf(invocation, 'run')),
  )
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(
    await modelsOf({ modelFingerprint: (task) => Promise.resolve(`${task}@1`) }, byServer('hush')),
  ).toEqual({
    'voice-activity': 'voice-activity@1',
  })
})

it('takes a result of a node for finished once the store has it, and fails where the store is away', async () => {
  const finished: StageVerdict = {
    kind: 'finished',
    output: {},
    warnings: [],
    milliseconds: 1,
    reused: false,
  }
  const remote = {
    takes: () => true,
    run: () => Promise.resolve(finished),
  } as unknown as RemoteExecutor
  const kept: string[] = []
  let isAway = false
  const store = {
    bringReadFiles: () => Promise.resolve(false),
    bringResult: () => Promise.resolve(false),
    keepResult: ({ stage }: { stage: string }) => {
      if (isAway) throw new AppError('STORE_UNAVAILABLE')
      kept.push(stage)
      return Promise.resolve()
    },
  } as unknown as MediaStore
  const stages = runner(countingEngine().engine, remote, store)
  expect(await stages.run(request())).toEqual(finished)
  expect(kept).toEqual(['probe'])
  isAway = true
  expect(await stages.run(request())).toMatchObject({
    kind: 'failed',
    failure: { code: 'STORE_UNAVAILABLE' },
  })
})
