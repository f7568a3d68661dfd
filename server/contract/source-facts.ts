/** What is known about a source file: its streams, and coarse measurements. Sizes are display pixels, after rotation. */
import { Type, type Static } from '@sinclair/typebox'
import { PictureAsset } from './composition-pictures.ts'
import { Rational, Ticks } from './time.ts'
import { omitUndefined } from './omit-undefined.ts'
import { closedObject, nullable, choice } from './config-fields.ts'

export const VideoFacts = closedObject({
  streamIndex: Type.Integer(),
  codec: Type.String(),
  profile: Type.Optional(Type.String()),
  pixelFormat: Type.String(),
  /** Coded size before rotation and pixel aspect. */
  codedWidth: Type.Integer(),
  codedHeight: Type.Integer(),
  /** Size as shown: rotated, square pixels. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Clockwise degrees by which the decoder must rotate the picture: 0, 90, 180 or 270. ffmpeg does so by itself. */
  rotation: Type.Union([Type.Literal(0), Type.Literal(90), Type.Literal(180), Type.Literal(270)]),
  sampleAspectRatio: Rational,
  /** Rate to conform to when rendering; for variable-rate sources the nearest standard rate to the average. */
  frameRate: Rational,
  /** Frame times are not evenly spaced: conform by `fps`, never by counting frames. */
  variableFrameRate: Type.Boolean(),
  interlaced: Type.Boolean(),
  colourPrimaries: Type.String(),
  colourTransfer: Type.String(),
  colourSpace: Type.String(),
  colourRange: Type.String(),
  hdr: Type.Boolean(),
  bitsPerSample: Type.Integer(),
  startTime: Ticks,
  /** Where its last picture ends, where that is long before the sound does. */
  endTime: Type.Optional(Ticks),
})

const AudioFacts = closedObject({
  streamIndex: Type.Integer(),
  codec: Type.String(),
  sampleRate: Type.Integer(),
  channels: Type.Integer(),
  layout: Type.String(),
  language: Type.String(),
  startTime: Ticks,
})

const CaptionTrackFacts = closedObject({
  streamIndex: Type.Integer(),
  codec: Type.String(),
  language: Type.String(),
  title: Type.String(),
  /** Forced subtitles: only signs and foreign-language speech. Absent: false. */
  forced: Type.Optional(Type.Boolean()),
})

const ChapterFacts = closedObject({ start: Ticks, end: Ticks, title: Type.String() })

export const SourceFacts = closedObject({
  container: Type.String(),
  duration: Ticks,
  bytes: Type.Integer(),
  bitRate: Type.Optional(Type.Integer()),
  video: nullable(VideoFacts),
  audio: nullable(AudioFacts),
  /** The attached picture of a source without video, such as a podcast's cover; stored like an asset. */
  cover: Type.Optional(PictureAsset),
  /** How many audio streams there are; the default one is used. */
  audioStreams: Type.Integer(),
  captions: Type.Array(CaptionTrackFacts),
  chapters: Type.Array(ChapterFacts),
  warnings: Type.Array(Type.String()),
})
export type SourceFacts = Static<typeof SourceFacts>
export type VideoFacts = Static<typeof VideoFacts>

/** As ffprobe calls them. */
const WITHOUT_INDEX: ReadonlySet<string> = new Set(['mpegts', 'mpeg'])

/** Whether a seek may land between key frames: MPEG transport and program streams have no index. */
export const seeksLoosely = ({ container }: Pick<SourceFacts, 'container'>): boolean =>
  WITHOUT_INDEX.has(container)

/** Facts of a source that are needed for seeking in it. */
export const SEEKING = {
  /** A seek may land between key frames, so reading begins earlier. */
  seeksLoosely: Type.Optional(Type.Literal(true)),
  /** The end of its picture when the sound is longer: a seek beyond it would find no frame. */
  pictureEnd: Type.Optional(Ticks),
} as const

/** The same of these facts; nothing where a seek lands where it should. */
export function seekingIn(facts: Pick<SourceFacts, 'container' | 'video'>): {
  seeksLoosely?: true
  pictureEnd?: Ticks
} {
  const pictureEnd = facts.video?.endTime
  if (!seeksLoosely(facts)) return {}
  return { seeksLoosely: true, ...omitUndefined({ pictureEnd }) }
}

export const SOUND_EVENT_KINDS = ['laughter', 'applause', 'cheering', 'music'] as const
export type SoundEventKind = (typeof SOUND_EVENT_KINDS)[number]

export const SoundEvent = closedObject({
  kind: choice(SOUND_EVENT_KINDS),
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  /** How sure, at its surest moment. */
  score: Type.Number({ minimum: 0, maximum: 1 }),
})
export type SoundEvent = Static<typeof SoundEvent>

export const PictureFacts = closedObject({
  /** Seconds in the source at which a new shot begins; the first shot is not among them. */
  cuts: Type.Array(Type.Number()),
  /**
   * One for each picture that was looked at, in order: its second; how much has moved since the one before it, 0 to 1
   * (0 at a cut); the share of the picture that the largest face covers, -1 where no face was looked for.
   */
  looks: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
})
export type PictureFacts = Static<typeof PictureFacts>

/** ffmpeg can downmix up to this many channels (7.1) to two; with more it fails because the layout is unknown. */
const MAX_ARRANGED = 8

/** Parameter for decoders of such sound; empty for usual sound. */
export const manyChannels = (audio: { readonly channels: number } | null): { manyChannels?: true } =>
  audio !== null && audio.channels > MAX_ARRANGED ? { manyChannels: true } : {}

/** Warning for people. */
export const manyChannelsSentence = (channels: number): string =>
  `The sound has ${channels} channels, and nothing says what they are: the first two are heard. To use others, mix them down first.`
