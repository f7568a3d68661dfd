import { describe, expect, it } from 'vitest'
import {
  environment,
  factsOf,
  failed,
  heard,
  ingestOutput,
  key,
  plan,
  ready,
  snapshotOf,
  voices,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'

const installed = {
  ...environment,
  voiceActivity: true,
  speech: { state: 'installed' as const, model: 'whisper-base' },
}
const piece = (part: number) => ({ part, digest: String(part).repeat(64), bytes: 1 })
const decoded = { windowsFile: 'w', windowCount: 3, language: 'en', voiceFile: 'v' }
const stageOf = (slot: string, rows: PlanRows, begun?: ReadonlySet<string>) =>
  plan({ rows, environment: installed, ...(begun === undefined ? {} : { begun }) }).ready.find(
    (invocation) => invocation.slot === slot,
  )

describe('speech during a download', () => {
  it('is heard ahead where a model of this machine transcribes what comes from an address', () => {
    const hears = (invocation = stageOf('ingest', {})) =>
      (invocation?.params as { hearAhead?: true }).hearAhead === true
    expect(hears()).toBe(true)
    const [missing] = plan({}).ready
    const [noVoices] = plan({ environment: { ...installed, voiceActivity: false } }).ready
    const file = { kind: 'file' as const, path: '/v.mp4', displayName: 'v' }
    const [local] = plan({ environment: installed, snapshot: { ...snapshotOf(), source: file } }).ready
    expect([hears(missing), hears(noVoices), hears(local)]).toEqual([false, false, false])
  })

  it('is transcribed piece by piece, each with what the one before it knows', () => {
    expect(ready({ rows: {}, environment: installed })).toEqual(['ingest'])
    const rows = { 'piece:0': piece(0), 'piece:1': piece(1) }
    expect(ready({ rows, environment: installed })).toEqual(['ingest', 'ahead:0'])
    expect(stageOf('ahead:0', rows)).toMatchObject({
      stage: 'speech-ahead',
      params: { part: 0, model: 'whisper-base', keywords: ['cutroom'], language: '' },
      inputs: { source: { identity: '0'.repeat(64) } },
    })
    expect(stageOf('ahead:1', { ...rows, 'ahead:0': decoded })?.inputs).toEqual({
      source: { reference: { kind: 'source', digest: '1'.repeat(64) }, identity: '1'.repeat(64) },
      before: {
        reference: { kind: 'artefact', stage: 'speech-ahead', key: key('ahead:0') },
        identity: key('ahead:0'),
      },
    })
    const all = { ...rows, 'ahead:0': decoded, 'ahead:1': decoded }
    expect(ready({ rows: all, environment: installed })).toEqual(['ingest'])
    // The run goes on without what could not be heard ahead, and nothing is tried after it.
    const lost = { ...rows, 'ahead:0': failed('STAGE_FAILED') }
    expect(ready({ rows: lost, environment: installed })).toEqual(['ingest'])
    expect(plan({ rows: lost, environment: installed }).warnings).toEqual([])
  })

  it('is begun no more when all is here; what is under way is waited for, and saves work without being in the key', () => {
    const arrived = {
      ...heard,
      ingest: ingestOutput(),
      probe: factsOf(),
      voice: voices,
      'piece:0': piece(0),
      'piece:1': piece(1),
      'ahead:0': decoded,
    }
    expect(ready({ rows: arrived, environment: installed })).toEqual(['speech'])
    expect(stageOf('speech', arrived)?.inputs['part-0']).toEqual({
      reference: { kind: 'artefact', stage: 'speech-ahead', key: key('ahead:0') },
      identity: key('ahead:0'),
      saves: true,
    })
    const begun = new Set(['ahead:1'])
    expect(ready({ rows: arrived, environment: installed, begun })).toEqual(['ahead:1'])
    const both = { ...arrived, 'ahead:1': decoded }
    expect(Object.keys(stageOf('speech', both, begun)?.inputs ?? {})).toEqual([
      'audio',
      'voice',
      'part-0',
      'part-1',
    ])
  })
})
