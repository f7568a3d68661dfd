/**
 * Instagram reels of professional accounts through the Graph API with Facebook Login, which accepts file uploads:
 * https://developers.facebook.com/docs/instagram-platform/content-publishing/resumable-uploads Fields and limits:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media Publishing twice
 * is impossible: a container can be published once, and its status shows that it was.
 */
import { instagram as PRESET } from '../../contract/platforms/instagram.ts'
import type {
  AccountCall,
  Later,
  PostMetrics,
  Published,
  PublishJob,
  SocialAdapter,
  SocialMedia,
} from './adapter.ts'
import { socialFailure } from './failure.ts'
import { fileFrom } from './file-parts.ts'
import { isOk, type SocialRequest } from './http.ts'
import {
  callMeta,
  choose,
  containerState,
  exchangeMeta,
  GRAPH,
  isGone,
  metaFailure,
  pagesOf,
} from './meta.ts'
import { countAt, earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const POLL_MS = 5000

const callApi = (call: AccountCall, request: SocialRequest) => callMeta(LABEL, call, request)

async function begin(job: PublishJob, media: SocialMedia): Promise<string> {
  const { json } = await callApi(job, {
    path: `/${GRAPH}/${job.account.nativeId}/media`,
    form: {
      media_type: 'REELS',
      upload_type: 'resumable',
      caption: job.post.text,
      share_to_feed: 'true',
    },
  })
  const container = textAt(json, 'id')
  if (container === null) throw socialFailure('transient', `${LABEL} has begun no upload.`)
  const answer = await job.http({
    url: textAt(json, 'uri') ?? `https://rupload.facebook.com/ig-api-upload/${GRAPH}/${container}`,
    method: 'POST',
    headers: {
      authorization: `OAuth ${job.account.tokens.access}`,
      offset: '0',
      file_size: String(media.bytes),
      'content-type': 'application/octet-stream',
      'content-length': String(media.bytes),
    },
    body: fileFrom(media.file),
  })
  if (!isOk(answer)) throw metaFailure(LABEL, answer)
  job.remember({ container, bytes: media.bytes })
  return container
}

async function stateOf(job: PublishJob, container: string) {
  const { json } = await callApi(job, {
    path: `/${GRAPH}/${container}`,
    query: { fields: 'status_code,status' },
  })
  return containerState(LABEL, json, 'status_code', () => job.remember({ container: null }))
}

async function publishedAs(call: AccountCall, id: string): Promise<Published> {
  const { json } = await callApi(call, { path: `/${GRAPH}/${id}`, query: { fields: 'permalink' } })
  return { nativeId: id, url: textAt(json, 'permalink') }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const { media } = job
  if (media === null) throw socialFailure('rejected', `${LABEL} takes posts with a video only.`)
  const known = job.memo()
  let container =
    typeof known['container'] === 'string' && known['bytes'] === media.bytes ? known['container'] : null
  const state = container === null ? 'gone' : await stateOf(job, container)
  if (container === null || state === 'gone') {
    container = await begin(job, media)
    return { later: POLL_MS }
  }
  if (state === 'working') return { later: POLL_MS }
  if (state === 'published') return (await newest(job)) ?? { later: POLL_MS }
  job.sending()
  const { json } = await callApi(job, {
    path: `/${GRAPH}/${job.account.nativeId}/media_publish`,
    form: { creation_id: container },
  })
  const id = textAt(json, 'id')
  if (id === null) throw socialFailure('transient', `${LABEL} has not told the post's id.`)
  job.remember({ published: id })
  return publishedAs(job, id)
}

/** A published container does not name its post, so the account's newest posts are searched for it. */
async function newest(job: PublishJob): Promise<Published | null> {
  const answer = await callApi(job, {
    path: `/${GRAPH}/${job.account.nativeId}/media`,
    query: { fields: 'id,caption,timestamp,permalink', limit: '10' },
  })
  const own = listAt(answer.json, 'data').find(
    (post) =>
      (textAt(post, 'caption') ?? '') === job.post.text &&
      Date.parse(textAt(post, 'timestamp') ?? '') >= earliest(job, answer),
  )
  const id = textAt(own, 'id')
  return id === null ? null : { nativeId: id, url: textAt(own, 'permalink') }
}

async function find(job: PublishJob): Promise<Published | Later | null> {
  const { container, published } = job.memo()
  if (typeof published === 'string') return publishedAs(job, published)
  if (typeof container !== 'string' || (await stateOf(job, container)) !== 'published') return null
  return (await newest(job)) ?? { later: POLL_MS }
}

const COUNTED = 'views,reach,likes,comments,shares,saved,total_interactions'

async function metrics(call: AccountCall, ids: readonly string[]): Promise<ReadonlyMap<string, PostMetrics>> {
  const found = new Map<string, PostMetrics>()
  for (const id of ids) {
    const answer = await call.http({
      at: 'api',
      path: `/${GRAPH}/${id}/insights`,
      token: call.account.tokens.access,
      query: { metric: COUNTED },
    })
    if (isGone(answer)) continue
    if (!isOk(answer)) throw metaFailure(LABEL, answer)
    found.set(id, countersOf(insights(answer.json)))
  }
  return found
}

/** `{name: value}` of an answer of insights. */
export function insights(json: unknown): Record<string, number> {
  return Object.fromEntries(
    listAt(json, 'data').map((one) => [
      textAt(one, 'name') ?? '',
      countAt(one, 'values', 0, 'value') || countAt(one, 'total_value', 'value'),
    ]),
  )
}

const countersOf = (platformCounts: Record<string, number>): PostMetrics => ({
  views: platformCounts['views'] ?? 0,
  likes: platformCounts['likes'] ?? 0,
  comments: platformCounts['comments'] ?? 0,
  shares: platformCounts['shares'] ?? 0,
  platformMetrics: platformCounts,
})

export const instagram: SocialAdapter = {
  platform: 'instagram',
  label: LABEL,
  publish,
  find,
  metrics,
  limits: PRESET.limits,
  addresses: { api: 'https://graph.facebook.com' },
  uploadHosts: ['rupload.facebook.com'],
  remove: null,
  comment: async (call, id, text) => {
    await callApi(call, { path: `/${GRAPH}/${id}/comments`, form: { message: text } })
  },
  way: {
    kind: 'oauth',
    authorizeAddress: `https://www.facebook.com/${GRAPH}/dialog/oauth`,
    scopes: [
      'instagram_basic',
      'instagram_content_publish',
      'instagram_manage_comments',
      'instagram_manage_insights',
      'pages_show_list',
      'pages_read_engagement',
      'business_management',
    ],
    separator: ',',
    pkce: null,
    refresh: null,
    exchange: (call, code) => exchangeMeta(call, LABEL, 'instagram', code),
    identify: async (call, tokens, wanted) => {
      const pages = await pagesOf(call, LABEL, tokens)
      const accounts = pages.flatMap(({ instagram: own, token }) => (own === null ? [] : [{ ...own, token }]))
      const { id, name, token } = choose(LABEL, accounts, wanted)
      return { nativeId: id, handle: `@${name}`, tokens: { access: token } }
    },
  },
}
