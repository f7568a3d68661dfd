/** The sound of a Composition: loudness, cuts, masks, and tracks beside the source's own. */
import { Type, type Static } from '@sinclair/typebox'
import { Ticks } from './time.ts'

const closed = { additionalProperties: false } as const

/** A stretch of output in which the source is not heard. Ticks, not frames: a word is muted to the sample. */
export const AudioMask = Type.Object(
  {
    start: Ticks,
    end: Ticks,
    kind: Type.Union([Type.Literal('silence'), Type.Literal('beep')]),
  },
  closed,
)
export type AudioMask = Static<typeof AudioMask>

/** A file with sound that was fetched, by content: music, or a video that is heard. */
export const SoundAsset = Type.Object(
  {
    digest: Type.String(),
    /** Stream of the file that holds the sound. */
    audioStream: Type.Integer({ minimum: 0 }),
    duration: Ticks,
    /** Of the whole file, LUFS, so that music of any make starts from one level; null: nothing to hear, or not measured. */
    integratedLufs: Type.Union([Type.Number(), Type.Null()]),
  },
  closed,
)
export type SoundAsset = Static<typeof SoundAsset>

/** A sound beside the source's. */
export const SoundTrack = Type.Object(
  {
    id: Type.String(),
    asset: SoundAsset,
    /** Moment of the file that is heard on `startFrame`. */
    sourceStart: Ticks,
    startFrame: Type.Integer(),
    endFrame: Type.Integer(),
    loop: Type.Boolean(),
    /** Against the finished clip's speech at its final loudness: the track is brought to that level plus this. */
    levelDb: Type.Number(),
    /** How far it is lowered, at most, while the source is heard; 0 leaves it alone. */
    duckDb: Type.Number({ minimum: 0 }),
    fadeInMs: Type.Number({ minimum: 0 }),
    fadeOutMs: Type.Number({ minimum: 0 }),
  },
  closed,
)
export type SoundTrack = Static<typeof SoundTrack>

export const CompositionAudio = Type.Object(
  {
    /** Integrated loudness to reach, LUFS; null leaves the level alone. */
    integratedLufs: Type.Union([Type.Number(), Type.Null()]),
    truePeakDb: Type.Number(),
    /** Crossfade at every cut between spans. */
    crossfadeMs: Type.Number(),
    /** Fade at the very start and end, so that no clip starts or ends with a click. */
    edgeFadeMs: Type.Number(),
    /** Sorted by start, without overlap. */
    masks: Type.Optional(Type.Array(AudioMask)),
    /** What is heard besides the source. */
    tracks: Type.Optional(Type.Array(SoundTrack)),
  },
  closed,
)
