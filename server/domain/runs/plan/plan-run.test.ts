import { describe, expect, it } from 'vitest'
import type { Composition } from '../../../contract/composition.ts'
import type { Failure } from '../../../contract/errors.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { secondsToTicks } from '../../../contract/time.ts'
import { captionTracks } from './caption-tracks.ts'
import { assetSlot } from './plan-assets.ts'
import type { PlannedClip } from './plan-input.ts'
import { describeProgress, planRun } from './plan-run.ts'
import {
  audioOutput,
  candidate,
  environment,
  factsOf,
  failed,
  found,
  heard,
  ingestOutput,
  key,
  node,
  plan,
  ready,
  resultsOf,
  sidecar,
  snapshotOf,
  started,
  track,
  voices,
  words,
  type PlanCase,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'

describe('planRun', () => {
  it.each<[string, PlanCase, string[]]>([
    ['begins with ingest', {}, ['ingest']],
    ['looks at the source', { rows: { ingest: ingestOutput() } }, ['probe']],
    ['listens', { rows: started }, ['audio']],
    [
      'listens to sound without picture where it is to be drawn',
      {
        rows: { ...started, probe: factsOf({ video: null }) },
        snapshot: snapshotOf([node('find_clips'), node('add_audiogram')]),
      },
      ['audio'],
    ],
    [
      'reads captions beside the waveform',
      { rows: { ...started, audio: audioOutput } },
      ['peaks', 'captions'],
    ],
    [
      'finds clips beside the waveform',
      { rows: { ...started, audio: audioOutput, captions: words } },
      ['peaks', 'find-clips'],
    ],
    [
      'goes without a sound to captions at once',
      { rows: { ingest: ingestOutput([sidecar]), probe: factsOf({ audio: null }) } },
      ['captions'],
    ],
    [
      'looks for voices when there are no captions',
      {
        rows: { ...heard, ingest: ingestOutput() },
        environment: { ...environment, speech: { state: 'installed' } },
      },
      ['voice'],
    ],
    [
      'transcribes them',
      {
        rows: { ...heard, ingest: ingestOutput(), voice: voices },
        environment: { ...environment, speech: { state: 'installed' } },
      },
      ['speech'],
    ],
    [
      'installs a model first where that is allowed',
      {
        rows: { ...heard, ingest: ingestOutput() },
        environment: { ...environment, speech: { state: 'downloadable', model: 'm', targetFolder: '/m' } },
      },
      ['install-model'],
    ],
    [
      'then transcribes with it',
      {
        rows: { ...heard, ingest: ingestOutput(), 'install-model': { model: 'm', bytes: 1 }, voice: voices },
        environment: { ...environment, speech: { state: 'downloadable', model: 'm', targetFolder: '/m' } },
      },
      ['speech'],
    ],
    [
      'takes the next captions when the first have no words',
      {
        rows: {
          ...heard,
          ingest: ingestOutput([sidecar, { ...sidecar, file: 'b.srt' }]),
          captions: { ...words, wordCount: 0 },
        },
      },
      ['captions:2'],
    ],
    [
      'takes the next captions when the first cannot be read',
      {
        rows: {
          ...heard,
          ingest: ingestOutput([sidecar, { ...sidecar, file: 'b.srt' }]),
          captions: failed('STAGE_FAILED'),
        },
      },
      ['captions:2'],
    ],
    [
      'lives without a waveform',
      { rows: { ...heard, peaks: failed('STAGE_FAILED'), captions: words } },
      ['find-clips'],
    ],
    [
      'needs no words for given ranges of a silent source',
      {
        rows: { ingest: ingestOutput(), probe: factsOf({ audio: null }) },
        snapshot: snapshotOf([
          node('find_clips', { pinnedTimestamps: [{ start: 1, end: 9 }], pinnedTimestampsOnly: true }),
        ]),
      },
      ['find-clips'],
    ],
  ])('%s', (_name, input, expected) => {
    expect(plan(input).failure).toBeUndefined()
    expect(ready(input)).toEqual(expected)
  })

  it.each<[string, PlanCase, Failure['code']]>([
    [
      'takes the failure of a stage',
      { rows: { ingest: failed('SOURCE_UNREACHABLE') } },
      'SOURCE_UNREACHABLE',
    ],
    [
      'refuses sound without picture',
      { rows: { ...started, probe: factsOf({ video: null }) } },
      'SOURCE_NOT_VIDEO',
    ],
    [
      'refuses what is too short',
      { rows: { ...started, probe: factsOf({ duration: secondsToTicks(9) }) } },
      'VIDEO_TOO_SHORT',
    ],
    [
      'refuses no sound and no captions',
      { rows: { ingest: ingestOutput(), probe: factsOf({ audio: null }) } },
      'NO_SPEECH',
    ],
    [
      'refuses silence',
      { rows: { ...heard, ingest: ingestOutput(), audio: { ...audioOutput, silent: true } } },
      'NO_SPEECH',
    ],
    ['names a missing model', { rows: { ...heard, ingest: ingestOutput() } }, 'MODEL_NOT_INSTALLED'],
    [
      'names a full disk rather than trying the next captions',
      { rows: { ...heard, captions: failed('DISK_FULL') } },
      'DISK_FULL',
    ],
    [
      'says why there are no clips',
      { rows: { ...heard, captions: words, 'find-clips': { ...found, candidates: [] } } },
      'NO_CLIPS',
    ],
    [
      'takes a transcript without words as no speech',
      {
        rows: { ...heard, ingest: ingestOutput(), speech: { ...words, wordCount: 0, model: 'm' } },
        environment: { ...environment, speech: { state: 'installed' } },
      },
      'NO_SPEECH',
    ],
  ])('%s', (_name, input, code) => {
    const result = plan(input)
    expect(result.failure?.code).toBe(code)
    expect(result.failure?.message).not.toBe('')
    expect(result.ready).toEqual([])
    expect(result.done).toBe(false)
  })

  it('needs neither the model nor voices any more once the words are there', () => {
    const rows = { ...heard, ingest: ingestOutput(), speech: { ...words, model: 'm' } }
    expect(ready({ rows })).toEqual(['find-clips'])
    expect(ready({ rows: { ...rows, voice: voices } })).toEqual(['find-clips'])
  })

  it('says what it fell back from', () => {
    const rows = {
      ...heard,
      ingest: ingestOutput([sidecar]),
      captions: failed('STAGE_FAILED', 'not readable'),
    }
    const result = plan({ rows, environment: { ...environment, speech: { state: 'installed' } } })
    expect(result.warnings).toEqual(['The caption file beside the video could not be used. (not readable)'])
  })

  it('gives captions an identity that is the same in every run', () => {
    const rows = { ...heard }
    const of = (ingestKey: string) => {
      const results = resultsOf(rows)
      results.set('ingest', {
        state: 'finished',
        key: ingestKey,
        output: ingestOutput([sidecar]),
        failure: null,
      })
      const { ready: invocations } = planRun({
        snapshot: snapshotOf(),
        results,
        environment,
        drafted: new Map(),
        made: new Map(),
        settled: new Set(),
      })
      return invocations[0]?.inputs['ingest']
    }
    const one = of(key('1'))
    const other = of(key('2'))
    expect(one?.identity).toBe(other?.identity)
    expect(one?.reference).not.toEqual(other?.reference)
  })

  describe('with clips', () => {
    const composition = {
      output: { width: 1080, height: 1920, frameRate: { numerator: 25, denominator: 1 } },
      durationFrames: 500,
      source: { hasVideo: true },
      timeMap: [],
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 500, crop: { x: 219, y: 0, width: 202, height: 360 } },
      ],
      layers: [{ kind: 'captions', id: 'captions', language: 'en', styles: [], cues: [] }],
    } as unknown as Composition
    const clip = (ordinal: number): PlannedClip => ({
      id: `c${ordinal}`,
      ordinal,
      composition,
      extended: { start: 0, end: 50 },
    })
    const rows = { ...heard, captions: words, 'find-clips': { ...found, candidates: [candidate, candidate] } }

    const oneClip = { ...heard, captions: words, 'find-clips': found }

    it('asks for the clips, then for their stages', () => {
      expect(plan({ rows })).toMatchObject({ makeClips: true, ready: [] })
      const begun = plan({ rows, clips: [clip(0), clip(1)] })
      expect(begun.makeClips).toBe(false)
      expect(begun.ready.every(({ slot }) => slot.startsWith('clip:0:'))).toBe(true)
      // The first card has the machine for itself.
      const first = { 'clip:0:cut': {}, 'clip:0:thumbnail': {}, 'clip:0:transcript-file': {} }
      expect(ready({ rows: { ...rows, ...first }, clips: [clip(0), clip(1)] })).toEqual([
        'clip:0:render',
        'clip:1:render',
        'clip:1:cut',
        'clip:1:thumbnail',
        'clip:1:transcript-file',
      ])
      const planned = begun
      expect(planned.ready.map((invocation) => invocation.slot)).toEqual(
        ['render', 'cut', 'thumbnail', 'transcript-file'].map((stage) => `clip:0:${stage}`),
      )
      expect(planned.ready.find((invocation) => invocation.slot === 'clip:0:cut')?.params).toEqual({
        start: 0,
        end: secondsToTicks(50),
      })
      const thumbnail = planned.ready.find((invocation) => invocation.stage === 'thumbnail')?.params
      expect(thumbnail).toMatchObject({
        composition: { output: composition.output, layout: composition.layout, layers: [] },
      })
    })

    it('fetches what nodes name by address beside the rest, once each, and waits for it before it makes clips', () => {
      const url = 'http://x/logo.png'
      const snapshot = snapshotOf([
        node('find_clips', { min_length: 10, max_length: 30 }),
        node('add_watermark', { watermark_config: { url } }),
        node('media_overlay', { media_overlay_config: { mediaUrl: url } }),
      ])
      const slot = assetSlot(url)
      expect(ready({ snapshot, rows: started })).toEqual([slot, 'audio'])
      expect(plan({ snapshot, rows })).toMatchObject({
        makeClips: false,
        ready: [{ slot, stage: 'fetch-asset' }],
      })
      // A picture that cannot be had ends no run; a full disk does.
      const missed = { ...rows, [slot]: failed('SOURCE_UNREACHABLE') }
      expect(plan({ snapshot, rows: missed })).toMatchObject({ makeClips: true, ready: [], warnings: [] })
      expect(plan({ snapshot, rows: { ...rows, [slot]: failed('DISK_FULL') } }).failure?.code).toBe(
        'DISK_FULL',
      )
    })

    it('is done when all are finished, a thumbnail or not', () => {
      const all = { 'clip:0:render': {}, 'clip:0:cut': {}, 'clip:0:transcript-file': {} }
      const clips = [clip(0)]
      const rows = oneClip
      expect(plan({ rows: { ...rows, ...all }, clips }).done).toBe(false)
      const done = plan({ rows: { ...rows, ...all, 'clip:0:thumbnail': failed('STAGE_FAILED') }, clips })
      expect(done).toMatchObject({ done: true, status: 'Learning', ready: [] })
      expect(done.warnings).toHaveLength(1)
      expect(plan({ rows: { ...rows, ...all, 'clip:0:thumbnail': {} }, clips }).done).toBe(true)
    })

    it('shows progress that grows with every stage and says what it does', () => {
      const clips = [clip(0), clip(1)]
      const steps: [PlanRows, PlannedClip[] | null, string][] = [
        [{}, null, 'Fetching the video'],
        [{ ingest: ingestOutput([sidecar]) }, null, 'Looking at the video'],
        [started, null, 'Listening to the sound'],
        [heard, null, 'Reading the captions'],
        [{ ...heard, captions: words }, null, 'Finding the clips'],
        [rows, clips, 'Rendering the clip (1 of 2)'],
        [{ ...rows, 'clip:0:render': {} }, clips, 'Rendering the clip (2 of 2)'],
        [{ ...rows, 'clip:0:render': {}, 'clip:1:render': {} }, clips, 'Cutting the clip (1 of 2)'],
      ]
      let last = -1
      for (const [at, known, label] of steps) {
        const described = describeProgress(plan({ rows: at, clips: known }), resultsOf(at), new Map())
        expect(described.label).toBe(label)
        expect(described.progress).toBeGreaterThan(last)
        last = described.progress
      }
      expect(last).toBeLessThan(1)
      const half = describeProgress(plan({}), resultsOf({}), new Map([['ingest', 0.5]]))
      expect(half.progress).toBeGreaterThan(0)
    })

    it('shows at most 99 % until the run is done, however far its stages say they are', () => {
      const clips = [clip(0)]
      const rows = oneClip
      const cut = { 'clip:0:cut': {}, 'clip:0:thumbnail': {}, 'clip:0:transcript-file': {} }
      const almost = plan({ rows: { ...rows, ...cut }, clips })
      expect(almost.done).toBe(false)
      const fractions = new Map([['clip:0:render', 1]])
      expect(describeProgress(almost, resultsOf({ ...rows, ...cut }), fractions).progress).toBe(0.99)
      const all = { ...rows, ...cut, 'clip:0:render': {} }
      expect(describeProgress(plan({ rows: all, clips }), resultsOf(all), new Map())).toEqual({
        progress: 1,
        label: '',
      })
    })

    it('counts a running stage for no more than a finished one', () => {
      const progress = (fraction: number) =>
        describeProgress(plan({}), resultsOf({}), new Map([['ingest', fraction]])).progress
      expect(progress(0.25)).toBeCloseTo(progress(1) / 4, 9)
      expect(progress(7)).toBe(progress(1))
    })
  })
})

