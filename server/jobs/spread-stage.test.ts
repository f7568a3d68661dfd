import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { artefactFolder, digestOf } from '../../workers/artefacts.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import type { StageDeclaration } from '../../workers/stages/declare.ts'
import type { Home } from '../home.ts'
import { artefactInput } from '../domain/runs/plan/plan-draft.ts'
import type { StageRequest, StageVerdict } from './attempt-stage.ts'
import { makeParts, planParts } from './spread-stage.ts'

let artefacts: string
beforeEach(async () => {
  artefacts = await mkdtemp(join(tmpdir(), 'cutroom-spread-'))
})
afterEach(() => rm(artefacts, { recursive: true, force: true }))

const deps = () => ({ home: { artefacts } as Home })

const AUDIO = digestOf('audio')
const speech = {
  slot: 'speech',
  stage: 'speech' as const,
  params: { language: '', keywords: [], model: '' },
  inputs: { audio: artefactInput('audio', AUDIO), voice: artefactInput('voice', digestOf('voice')) },
}

/** The result of the audio stage of a source of this length. */
async function storeAudio(durationSeconds: number): Promise<void> {
  const folder = artefactFolder(artefacts, 'audio', AUDIO)
  await mkdir(folder, { recursive: true })
  const { version } = STAGES.audio
  const result = { stage: 'audio', version, key: AUDIO, output: { durationSeconds } }
  const stored = { ...result, warnings: [], milliseconds: 1, files: [] }
  await writeFile(join(folder, 'result.json'), JSON.stringify(stored))
}

function requestOf(signal = new AbortController().signal) {
  const told = { begun: 0, progress: [] as number[], positions: [] as number[] }
  const request: StageRequest = {
    invocation: speech,
    key: digestOf('whole'),
    companyId: 'c',
    urgent: false,
    signal,
    onProgress: (fraction) => void told.progress.push(fraction),
    onCheckpoint: (position) => void told.positions.push(position),
    begin: () => {
      told.begun += 1
      return null
    },
  }
  return { request, told }
}

const keyOf = (invocation: { stage: string; params: unknown }) => Promise.resolve(digestOf(invocation))
const finished = (milliseconds: number, warnings: string[] = []): StageVerdict => ({
  kind: 'finished',
  output: {},
  warnings,
  milliseconds,
  reused: false,
})
const partOf = ({ invocation }: StageRequest): number => (invocation.params as { part: number }).part

describe('a stage of a long source', () => {
  it('is shared in parts of the length that it declares, and stays whole where it declares none', () => {
    expect(planParts({ ...speech, stage: 'speakers' }, 9000)).toEqual([])
    expect(planParts(speech, 1201).map(({ stage, slot, params }) => [stage, slot, params])).toEqual(
      [0, 1, 2].map((part) => ['speech-part', `speech:${part}`, { ...speech.params, part }]),
    )
    for (const [name, declared] of Object.entries(STAGES)) {
      const { spread }: StageDeclaration = declared
      if (spread !== undefined)
        expect([name, Object.keys(STAGES)]).toEqual([name, expect.arrayContaining([spread.into])])
    }
  })

  it('is asked for as it is when the source is short', async () => {
    await storeAudio(599)
    const { request } = requestOf()
    const run = () => Promise.reject(new Error('no part was expected'))
    const spread = await makeParts(deps(), { keyOf, run }, request)
    expect(spread).toMatchObject({ kind: 'made', request: { key: request.key, invocation: speech } })
  })

  it('begins once, tells of all its parts, and joins them under its own key', async () => {
    await storeAudio(1799)
    const { request, told } = requestOf()
    const asked: string[] = []
    const run = async (one: StageRequest): Promise<StageVerdict> => {
      asked.push(one.key)
      expect(one.begin()).toBeNull()
      one.onProgress(0.5, '')
      one.onCheckpoint?.(10 * (partOf(one) + 1))
      await Promise.resolve()
      return finished(100, [`part ${partOf(one) % 2}`])
    }
    const spread = await makeParts(deps(), { keyOf, run }, request)
    if (spread.kind !== 'made') throw new Error('it ended')
    expect(told.begun).toBe(1)
    expect(told.positions.at(-1)).toBe(60)
    expect(told.progress).toEqual(told.progress.toSorted((a, b) => a - b))
    expect(told.progress.at(-1)).toBeCloseTo(0.98)
    expect(spread.request.key).toBe(request.key)
    const { audio, voice, ...parts } = spread.request.invocation.inputs
    expect([audio, voice]).toEqual([speech.inputs.audio, speech.inputs.voice])
    expect(Object.entries(parts)).toEqual(
      asked.map((key, at) => [`part-${at}`, artefactInput('speech-part', key)]),
    )
    const folders = asked.map((key) => artefactFolder(artefacts, 'speech-part', key))
    for (const folder of folders) await mkdir(folder, { recursive: true })
    expect(spread.request.begin()).toBeNull()
    expect(told.begun).toBe(1)
    const own = finished(7, ['part 1', 'own'])
    if (own.kind !== 'finished') throw new Error('it is finished')
    expect(await spread.join(own)).toMatchObject({ milliseconds: 307, warnings: ['part 0', 'part 1', 'own'] })
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })

  it('stops the other parts when one cannot be made, and says why', async () => {
    await storeAudio(1799)
    const { request } = requestOf()
    const failure = { code: 'MODEL_NOT_INSTALLED' as const, message: 'no model' }
    const run = (one: StageRequest): Promise<StageVerdict> =>
      partOf(one) === 1
        ? Promise.resolve({ kind: 'failed', failure, retryable: false })
        : new Promise((resolve) =>
            one.signal.addEventListener('abort', () => resolve({ kind: 'stopped' }), { once: true }),
          )
    const spread = await makeParts(deps(), { keyOf, run }, request)
    expect(spread).toEqual({ kind: 'ended', verdict: { kind: 'failed', failure, retryable: false } })
  })

  it('lets the other parts end when one is to be tried again, and keeps what it was told on a stop', async () => {
    await storeAudio(1799)
    const { request } = requestOf()
    const ended: number[] = []
    const again: StageVerdict = {
      kind: 'failed',
      failure: { code: 'STAGE_FAILED', message: 'x' },
      retryable: true,
    }
    const run = async (one: StageRequest): Promise<StageVerdict> => {
      if (partOf(one) === 0) return again
      await new Promise((resolve) => setTimeout(resolve, 10))
      if (!one.signal.aborted) ended.push(partOf(one))
      return finished(1)
    }
    expect(await makeParts(deps(), { keyOf, run }, request)).toEqual({ kind: 'ended', verdict: again })
    expect(ended).toEqual([1, 2])
    const stop = new AbortController()
    stop.abort()
    const stopped = await makeParts(
      deps(),
      { keyOf, run: () => Promise.resolve({ kind: 'stopped' }) },
      requestOf(stop.signal).request,
    )
    expect(stopped).toEqual({ kind: 'ended', verdict: { kind: 'stopped' } })
  })
})
