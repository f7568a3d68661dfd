/** The sound of a Composition: loudness, cuts, masks, and tracks in addition to the source's own. */
import { Type, type Static } from '@sinclair/typebox'
import { Ticks } from './time.ts'
import { choice, closedObject, nullable } from './config-fields.ts'

/** A range of output in which the source is muted. Ticks rather than frames: a word is muted to the sample. */
export const AudioMask = closedObject({
  start: Ticks,
  end: Ticks,
  kind: choice(['silence', 'beep']),
})
export type AudioMask = Static<typeof AudioMask>

/** A fetched file with sound, by content: music, or a video with its sound. */
export const SoundAsset = closedObject({
  digest: Type.String(),
  /** Stream of the file that holds the sound. */
  audioStream: Type.Integer({ minimum: 0 }),
  duration: Ticks,
  /**
   * Integrated loudness of the whole file in LUFS, so that all music starts from one level; null: silent, or not
   * measured.
   */
  integratedLufs: nullable(Type.Number()),
})
export type SoundAsset = Static<typeof SoundAsset>

/** A sound track in addition to the source's. */
export const SoundTrack = closedObject({
  id: Type.String(),
  asset: SoundAsset,
  /** Position in the file that plays on `startFrame`. */
  sourceStart: Ticks,
  startFrame: Type.Integer(),
  endFrame: Type.Integer(),
  loop: Type.Boolean(),
  /** Against the finished clip's speech at its final loudness: the track is brought to that level plus this. */
  levelDb: Type.Number(),
  /** Maximum ducking while the source is heard; 0: none. */
  duckDb: Type.Number({ minimum: 0 }),
  fadeInMs: Type.Number({ minimum: 0 }),
  fadeOutMs: Type.Number({ minimum: 0 }),
})
export type SoundTrack = Static<typeof SoundTrack>

export const CompositionAudio = closedObject({
  /** Integrated loudness to reach, LUFS; null leaves the level alone. */
  integratedLufs: nullable(Type.Number()),
  truePeakDb: Type.Number(),
  /** Crossfade at every cut between spans. */
  crossfadeMs: Type.Number(),
  /** Fade at the very start and end, so that no clip starts or ends with a click. */
  edgeFadeMs: Type.Number(),
  /** Sorted by start, without overlap. */
  masks: Type.Optional(Type.Array(AudioMask)),
  /** Sound in addition to the source's. */
  tracks: Type.Optional(Type.Array(SoundTrack)),
})
