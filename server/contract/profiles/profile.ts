/** PURE: what a delivery profile is: everything by which one finished file of a clip differs from another. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from '../config-fields.ts'
import type { Rational } from '../time.ts'

const Frame = closedObject({ width: Type.Integer(), height: Type.Integer() })

/** A finished film. */
export const VideoDelivery = closedObject({
  kind: Type.Literal('video'),
  container: choice(['mp4', 'mov', 'mxf']),
  codec: choice(['h264', 'h264-intra', 'hevc', 'av1', 'mpeg2', 'prores-hq', 'dnxhr-hq']),
  pixelFormat: choice(['yuv420p', 'yuv420p10le', 'yuv422p', 'yuv422p10le']),
  /** It is HDR as its source is, HLG or PQ; absent: BT.709. */
  hdr: Type.Optional(Type.Literal(true)),
  /** The picture is fitted into a frame of this size, with black beside it; null: the composition's size is the file's. */
  frame: nullable(Frame),
  /** `top-first`: each frame of the file is woven from two of the composition, the upper field first. */
  scan: choice(['progressive', 'top-first']),
  sound: choice(['aac', 'pcm24']),
})
export type VideoDelivery = Static<typeof VideoDelivery>

/** The captions alone, on nothing: straight alpha. */
const CaptionsDelivery = closedObject({
  kind: Type.Literal('captions'),
  codec: choice(['prores-4444', 'png']),
})

/** Speech, music and mix as three files that start together. */
const StemsDelivery = closedObject({ kind: Type.Literal('stems') })

/** A few seconds that move without sound, for pages and mails. */
export const PreviewDelivery = closedObject({
  kind: Type.Literal('preview'),
  codec: choice(['gif', 'webp']),
  /** Pixels of the long side. */
  longSide: Type.Integer(),
  framesPerSecond: Type.Integer(),
  seconds: Type.Integer(),
})
export type PreviewDelivery = Static<typeof PreviewDelivery>

/** What the stage `export` makes. */
export const Delivery = Type.Union([VideoDelivery, CaptionsDelivery, StemsDelivery, PreviewDelivery])
export type Delivery = Static<typeof Delivery>

/** Formats of words, by their names in server/interchange. */
export type WordFormat = 'srt' | 'vtt' | 'ttml' | 'ebu-tt-d' | 'scc' | 'chapters'

export interface Loudness {
  /** Integrated, LUFS (LKFS). */
  readonly integratedLufs: number
  /** The highest true peak, dBTP. */
  readonly truePeakDb: number
}

export interface Profile {
  /** How it is asked for; never changes. */
  readonly name: string
  /** For menus. */
  readonly label: string
  /** One sentence: what is in the file. */
  readonly description: string
  /** Of the file, without a dot. */
  readonly extension: string
  readonly mediaType: string
  readonly delivery: Delivery | { readonly kind: 'words'; readonly format: WordFormat }
  /** Pixels of the picture's short side, or the frame that it is composed for; null: as the clip is. */
  readonly size: { readonly shortSide: number } | { readonly width: number; readonly height: number } | null
  /** Frames a second that the clip is composed at; null: its own. */
  readonly frameRate: Rational | null
  /** Null: it has no sound. */
  readonly loudness: Loudness | null
  /** `sdr`: BT.709 with eight or ten bits, whatever the source is; HDR is mapped to it. `hdr`: HLG or PQ, as the source is. */
  readonly colour: 'sdr' | 'hdr' | 'none'
  /** Files of the words that are written beside it. */
  readonly sidecars: readonly WordFormat[]
}
