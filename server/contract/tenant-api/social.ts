/** Publishing: connected accounts, posts with their plan, the calendar. */
import { Type, type Static } from '@sinclair/typebox'
import { orNull, bound, id, PLATFORMS } from '../post.ts'
import { Moment, NullableMoment, PAGE_QUERY } from './envelope.ts'
import { choice, closedObject, nullable, oneOf } from '../config-fields.ts'

const PlatformName = oneOf(PLATFORMS)

export const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'success', 'error', 'cancelled'] as const
export type PostStatus = (typeof POST_STATUSES)[number]
const Status = oneOf(POST_STATUSES)

const POST_VISIBILITIES = ['public', 'unlisted', 'private', 'followers'] as const
const VisibilityName = choice(POST_VISIBILITIES)

const ACCOUNT_STATES = ['connected', 'expired'] as const

/** A connected account: never with what opens it. */
export const SocialAccountView = closedObject({
  id: Type.String(),
  platform: PlatformName,
  handle: Type.String({ description: 'As the platform shows it' }),
  nativeId: Type.String({ description: 'Its id on the platform' }),
  state: oneOf(ACCOUNT_STATES, 'expired: the platform lets it in no longer; connect it again'),
  scopes: Type.Array(Type.String()),
  expiresAt: NullableMoment,
  connectedAt: Moment,
})
export type SocialAccountView = Static<typeof SocialAccountView>

/** The texts that a post of a clip would have on one platform: a proposal that nothing refuses. */
export const PostText = closedObject({
  platform: PlatformName,
  title: orNull(Type.String({ description: 'Null: posts have no title there' })),
  text: Type.String(),
  firstComment: orNull(),
  hashtags: Type.Array(Type.String(), { description: 'As they stand in the text or the first comment' }),
})
export type PostText = Static<typeof PostText>

export const PostTextsQuery = Type.Object({
  platform: Type.Optional({
    ...Type.Array(choice(PLATFORMS), { maxItems: PLATFORMS.length }),
    description: 'Any of these; every platform where left out',
  }),
})
export type PostTextsQuery = Static<typeof PostTextsQuery>

/** A post with its schedule. /analytics has its counters. */
export const SocialPost = closedObject({
  id: Type.String(),
  platform: PlatformName,
  status: Status,
  account: nullable(
    closedObject({
      id: Type.String(),
      handle: Type.String({ description: 'As it was when it was connected last' }),
      state: oneOf([...ACCOUNT_STATES, 'disconnected']),
    }),
  ),
  destination: oneOf(
    ['account', 'export'],
    'export: no account is meant; a package with the video and the text is written on the appliance',
  ),
  clipId: orNull(),
  text: Type.String(),
  title: orNull(),
  visibility: oneOf(POST_VISIBILITIES),
  firstComment: orNull(),
  coverSeconds: nullable(Type.Number(), {
    description: 'The moment of the clip that is its cover; null: the usual one',
  }),
  scheduledAt: NullableMoment,
  approved: Type.Boolean({
    description: 'Whether a person has approved this version and it is on its way, or out',
  }),
  publishedAt: NullableMoment,
  postUrl: orNull(),
  nativeId: orNull(),
  error: nullable(closedObject({ code: Type.String(), message: Type.String() })),
  note: orNull(Type.String({ description: 'How it went out, where that needs a sentence' })),
  operationId: orNull(Type.String({ description: 'The newest publish or cancel operation' })),
  createdAt: Moment,
  updatedAt: Moment,
})
export type SocialPost = Static<typeof SocialPost>

const FIELDS = {
  clipId: Type.Optional(orNull(id())),
  accountId: Type.Optional({
    ...orNull(id()),
    description: 'Null: a package is written. Left out: the account of the platform, if there is only one',
  }),
  text: Type.Optional(Type.String({ maxLength: 70_000 })),
  title: Type.Optional(orNull(Type.String({ maxLength: 1000 }))),
  visibility: Type.Optional(VisibilityName),
  firstComment: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 10_000 }))),
  coverSeconds: Type.Optional({
    ...nullable(Type.Number({ minimum: 0, maximum: 86_400 })),
    description:
      'The moment of the clip, in seconds as it is played, that is shown as its cover: on TikTok, Instagram and YouTube, and in packages. Null: the one that the platform chooses; of a package the clip’s thumbnail',
  }),
  scheduledAt: Type.Optional({
    ...orNull(Type.String({ maxLength: 40 })),
    description: 'ISO 8601; null or left out: as soon as it is approved',
  }),
}

/** The body of POST /social/posts. */
export const NewSocialPost = closedObject({ platform: choice(PLATFORMS), ...FIELDS })
export type NewSocialPost = Static<typeof NewSocialPost>

/** The body of PATCH /social/posts/{postId}. */
export const SocialPostChanges = closedObject({ platform: Type.Optional(choice(PLATFORMS)), ...FIELDS })
export type SocialPostChanges = Static<typeof SocialPostChanges>

const statuses = () => Type.Optional(Type.Array(choice(POST_STATUSES), { maxItems: POST_STATUSES.length }))

export const SocialPostsQuery = Type.Object({
  status: { ...statuses(), description: 'Any of these' },
  state: { ...statuses(), description: 'The same as status' },
  platform: Type.Optional({
    ...Type.Array(choice(PLATFORMS), { maxItems: PLATFORMS.length }),
    description: 'Any of these',
  }),
  from: bound('ISO 8601 date or datetime, inclusive: of when it went out, is to go out, or was made'),
  to: bound('ISO 8601 date (the whole day) or datetime, inclusive'),
  ...PAGE_QUERY,
})
export type SocialPostsQuery = Static<typeof SocialPostsQuery>

/** GET /social/calendar: the window's bounds, both inclusive. */
export const CALENDAR_BACK_DAYS = 7
export const CALENDAR_DAYS = 35
export const CALENDAR_MOST_DAYS = 100
export const CalendarQuery = Type.Object({
  from: bound(`ISO 8601 date or datetime; ${CALENDAR_BACK_DAYS} days ago where left out`),
  to: bound(
    `ISO 8601 date (the whole day) or datetime; ${CALENDAR_DAYS} days after from where left out, ${CALENDAR_MOST_DAYS} at most`,
  ),
  ...PAGE_QUERY,
})
export type CalendarQuery = Static<typeof CalendarQuery>

export const CalendarEntry = closedObject({
  at: Moment,
  postId: Type.String(),
  platform: PlatformName,
  status: Status,
  account: SocialPost.properties.account,
  clipId: orNull(),
  title: orNull(),
  text: Type.String({ description: 'Its first 280 characters' }),
  postUrl: orNull(),
})
export type CalendarEntry = Static<typeof CalendarEntry>

export const CalendarMeta = Type.Object({ nextCursor: nullable(Type.String()), from: Moment, to: Moment })

/** The answer to DELETE /social/posts/{postId}. */
export const SocialDeleted = closedObject({ id: Type.String(), deleted: Type.Literal(true) })
