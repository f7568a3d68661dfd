/**
 * Threads. https://developers.facebook.com/docs/threads/posts States:
 * https://developers.facebook.com/docs/threads/troubleshooting Threads accepts no upload: it downloads the video from
 * an address, so the appliance must be reachable from outside. Publishing twice is impossible: a container can be
 * published once, and its status shows that it was.
 */
import { threads as PRESET } from '../../contract/platforms/threads.ts'
import type {
  AccountCall,
  Later,
  PostMetrics,
  Published,
  PublishJob,
  SocialAdapter,
  SocialTokens,
} from './adapter.ts'
import { socialFailure } from './failure.ts'
import { isOk, type SocialRequest } from './http.ts'
import { insights } from './instagram.ts'
import { callMeta, containerState, isGone, metaFailure } from './meta.ts'
import { requestTokens, requireApp } from './oauth.ts'
import { earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const POLL_MS = 5000
/** Threads recommends waiting half a minute before a video container's status is read. */
const FIRST_LOOK_MS = 30_000

const callApi = (call: AccountCall, request: SocialRequest) => callMeta(LABEL, call, request)

async function container(call: AccountCall, form: Record<string, string>): Promise<string> {
  const { json } = await callApi(call, { path: `/v1.0/${call.account.nativeId}/threads`, form })
  const id = textAt(json, 'id')
  if (id === null) throw socialFailure('transient', `${LABEL} has made no container.`)
  return id
}

function formOf(job: PublishJob): Record<string, string> {
  const { media, post } = job
  if (media === null) return { media_type: 'TEXT', text: post.text }
  if (media.address === null)
    throw socialFailure(
      'unsupported',
      'Threads fetches videos from an address and takes no file: set CUTROOM_PUBLIC_URL to an address that this appliance has on the internet. A clip that must be encoded anew for Threads cannot go out.',
    )
  return { media_type: 'VIDEO', video_url: media.address, text: post.text }
}

async function stateOf(job: PublishJob, id: string) {
  const { json } = await callApi(job, { path: `/v1.0/${id}`, query: { fields: 'status,error_message' } })
  return containerState(LABEL, json, 'status', () => job.remember({ container: null }))
}

async function publishedAs(call: AccountCall, id: string): Promise<Published> {
  const { json } = await callApi(call, { path: `/v1.0/${id}`, query: { fields: 'permalink' } })
  return { nativeId: id, url: textAt(json, 'permalink') }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const known = job.memo()['container']
  const state = typeof known === 'string' ? await stateOf(job, known) : 'gone'
  if (typeof known !== 'string' || state === 'gone') {
    job.remember({ container: await container(job, formOf(job)) })
    return { later: job.media === null ? 0 : FIRST_LOOK_MS }
  }
  if (state === 'working') return { later: POLL_MS }
  if (state === 'published') return (await newest(job)) ?? { later: POLL_MS }
  job.sending()
  const { json } = await callApi(job, {
    path: `/v1.0/${job.account.nativeId}/threads_publish`,
    form: { creation_id: known },
  })
  const id = textAt(json, 'id')
  if (id === null) throw socialFailure('transient', `${LABEL} has not told the post's id.`)
  job.remember({ published: id })
  return publishedAs(job, id)
}

async function newest(job: PublishJob): Promise<Published | null> {
  const answer = await callApi(job, {
    path: `/v1.0/${job.account.nativeId}/threads`,
    query: { fields: 'id,text,timestamp,permalink', limit: '10' },
  })
  const own = listAt(answer.json, 'data').find(
    (post) =>
      (textAt(post, 'text') ?? '') === job.post.text &&
      Date.parse((textAt(post, 'timestamp') ?? '').replace(/\+0000$/, 'Z')) >= earliest(job, answer),
  )
  const id = textAt(own, 'id')
  return id === null ? null : { nativeId: id, url: textAt(own, 'permalink') }
}

async function find(job: PublishJob): Promise<Published | Later | null> {
  const { container: known, published } = job.memo()
  if (typeof published === 'string') return publishedAs(job, published)
  if (typeof known !== 'string' || (await stateOf(job, known)) !== 'published') return null
  return (await newest(job)) ?? { later: POLL_MS }
}

async function metrics(call: AccountCall, ids: readonly string[]): Promise<ReadonlyMap<string, PostMetrics>> {
  const found = new Map<string, PostMetrics>()
  for (const id of ids) {
    const answer = await call.http({
      at: 'api',
      path: `/v1.0/${id}/insights`,
      token: call.account.tokens.access,
      query: { metric: 'views,likes,replies,reposts,quotes,shares' },
    })
    if (isGone(answer)) continue
    if (!isOk(answer)) throw metaFailure(LABEL, answer)
    const platformCounts = insights(answer.json)
    found.set(id, {
      views: platformCounts['views'] ?? 0,
      likes: platformCounts['likes'] ?? 0,
      comments: platformCounts['replies'] ?? 0,
      shares:
        (platformCounts['reposts'] ?? 0) + (platformCounts['quotes'] ?? 0) + (platformCounts['shares'] ?? 0),
      platformMetrics: platformCounts,
    })
  }
  return found
}

async function comment(call: AccountCall, id: string, text: string): Promise<void> {
  const reply = await container(call, { media_type: 'TEXT', text, reply_to_id: id })
  await callApi(call, {
    path: `/v1.0/${call.account.nativeId}/threads_publish`,
    form: { creation_id: reply },
  })
}

export const threads: SocialAdapter = {
  platform: 'threads',
  label: LABEL,
  publish,
  find,
  metrics,
  comment,
  limits: PRESET.limits,
  addresses: { api: 'https://graph.threads.net' },
  uploadHosts: [],
  remove: async (call, id) => {
    await callApi(call, { path: `/v1.0/${id}`, method: 'DELETE' })
  },
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://threads.net/oauth/authorize',
    scopes: [
      'threads_basic',
      'threads_content_publish',
      'threads_manage_insights',
      'threads_manage_replies',
      'threads_delete',
    ],
    separator: ',',
    pkce: null,
    renewBeforeMs: 30 * 86_400_000,
    exchange: async (call, { code, redirectAddress }) => {
      const { clientId, clientSecret } = requireApp(call, LABEL, 'threads')
      const secret = clientSecret ?? ''
      const short = await requestTokens(call, LABEL, {
        at: 'api',
        path: '/oauth/access_token',
        form: {
          client_id: clientId,
          client_secret: secret,
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectAddress,
        },
      })
      const long = await requestTokens(call, LABEL, {
        at: 'api',
        path: '/access_token',
        token: short.access,
        query: { grant_type: 'th_exchange_token', client_secret: secret, access_token: short.access },
      })
      return renewable(long)
    },
    refresh: async (call, { access }) => {
      const query = { grant_type: 'th_refresh_token', access_token: access }
      return renewable(await requestTokens(call, LABEL, { at: 'api', path: '/refresh_access_token', query }))
    },
    identify: async (call, tokens) => {
      const answer = await call.http({
        at: 'api',
        path: '/v1.0/me',
        token: tokens.access,
        query: { fields: 'id,username' },
      })
      const nativeId = textAt(answer.json, 'id')
      if (!isOk(answer) || nativeId === null) throw metaFailure(LABEL, answer)
      return { nativeId, handle: `@${textAt(answer.json, 'username') ?? nativeId}`, tokens }
    },
  },
}

/** A token lasts 60 days and is renewed before it expires; afterwards the account must be connected again. */
const renewable = ({ expiresAt, ...tokens }: SocialTokens): SocialTokens => ({
  ...tokens,
  refresh: tokens.access,
  ...(expiresAt === undefined ? {} : { expiresAt, refreshExpiresAt: expiresAt }),
})
