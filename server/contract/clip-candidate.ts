/** What the find-clips stage decides: ranges of the source worth a clip, and why. */
import { Type, type Static } from '@sinclair/typebox'
import { ClipFeatures } from './clip-features.ts'
import { choice, closedObject } from './config-fields.ts'

export const SUB_SCORES = ['hook', 'flow', 'value', 'emotion', 'ending'] as const
export const SubScoreName = choice(SUB_SCORES)
export type SubScoreName = (typeof SUB_SCORES)[number]

/** In addition to the sub-scores: the adjustment by the company's own results, where they are learned from. */
const SCORE_REASONS = [...SUB_SCORES, 'results'] as const

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

export const ClipCandidate = closedObject({
  /** Seconds in the source. */
  start: Type.Number(),
  end: Type.Number(),
  origin: choice(['found', 'pinned', 'whole']),
  title: Type.String(),
  /** Headline written by a language model for the title node's prompt; absent where there is none. */
  headline: Type.Optional(Type.String()),
  bio: Type.String(),
  keywords: Type.Array(Type.String()),
  people: Type.Array(Type.String()),
  /** 0 to 100. */
  score: Type.Number({ minimum: 0, maximum: 100 }),
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