describe('the shortest length', () => {
  const probed = (seconds: number) => ({
    ingest: ingestOutput(),
    probe: factsOf({ duration: secondsToTicks(seconds) }),
  })
  const nodes = (config: Record<string, unknown>) => snapshotOf([node('find_clips', config)])
  const limits = { min_length: 10, max_length: 30 }

  it('is long enough: a source of exactly that length goes on, and a shorter one is refused', () => {
    const at = (seconds: number) => plan({ rows: probed(seconds), snapshot: nodes(limits) })
    expect(at(10).failure).toBeUndefined()
    expect(at(10).ready.map(({ slot }) => slot)).toEqual(['audio'])
    expect(at(9.9).failure).toEqual({
      code: 'VIDEO_TOO_SHORT',
      message: 'The video is 9.9 s long, and the shortest clip asked for is 10 s.',
      details: { durationSeconds: 9.9, minLengthSeconds: 10 },
    })
    expect(at(9.9).ready).toEqual([])
  })
})

describe('captionTracks', () => {
  const chosen = (captions: SourceFacts['captions'], sidecars: unknown[] = []) =>
    captionTracks(factsOf({ captions }), ingestOutput(sidecars) as never).map(({ track: item }) =>
      item.kind === 'embedded' ? item.streamIndex : item.file,
    )
  it.each<[string, SourceFacts['captions'], unknown[], (number | string)[]]>([
    ['the language of the sound first', [track(2, 'fra'), track(3, 'en')], [], [3, 2]],
    ['embedded before beside it', [track(2, 'und')], [sidecar], [2, 'a.srt']],
    ['other languages than that of the sound last', [track(2, 'fra')], [sidecar], ['a.srt', 2]],
    ['no forced tracks', [{ ...track(2, 'eng'), forced: true }, track(3, 'fra')], [], [3]],
    ['two names of a language as one', [track(2, 'fra'), track(3, 'en_GB')], [sidecar], [3, 'a.srt', 2]],
    ['no pictures of text', [track(2, 'eng', 'hdmv_pgs_subtitle'), track(3, 'fra')], [], [3]],
    [
      'what its title calls forced or commentary last',
      [track(2, 'eng', 'ass', 'Forced'), track(3, 'eng'), track(4, 'fra')],
      [],
      [3, 4, 2],
    ],
    [
      'files in the language of the sound first',
      [],
      [{ ...sidecar, file: 'x.srt', language: 'de' }, sidecar],
      ['a.srt', 'x.srt'],
    ],
  ])('%s', (_name, captions, sidecars, expected) => {
    expect(chosen(captions, sidecars)).toEqual(expected)
  })
})
