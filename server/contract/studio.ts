/** Routes under /studio/: the studio's own, not part of either public contract. */
import { Type, type Static } from '@sinclair/typebox'
import { ScoreReason } from './clip-candidate.ts'
import { RoleSchema } from './people.ts'
import { BasicClip, PlayedRanges } from './public-clip.ts'
import { ReadyAt } from './promises.ts'
import { RunStatus, WaitsFor } from './run.ts'
import { closedObject, nullable, choice } from './config-fields.ts'
import { Platform } from './post.ts'
import { TextUnit } from './text-length.ts'
import { TranscriptWord } from './transcript.ts'
import { Confirmation } from './tenant-api/workflow.ts'

/** Header of a studio's requests that names the company of its window; without it, the person's own or the oldest. */
export const COMPANY_HEADER = 'x-cutroom-company'

export const StudioSession = Type.Object({
  companyId: Type.String(),
  companies: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  version: Type.String(),
  /** Null for an API key. */
  person: nullable(Type.Object({ id: Type.String(), name: Type.String(), role: RoleSchema })),
})
export type StudioSession = Static<typeof StudioSession>

export const StudioRunRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  workflowId: Type.String({ minLength: 1 }),
  uploadId: Type.Optional(Type.String({ minLength: 1 })),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
  /** The video that comes with the appliance. */
  sample: Type.Optional(Type.Literal(true)),
  /** An upload of subtitles that belong to the upload: its words. */
  captionsUploadId: Type.Optional(Type.String({ minLength: 1 })),
  /** Spoken language, BCP 47; detected when left out. */
  language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' })),
  nodeConfigs: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
})
export type StudioRunRequest = Static<typeof StudioRunRequest>

/** An upload of subtitles, whose words replace those of a clip or of a run's clips. */
export const StudioCaptions = closedObject({ uploadId: Type.String({ minLength: 1 }) })

/** All words of a clip, as an undo puts them back. */
export const StudioWords = closedObject({
  words: Type.Array(TranscriptWord, { minItems: 1, maxItems: 100_000 }),
  /** Revision of the words that they replace. */
  etag: Type.String(),
})
export type StudioWords = Static<typeof StudioWords>

export const StudioCaptioned = Type.Object({
  /** How many clips have other words now. */
  clips: Type.Integer(),
  /** One sentence for each clip that has not. */
  warnings: Type.Array(Type.String()),
  /** Of one clip, so that it can be undone; absent: its words are the same, or it was a whole run. */
  words: Type.Optional(
    Type.Object({ before: Type.Array(TranscriptWord), after: Type.Array(TranscriptWord) }),
  ),
})
export type StudioCaptioned = Static<typeof StudioCaptioned>

export const StudioRun = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  workflowName: Type.String(),
  /** The address or the file's name, for people. */
  source: Type.String(),
  status: RunStatus,
  progress: Type.Number(),
  stage: Type.String(),
  warnings: Type.Array(Type.String()),
  error: nullable(Type.String()),
  errorCode: nullable(Type.String()),
  /** See contract/run.ts; absent: for nothing. */
  waitsFor: Type.Optional(WaitsFor),
  readyAt: Type.Optional(ReadyAt),
  clipCount: Type.Integer(),
  createdAt: Type.String(),
  finishedAt: nullable(Type.String()),
})
export type StudioRun = Static<typeof StudioRun>

/** A run in the list of Home. */
export const StudioListedRun = Type.Intersect([
  StudioRun,
  Type.Object({
    /** Clips that nobody has kept or rejected yet. */
    undecidedCount: Type.Integer(),
    /** Of its best clip. */
    thumbnailUrl: nullable(Type.String()),
  }),
])
export type StudioListedRun = Static<typeof StudioListedRun>
export const StudioRuns = Type.Object({ runs: Type.Array(StudioListedRun) })

