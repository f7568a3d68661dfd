import { Type, type Static } from '@sinclair/typebox'
import { Addresses, declareStage } from '../declare.ts'

/** Prefix of progress notes of a recording whose end is unknown. */
export const RECORDING_NOTE = 'Recording: '

/** A finished part of a recording: a source like any other, with its position in the event. */
export const RecordedChunk = Type.Object({
  /** From 0, in the order of the event. */
  index: Type.Integer(),
  /** Where it begins, in seconds from the beginning of the recording; gaps count. */
  offsetSeconds: Type.Number(),
  /** Declared length of its segments; the probe measures the file. */
  seconds: Type.Number(),
  digest: Type.String(),
  bytes: Type.Integer(),
  mediaType: Type.String(),
  displayName: Type.String(),
})
export type RecordedChunk = Static<typeof RecordedChunk>

/**
 * Records a stream (HLS, or RTMP and SRT by pull) until it ends, and publishes each finished chunk while it continues. Received data
 * is in the scratch folder and survives a kill. An HLS recording that is complete already is one chunk, and `live` is false.
 */
export const record = declareStage({
  name: 'record',
  version: 1,
  lane: 'live',
  label: 'Recording the stream',
  inputs: [],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'run',
  resumes: true,
  weight: 8,
  params: Type.Object({
    url: Type.String(),
    addresses: Addresses,
    /** Minimum length of a chunk: it ends with the segment that reaches it. */
    chunkSeconds: Type.Number({ exclusiveMinimum: 0 }),
    /** A recording ends after this long, with what has been recorded. */
    maxSeconds: Type.Number({ exclusiveMinimum: 0 }),
    maxBytes: Type.Integer(),
    /** Recording stops with DISK_FULL when less is free. */
    minFreeBytes: Type.Integer(),
    /** A stream that brings nothing new for this long is over. */
    stallSeconds: Type.Number({ exclusiveMinimum: 0 }),
    /** Give up a request when nothing arrives for this many seconds. */
    idleTimeoutSeconds: Type.Number(),
    /** Chunks that earlier attempts of the run have published. */
    done: Type.Array(RecordedChunk),
  }),
  output: Type.Object({
    /** False: the recording was complete when it began. */
    live: Type.Boolean(),
    ended: Type.Union([Type.Literal('end'), Type.Literal('stalled'), Type.Literal('limit')]),
    chunks: Type.Array(RecordedChunk),
  }),
})
