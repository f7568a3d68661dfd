/**
 * TikTok through the Content Posting API. https://developers.tiktok.com/doc/content-posting-api-reference-direct-post
 * Chunks: https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide State:
 * https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status Publishing twice is impossible: the
 * publish id gives the state of a post, and an upload without its last chunk never becomes one.
 */
import type { Visibility } from '../../contract/platforms/platform.ts'
import { tiktok as PRESET } from '../../contract/platforms/tiktok.ts'
import type { Later, PostMetrics, Published, PublishJob, SocialAdapter, SocialMedia } from './adapter.ts'
import { createApiCall, identifyBy, noUpload, readCounters, refusedVideo, requireVideo } from './common.ts'
import { socialFailure } from './failure.ts'
import { filePart } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer } from './http.ts'
import { createTokenRequests } from './oauth.ts'
import { at, countAt, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const POLL_MS = 5000
const WHOLE = 64 * 1024 * 1024
const PART = 32 * 1024 * 1024

const LIMITED = new Set([
  'rate_limit_exceeded',
  'spam_risk_too_many_posts',
  'spam_risk_too_many_pending_share',
  // As many people as the app may post for in a day.
  'reached_active_user_cap',
])
const ENDED = new Set(['access_token_invalid', 'scope_not_authorized'])

function fail(answer: SocialAnswer) {
  const code = textAt(answer.json, 'error', 'code') ?? ''
  const message = textAt(answer.json, 'error', 'message') ?? code
  if (ENDED.has(code)) return refusal(LABEL, { ...answer, status: 401 }, message, 'auth')
  if (LIMITED.has(code)) return refusal(LABEL, answer, message, 'rate_limited')
  if (code === 'internal_error') return refusal(LABEL, answer, message, 'transient')
  return refusal(LABEL, answer, message, answer.status === 403 ? 'rejected' : undefined)
}

const callApi = createApiCall(
  fail,
  (answer) => !isOk(answer) || (textAt(answer.json, 'error', 'code') ?? 'ok') !== 'ok',
)

const LEVELS: Readonly<Record<Visibility, string>> = {
  public: 'PUBLIC_TO_EVERYONE',
  followers: 'FOLLOWER_OF_CREATOR',
  private: 'SELF_ONLY',
  unlisted: 'SELF_ONLY',
}

/** Queries what the account may post right now; TikTok requires this immediately before each post. */
async function levelFor(job: PublishJob, media: SocialMedia): Promise<string> {
  const { json } = await callApi(job, { path: '/v2/post/publish/creator_info/query/', json: {} })
  const options = at(json, 'data', 'privacy_level_options')
  const level = LEVELS[job.post.visibility]
  if (Array.isArray(options) && !options.includes(level))
    throw socialFailure(
      'rejected',
      `${LABEL} lets this account post as ${options.join(', ')} only (apps that TikTok has not audited post privately). Change the visibility.`,
    )
  const most = countAt(json, 'data', 'max_video_post_duration_sec')
  if (most > 0 && media.seconds > most)
    throw socialFailure('rejected', `${LABEL} takes videos of ${most} seconds from this account.`)
  return level
}

/** How a file is cut: as a whole up to 64 MB, else in equal parts, what is left over with the last one. */
export function partsOf(bytes: number): { readonly size: number; readonly count: number } {
  return bytes <= WHOLE ? { size: bytes, count: 1 } : { size: PART, count: Math.floor(bytes / PART) }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const media = requireVideo(job, LABEL)
  const level = await levelFor(job, media)
  const { size, count } = partsOf(media.bytes)
  const { json } = await callApi(job, {
    path: '/v2/post/publish/video/init/',
    json: {
      post_info: {
        title: job.post.text,
        privacy_level: level,
        ...(job.cover === null ? {} : { video_cover_timestamp_ms: Math.round(job.cover.seconds * 1000) }),
      },
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: media.bytes,
        chunk_size: size,
        total_chunk_count: count,
      },
    },
  })
  const publishId = textAt(json, 'data', 'publish_id')
  const address = textAt(json, 'data', 'upload_url')
  if (publishId === null || address === null) throw noUpload(LABEL)
  job.remember({ publishId, bytes: media.bytes, whole: false })
  for (let part = 0; part < count; part++) {
    const last = part === count - 1
    const start = part * size
    const length = last ? media.bytes - start : size
    // With its last part it is on its way.
    if (last) await job.sending()
    const answer = await job.http({
      url: address,
      method: 'PUT',
      body: await filePart(media.file, start, length),
      headers: {
        'content-type': media.mediaType,
        'content-range': `bytes ${start}-${start + length - 1}/${media.bytes}`,
      },
    })
    if (!isOk(answer)) throw fail(answer)
    job.progress((start + length) / media.bytes)
  }
  job.remember({ whole: true })
  return { later: POLL_MS }
}

