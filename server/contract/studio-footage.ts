/** Media that is made while a clip is edited: the filmstrip and the scrub proxy. */
import { Type, type Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

/** Pictures of one file of the filmstrip, from left to right. */
export const STRIP_TILES = 30
/** Height of each, pixels; their width is that of the source's shape, even. */
export const STRIP_HEIGHT = 90
/** Seconds between two pictures, from close to far; the timeline's zoom chooses one. */
export const STRIP_SPACINGS = [1, 10, 120] as const

/** Ranges longer than this, in seconds, get no scrub proxy: the extended cut is played as it is. */
export const MAX_SCRUB = 1200

/** Width of a picture of the filmstrip, pixels. */
export const stripWidth = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.max(2, 2 * Math.round((STRIP_HEIGHT * width) / height / 2))

/** Number of pictures in file number `sheet`; 0: past the end. `duration` in seconds. */
export function stripCount(duration: number, spacing: number, sheet: number): number {
  const all = Math.max(1, Math.ceil((duration - 0.25) / spacing))
  return Math.max(0, Math.min(STRIP_TILES, all - sheet * STRIP_TILES))
}

const made = {
  state: Type.Literal('ready'),
  url: Type.String(),
  /** Source second of its first picture. */
  startSeconds: Type.Number(),
}
/** What is answered of a file that is not there. */
export const StillBeingMade = [
  Type.Object({
    state: Type.Literal('making'),
    /** 0 to 1. Poll again: work that is no longer polled for is cancelled after some seconds. */
    progress: Type.Number(),
  }),
  Type.Object({ state: Type.Literal('failed'), message: Type.String() }),
  /** There is nothing to make: no picture in the source, or a stretch that is too long. */
  Type.Object({ state: Type.Literal('none') }),
] as const

/** One file of the filmstrip. */
export const StudioStrip = Type.Union([Type.Object({ ...made, count: Type.Integer() }), ...StillBeingMade])
export type StudioStrip = Static<typeof StudioStrip>

/** The extended cut, smaller and with a key frame every few pictures. */
export const StudioScrub = Type.Union([
  Type.Object({ ...made, range: Type.Object({ start: Type.Number(), end: Type.Number() }) }),
  ...StillBeingMade,
])
export type StudioScrub = Static<typeof StudioScrub>

const url = Type.String({ description: 'As the clip names it' })

export const StudioAssets = Type.Object({
  assets: Type.Array(
    Type.Union([
      Type.Object({ url, state: Type.Literal('waiting') }),
      Type.Object({ url, state: Type.Literal('ready'), kind: choice(['image', 'video', 'audio', 'font']) }),
      Type.Object({ url, state: Type.Literal('failed'), message: Type.String() }),
    ]),
  ),
  /** Null: the file is needed, and is fetched on request or when the clip is rendered. */
  fetching: Type.Union([
    Type.Object({
      /** Of what is waited for now, 0 to 1. */
      progress: Type.Number({ minimum: 0, maximum: 1 }),
      /** Cancelling, not yet ended. */
      stopping: Type.Boolean(),
    }),
    Type.Null(),
  ]),
})
export type StudioAssets = Static<typeof StudioAssets>
