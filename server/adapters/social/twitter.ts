/**
 * X, by its API v2. Uploads: https://docs.x.com/x-api/media/initialize-media-upload  Posts:
 * https://docs.x.com/x-api/posts/create-post  X has no key against sending twice: after a cut the account's newest posts
 * are looked at for the very upload, or for the same text.
 */
import { twitter as PRESET } from '../../contract/platforms/twitter.ts'
import type { AccountCall, Later, Published, PublishJob, SocialAdapter } from './adapter.ts'
import { createApiCall, identifyBy, noUpload, readCounters, refusedVideo } from './common.ts'
import { filePart, multipart } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer } from './http.ts'
import { basic, createTokenRequests } from './oauth.ts'
import { at, countAt, earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const CHUNK = 4 * 1024 * 1024
const MAX_WAIT_MS = 60_000

function messageOf({ json }: SocialAnswer): string | null {
  return textAt(json, 'detail') ?? textAt(json, 'errors', 0, 'message') ?? textAt(json, 'title')
}

const fail = (answer: SocialAnswer) => refusal(LABEL, answer, messageOf(answer))
const callApi = createApiCall(fail)

const publishedAs = (call: AccountCall, id: string): Published => ({
  nativeId: id,
  url: `https://x.com/${call.account.handle.replace(/^@/, '')}/status/${id}`,
})

/** The upload's id when X is through with it. */
async function uploaded(job: PublishJob): Promise<string | Later> {
  const { media } = job
  if (media === null) return ''
  const known = job.memo()
  let id = typeof known['media'] === 'string' && known['bytes'] === media.bytes ? known['media'] : null
  if (id === null) {
    const { json } = await callApi(job, {
      path: '/2/media/upload/initialize',
      json: { media_type: media.mediaType, total_bytes: media.bytes, media_category: 'tweet_video' },
    })
    id = textAt(json, 'data', 'id')
    if (id === null) throw noUpload(LABEL)
    job.remember({ media: id, bytes: media.bytes, sent: 0, finalized: false })
  }
  if (job.memo()['finalized'] !== true) {
    // If the attempt was interrupted during FINALIZE, its outcome is unknown; FINALIZE cannot be repeated once it
    // succeeded.
    const known = job.memo()['finalizing'] === true ? await stateOf(job, id) : null
    const json = known !== null && isOk(known) ? known.json : await finalize(job, id)
    job.remember({ finalized: true })
    return processed(id, json)
  }
  const answer = await stateOf(job, id)
  if (!isOk(answer)) throw fail(answer)
  return processed(id, answer.json)
}

const stateOf = (job: PublishJob, id: string): Promise<SocialAnswer> =>
  job.http({
    at: 'api',
    path: '/2/media/upload',
    token: job.account.tokens.access,
    query: { command: 'STATUS', media_id: id },
  })

async function finalize(job: PublishJob, id: string): Promise<SocialAnswer['json']> {
  await append(job, id)
  job.remember({ finalizing: true })
  return (await callApi(job, { path: `/2/media/upload/${id}/finalize`, method: 'POST' })).json
}

async function append(job: PublishJob, id: string): Promise<void> {
  const { media } = job
  if (media === null) return
  for (let segment = Number(job.memo()['sent'] ?? 0); segment * CHUNK < media.bytes; segment++) {
    const bytes = await filePart(media.file, segment * CHUNK, CHUNK)
    const { body, type } = multipart({ segment_index: String(segment) }, { name: 'media', bytes })
    const request = { path: `/2/media/upload/${id}/append`, method: 'POST' as const, body }
    await callApi(job, { ...request, headers: { 'content-type': type } })
    job.remember({ sent: segment + 1 })
    job.progress(Math.min(1, ((segment + 1) * CHUNK) / media.bytes))
  }
}

function processed(id: string, json: unknown): string | Later {
  const state = textAt(json, 'data', 'processing_info', 'state') ?? 'succeeded'
  if (state === 'succeeded') return id
  if (state === 'failed')
    throw refusedVideo(LABEL, textAt(json, 'data', 'processing_info', 'error', 'message'))
  const seconds = countAt(json, 'data', 'processing_info', 'check_after_secs') || 5
  return { later: Math.min(MAX_WAIT_MS, seconds * 1000) }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const media = await uploaded(job)
  if (typeof media === 'object') return media
  await job.sending()
  const answer = await job.http({
    at: 'api',
    path: '/2/tweets',
    token: job.account.tokens.access,
    json: { text: job.post.text, ...(media === '' ? {} : { media: { media_ids: [media] } }) },
  })
  const id = textAt(answer.json, 'data', 'id')
  if (isOk(answer) && id !== null) return publishedAs(job, id)
  // X refuses text that the account posted a moment ago.
  if (answer.status === 403 && /duplicate/i.test(messageOf(answer) ?? '')) {
    const found = await find(job)
    if (found !== null) return found
    throw refusal(LABEL, answer, messageOf(answer), 'rejected')
  }
  throw fail(answer)
}

/** X puts its own address of each link and of the video into the text; `cutroom.app` is a link to it as well. */
const bare = (text: string): string =>
  text
    .replaceAll(/https?:\/\/\S+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:\/\S*)?/gu, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim()

async function find(job: PublishJob): Promise<Published | null> {
  const answer = await callApi(job, {
    path: `/2/users/${encodeURIComponent(job.account.nativeId)}/tweets`,
    query: { max_results: '20', 'tweet.fields': 'created_at,attachments' },
  })
  const { media } = job.memo()
  const own = listAt(answer.json, 'data').find((post) => {
    const keys = at(post, 'attachments', 'media_keys')
    if (typeof media === 'string')
      return Array.isArray(keys) && keys.some((key) => typeof key === 'string' && key.endsWith(`_${media}`))
    return (
      bare(textAt(post, 'text') ?? '') === bare(job.post.text) &&
      Date.parse(textAt(post, 'created_at') ?? '') >= earliest(job, answer)
    )
  })
  const id = textAt(own, 'id')
  return id === null ? null : publishedAs(job, id)
}

const metrics: SocialAdapter['metrics'] = async (call, ids) => {
  const { json } = await callApi(call, {
    path: '/2/tweets',
    query: { ids: ids.join(','), 'tweet.fields': 'public_metrics' },
  })
  const names = {
    views: 'impression_count',
    likes: 'like_count',
    comments: 'reply_count',
    shares: ['retweet_count', 'quote_count'],
  }
  return new Map(
    listAt(json, 'data').map((post) => {
      const counts = at(post, 'public_metrics')
      const platformMetrics = { ...(counts as object) }
      return [textAt(post, 'id') ?? '', { ...readCounters(counts, names), platformMetrics }]
    }),
  )
}

export const twitter: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  addresses: { api: 'https://api.x.com' },
  uploadHosts: [],
  remove: (call, id) => callApi(call, { path: `/2/tweets/${encodeURIComponent(id)}`, method: 'DELETE' }),
  comment: (call, id, text) =>
    callApi(call, { path: '/2/tweets', json: { text, reply: { in_reply_to_tweet_id: id } } }),
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://x.com/i/oauth2/authorize',
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    separator: ' ',
    ...createTokenRequests(
      PRESET,
      { at: 'api', path: '/2/oauth2/token' },
      'base64url',
      ({ clientId, clientSecret }) => ({
        form: { client_id: clientId },
        ...(clientSecret === null ? {} : { headers: { authorization: basic(clientId, clientSecret) } }),
      }),
    ),
    identify: identifyBy(
      { path: '/2/users/me' },
      { id: ['data', 'id'], names: [['data', 'username']], mark: '@' },
      (answer) => refusal(LABEL, answer, messageOf(answer), 'auth'),
    ),
  },
}