const PASSING = new Set(['internal', 'video_pull_failed'])

/**
 * An upload that did not become a post never will: the next attempt starts over, and counts, because it uploads
 * everything again.
 */
function failedPost(job: PublishJob, why: string) {
  const reason = why.replaceAll('_', ' ')
  if (why === 'auth_removed')
    return socialFailure(
      'auth',
      `${LABEL}: the account has taken the app's access back. Connect it again: cutroom social connect`,
    )
  const limited = LIMITED.has(why)
  if (!limited && !PASSING.has(why)) return refusedVideo(LABEL, reason)
  job.remember({ publishId: null, whole: false })
  job.notTaken()
  return socialFailure(limited ? 'rate_limited' : 'transient', `${LABEL} has made no post of it: ${reason}.`)
}

async function find(job: PublishJob): Promise<Published | Later | null> {
  const { publishId, bytes, whole } = job.memo()
  if (typeof publishId !== 'string') return null
  const { json } = await callApi(job, {
    path: '/v2/post/publish/status/fetch/',
    json: { publish_id: publishId },
  })
  const status = textAt(json, 'data', 'status')
  if (status === 'PUBLISH_COMPLETE') {
    // The name is spelled so in TikTok's own documentation.
    const id = textAt(json, 'data', 'publicaly_available_post_id', 0)
    const handle = job.account.handle.replace(/^@/, '')
    return id === null
      ? {
          nativeId: publishId,
          url: null,
          note: 'TikTok gives no address: the post is private, or being looked at.',
        }
      : { nativeId: id, url: `https://www.tiktok.com/@${handle}/video/${id}` }
  }
  if (status === 'FAILED') throw failedPost(job, textAt(json, 'data', 'fail_reason') ?? 'unknown')
  // Cut off before the last part was there: it will never be a post.
  const lacking = countAt(json, 'data', 'uploaded_bytes') < Number(bytes ?? 0)
  if (status === 'PROCESSING_UPLOAD' && lacking && whole !== true) return null
  return { later: POLL_MS }
}

const COUNTERS = {
  views: 'view_count',
  likes: 'like_count',
  comments: 'comment_count',
  shares: 'share_count',
}
const QUERIED_AT_ONCE = 20

const metrics: SocialAdapter['metrics'] = async (call, ids) => {
  // A post without a public id is known only by its publish id, for which TikTok has no counters.
  const known = ids.filter((id) => /^\d+$/.test(id))
  const found = new Map<string, PostMetrics>()
  for (let from = 0; from < known.length; from += QUERIED_AT_ONCE) {
    const { json } = await callApi(call, {
      path: '/v2/video/query/',
      query: { fields: ['id', ...Object.values(COUNTERS)].join(',') },
      json: { filters: { video_ids: known.slice(from, from + QUERIED_AT_ONCE) } },
    })
    for (const video of listAt(json, 'data', 'videos')) {
      const { id, ...platformMetrics } = video
      found.set(textAt(id) ?? '', { ...readCounters(video, COUNTERS), platformMetrics })
    }
  }
  return found
}

export const tiktok: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  addresses: { api: 'https://open.tiktokapis.com' },
  uploadHosts: ['.tiktokapis.com'],
  remove: null,
  comment: null,
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://www.tiktok.com/v2/auth/authorize/',
    scopes: ['user.info.basic', 'user.info.profile', 'video.publish', 'video.list'],
    // TikTok's desktop login hashes the verifier into hex.
    separator: ',',
    clientParameter: 'client_key',
    ...createTokenRequests(
      PRESET,
      { at: 'api', path: '/v2/oauth/token/' },
      'hex',
      ({ clientId, clientSecret }) => ({ form: { client_key: clientId, client_secret: clientSecret ?? '' } }),
    ),
    identify: identifyBy(
      { path: '/v2/user/info/', query: { fields: 'open_id,display_name,username' } },
      {
        id: ['data', 'user', 'open_id'],
        names: [
          ['data', 'user', 'username'],
          ['data', 'user', 'display_name'],
        ],
        mark: '@',
      },
      fail,
    ),
  },
}
