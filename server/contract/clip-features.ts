/** The numbers from which a clip's score was computed, stored with the clip for learning from results. */
import { Type } from '@sinclair/typebox'

/** Raise it when a feature's meaning or unit changes: examples of before are then left out of what is learned. */
export const FEATURES_VERSION = 1

export const CLIP_FEATURES = [
  // Sub-scores, 0 to 100, not rounded.
  'hook',
  'flow',
  'value',
  'emotion',
  'ending',
  /** Natural logarithm of the seconds. */
  'length',
  /** How much of the prompt the clip covers, 0 to 1. */
  'relevance',
  // Shares of the spoken time, 0 to 1 (reactions also go on in pauses, and may be above).
  'laughter',
  'applause',
  'cheering',
  'music',
  'raised',
  'lively',
  /** Cuts a minute. */
  'cuts',
  /** Movement compared with the rest of the video, 0 to 1. */
  'motion',
  /** Share of the time in which a face is seen. */
  'faces',
  /** By how many points a language model thought better of it than the scorer. */
  'judge',
] as const
export type ClipFeature = (typeof CLIP_FEATURES)[number]

/** A feature that was not looked at (sound and picture in a choice by words) is left out. */
export type ClipFeatures = { readonly [Name in ClipFeature]?: number }
export const ClipFeatures = Type.Unsafe<ClipFeatures>(
  Type.Partial(Type.Record(Type.Union(CLIP_FEATURES.map((name) => Type.Literal(name))), Type.Number()), {
    additionalProperties: false,
  }),
)
