/**
 * Threads. https://developers.facebook.com/docs/threads/posts States:
 * https://developers.facebook.com/docs/threads/troubleshooting Threads accepts no upload: it downloads the video from
 * an address, so the appliance must be reachable from outside. Publishing twice is impossible: a container can be
 * published once, and its status shows that it was.
 */
import { threads as PRESET } from '../../contract/platforms/threads.ts'
import type { AccountCall, PostMetrics, PublishJob, SocialAdapter, SocialTokens } from './adapter.ts'
import { identifyBy } from './common.ts'
import { socialFailure } from './failure.ts'
import {
  createContainerFlow,
  createMetaCall,
  createMetrics,
  metaFailure,
  readInsights,
  requireId,
} from './meta.ts'
import { requestTokens, requireApp } from './oauth.ts'

const LABEL = PRESET.label
/** Threads recommends waiting half a minute before a video container's status is read. */
const FIRST_LOOK_MS = 30_000

const callApi = createMetaCall(LABEL)

async function makeContainer(call: AccountCall, form: Record<string, string>): Promise<string> {
  const { json } = await callApi(call, { path: `/v1.0/${call.account.nativeId}/threads`, form })
  return requireId(json, `${LABEL} has made no container.`)
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

const { publish, find, publishContainer } = createContainerFlow({
  label: LABEL,
  root: '/v1.0',
  state: 'status',
  stateFields: 'status,error_message',
  posts: 'threads',
  publishing: 'threads_publish',
  text: 'text',
  findContainer: (job) => {
    const { container } = job.memo()
    return typeof container === 'string' ? container : null
  },
  begin: async (job) => {
    job.remember({ container: await makeContainer(job, formOf(job)) })
    return job.media === null ? 0 : FIRST_LOOK_MS
  },
})

function countersOf(json: unknown): PostMetrics {
  const platformMetrics = readInsights(json)
  const { views = 0, likes = 0, replies = 0, reposts = 0, quotes = 0, shares = 0 } = platformMetrics
  return { views, likes, comments: replies, shares: reposts + quotes + shares, platformMetrics }
}

export const threads: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics: createMetrics(
    LABEL,
    (id) => ({
      path: `/v1.0/${id}/insights`,
      query: { metric: 'views,likes,replies,reposts,quotes,shares' },
    }),
    countersOf,
  ),
  comment: async (call, id, text) => {
    await publishContainer(call, await makeContainer(call, { media_type: 'TEXT', text, reply_to_id: id }))
  },
  addresses: { api: 'https://graph.threads.net' },
  uploadHosts: [],
  remove: (call, id) => callApi(call, { path: `/v1.0/${id}`, method: 'DELETE' }),
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
    identify: identifyBy(
      { path: '/v1.0/me', query: { fields: 'id,username' } },
      { id: ['id'], names: [['username']], mark: '@' },
      (answer) => metaFailure(LABEL, answer),
    ),
  },
}

/** A token lasts 60 days and is renewed before it expires; afterwards the account must be connected again. */
const renewable = ({ expiresAt, ...tokens }: SocialTokens): SocialTokens => ({
  ...tokens,
  refresh: tokens.access,
  ...(expiresAt === undefined ? {} : { expiresAt, refreshExpiresAt: expiresAt }),
})
