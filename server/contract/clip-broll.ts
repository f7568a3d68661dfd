/** B-roll and second video of a clip: chosen when it is made, only arranged when it is compiled. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

export const BrollProvider = choice(['library', 'google_images', 'youtube', 'getty'])
export type BrollProvider = Static<typeof BrollProvider>

/** Something that may be shown. `tags` are what it is matched by, `name` counts for less. */
export const BrollCandidate = closedObject({
  id: Type.String(),
  provider: BrollProvider,
  kind: choice(['image', 'video']),
  /** http(s), `cutroom-source:<sha256>`, or `cutroom-broll:<provider>:<id>` for a file that is released on request. */
  url: Type.String(),
  name: Type.String(),
  tags: Type.Array(Type.String()),
  /** Of a video, seconds; null: a picture, or not known. */
  durationSeconds: nullable(Type.Number()),
  /** Attribution and origin; empty when unknown. */
  credit: Type.String(),
})
export type BrollCandidate = Static<typeof BrollCandidate>

/** How a picture or a video slowly moves within its place while it is shown. */
export const PICTURE_MOTIONS = ['still', 'zoom_in', 'zoom_out', 'pan_left', 'pan_right'] as const
export type PictureMotion = (typeof PICTURE_MOTIONS)[number]

/** How something fills the whole picture: cropped to it, or whole with bars. */
export const PICTURE_FITS = ['cover', 'contain'] as const
export type PictureFit = (typeof PICTURE_FITS)[number]

const focus = (edge: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: `Which part stays where it is cropped, or where it is between bars: percent from the ${edge}; 50 when absent`,
    }),
  )

/** One stretch of a clip that is covered. */
export const BrollInsert = closedObject({
  id: Type.String(),
  /** Seconds in the source: it stays on its words when the clip is trimmed. */
  start: Type.Number(),
  end: Type.Number(),
  provider: BrollProvider,
  kind: choice(['image', 'video']),
  url: Type.String(),
  /** Second of a video that is shown first. */
  sourceStart: Type.Number({ minimum: 0 }),
  /** The spoken or requested phrase that it illustrates. */
  matched: Type.String(),
  name: Type.String(),
  credit: Type.String(),
  /** `cover` when absent. */
  fit: Type.Optional(choice(PICTURE_FITS)),
  xPercent: focus('left'),
  yPercent: focus('top'),
  /** Absent: a picture grows a little, so that it does not look frozen beside video, and a video stays. */
  motion: Type.Optional(choice(PICTURE_MOTIONS)),
  /** 1 when absent. */
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
})
export type BrollInsert = Static<typeof BrollInsert>

/** Sorted, without overlap. */
export const ClipBroll = closedObject({ inserts: Type.Array(BrollInsert) })
export type ClipBroll = Static<typeof ClipBroll>

const HANDED_OUT = /^cutroom-broll:(getty|youtube):([A-Za-z0-9_-]{1,64})$/u

/** Address of a file without a public address: its provider releases it on request, with the user's own key. */
export const brollAddress = (provider: 'getty' | 'youtube', id: string): string =>
  `cutroom-broll:${provider}:${id}`

/** What such an address names; null for any other address. */
export function readBrollAddress(url: string): { provider: 'getty' | 'youtube'; id: string } | null {
  const [, provider, id] = HANDED_OUT.exec(url) ?? []
  return id !== undefined && (provider === 'getty' || provider === 'youtube') ? { provider, id } : null
}

export const PickedVideo = closedObject({
  /** The requested category in lower case; empty: any video for this purpose. */
  category: Type.String(),
  /** `cutroom-source:<sha256>` */
  url: Type.String(),
  /** Name of the library's item. */
  name: Type.String(),
})
export type PickedVideo = Static<typeof PickedVideo>
