/** What each stage of a plan is given: the results that it reads, by the content key of the stage that made them. */
import type { Composition } from '../../../contract/composition.ts'
import { describe, expect, it } from 'vitest'
import {
  candidate,
  DIGEST,
  environment,
  factsOf,
  failed,
  found,
  heard,
  ingestOutput,
  key,
  node,
  plan,
  sidecar,
  snapshotOf,
  started,
  voices,
  words,
  type PlanCase,
} from '../../../../test/support/plan-case.ts'
import { sampleComposition } from '../../../../test/support/sample-composition.ts'
import { secondsToTicks, ticksToSeconds } from '../../../contract/time.ts'
import { extendedRange, renderKeyOf, renderParams, type DELIVERY_ENCODER } from './plan-clips.ts'
import type { PlannedClip } from './plan-input.ts'

const source = { reference: { kind: 'source', digest: DIGEST }, identity: DIGEST }
const from = (stage: string, slot = stage) => ({
  reference: { kind: 'artefact', stage, key: key(slot) },
  identity: key(slot),
})
const stageOf = (slot: string, input: PlanCase) => plan(input).ready.find((one) => one.slot === slot)
const captioned = { ...heard, captions: words }
const all = { ...captioned, 'find-clips': found }

describe('before the clips are known', () => {
  it('the sound is taken from the source, and its waveform from the sound', () => {
    expect(stageOf('audio', { rows: started })).toMatchObject({
      stage: 'audio',
      params: { streamIndex: 1, durationSeconds: 60 },
      inputs: { source },
    })
    expect(stageOf('peaks', { rows: { ...started, audio: {} } })).toEqual({
      slot: 'peaks',
      stage: 'peaks',
      params: { samplesPerPeak: 160 },
      inputs: { audio: from('audio') },
    })
  })

  it('captions are read from what was fetched beside the source, and timed by the sound', () => {
    expect(stageOf('captions', { rows: heard })).toMatchObject({
      stage: 'captions',
      params: { durationSeconds: 60, track: { kind: 'sidecar', file: sidecar.file } },
      inputs: { audio: from('audio') },
    })
  })

  it('speech is recognised in the sound, with the keywords of the run', () => {
    const speech = { state: 'installed', model: 'tiny' } as const
    const input = {
      rows: { ...heard, ingest: ingestOutput(), voice: voices },
      environment: { ...environment, speech },
    }
    expect(stageOf('speech', input)).toMatchObject({
      stage: 'speech',
      params: { language: '', keywords: ['cutroom'], model: 'tiny' },
      inputs: { audio: from('audio'), voice: from('voice') },
    })
    const first = { ...input, environment: { ...environment, speech: { state: 'installed' } as const } }
    expect(stageOf('speech', first)?.params).toMatchObject({ model: '' })
  })

  it('speech is recognised by the studio’s own server, whose key is no part of the content key, without a worker node', () => {
    const server = { address: 'http://gpu/v1', model: 'large', key: 'hush', timeoutSeconds: 9 }
    const speech = { state: 'server', access: { ...server, addresses: 'any' } } as const
    const input = {
      rows: { ...heard, ingest: ingestOutput(), voice: voices },
      environment: { ...environment, speech },
    }
    const planned = stageOf('speech', input)
    expect(planned).toMatchObject({
      stage: 'speech',
      params: { keywords: ['cutroom'], model: '', server },
      lane: 'network',
      models: [],
      inputs: { audio: from('audio'), voice: from('voice') },
    })
    expect(planned?.keyParams).toEqual({
      language: '',
      keywords: ['cutroom'],
      model: '',
      server: { address: 'http://gpu/v1', model: 'large' },
    })
    const doubted = { ...input, rows: { ...input.rows, captions: failed('STAGE_FAILED') } }
    expect(stageOf('speech', doubted)?.lane).toBe('network')
  })

  it('speakers are told apart in words and sound; then the words are theirs', () => {
    const speakers = { ...environment, speakers: true }
    expect(stageOf('speakers', { rows: captioned, environment: speakers })).toEqual({
      slot: 'speakers',
      stage: 'speakers',
      params: { count: 0 },
      inputs: { transcript: from('captions'), audio: from('audio') },
    })
    const input = (rows: PlanCase['rows']) => ({ rows: { ...captioned, ...rows }, environment: speakers })
    const inputsOf = (rows: PlanCase['rows']) => stageOf('find-clips', input(rows))?.inputs
    expect(inputsOf({ speakers: {} })).toMatchObject({ transcript: from('speakers') })
    expect(inputsOf({ speakers: failed('STAGE_FAILED') })).toMatchObject({ transcript: from('captions') })
  })

  it('clips are looked for in words and sound', () => {
    expect(stageOf('find-clips', { rows: captioned })?.inputs).toEqual({
      transcript: from('captions'),
      audio: from('audio'),
    })
  })

  it('logos are looked for in the source', () => {
    const snapshot = snapshotOf([
      node('find_clips'),
      node('remove_watermark', { remove_watermark_config: { auto: true } }),
    ])
    expect(stageOf('find-logo', { rows: started, snapshot })).toMatchObject({
      stage: 'find-logo',
      inputs: { source },
    })
  })

  it('faces are looked for in the picture of each candidate with its padding', () => {
    const snapshot = snapshotOf([node('find_clips'), node('convert_to_vertical', { style: 'style_one' })])
    const stage = stageOf('clip:0:faces', {
      rows: all,
      snapshot,
      environment: { ...environment, faces: true },
    })
    expect(stage).toMatchObject({
      stage: 'faces',
      params: { ranges: [{ start: 10, end: 50 }], streamIndex: 0, width: 640, height: 360, hdr: false },
      inputs: { source, audio: from('audio') },
    })
  })

  it('a language model judges candidates by their words and the wishes', () => {
    const access = { address: 'http://model', model: 'm', key: 'secret' } as never
    const judge = { state: 'ready', access } as const
    const candidates = [{ ...candidate, text: 'said' }, candidate]
    const config = { min_length: 10, max_length: 30, prompt: 'funny', promptAdjustment: 'short' }
    const stage = stageOf('judge-clips', {
      snapshot: { ...snapshotOf([node('find_clips', config)]), keywords: ['a', 'b'] },
      rows: { ...captioned, 'find-clips': { ...found, candidates } },
      environment: { ...environment, judge },
    })
    const wishes = ['funny', 'short', 'a, b']
    expect(stage).toMatchObject({
      stage: 'judge-clips',
      params: { candidates, wishes, access },
      inputs: {},
      keyParams: { candidates, wishes, address: 'http://model', model: 'm' },
    })
    expect(stage?.keyParams).not.toHaveProperty('access')
  })
})

