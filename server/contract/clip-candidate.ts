/** What the find-clips stage decides: ranges of the source worth a clip, and why. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject } from './config-fields.ts'

export const SUB_SCORES = ['hook', 'flow', 'value', 'emotion', 'ending'] as const
export const SubScoreName = choice(SUB_SCORES)
export type SubScoreName = (typeof SUB_SCORES)[number]

/**
 * In addition to the sub-scores: whether the clip is whole, where its words are known, and the adjustment by the company's
 * own results, where they are learned from.
 */
const SCORE_REASONS = ['completeness', ...SUB_SCORES, 'results'] as const

export const ScoreReason = closedObject({
  name: choice(SCORE_REASONS),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  /** One sentence that a person understands. */
  reason: Type.String(),
})
export type ScoreReason = Static<typeof ScoreReason>

/** How well a boundary fits, recorded so that the choice can be explained. */
export const BoundaryRecord = closedObject({
  /** On a sentence edge. */
  sentenceEdge: Type.Boolean(),
  /** Seconds of silence around the boundary, 0 when inside speech. */
  pauseSeconds: Type.Number(),
})

/** Raise it when a feature's meaning or unit changes: examples of before are then left out of what is learned. */
export const FEATURES_VERSION = 1

/** The numbers from which a score was computed, stored with the clip for learning from results. */
export const CLIP_FEATURES = [
  /** How much it is a story or a thought of its own; about -2 to 4. */
  'story',
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

/** A part of the talk that is about one thing, and the things that are named in it most. Seconds in the source. */
export const FoundTopic = closedObject({ start: Type.Number(), end: Type.Number(), label: Type.String() })
export type FoundTopic = Static<typeof FoundTopic>

/** A title that can be chosen for a clip, and what it was made from: a language model, or a line, a question or the topic. */
export const TitleProposal = closedObject({
  text: Type.String(),
  from: choice(['model', 'line', 'question', 'topic']),
})
export type TitleProposal = Static<typeof TitleProposal>

export const ClipCandidate = closedObject({
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  /** What the clip leaves out inside, in order, seconds in the source; absent where it plays everything. */
  leftOut: Type.Optional(Type.Array(closedObject({ start: Type.Number(), end: Type.Number() }))),
  origin: choice(['found', 'pinned', 'whole']),
  title: Type.String(),
  /** Titles to choose from, best first, the title among them; absent in results of before. */
  titles: Type.Optional(Type.Array(TitleProposal)),
  /** Headline written by a language model for the title node's prompt; absent where there is none. */
  headline: Type.Optional(Type.String()),
  bio: Type.String(),
  /** The first line of a post, written by a language model; absent where there is none. */
  hook: Type.Optional(Type.String()),
  keywords: Type.Array(Type.String()),
  people: Type.Array(Type.String()),
  /** 0 to 100: what it is worth, whatever was requested. */
  score: Type.Number({ minimum: 0, maximum: 100 }),
  /** 0 to 100: how much of what was requested it is about; absent where nothing was requested. */
  relevance: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  scoreReasons: Type.Array(ScoreReason),
  /** One sentence: why this clip was picked. */
  whyPicked: Type.String(),
  startBoundary: BoundaryRecord,
  endBoundary: BoundaryRecord,
  text: Type.String(),
  /** What the score was computed from; left out where nothing was scored. */
  features: Type.Optional(ClipFeatures),
})
export type ClipCandidate = Static<typeof ClipCandidate>

/** The request to the scorer, from the merged `find_clips` node. Seconds in the source. */
export const FindClipsSettings = closedObject({
  minLength: Type.Number(),
  maxLength: Type.Number(),
  prompt: Type.String(),
  promptAdjustment: Type.String(),
  keywords: Type.Array(Type.String()),
  pinned: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
  pinnedOnly: Type.Boolean(),
  /** `ranges`: the ranges themselves are clips; `search_within`: clips are found inside them only. */
  pinnedMode: choice(['ranges', 'search_within']),
  maxClips: Type.Integer(),
  /** No find_clips node in the workflow: the whole source is one clip. */
  wholeSource: Type.Boolean(),
})
export type FindClipsSettings = Static<typeof FindClipsSettings>

// The 0 to 100 that people see, and the raw score behind it.
const CENTRE = 57
const WIDTH = 13
const LOWEST = 1
const HIGHEST = 99

/** Spreads raw scores, which lie close together, over 1 to 99 by a fixed curve: two videos can be compared. */
export function calibrate(raw: number): number {
  const mark = 100 / (1 + Math.exp(-(raw - CENTRE) / WIDTH))
  return Math.round(Math.min(HIGHEST, Math.max(LOWEST, mark)) * 10) / 10
}

/** The raw score for a score of 0 to 100; values outside 1 to 99 are clamped. */
export function rawScore(mark: number): number {
  const share = Math.min(HIGHEST, Math.max(LOWEST, mark)) / 100
  return CENTRE + WIDTH * Math.log(share / (1 - share))
}
