import { describe, expect, it } from 'vitest'
import type { Composition } from '../contract/composition.ts'
import type { Failure } from '../contract/errors.ts'
import type { ResolvedNode, RunSnapshot } from '../contract/run.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { secondsToTicks } from '../contract/time.ts'
import type { SlotResult } from './plan-draft.ts'
import { assetSlot } from './plan-assets.ts'
import { describeProgress, planRun, type PlanEnvironment, type PlannedClip } from './plan-run.ts'
import { captionTracks } from './plan-transcript.ts'

const DIGEST = 'd'.repeat(64)
const key = (name: string) => name.padEnd(64, '0')

const node = (type: string, config: Record<string, unknown> = {}): ResolvedNode => ({
  id: type,
  type,
  enabled: true,
  config,
})

function snapshotOf(
  nodes: ResolvedNode[] = [node('find_clips', { min_length: 10, max_length: 30 })],
): RunSnapshot {
  return {
    workflowId: 'w',
    workflowName: 'W',
    nodes,
    source: { kind: 'url', url: 'http://x/y.mp4' },
    originalUrl: 'http://x/y.mp4',
    keywords: ['cutroom'],
    channel: 'current',
    pipelineVersion: '1.0.0',
  }
}

function factsOf(change: Partial<SourceFacts> = {}): SourceFacts {
  return {
    container: 'mp4',
    duration: secondsToTicks(60),
    bytes: 1000,
    video: {
      ...{
        streamIndex: 0,
        codec: 'h264',
        pixelFormat: 'yuv420p',
        codedWidth: 640,
        codedHeight: 360,
        width: 640,
      },
      ...{ height: 360, rotation: 0, sampleAspectRatio: { numerator: 1, denominator: 1 } },
      ...{ frameRate: { numerator: 25, denominator: 1 }, variableFrameRate: false, interlaced: false },
      ...{
        colourPrimaries: 'bt709',
        colourTransfer: 'bt709',
        colourSpace: 'bt709',
        colourRange: 'tv',
        hdr: false,
      },
      ...{ bitsPerSample: 8, startTime: 0 },
    },
    audio: {
      ...{ streamIndex: 1, codec: 'aac', sampleRate: 48_000, channels: 2, layout: 'stereo', language: 'eng' },
      startTime: 0,
    },
    audioStreams: 1,
    captions: [],
    chapters: [],
    warnings: [],
    ...change,
  }
}

const sidecar = { file: 'a.srt', format: 'srt', language: 'en', digest: 's'.repeat(64) }
const track = (streamIndex: number, language: string, codec = 'subrip', title = '') => ({
  streamIndex,
  codec,
  language,
  title,
})
const environment: PlanEnvironment = {
  ...{
    addresses: 'any',
    ...{ faces: false, speakers: false },
    maxSourceBytes: 1,
    idleTimeoutSeconds: 1,
    totalTimeoutSeconds: 1,
    known: null,
  },
  speech: { state: 'missing', message: 'install one' },
}

const ingestOutput = (sidecars: unknown[] = []) => ({
  digest: DIGEST,
  bytes: 1000,
  displayName: 'y.mp4',
  sidecars,
})
const audioOutput = { silent: false, envelopeFile: 'e', speechFile: 's' }
const words = { transcriptFile: 't.json', wordCount: 9, language: 'en' }
const candidate = { start: 20, end: 40, title: 'T' }

type Rows = Record<string, unknown>
const failed = (code: Failure['code'], message = code.toLowerCase()) => ({ failure: { code, message } })

function resultsOf(rows: Rows): Map<string, SlotResult> {
  return new Map(
    Object.entries(rows).map(([slot, value]) => {
      const failure = (value as { failure?: Failure }).failure ?? null
      const state = failure === null ? 'finished' : 'failed'
      return [slot, { state, key: key(slot), output: failure === null ? value : null, failure }]
    }),
  )
}

interface Case {
  rows?: Rows
  snapshot?: RunSnapshot
  environment?: PlanEnvironment
  clips?: PlannedClip[] | null
}
const plan = ({ rows = {}, snapshot = snapshotOf(), clips = null, ...rest }: Case) =>
  planRun({ snapshot, results: resultsOf(rows), environment: rest.environment ?? environment, clips })
const ready = (input: Case) => plan(input).ready.map((invocation) => invocation.slot)

const started = { ingest: ingestOutput([sidecar]), probe: factsOf() }
const heard = { ...started, audio: audioOutput, peaks: { file: 'p', length: 1 } }
const found = { candidates: [candidate], considered: 3, summary: 'one', warnings: [] }

