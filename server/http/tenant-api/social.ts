/** /social: accounts, posts, the calendar, and the two steps of publishing and taking back. */
import { Confirmation, SocialConfirmationConsume } from '../../contract/tenant-api/workflow.ts'
import { list, single } from '../../contract/tenant-api/envelope.ts'
import { DomainOperation } from '../../contract/tenant-api/operation.ts'
import {
  CalendarEntry,
  CalendarMeta,
  CalendarQuery,
  NewSocialPost,
  PostText,
  PostTextsQuery,
  SocialAccountView,
  SocialDeleted,
  SocialPost,
  SocialPostChanges,
  SocialPostsQuery,
} from '../../contract/tenant-api/social.ts'
import { listSocialAccounts } from '../../domain/publishing/accounts.ts'
import { cancelPost, prepareCancel, preparePublish, publishPost } from '../../domain/publishing/actions.ts'
import {
  createDraft,
  deleteDraft,
  listPosts,
  patchDraft,
  readCalendar,
  readPost,
} from '../../domain/publishing/posts.ts'
import { listPostTexts } from '../../domain/publishing/post-texts.ts'
import { tenantRoute } from './declare.ts'

const answerPost = ({ post, etag }: ReturnType<typeof readPost>) => ({ data: post, etag })

const CONSUMED = [
  'NOT_FOUND',
  'INVALID_STATE',
  'CONFIRMATION_EXPIRED',
  'CONFIRMATION_NOT_APPROVED',
  'CONFIRMATION_CONSUMED',
  'CONFIRMATION_MISMATCH',
] as const

const accountRoutes = [
  tenantRoute('GET /social/accounts', {
    operationId: 'listSocialAccounts',
    summary: 'Connected accounts: handles, never what opens them',
    answer: list(SocialAccountView),
    success: 'Every connected account',
    handle: (services, { caller }) => ({
      data: listSocialAccounts(services, caller.companyId),
      meta: { nextCursor: null },
    }),
  }),
  tenantRoute('GET /social/calendar', {
    operationId: 'getSocialCalendar',
    summary: 'What went out and what is planned, in a bounded window',
    query: CalendarQuery,
    answer: list(CalendarEntry, CalendarMeta),
    errors: ['INVALID_CURSOR'],
    success: 'The window, earliest first',
    handle: (services, { caller, query }) => {
      const { items, ...meta } = readCalendar(services, { caller, query })
      return { data: items, meta }
    },
  }),
]

const postRoutes = [
  tenantRoute('GET /clips/{clipId}/post-texts', {
    operationId: 'getPostTexts',
    summary: 'What a post of a clip would say on each platform: title, text, hashtags, first comment',
    description:
      'Proposals within each platform’s limits, from the clip’s title, description and keywords as they are now; nothing is stored. POST /social/posts drafts a post with texts of one’s own.',
    query: PostTextsQuery,
    answer: list(PostText),
    success: 'One for each platform',
    handle: (services, { caller, params, query }) => ({
      data: listPostTexts(services, {
        companyId: caller.companyId,
        clipId: params.clipId,
        platforms: query.platform ?? [],
      }),
      meta: { nextCursor: null },
    }),
  }),
  tenantRoute('GET /social/posts', {
    operationId: 'listSocialPosts',
    summary: 'Posts in every state, the latest moment first',
    query: SocialPostsQuery,
    answer: list(SocialPost),
    errors: ['INVALID_CURSOR'],
    success: 'A page of posts',
    handle: (services, { caller, query }) => {
      const { items, nextCursor } = listPosts(services, { caller, query })
      return { data: items, meta: { nextCursor } }
    },
  }),
  tenantRoute('POST /social/posts', {
    operationId: 'createSocialPost',
    summary: 'Draft a post: one account of one platform',
    description:
      'The draft is not approved: nothing goes out before a person has approved a confirmation of it. What the platform would not take is refused here.',
    body: NewSocialPost,
    idempotent: 'atomic',
    etag: true,
    status: 201,
    answer: single(SocialPost),
    success: 'The draft is stored',
    handle: (services, { caller, body }) => answerPost(createDraft(services, { caller, draft: body })),
  }),
  tenantRoute('GET /social/posts/{postId}', {
    operationId: 'getSocialPost',
    summary: 'One post',
    etag: true,
    answer: single(SocialPost),
    success: 'The post',
    handle: (services, { caller, params }) => answerPost(readPost(services, { caller, id: params.postId })),
  }),
  tenantRoute('PATCH /social/posts/{postId}', {
    operationId: 'updateSocialPost',
    summary: 'Change a draft; whatever was approved of it is approved no longer',
    description:
      'A post that is scheduled, or that failed, may be changed too: it becomes a draft again, and does not go out before it is approved anew.',
    body: SocialPostChanges,
    ifMatch: true,
    idempotent: 'atomic',
    answer: single(SocialPost),
    success: 'The draft is changed',
    errors: ['INVALID_STATE'],
    handle: (services, { caller, params, body, ifMatch }) =>
      answerPost(patchDraft(services, { caller, id: params.postId, ifMatch, changes: body })),
  }),
  tenantRoute('DELETE /social/posts/{postId}', {
    operationId: 'deleteSocialPost',
    summary: 'Delete a draft',
    answer: single(SocialDeleted),
    success: 'It is gone',
    errors: ['INVALID_STATE'],
    handle: (services, { caller, params }) => ({
      data: deleteDraft(services, { caller, id: params.postId }),
    }),
  }),
]

const stepRoutes = [
  tenantRoute('POST /social/posts/{postId}:prepare-publish', {
    operationId: 'preparePublish',
    summary: 'Ask a person for leave to publish this post as it is',
    idempotent: 'atomic',
    status: 201,
    answer: single(Confirmation),
    success: 'The confirmation waits for a decision',
    errors: ['INVALID_STATE'],
    handle: (services, { caller, params, baseUrl }) => ({
      data: preparePublish(services, { caller, id: params.postId, baseUrl }),
    }),
  }),
  tenantRoute('POST /social/posts/{postId}:prepare-cancel', {
    operationId: 'prepareCancel',
    summary: 'Ask a person for leave to stop this post, or to take it back',
    idempotent: 'atomic',
    status: 201,
    answer: single(Confirmation),
    success: 'The confirmation waits for a decision',
    errors: ['INVALID_STATE'],
    handle: (services, { caller, params }) => ({
      data: prepareCancel(services, { caller, id: params.postId }),
    }),
  }),
  tenantRoute('POST /social/posts/{postId}:publish', {
    operationId: 'publishSocialPost',
    summary: 'Publish what was approved, now or at its scheduled moment',
    body: SocialConfirmationConsume,
    idempotent: 'atomic',
    status: 202,
    answer: single(DomainOperation),
    success: 'The publishing is in the outbox',
    errors: CONSUMED,
    handle: (services, { caller, params, body }) => ({
      data: publishPost(services, { ...body, caller, id: params.postId }),
    }),
  }),
  tenantRoute('POST /social/posts/{postId}:cancel', {
    operationId: 'cancelSocialPost',
    summary: 'Stop a post, or take a published one back where the platform has a way',
    body: SocialConfirmationConsume,
    idempotent: 'atomic',
    status: 202,
    answer: single(DomainOperation),
    success: 'The cancelling is in the outbox',
    errors: CONSUMED,
    handle: (services, { caller, params, body }) => ({
      data: cancelPost(services, { ...body, caller, id: params.postId }),
    }),
  }),
]

export const socialRoutes = [...accountRoutes, ...postRoutes, ...stepRoutes]