export const StudioClip = Type.Intersect([
  BasicClip,
  Type.Object({
    runId: nullable(Type.String()),
    playedRanges: PlayedRanges,
    whyPicked: Type.String(),
    scoreReasons: Type.Array(ScoreReason),
    createdAt: Type.String(),
  }),
])
export type StudioClip = Static<typeof StudioClip>
export const StudioClips = Type.Object({ clips: Type.Array(StudioClip) })

export const UploadStored = Type.Object({
  uploadId: Type.String(),
  bytes: Type.Integer(),
  name: Type.String(),
})
export type UploadStored = Static<typeof UploadStored>

const most = Type.Integer({ minimum: 0 })

export const PlatformFacts = Type.Object({
  platform: Platform,
  /** For people. */
  label: Type.String(),
  text: Type.Object({ most, unit: TextUnit }),
  title: nullable(Type.Object({ most, required: Type.Boolean() }), {
    description: 'Null: posts have no title there',
  }),
  firstComment: nullable(Type.Object({ most })),
  /** Whether an account’s post may name the moment that is its cover; a package always may. */
  cover: Type.Boolean(),
  /** Whether people can follow a link in the text. */
  links: Type.Boolean(),
  visibilities: Type.Array(Type.String()),
  videoRequired: Type.Boolean(),
  /** Length of its videos. */
  seconds: Type.Object({ least: Type.Number(), most: Type.Number() }),
  removable: Type.Boolean({ description: 'Whether an app may take back what is published' }),
})
export type PlatformFacts = Static<typeof PlatformFacts>

export const WaitingConfirmation = Type.Object({
  confirmation: Confirmation,
  /** The kind of caller: an agent, a service, or the studio itself. */
  client: Type.Object({ id: Type.String(), name: Type.String() }),
})
export type WaitingConfirmation = Static<typeof WaitingConfirmation>

/** Days of the window at most. */
const MAX_ANALYTICS_DAYS = 366

export const AnalyticsDaysQuery = Type.Object({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  days: Type.Integer({ minimum: 1, maximum: MAX_ANALYTICS_DAYS, description: 'Until today' }),
  offset: Type.Optional(
    Type.Integer({ minimum: -840, maximum: 840, description: 'Minutes that the day begins before UTC’s; 0' }),
  ),
})
export type AnalyticsDaysQuery = Static<typeof AnalyticsDaysQuery>

/** Below 0 where a platform took counts back. */
const gained = Type.Integer()

export const AnalyticsDay = Type.Object({
  day: Type.String({ description: '`2026-11-21`, in the time zone of `offset`' }),
  views: gained,
  likes: gained,
  comments: gained,
  shares: gained,
})
export type AnalyticsDay = Static<typeof AnalyticsDay>

/** Whether a language model is configured. */
export const StudioAgent = Type.Object({
  state: choice(['off', 'refused', 'ready']),
  model: nullable(Type.String()),
  /** A sentence, where it is refused. */
  why: nullable(Type.String()),
})
export type StudioAgent = Static<typeof StudioAgent>

export const AgentMessage = Type.Object({
  role: choice(['user', 'assistant']),
  text: Type.String({ maxLength: 4000 }),
})
export type AgentMessage = Static<typeof AgentMessage>

export const StudioAgentQuestion = Type.Object({
  /** In order; the last message is the question. */
  messages: Type.Array(AgentMessage, { minItems: 1, maxItems: 20 }),
  /** The clip in the browser in a few lines, and its words. Both are data, whatever they contain. */
  clip: Type.String({ maxLength: 60_000 }),
})
export type StudioAgentQuestion = Static<typeof StudioAgentQuestion>

export const StudioAgentAnswer = Type.Object({
  model: nullable(Type.String()),
  /** The model's text besides its tool calls; may be empty. */
  said: Type.String(),
  /** Commands with arguments that fit their schemas, in order. The studio does them; nothing is stored here. */
  calls: Type.Array(
    Type.Object({ name: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) }),
  ),
  /** One sentence for each call that is none of the commands, or does not fit its command. */
  refused: Type.Array(Type.String()),
  /** Why no model answered; null: one did. */
  failed: nullable(Type.String()),
})
export type StudioAgentAnswer = Static<typeof StudioAgentAnswer>
