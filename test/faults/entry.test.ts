/** What a pool thread leaves behind when a stage does not come to its end. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openHome, type Home } from '../../server/home.ts'
import { digestOf } from '../../workers/artefacts.ts'
import runJob from '../../workers/entry.ts'
import type { StageOutcome, StageTask } from '../../workers/protocol.ts'
import { HANDLERS } from '../../workers/stages/registry.ts'

let home: Home
let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-entry-'))
  home = openHome(root)
  // By name and size a speech model: it is never loaded here.
  const files = ['config.json', 'tokenizer.json', 'preprocessor_config.json']
  const parts = ['onnx/encoder_model.onnx', 'onnx/decoder_model_merged.onnx']
  await mkdir(join(root, 'models', 'asr', 'own', 'onnx'), { recursive: true })
  for (const file of [...files, ...parts]) await writeFile(join(root, 'models', 'asr', 'own', file), 'x')
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const KEY = digestOf('a key')

/** Runs a stage that reads the result of `audio`, which is not there: an accident, worth another attempt. */
async function runWithoutAudio(
  stage: 'speech' | 'peaks',
  params: unknown,
  cancelled = false,
): Promise<StageOutcome> {
  const { sources, artefacts, temporary } = home
  const task: StageTask = {
    taskId: 'task',
    stage,
    key: KEY,
    params,
    inputs: { audio: { kind: 'artefact', stage: 'audio', key: digestOf('audio') } },
    folders: { sources, artefacts, temporary },
    tools: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' },
    modelFolders: [join(root, 'models')],
    resources: root,
  }
  const { port1, port2 } = new MessageChannel()
  if (cancelled) port1.postMessage('cancel')
  try {
    return await runJob({ task, port: port2 })
  } finally {
    port1.close()
  }
}

const SPEECH = { language: '', keywords: [], model: '' }

it('keeps the partial work of a transcription for the next attempt, and none of stages that cannot resume', async () => {
  expect(await runWithoutAudio('peaks', { samplesPerPeak: 160 })).toMatchObject({
    ok: false,
    retryable: true,
  })
  expect(await readdir(home.temporary)).toEqual([])
  expect(await runWithoutAudio('speech', SPEECH)).toMatchObject({ ok: false, retryable: true })
  expect(await readdir(home.temporary)).toEqual([`resume-${KEY}`])
})

it('keeps the partial work also when the appliance stops', async () => {
  expect(await runWithoutAudio('speech', SPEECH, true)).toMatchObject({
    ok: false,
    failure: { code: 'CANCELLED' },
  })
  expect(await readdir(home.temporary)).toEqual([`resume-${KEY}`])
})

it('stops what a stage had going on when a part of it fails, and says why that failed', async () => {
  let stopped = false
  vi.spyOn(HANDLERS, 'peaks').mockResolvedValue(async ({ signal }) => {
    const goesOn = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => {
        stopped = true
        reject(new Error('it was stopped'))
      }),
    )
    return await Promise.all([goesOn, Promise.reject(new Error('a part failed'))]).then(([never]) => never)
  })
  try {
    const outcome = await runWithoutAudio('peaks', { samplesPerPeak: 160 })
    expect(outcome).toMatchObject({ ok: false, retryable: true })
    expect(JSON.stringify(outcome)).toContain('a part failed')
    expect(stopped).toBe(true)
  } finally {
    vi.restoreAllMocks()
  }
})
