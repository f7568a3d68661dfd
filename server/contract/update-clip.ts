/** POST /update-clip: saves editable fields of a clip. It does not render. */
import { Type, type Static } from '@sinclair/typebox'
import { BackgroundMusicOption, EndCardOption, SoundConfig, WatermarkConfig } from './media-configs.ts'
import { ClipSegment } from './clip.ts'
import { CLIP_ADDRESS } from './clip-transcript.ts'
import {
  ALIAS_OF,
  closedObject,
  describedObject,
  listField,
  numberField,
  takesNull,
  textField,
} from './config-fields.ts'
import { Metadata } from './metadata.ts'
import { DeliveryConfig } from './delivery-config.ts'
import { MotionConfig } from './motion-config.ts'
import { SubtitleConfig, TitleConfig } from './text-configs.ts'

/** More segments than any clip needs; each one is a cut in the render. */
const MAX_SEGMENTS = 2000

/** A segment in clip-relative seconds. `start` and `end` are aliases of the first two fields. */
export const SegmentInput = closedObject({
  startSeconds: numberField('Start, seconds from the start of the clip', { minimum: 0 }),
  endSeconds: numberField('End, seconds from the start of the clip', { minimum: 0 }),
  start: numberField('Another name of startSeconds', { minimum: 0 }),
  end: numberField('Another name of endSeconds', { minimum: 0 }),
  playbackRate: numberField('Speed at which it is played; 1 is natural', { minimum: 0.25, maximum: 4 }),
})
export type SegmentInput = Static<typeof SegmentInput>

const names = (description: string) => listField(Type.String({ maxLength: 500 }), description)
const seconds = (description: string) => numberField(description, { minimum: 0 })

/** Every field that can be edited, under its one name. */
export const EditableClip = closedObject({
  title: textField('Title', 1000),
  bio: textField('Short description', 20_000),
  keywords: names('Keywords'),
  people: names('People or speakers featured'),
  segments: listField(SegmentInput, 'Ranges to keep, not overlapping; [] clears the trim', MAX_SEGMENTS),
  duration: numberField('Seconds; derived where segments, start or end are given', { exclusiveMinimum: 0 }),
  startTimestamp: seconds('Start, seconds in the source'),
  endTimestamp: seconds('End, seconds in the source'),
  timestampBoundary: Type.Optional(
    closedObject({ start: Type.Number({ minimum: 0 }), end: Type.Number({ minimum: 0 }) }),
  ),
  subtitleConfig: Type.Optional(SubtitleConfig),
  titleConfig: Type.Optional(TitleConfig),
  watermarkConfig: Type.Optional(WatermarkConfig),
  backgroundMusicOption: Type.Optional(BackgroundMusicOption),
  endCardOption: Type.Optional(EndCardOption),
  motionConfig: Type.Optional(MotionConfig),
  deliveryConfig: Type.Optional(DeliveryConfig),
  soundConfig: Type.Optional(SoundConfig),
  metadata: Type.Optional({
    ...Metadata,
    description: `${Metadata.description ?? ''}. Merged into what is saved, as configs are; an empty value takes a name away`,
  }),
})
export type EditableClip = Static<typeof EditableClip>

export const FIELD_ALIASES: Readonly<Record<string, keyof EditableClip>> = {
  end_card_option: 'endCardOption',
}

export const merge = Type.Optional(
  Type.Boolean({
    default: true,
    description:
      'true: nested configs are merged, one level deep, into what is saved; false: they replace it',
  }),
)
const fields = {
  ...EditableClip.properties,
  end_card_option: Type.Optional({ ...EndCardOption, [ALIAS_OF]: 'endCardOption' }),
}

/** The body as documented to callers. */
export const UpdateClipBody = describedObject(
  'Editable fields in `updates`, or beside it; `updates` wins. end_card_option is taken as endCardOption',
  {
    ...CLIP_ADDRESS,
    ...takesNull(Type.Object({ updates: Type.Optional(closedObject(fields)), merge })).properties,
    ...fields,
  },
)

/** What is checked before the fields are read: those have error codes of their own. */
export const UpdateClipRequest = Type.Object({
  ...CLIP_ADDRESS,
  updates: Type.Optional(Type.Unsafe<Record<string, unknown>>(Type.Object({}))),
  merge,
})
export type UpdateClipRequest = Static<typeof UpdateClipRequest>

export const UpdateClipResponse = Type.Object({
  clipId: Type.String(),
  status: Type.Literal('success'),
  updatedFields: Type.Array(Type.String()),
  updates: Type.Partial(closedObject({ ...EditableClip.properties, segments: Type.Array(ClipSegment) }), {
    description: 'The values as they are saved now',
  }),
  warnings: Type.Optional(Type.Array(Type.String())),
})
export type UpdateClipResponse = Static<typeof UpdateClipResponse>
