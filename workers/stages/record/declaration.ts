import { Type, type Static } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** What the notes of a recording begin with that nobody knows the end of. */
export const RECORDING_NOTE = 'Recording: '

/** A finished stretch of a recording: a source like any other, with its place in the event. */
export const RecordedChunk = Type.Object({
  /** From 0, in the order of the event. */
  index: Type.Integer(),
  /** Where it begins, seconds from the beginning of the recording; gaps count. */
  offsetSeconds: Type.Number(),
  /** What its segments are said to last; the file is measured by the probe. */
  seconds: Type.Number(),
  digest: Type.String(),
  bytes: Type.Integer(),
  mediaType: Type.String(),
  displayName: Type.String(),
})
export type RecordedChunk = Static<typeof RecordedChunk>

/**
 * Records a stream (an HLS address; RTMP and SRT by pull) until it ends, and hands out each finished chunk while it goes
 * on. What was received lies in the scratch folder and survives a kill. An HLS recording that is complete already is one
 * chunk, and `live` is false.
 */
export const record = declareStage({
  name: 'record',
  version: 1,
  lane: 'live',
  label: 'Recording the stream',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  models: [],
  reuse: 'run',
  resumes: true,
  weight: 8,
  params: Type.Object({
    url: Type.String(),
    /** As for ingest: `public` refuses private and loopback addresses. */
    addresses: Type.Union([Type.Literal('any'), Type.Literal('public'), Type.Literal('loopback')]),
    /** A chunk is closed by the segment that fills it. */
    chunkSeconds: Type.Number({ exclusiveMinimum: 0 }),
    /** A recording ends after this long, with what is there. */
    maxSeconds: Type.Number({ exclusiveMinimum: 0 }),
    /** The same for its size. */
    maxBytes: Type.Integer(),
    /** It stops, as for a full disk, when less is left. */
    minFreeBytes: Type.Integer(),
    /** A stream that brings nothing new for so long is over. */
    stallSeconds: Type.Number({ exclusiveMinimum: 0 }),
    /** Give up one request when nothing arrives for this long. */
    idleTimeoutSeconds: Type.Number(),
    /** Chunks that earlier attempts of the run have handed out. */
    done: Type.Array(RecordedChunk),
  }),
  output: Type.Object({
    /** False: it was complete when the recording began. */
    live: Type.Boolean(),
    ended: Type.Union([Type.Literal('end'), Type.Literal('stalled'), Type.Literal('limit')]),
    chunks: Type.Array(RecordedChunk),
  }),
})