describe('a clip', () => {
  const composition = sampleComposition()
  const rangesOf = ({ timeMap }: Pick<Composition, 'timeMap'>) =>
    timeMap.map(({ sourceStart, sourceEnd }) => ({
      start: ticksToSeconds(sourceStart),
      end: ticksToSeconds(sourceEnd),
    }))
  const clip: PlannedClip = {
    id: 'c',
    ordinal: 0,
    extended: { start: 10, end: 50 },
    composition,
  }
  const stages = (change: Partial<PlannedClip> = {}, rows: PlanCase['rows'] = all) =>
    new Map(plan({ rows, clips: [{ ...clip, ...change }] }).ready.map((stage) => [stage.slot, stage]))

  it('is rendered, cut, and gets a thumbnail, from the source', () => {
    expect(stages().get('clip:0:render')).toMatchObject({
      stage: 'render',
      params: { composition, encoder: { preset: 'veryfast', crf: 20 } satisfies typeof DELIVERY_ENCODER },
      inputs: { source },
    })
    expect(stages().get('clip:0:cut')).toMatchObject({
      stage: 'cut',
      params: { start: secondsToTicks(10), end: secondsToTicks(50) },
      inputs: { source, probe: from('probe') },
    })
    expect(stages().get('clip:0:thumbnail')).toMatchObject({ stage: 'thumbnail', inputs: { source } })
  })

  it('gets files of its words, with what it plays', () => {
    const stage = stages().get('clip:0:transcript-file')
    expect(stage).toEqual({
      slot: 'clip:0:transcript-file',
      stage: 'transcript-file',
      params: { extendedStart: 10, extendedEnd: 50, played: rangesOf(composition) },
      inputs: { transcript: from('captions') },
    })
    const [span] = composition.timeMap
    const timeMap = [span!, { ...span!, startFrame: 90, endFrame: 180, sourceStart: 5e9, sourceEnd: 7e9 }]
    const cut = stages({ composition: { ...composition, timeMap } }).get('clip:0:transcript-file')
    expect(cut?.params).toMatchObject({ played: rangesOf({ timeMap }) })
  })

  it('is padded by 10 s on both sides, inside of the source', () => {
    const facts = factsOf({ duration: secondsToTicks(60) })
    expect(extendedRange({ start: 20, end: 40 }, facts)).toEqual({ start: 10, end: 50 })
    expect(extendedRange({ start: 4, end: 55 }, facts)).toEqual({ start: 0, end: 60 })
  })

  it('has another file when its composition changes, and the same when it does not', () => {
    expect(renderKeyOf(composition)).toBe(renderKeyOf(structuredClone(composition)))
    const longer = { ...composition, durationFrames: composition.durationFrames + 1 }
    expect(renderKeyOf(longer)).not.toBe(renderKeyOf(composition))
    expect(renderParams(composition)).toEqual({ composition, encoder: { preset: 'veryfast', crf: 20 } })
  })
})
