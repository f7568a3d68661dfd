/** Clips, renders and errors as the public API answers them. Media fields are addresses, opaque to the caller. */
import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { BoundaryRecord, ScoreReason } from './clip-candidate.ts'
import { ClipSegment, SourceRange } from './clip.ts'
import { CLIP_ADDRESS } from './clip-transcript.ts'
import { Metadata } from './metadata.ts'
import { RenderWarnings } from './render-warnings.ts'
import { ALIAS_OF, choice, booleanField, takesNull } from './config-fields.ts'

const LooseObject = Type.Record(Type.String(), Type.Unknown())
const optionalText = () => Type.Optional(Type.String())

const basic = {
  id: Type.String(),
  title: Type.String(),
  bio: Type.String(),
  keywords: Type.Array(Type.String()),
  people: Type.Array(Type.String()),
  duration: Type.Number({ description: 'Seconds of the clip as it plays' }),
  startTimestamp: Type.Number({ description: 'Seconds in the source' }),
  endTimestamp: Type.Number({ description: 'Seconds in the source' }),
  segments: Type.Array(ClipSegment, {
    description:
      'The pieces that the clip consists of, in seconds of the clip as it plays, each where the one before it ends; empty when nothing is left out',
  }),
  timestampBoundary: Type.Object({ start: Type.Number(), end: Type.Number() }),
  aspectRatio: Type.String(),
  renderedUrl: optionalText(),
  rawUrl: optionalText(),
  thumbnailURL: optionalText(),
  transcriptUrl: optionalText(),
  fps: Type.Number(),
  videoHeight: Type.Integer(),
  videoResolution: Type.String(),
  viralityScore: Type.Number(),
  relevance: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'How much of the prompt and the keywords the clip is about; absent where nothing was requested',
    }),
  ),
  metadata: { ...Metadata, description: 'As it was set on the clip' },
  chunkIndex: Type.Optional(
    Type.Integer({ description: 'Livestream clips: the chunk that the times count in, from 0' }),
  ),
} satisfies TProperties

/** What `clips` of a completed run holds. */
export const BasicClip = Type.Object(basic)
export type BasicClip = Static<typeof BasicClip>

/** What a clip plays, where its segments do not say it: they count in the clip. */
export const PlayedRanges = Type.Array(SourceRange, {
  description: 'What is played, in seconds of the source, in order',
})

/** What GET /clip answers: the saved document with its addresses. */
export const PublicClip = Type.Object({
  ...basic,
  url: optionalText(),
  publicURL: optionalText(),
  extendedClipURL: optionalText(),
  renderedThumbnailUrl: optionalText(),
  wordTranscriptJSON: optionalText(),
  transcriptSrtUrl: optionalText(),
  transcriptVttUrl: optionalText(),
  peaksUrl: optionalText(),
  companyId: Type.String(),
  workflowId: Type.String(),
  runId: optionalText(),
  runMetadata: { ...Metadata, description: 'As the run was started with it' },
  taskId: Type.String(),
  taskID: Type.String({ description: 'Legacy alias of taskId', [ALIAS_OF]: 'taskId' }),
  sourceId: Type.String({ description: 'Of a livestream: the whole event, `live_` and more' }),
  sourceID: Type.String({ description: 'Legacy alias of sourceId', [ALIAS_OF]: 'sourceId' }),
  sourceInputId: Type.String(),
  clipHash: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  normalizedUrl: optionalText(),
  originalUrl: Type.String(),
  sourceUrl: optionalText(),
  episodeOffsetSeconds: Type.Optional(
    Type.Number({ description: 'Livestream clips: where the clip begins in the whole event, seconds' }),
  ),
  playedRanges: PlayedRanges,
  speakers: Type.Array(Type.String()),
  scoreReasons: Type.Array(ScoreReason),
  whyPicked: Type.String(),
  boundaries: Type.Object({ start: BoundaryRecord, end: BoundaryRecord }),
  subtitleConfig: Type.Optional(LooseObject),
  subtitleId: optionalText(),
  subtitleY: Type.Optional(Type.Number()),
  titleConfig: Type.Optional(LooseObject),
  watermarkConfig: Type.Optional(LooseObject),
  backgroundMusicOption: Type.Optional(LooseObject),
  endCardOption: Type.Optional(LooseObject),
  motionConfig: Type.Optional(LooseObject),
  deliveryConfig: Type.Optional(LooseObject),
  soundConfig: Type.Optional(LooseObject),
  warnings: Type.Optional(RenderWarnings),
})
export type PublicClip = Static<typeof PublicClip>

export const ClipResponse = Type.Object({ clip: PublicClip })
export const ClipQuery = Type.Object({
  companyId: Type.String({ minLength: 1 }),
  clipId: Type.String({ minLength: 1 }),
})

export type ClipQuery = Static<typeof ClipQuery>

export const DeleteClipResponse = Type.Object({ clipId: Type.String(), status: Type.Literal('success') })
export type DeleteClipResponse = Static<typeof DeleteClipResponse>

export const PublicError = Type.Object({
  error: Type.String({ description: 'A sentence for a person' }),
  status: Type.Literal('error'),
  code: Type.String({ description: 'For a program; stable' }),
  requestId: Type.String({ description: 'As in X-Request-Id and in the log' }),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Which field, which rule, where that helps' }),
  ),
})

/** Asks for a refusal in place of a render that lacks something. */
export const strict = booleanField('Refuse with RENDER_INCOMPLETE a render that lost something', false)

export const RenderRequest = Type.Object({ ...CLIP_ADDRESS, strict })
/** The same as it is described to callers. */
export const RenderBody = takesNull(RenderRequest)
export type RenderRequest = Static<typeof RenderRequest>

export const RenderResponse = Type.Object({
  status: choice(['finished', 'failed', 'rendering']),
  /** Address of the finished video; from the domain it may be a path (`/media/...`), made absolute on the way out. */
  renderUrl: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  warnings: Type.Optional(RenderWarnings),
  details: Type.Optional(Type.Object({ warnings: RenderWarnings }, { description: 'Of RENDER_INCOMPLETE' })),
})
export type RenderResponse = Static<typeof RenderResponse>
