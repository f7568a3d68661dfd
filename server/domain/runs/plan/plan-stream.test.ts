import { describe, expect, it } from 'vitest'
import { isStreamAddress, type RunSnapshot } from '../../../contract/run.ts'
import {
  audioOutput,
  environment,
  factsOf,
  failed,
  key,
  node,
  resultsOf,
  snapshotOf,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'
import type { PlanEnvironment } from './plan-input.ts'
import { describeStream, partsOfStream, planStream } from './plan-stream.ts'
import { isStream, slotIn } from './plan-draft.ts'

const snapshot = (config: Record<string, unknown> = {}): RunSnapshot => ({
  ...snapshotOf([node('find_clips', { min_length: 10, max_length: 30, ...config })]),
  source: { kind: 'url', url: 'http://x/live.m3u8' },
})
const chunk = (index: number, offsetSeconds = index * 600) => ({
  index,
  offsetSeconds,
  seconds: 600,
  digest: String(index).repeat(64),
  bytes: 9,
  mediaType: 'video/mp4',
  displayName: 'live',
})
const installed: PlanEnvironment = { ...environment, speech: { state: 'installed' } }

const plan = (rows: PlanRows, change: Partial<Parameters<typeof planStream>[0]> = {}) =>
  planStream({
    runId: 'r',
    snapshot: snapshot(),
    results: resultsOf(rows),
    environment: installed,
    stateOf: () => ({ drafted: new Map(), made: new Map(), settled: new Set() }),
    isShown: () => false,
    ...change,
  })
const ready = (rows: PlanRows, change: Partial<Parameters<typeof planStream>[0]> = {}) =>
  plan(rows, change).ready.map(({ slot }) => slot)

describe('what is a stream', () => {
  it.each([
    ['https://x/a/live.m3u8?token=1', true],
    ['https://x/LIVE.M3U8', true],
    ['rtmp://x/app/s', true],
    ['srt://x:9000', true],
    ['https://x/talk.mp4?next=a.m3u8', false],
    ['nonsense', false],
  ])('%s: %s', (address, expected) => expect(isStreamAddress(address)).toBe(expected))

  it('is found by its address, or by the playlist behind it', () => {
    const file = { kind: 'url', url: 'https://x/watch' } as const
    expect(isStream(file, resultsOf({}))).toBe(false)
    const failure = { code: 'SOURCE_NOT_VIDEO', message: 'm', details: { found: 'playlist' } }
    expect(isStream(file, resultsOf({ ingest: { failure } }))).toBe(true)
    expect(isStream(file, resultsOf({ ingest: failed('SOURCE_NOT_VIDEO') }))).toBe(false)
  })
})

describe('the plan of a stream', () => {
  it('begins with the recording, told what there is already', () => {
    const [record] = plan({}).ready
    expect(record).toMatchObject({
      slot: 'record',
      stage: 'record',
      keyParams: { url: 'http://x/live.m3u8' },
    })
    expect(plan({ 'chunk:0': chunk(0) }).ready[0]?.params).toMatchObject({
      done: [{ index: 0 }],
      chunkSeconds: 600,
    })
  })

  it('takes each chunk through stages of its own while the recording goes on', () => {
    expect(ready({ 'chunk:0': chunk(0), 'chunk:1': chunk(1), 'chunk:0:probe': factsOf() })).toEqual([
      'record',
      'chunk:0:audio',
      'chunk:1:probe',
    ])
    const [, , probe] = plan({ 'chunk:0': chunk(0), 'chunk:1': chunk(1) }).ready
    expect(probe?.inputs['source']?.identity).toBe('1'.repeat(64))
    const [, second] = partsOfStream({
      runId: 'r',
      snapshot: snapshot(),
      results: resultsOf({ 'chunk:0': chunk(0), 'chunk:1': chunk(1) }),
    })
    expect(second?.results.get('ingest')?.output).toMatchObject({ displayName: 'live, part 2' })
  })

  it('tells the speakers of each chunk apart after those of the chunk before, so that they keep their numbers', () => {
    const able = { environment: { ...installed, speakers: true } }
    const ofChunk = (index: number): PlanRows => ({
      [`chunk:${index}`]: chunk(index),
      [`chunk:${index}:probe`]: factsOf(),
      [`chunk:${index}:audio`]: audioOutput,
      [`chunk:${index}:peaks`]: { file: 'p', length: 1 },
      [`chunk:${index}:voice`]: { voiceFile: 'v' },
      [`chunk:${index}:speech`]: words,
    })
    const rows = { ...ofChunk(0), ...ofChunk(1), ...ofChunk(2) }
    expect(ready(rows, able)).toEqual(['record', 'chunk:0:speakers'])
    const told = { ...rows, 'chunk:0:speakers': { ...words, voicesFile: 'voices.json' } }
    const second = plan(told, able).ready.find(({ slot }) => slot === 'chunk:1:speakers')
    expect(second?.inputs['voices']?.identity).toBe(key('chunk:0:speakers'))
    expect(ready(told, able)).not.toContain('chunk:2:speakers')
    // Where a chunk has none, those before it go on.
    const failing = { ...told, 'chunk:1:speakers': failed('STAGE_FAILED') }
    const third = plan(failing, able).ready.find(({ slot }) => slot === 'chunk:2:speakers')
    expect(third?.inputs['voices']?.identity).toBe(key('chunk:0:speakers'))
    const [first] = plan({ ...rows, 'chunk:0:probe': factsOf({ duration: 1 }) }, able).ready.filter(
      ({ stage }) => stage === 'speakers',
    )
    expect([first?.slot, first?.inputs['voices']]).toEqual(['chunk:1:speakers', undefined])
  })

  it('takes a recording that was complete for an ordinary source', () => {
    const rows = { record: { live: false, ended: 'end', chunks: [chunk(0)] }, 'chunk:0': chunk(0) }
    expect(ready(rows)).toEqual(['probe'])
    const [part] = partsOfStream({ runId: 'r', snapshot: snapshot(), results: resultsOf(rows) })
    expect(part).toMatchObject({ index: null, chunk: null })
  })

  it('gives pinned ranges to the chunks that they touch, in their time, and passes over the others', () => {
    const pinned = { pinnedTimestamps: [{ start: 590, end: 610 }], pinnedTimestampsOnly: true }
    const rows = { 'chunk:0': chunk(0), 'chunk:1': chunk(1), 'chunk:2': chunk(2) }
    const parts = partsOfStream({ runId: 'r', snapshot: snapshot(pinned), results: resultsOf(rows) })
    expect(parts.map(({ snapshot: { nodes } }) => nodes[0]?.config['pinnedTimestamps'])).toEqual([
      [{ start: 590, end: 610 }],
      [{ start: 0, end: 10 }],
      [],
    ])
    expect(ready(rows, { snapshot: snapshot(pinned) })).toEqual(['record', 'chunk:0:probe', 'chunk:1:probe'])
  })

  it('lets a chunk fail alone, and the run only when every chunk has', () => {
    const short = factsOf({ duration: 1 })
    const rows: PlanRows = { 'chunk:0': chunk(0), 'chunk:1': chunk(1), 'chunk:0:probe': short }
    const going = plan(rows)
    expect(going.failure).toBeUndefined()
    expect(going.ready.map(({ slot }) => slot)).toEqual(['record', 'chunk:1:probe'])
    expect(going.warnings.join(' ')).toMatch(
      /^Part 1 of the recording: there are no clips of it\..*shortest clip/,
    )
    const record = { live: true, ended: 'end', chunks: [chunk(0), chunk(1)] }
    const over = plan({ ...rows, record, 'chunk:1:probe': short })
    expect(over).toMatchObject({ done: false, failure: { code: 'VIDEO_TOO_SHORT' } })
    const half = plan({ ...rows, record }, { isShown: (index) => index === 1 })
    expect([half.done, half.failure, half.ready]).toEqual([true, undefined, []])
  })

  it('ends at once when the disk is full, or when nothing could be recorded', () => {
    const full = plan({ 'chunk:0': chunk(0), 'chunk:0:probe': failed('DISK_FULL') })
    expect([full.failure?.code, full.ready]).toEqual(['DISK_FULL', []])
    expect(plan({ record: failed('SOURCE_UNREACHABLE') }).failure?.code).toBe('SOURCE_UNREACHABLE')
  })

  it('says before it records that a speech model is missing, and never after it has begun', () => {
    expect(plan({}, { environment }).failure?.code).toBe('MODEL_NOT_INSTALLED')
    expect(plan({ 'chunk:0': chunk(0) }, { environment }).failure).toBeUndefined()
    const pinned = { pinnedTimestamps: [{ start: 1, end: 20 }], pinnedTimestampsOnly: true }
    expect(plan({}, { environment, snapshot: snapshot(pinned) }).failure).toBeUndefined()
  })

  it('tells how much was recorded while it records, and goes by the stages afterwards', () => {
    const going = plan({})
    const fractions = new Map([['record', 0.4]])
    expect(describeStream(going, resultsOf({}), fractions, 'Recording: 9 s so far')).toEqual({
      progress: 0.4,
      label: 'Recording: 9 s so far',
    })
    const rows = { record: { live: true, ended: 'end', chunks: [chunk(0)] } }
    expect(describeStream(plan(rows), resultsOf(rows), fractions, 'x').label).not.toBe('x')
  })
})

it('names places of chunks', () => {
  expect([slotIn(3, 'probe'), slotIn(undefined, 'probe'), slotIn(null, 'probe')]).toEqual([
    'chunk:3:probe',
    'probe',
    'probe',
  ])
})
