/** What is to know of a kind of graphics card that decodes: one file each, one list in registry.ts. PURE. */
import type { EncoderSetting } from '../hardware-encoders.ts'

export const CARD_NAMES = ['cuda', 'videotoolbox', 'qsv', 'vaapi'] as const
export type CardName = (typeof CARD_NAMES)[number]

export interface Size {
  readonly width: number
  readonly height: number
}

/** Pixel formats in which decoders of cards leave pictures of 8 and of 10 bits. */
export type CardFormat = 'nv12' | 'p010le'

export interface Card {
  readonly name: CardName
  /** For people: `NVIDIA (NVDEC, CUDA)`. */
  readonly title: string
  /** Which encoder goes with it: where another one is configured by name, this card is left alone. */
  readonly setting: EncoderSetting
  /** Operating systems that have it, with Node's names. */
  readonly platforms: readonly string[]
  /** Devices that are tried in order; absent: it finds its own. */
  readonly devices?: readonly string[]
  /** As `ffmpeg -hwaccels` lists it. */
  readonly hwaccel: string
  /** Filters that it needs, besides those that every build has. */
  readonly filters: readonly string[]
  /** Options before an input whose pictures are then decoded on the card, and stay on it. */
  readonly input: (device: string | null) => readonly string[]
  /** A filter that takes a picture on the card to another size on it. */
  readonly scale: (size: Size, format: CardFormat) => string
}
