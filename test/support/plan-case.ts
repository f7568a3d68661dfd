/** PlanRows of a run and the plan that is made of them, for the tests of planning. */
import type { Failure } from '../../server/contract/errors.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import type { PickRequest } from '../../server/contract/review.ts'
import type { ResolvedNode, RunSnapshot } from '../../server/contract/run.ts'
import type { SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import type { SlotResult } from '../../server/domain/runs/plan/plan-draft.ts'
import { planRun } from '../../server/domain/runs/plan/plan-run.ts'
import type { PlanEnvironment, PlanInput, PlannedClip } from '../../server/domain/runs/plan/plan-input.ts'

export const DIGEST = 'd'.repeat(64)
export const key = (name: string) => name.padEnd(64, '0')

export const node = (type: string, config: Record<string, unknown> = {}): ResolvedNode => ({
  id: type,
  type,
  enabled: true,
  config,
})

export function snapshotOf(
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

export function factsOf(change: Partial<SourceFacts> = {}): SourceFacts {
  return {
    container: 'mp4',
    duration: secondsToTicks(60),
    bytes: 1000,
    video: {
      streamIndex: 0,
      codec: 'h264',
      pixelFormat: 'yuv420p',
      codedWidth: 640,
      codedHeight: 360,
      width: 640,
      height: 360,
      rotation: 0,
      sampleAspectRatio: { numerator: 1, denominator: 1 },
      frameRate: { numerator: 25, denominator: 1 },
      variableFrameRate: false,
      interlaced: false,
      colourPrimaries: 'bt709',
      colourTransfer: 'bt709',
      colourSpace: 'bt709',
      colourRange: 'tv',
      hdr: false,
      bitsPerSample: 8,
      startTime: 0,
    },
    audio: {
      streamIndex: 1,
      codec: 'aac',
      sampleRate: 48_000,
      channels: 2,
      layout: 'stereo',
      language: 'eng',
      startTime: 0,
    },
    audioStreams: 1,
    captions: [],
    chapters: [],
    warnings: [],
    ...change,
  }
}

export const sidecar = { file: 'a.srt', format: 'srt', language: 'en', digest: 's'.repeat(64) }
export const track = (streamIndex: number, language: string, codec = 'subrip', title = '') => ({
  streamIndex,
  codec,
  language,
  title,
})
export const environment: PlanEnvironment = {
  addresses: 'any',
  faces: false,
  activeSpeaker: false,
  speakers: false,
  sounds: false,
  judge: { state: 'off' },
  maxSourceBytes: 1,
  minFreeBytes: 0,
  idleTimeoutSeconds: 1,
  totalTimeoutSeconds: 1,
  streams: { chunkSeconds: 600, maxSeconds: 36_000, stallSeconds: 60 },
  known: null,
  speech: { state: 'missing', message: 'install one' },
  services: {
    google_images: { state: 'refused', why: 'Google Images is not asked.' },
    youtube: { state: 'refused', why: 'YouTube is not asked.' },
    getty: { state: 'refused', why: 'Getty Images is not asked.' },
  },
}

export const ingestOutput = (sidecars: unknown[] = []) => ({
  digest: DIGEST,
  bytes: 1000,
  displayName: 'y.mp4',
  sidecars,
})
export const audioOutput = { silent: false, envelopeFile: 'e', speechFile: 's' }
export const voices = { voiceFile: 'v.json', stretches: 1 }
export const words = { transcriptFile: 't.json', wordCount: 9, language: 'en' }
export const candidate = { start: 20, end: 40, title: 'T', text: '' }

export type PlanRows = Record<string, unknown>
export const failed = (code: Failure['code'], message = code.toLowerCase()) => ({
  failure: { code, message },
})

export function resultsOf(rows: PlanRows): Map<string, SlotResult> {
  return new Map(
    Object.entries(rows).map(([slot, value]) => {
      const failure = (value as { failure?: Failure }).failure ?? null
      const state = failure === null ? 'finished' : 'failed'
      return [slot, { state, key: key(slot), output: failure === null ? value : null, failure }]
    }),
  )
}

export interface PlanCase {
  rows?: PlanRows
  snapshot?: RunSnapshot
  environment?: PlanEnvironment
  clips?: PlannedClip[] | null
  drafted?: PlanInput['drafted']
  settled?: PlanInput['settled']
  pick?: PickRequest
  begun?: PlanInput['begun']
}
export const plan = ({
  rows = {},
  snapshot = snapshotOf(),
  clips = null,
  drafted = new Map(),
  settled = new Set(),
  pick,
  begun,
  ...rest
}: PlanCase) => {
  const made = planRun({
    snapshot,
    results: resultsOf(rows),
    made: new Map((clips ?? []).map((clip) => [clip.ordinal, clip])),
    drafted,
    settled,
    ...omitUndefined({ pick, begun }),
    environment: rest.environment ?? environment,
  })
  return { ...made, makeClips: made.draftable.length + made.makeable.length > 0 }
}
export const ready = (input: PlanCase) => plan(input).ready.map((invocation) => invocation.slot)

export const started = { ingest: ingestOutput([sidecar]), probe: factsOf() }
export const heard = { ...started, audio: audioOutput, peaks: { file: 'p', length: 1 } }
export const found = { candidates: [candidate], considered: 3, summary: 'one', warnings: [] }