describe('planRun', () => {
  it.each<[string, Case, string[]]>([
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
      'transcribes when there are no captions',
      {
        rows: { ...heard, ingest: ingestOutput() },
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
        rows: { ...heard, ingest: ingestOutput(), 'install-model': { model: 'm', bytes: 1 } },
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

  it.each<[string, Case, Failure['code']]>([
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

  it('does not need the model any more once the words are there', () => {
    const rows = { ...heard, ingest: ingestOutput(), speech: { ...words, model: 'm' } }
    expect(ready({ rows })).toEqual(['find-clips'])
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
      const { ready: invocations } = planRun({ snapshot: snapshotOf(), results, environment, clips: null })
      return invocations[0]?.inputs['ingest']
    }
    const [one, other] = [of(key('1')), of(key('2'))]
    expect(one?.identity).toBe(other?.identity)
    expect(one?.reference).not.toEqual(other?.reference)
  })

  describe('with ears and eyes', () => {
    const able: PlanEnvironment = { ...environment, faces: true, speakers: true }
    const titled = snapshotOf([
      node('find_clips', { min_length: 10, max_length: 30 }),
      node('add_title_overlay', { title_config: { enabled: true, avoidFaces: true } }),
    ])
    const told = { ...words, turnsFile: 'u.json', speakers: 2, model: 'm' }

    it('tells the speakers apart before it looks for clips, which read the words with speakers', () => {
      expect(ready({ rows: { ...heard, captions: words }, environment: able })).toEqual(['speakers'])
      const next = plan({ rows: { ...heard, captions: words, speakers: told }, environment: able })
      expect(next.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(next.ready[0]?.inputs['transcript']?.identity).toBe(key('speakers'))
    })

    it('goes on with the words as they are when that fails, and says so', () => {
      const rows = { ...heard, captions: words, speakers: failed('STAGE_FAILED', 'why') }
      const next = plan({ rows, environment: able })
      expect(next.ready[0]?.inputs['transcript']?.identity).toBe(key('captions'))
      expect(next.warnings.join()).toContain('not told apart. (why)')
    })

    it('looks for faces in the extended ranges when a node asks for them, and makes the clips after it', () => {
      const rows = { ...heard, captions: words, 'find-clips': found }
      const looking = plan({ rows, snapshot: titled, environment: { ...able, speakers: false } })
      expect(looking.ready).toMatchObject([
        { slot: 'faces', params: { ranges: [{ start: 10, end: 50 }], width: 640, height: 360 } },
      ])
      expect(looking.makeClips).toBe(false)
      const seen = { ...rows, faces: { file: 'f.json', pictures: 9, tracks: 1, model: 'm' } }
      expect(plan({ rows: seen, snapshot: titled, environment: able }).makeClips).toBe(false)
      expect(plan({ rows: { ...seen, speakers: told }, snapshot: titled, environment: able }).makeClips).toBe(
        true,
      )
      const blind = plan({ rows: { ...rows, faces: failed('STAGE_FAILED') }, snapshot: titled, environment })
      expect([blind.makeClips, blind.failure]).toEqual([true, undefined])
    })

    it('says what is missing where no model for faces is installed; nobody is looked for when no node asks', () => {
      const rows = { ...heard, captions: words, 'find-clips': found }
      const blind = plan({ rows, snapshot: titled })
      expect(blind.makeClips).toBe(true)
      expect(blind.warnings.join()).toContain('cutroom models install yunet')
      expect(plan({ rows, environment: { ...able, speakers: false } })).toMatchObject({
        ...{ makeClips: true, warnings: [] },
      })
    })
  })

  describe('with clips', () => {
    const composition = {
      output: { width: 1080, height: 1920, frameRate: { numerator: 25, denominator: 1 } },
      durationFrames: 500,
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 500, crop: { x: 219, y: 0, width: 202, height: 360 } },
      ],
    } as unknown as Composition
    const clip = (ordinal: number): PlannedClip => ({
      ...{ id: `c${ordinal}`, ordinal, start: 5, end: 40, composition },
      extended: { start: 0, end: 50 },
    })
    const rows = { ...heard, captions: words, 'find-clips': { ...found, candidates: [candidate, candidate] } }

    it('asks for the clips, then for their stages', () => {
      expect(plan({ rows })).toMatchObject({ makeClips: true, ready: [] })
      const planned = plan({ rows, clips: [clip(0), clip(1)] })
      expect(planned.makeClips).toBe(false)
      expect(planned.ready.map((invocation) => invocation.slot)).toEqual(
        [0, 1].flatMap((n) =>
          ['render', 'cut', 'thumbnail', 'transcript-file'].map((stage) => `clip:${n}:${stage}`),
        ),
      )
      expect(planned.ready.find((invocation) => invocation.slot === 'clip:0:cut')?.params).toEqual({
        start: 0,
        end: secondsToTicks(50),
      })
      expect(planned.ready.find((invocation) => invocation.stage === 'thumbnail')?.params).toMatchObject({
        crop: { width: 202 },
        width: 1080,
        height: 1920,
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
      expect(plan({ rows: { ...rows, ...all }, clips }).done).toBe(false)
      const done = plan({ rows: { ...rows, ...all, 'clip:0:thumbnail': failed('STAGE_FAILED') }, clips })
      expect(done).toMatchObject({ done: true, status: 'Learning', ready: [] })
      expect(done.warnings).toHaveLength(1)
      expect(plan({ rows: { ...rows, ...all, 'clip:0:thumbnail': {} }, clips }).done).toBe(true)
    })

    it('shows progress that grows with every stage and says what it does', () => {
      const clips = [clip(0), clip(1)]
      const steps: [Rows, PlannedClip[] | null, string][] = [
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
  })
})

describe('captionTracks', () => {
  const chosen = (captions: SourceFacts['captions'], sidecars: unknown[] = []) =>
    captionTracks(factsOf({ captions }), ingestOutput(sidecars) as never).map((item) =>
      item.kind === 'embedded' ? item.streamIndex : item.file,
    )
  it.each<[string, SourceFacts['captions'], unknown[], (number | string)[]]>([
    ['the language of the sound first', [track(2, 'fra'), track(3, 'en')], [], [3, 2]],
    ['embedded before beside it', [track(2, 'fra')], [sidecar], [2, 'a.srt']],
    ['no pictures of text', [track(2, 'eng', 'hdmv_pgs_subtitle'), track(3, 'fra')], [], [3]],
    ['forced and commentary tracks last', [track(2, 'eng', 'ass', 'Forced'), track(3, 'fra')], [], [3, 2]],
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
