/** Share links: what the studio makes of clips for reviewers without an account, and what those see and say. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

const Id = Type.String({ minLength: 1, maxLength: 100 })
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Text = Type.String({ minLength: 1, maxLength: 4000 })

/** A text over the picture of the files that go out by a link; empty: none. */
const Watermark = Type.String({ maxLength: 80 })

const MAX_SHARED_CLIPS = 100
export const SHARE_DAYS = { least: 1, usual: 14, most: 365 } as const

export const DECISIONS = ['approved', 'changes'] as const
export type ShareDecision = (typeof DECISIONS)[number]

export const ShareRequest = closedObject({
  title: Type.String({ minLength: 1, maxLength: 200 }),
  clipIds: Type.Array(Id, { minItems: 1, maxItems: MAX_SHARED_CLIPS }),
  days: Type.Optional(Type.Integer({ minimum: SHARE_DAYS.least, maximum: SHARE_DAYS.most })),
  /** Empty or left out: the link alone opens it. */
  password: Type.Optional(Type.String({ maxLength: 200 })),
  download: Type.Optional(Type.Boolean()),
  watermark: Type.Optional(Watermark),
})
export type ShareRequest = Static<typeof ShareRequest>

/** What is left out stays. `days`: from now on. */
export const ShareChange = closedObject(
  {
    days: Type.Optional(Type.Integer({ minimum: SHARE_DAYS.least, maximum: SHARE_DAYS.most })),
    watermark: Type.Optional(Watermark),
  },
  { minProperties: 1 },
)
export type ShareChange = Static<typeof ShareChange>

const SHARE_STATES = ['open', 'expired', 'revoked'] as const

export const ShareLink = Type.Object({
  id: Type.String(),
  title: Type.String(),
  state: choice(SHARE_STATES),
  clips: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  hasPassword: Type.Boolean(),
  download: Type.Boolean(),
  /** The text over the picture of its files; null: they go out as they are. */
  watermark: nullable(Type.String()),
  /** Clips whose file is being rendered for reviewers. */
  rendering: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
  /** When a reviewer opened it last; null: nobody has. */
  openedAt: nullable(Type.String()),
  comments: Type.Integer(),
  approved: Type.Integer({ description: 'Clips that somebody approved' }),
  changes: Type.Integer({ description: 'Clips for which somebody asked for changes' }),
})
export type ShareLink = Static<typeof ShareLink>

export const ShareLinks = Type.Object({
  links: Type.Array(ShareLink),
  /** Whether only this machine reaches the appliance: a link is of no use to anybody else then. */
  onlyThisMachine: Type.Boolean(),
  /** Comments and decisions that nobody of the studio has seen. */
  unseen: Type.Integer(),
})
export type ShareLinks = Static<typeof ShareLinks>

/** The address is shown this once. */
export const ShareMade = Type.Object({ link: ShareLink, address: Type.String() })
export type ShareMade = Static<typeof ShareMade>

export const ShareComment = Type.Object({
  id: Type.String(),
  clipId: Type.String(),
  author: Type.String(),
  side: choice(['reviewer', 'studio']),
  text: Type.String(),
  /** Frame of the file that was played, from 0; null for answers. */
  frame: nullable(Type.Integer()),
  seconds: nullable(Type.Number()),
  replyTo: nullable(Type.String()),
  createdAt: Type.String(),
  resolved: Type.Boolean(),
})
export type ShareComment = Static<typeof ShareComment>

export const ShareDecided = Type.Object({
  clipId: Type.String(),
  reviewer: Type.String(),
  decision: choice(DECISIONS),
  note: Type.String(),
  decidedAt: Type.String(),
  /** Whether the clip looks different now from what was decided about. */
  outdated: Type.Boolean(),
})
export type ShareDecided = Static<typeof ShareDecided>

/** What was said of one clip, by every link. */
export const ClipFeedback = Type.Object({
  comments: Type.Array(ShareComment),
  decisions: Type.Array(ShareDecided),
})
export type ClipFeedback = Static<typeof ClipFeedback>

export const ShareAnswer = closedObject({ text: Text })
export const ShareResolve = closedObject({ resolved: Type.Boolean() })

// What reviewers send and see.

export const ShareOpen = closedObject({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  password: Type.Optional(Type.String({ maxLength: 200 })),
})

export const SharedClip = Type.Object({
  id: Type.String(),
  title: Type.String(),
  duration: Type.Number(),
  /** Frames a second of the file; steps and comments count them. */
  frameRate: Type.Number(),
  width: Type.Integer(),
  height: Type.Integer(),
  /** Null: it is being rendered, or could not be. */
  media: nullable(Type.String()),
  state: choice(['ready', 'rendering', 'failed']),
  /** How far it is rendered, 0 to 1; 1 where it is. */
  progress: Type.Number(),
})
export type SharedClip = Static<typeof SharedClip>

export const SharedView = Type.Object({
  id: Type.String(),
  title: Type.String(),
  by: Type.String(),
  expiresAt: Type.String(),
  download: Type.Boolean(),
  clips: Type.Array(SharedClip),
  comments: Type.Array(ShareComment),
  decisions: Type.Array(ShareDecided),
})
export type SharedView = Static<typeof SharedView>

export const NewShareComment = closedObject({
  clipId: Id,
  author: Name,
  text: Text,
  frame: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  replyTo: Type.Optional(Id),
})
export type NewShareComment = Static<typeof NewShareComment>

export const NewShareDecision = closedObject({
  clipId: Id,
  reviewer: Name,
  decision: choice(DECISIONS),
  note: Type.Optional(Type.String({ maxLength: 4000 })),
})
export type NewShareDecision = Static<typeof NewShareDecision>
