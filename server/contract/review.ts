/**
 * Review: the clips that a run found, before anything is rendered. What people decide about them, what is picked from the
 * run besides (with another prompt, from a range, from several clips), and what the studio's page shows of it.
 */
import { ReadyAt } from './promises.ts'
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'
import { StudioClip, StudioRun } from './studio.ts'

/** What people decided about a clip. */
const REVIEW_STATES = ['undecided', 'kept', 'rejected'] as const
export type ReviewState = (typeof REVIEW_STATES)[number]

const PICK_KINDS = ['find', 'range', 'merge'] as const

const PICK_STATES = ['open', 'finished', 'failed', 'cancelled'] as const
export type PickState = (typeof PICK_STATES)[number]

/** Clips that a prompt, bounds and a count find anew; what is left out is as the workflow has it. */
const PICK_FIELDS = {
  prompt: Type.Optional(Type.String({ maxLength: 20_000 })),
  minLength: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Seconds' })),
  maxLength: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Seconds' })),
  maxClips: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
}

export const FindRequest = closedObject(PICK_FIELDS)
export type FindRequest = Static<typeof FindRequest>

/** Seconds in the source. */
export const RangeRequest = closedObject({
  start: Type.Number({ minimum: 0 }),
  end: Type.Number({ minimum: 0 }),
})
export type RangeRequest = Static<typeof RangeRequest>

/** Clips of the run that become one; in whatever order. */
export const MergeRequest = closedObject({
  clipIds: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 2, maxItems: 20 }),
})
export type MergeRequest = Static<typeof MergeRequest>

/** What a pick does, as it is stored. */
export const PickRequest = Type.Union([
  Type.Object({ kind: Type.Literal('find'), ...PICK_FIELDS }),
  Type.Object({ kind: Type.Literal('range'), start: Type.Number(), end: Type.Number() }),
  Type.Object({
    kind: Type.Literal('merge'),
    clipIds: Type.Array(Type.String()),
    /** What the merged clip plays, in order; seconds in the source. */
    ranges: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
  }),
])
export type PickRequest = Static<typeof PickRequest>

/** A candidate of a pick, by its place, whose range a clip of the run has. */
export interface KnownRange {
  readonly place: number
  readonly clipId: string
}

export const Pick = Type.Object({
  id: Type.String(),
  runId: Type.String(),
  /** From 1 within the run; clips of the run itself have 0. */
  number: Type.Integer({ minimum: 1 }),
  kind: choice(PICK_KINDS),
  request: PickRequest,
  state: choice(PICK_STATES),
  /** Clips of the run that have one of the ranges that were found: they were not made twice. */
  known: Type.Array(Type.String()),
  /** One sentence, where it failed. */
  error: nullable(Type.String()),
  errorCode: nullable(Type.String()),
  /** 0 to 1. */
  progress: Type.Number(),
  createdAt: Type.String(),
})
export type Pick = Static<typeof Pick>

/** Decisions in the order in which they were made. Kept clips are rendered in the order of their keeping. */
export const ReviewDecisions = closedObject({
  decisions: Type.Array(
    closedObject({ clipId: Type.String({ minLength: 1, maxLength: 200 }), review: choice(REVIEW_STATES) }),
    { minItems: 1, maxItems: 500 },
  ),
})
export type ReviewDecisions = Static<typeof ReviewDecisions>

export const ReviewedClip = Type.Object({
  clipId: Type.String(),
  review: choice(REVIEW_STATES),
  /** Rises with every keeping; null for a clip that is not kept. */
  keptOrder: nullable(Type.Integer()),
})
export type ReviewedClip = Static<typeof ReviewedClip>

/** Left out: every kept clip whose file is missing, or older than its last edit. */
export const RenderKeptRequest = closedObject({
  clipIds: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 })),
})
export type RenderKeptRequest = Static<typeof RenderKeptRequest>

/** Renders in the order in which they are carried out. */
export const RenderKept = Type.Object({
  renders: Type.Array(Type.Object({ clipId: Type.String(), operationId: Type.String() })),
})
export type RenderKept = Static<typeof RenderKept>

/** The newest render of a clip; null where there was none. */
export const ClipRender = Type.Object({
  operationId: Type.String(),
  state: choice(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  /** 0 to 1. */
  progress: Type.Number(),
  error: nullable(Type.String()),
  readyAt: Type.Optional(ReadyAt),
})
export type ClipRender = Static<typeof ClipRender>

export const ReviewClip = Type.Intersect([
  StudioClip,
  Type.Object({
    review: choice(REVIEW_STATES),
    keptOrder: nullable(Type.Integer()),
    /** Number of the pick that found it; 0: the run itself. */
    pick: Type.Integer({ minimum: 0 }),
    /** The words that it begins with, up to the end of the sentence. */
    firstLine: Type.String(),
    render: nullable(ClipRender),
    /** Whether `renderedUrl` shows the clip as it was before its last edits. */
    isOutdated: Type.Boolean(),
  }),
])
export type ReviewClip = Static<typeof ReviewClip>

/** A chapter that the source names, or a topic that was found in what is spoken. Seconds in the source. */
export const ReviewTopic = Type.Object({ start: Type.Number(), end: Type.Number(), title: Type.String() })
export type ReviewTopic = Static<typeof ReviewTopic>

/** The source of a run, once it is there. */
export const ReviewSource = Type.Object({
  name: Type.String(),
  durationSeconds: Type.Number(),
  /** Pixels, as shown; null for sound alone. */
  picture: nullable(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
  /** The source file itself; null where it was removed. */
  url: nullable(Type.String()),
  mediaType: Type.String(),
  peaksUrl: nullable(Type.String()),
  hasTranscript: Type.Boolean(),
})
export type ReviewSource = Static<typeof ReviewSource>

export const StudioReview = Type.Object({
  run: StudioRun,
  /** `found`: clips are listed when they are found; `rendered`: as their files are finished. */
  endsAt: choice(['found', 'rendered']),
  /** Somebody stopped the run; what was found until then is there. */
  isStopped: Type.Boolean(),
  /** Null until it is fetched and probed; null as well for recordings in several parts. */
  source: nullable(ReviewSource),
  /** In order; topics once the clips are found, none for runs of versions that did not store them. */
  topics: Type.Array(ReviewTopic),
  /** Best first. */
  clips: Type.Array(ReviewClip),
  picks: Type.Array(Pick),
})
export type StudioReview = Static<typeof StudioReview>

/** Words of a whole source. */
export const ReviewTranscriptQuery = Type.Object({
  /** Place of the first word, from 0. */
  from: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20_000 })),
})
export const ReviewTranscript = Type.Object({
  language: Type.String(),
  speakers: Type.Array(Type.String()),
  /** How many words there are in all. */
  count: Type.Integer(),
  words: Type.Array(
    Type.Object({
      index: Type.Integer(),
      word: Type.String(),
      start: Type.Number(),
      end: Type.Number(),
      speaker: Type.Optional(Type.Integer()),
    }),
  ),
})
export type ReviewTranscript = Static<typeof ReviewTranscript>
