/**
 * LinkedIn, for members. Videos: https://learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api
 * Posts: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api  Twice-safe by LinkedIn's own
 * refusal of duplicates, which names the first post, and by a look among the author's posts where the app may read them.
 */
import { linkedin as PRESET } from '../../contract/platforms/linkedin.ts'
import type {
  AccountCall,
  Later,
  PostMetrics,
  Published,
  PublishJob,
  SocialAdapter,
  SocialMedia,
} from './adapter.ts'
import { identifyBy, noUpload, refusedVideo, wholeUpload } from './common.ts'
import { reasonOf } from './failure.ts'
import { filePart } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer, type SocialRequest } from './http.ts'
import { createTokenRequests } from './oauth.ts'
import { countAt, earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const POLL_MS = 5000
const VERSION_AGE_MONTHS = 6

/**
 * LinkedIn makes a version each month and serves it for a year, so that one that is written down here ends with that
 * year: https://learn.microsoft.com/linkedin/marketing/versioning . The one of half a year ago is always served.
 */
export function linkedinVersion(now: number): string {
  const date = new Date(now)
  const then = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - VERSION_AGE_MONTHS))
  return then.toISOString().slice(0, 7).replace('-', '')
}

const versions = (call: AccountCall) => ({
  'linkedin-version': linkedinVersion(call.now()),
  'x-restli-protocol-version': '2.0.0',
})

function fail(answer: SocialAnswer) {
  const errorMessage = textAt(answer.json, 'message')
  if (answer.status !== 426) return refusal(LABEL, answer, errorMessage)
  const more = "Look whether this machine's clock is right, and install the newest version of Cutroom."
  return refusal(
    LABEL,
    answer,
    `${errorMessage ?? 'it does not serve this version of its API'}. ${more}`,
    'unsupported',
  )
}

async function callApi(call: AccountCall, request: SocialRequest): Promise<SocialAnswer> {
  const answer = await call.http({
    at: 'api',
    token: call.account.tokens.access,
    ...request,
    headers: { ...versions(call), ...request.headers },
  })
  if (!isOk(answer)) throw fail(answer)
  return answer
}

const publishedAs = (urn: string): Published => ({
  nativeId: urn,
  url: `https://www.linkedin.com/feed/update/${urn}/`,
})

/** The video's urn, with every part of it uploaded. */
async function uploaded(job: PublishJob, media: SocialMedia): Promise<string> {
  const known = wholeUpload(job, media, 'video')
  if (known !== null) return known
  const { json } = await callApi(job, {
    path: '/rest/videos',
    query: { action: 'initializeUpload' },
    json: {
      initializeUploadRequest: {
        owner: job.account.nativeId,
        fileSizeBytes: media.bytes,
        uploadCaptions: false,
        uploadThumbnail: false,
      },
    },
  })
  const video = textAt(json, 'value', 'video')
  const parts = listAt(json, 'value', 'uploadInstructions')
  if (video === null || parts.length === 0) throw noUpload(LABEL)
  job.remember({ video, bytes: media.bytes, whole: false })
  const uploadedPartIds: string[] = []
  for (const part of parts) {
    const first = countAt(part, 'firstByte')
    const last = countAt(part, 'lastByte')
    const answer = await job.http({
      url: textAt(part, 'uploadUrl') ?? '',
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: await filePart(media.file, first, last - first + 1),
    })
    if (!isOk(answer)) throw fail(answer)
    uploadedPartIds.push((answer.headers['etag'] ?? '').replaceAll('"', ''))
    job.progress((last + 1) / media.bytes)
  }
  await callApi(job, {
    path: '/rest/videos',
    query: { action: 'finalizeUpload' },
    json: {
      finalizeUploadRequest: {
        video,
        uploadToken: textAt(json, 'value', 'uploadToken') ?? '',
        uploadedPartIds,
      },
    },
  })
  job.remember({ whole: true })
  return video
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const { media, post } = job
  const video = media === null ? null : await uploaded(job, media)
  if (video !== null) {
    const { json } = await callApi(job, { path: `/rest/videos/${encodeURIComponent(video)}` })
    const status = textAt(json, 'status')
    if (status === 'PROCESSING_FAILED') throw refusedVideo(LABEL, textAt(json, 'processingFailureReason'))
    if (status !== 'AVAILABLE') return { later: POLL_MS }
  }
  await job.sending()
  const answer = await job.http({
    at: 'api',
    path: '/rest/posts',
    token: job.account.tokens.access,
    headers: versions(job),
    json: {
      author: job.account.nativeId,
      commentary: littleText(post.text),
      visibility: post.visibility === 'public' ? 'PUBLIC' : 'CONNECTIONS',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      ...(video === null
        ? {}
        : { content: { media: { id: video, ...(post.title === null ? {} : { title: post.title }) } } }),
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    },
  })
  const urn = answer.headers['x-restli-id']
  if (isOk(answer) && urn !== undefined && urn !== '') return publishedAs(urn)
  const first = /urn:li:(?:share|ugcPost):\d+/.exec(textAt(answer.json, 'message') ?? '')?.[0]
  // "Content is a duplicate of urn:li:share:...": what this very job has sent before it was cut off.
  if (answer.status === 422 && first !== undefined && job.memo()['again'] === true) return publishedAs(first)
  throw fail(answer)
}

async function find(job: PublishJob): Promise<Published | null> {
  const { video } = job.memo()
  try {
    const answer = await callApi(job, {
      path: '/rest/posts',
      query: { q: 'author', author: job.account.nativeId, count: '10', sortBy: 'LAST_MODIFIED' },
    })
    const own = listAt(answer.json, 'elements').find((post) =>
      typeof video === 'string'
        ? textAt(post, 'content', 'media', 'id') === video
        : textAt(post, 'commentary') === littleText(job.post.text) &&
          countAt(post, 'createdAt') >= earliest(job, answer),
    )
    const urn = textAt(own, 'id')
    if (urn !== null) return publishedAs(urn)
  } catch (error) {
    // Reading a member's posts needs a permission that few apps get: then LinkedIn's word on duplicates has to do.
    if (reasonOf(error) !== 'auth') throw error
  }
  job.remember({ again: true })
  return null
}

const metrics: SocialAdapter['metrics'] = async (call, urns) => {
  const found = new Map<string, PostMetrics>()
  for (const urn of urns) {
    const answer = await call.http({
      at: 'api',
      path: `/rest/socialActions/${encodeURIComponent(urn)}`,
      headers: versions(call),
      token: call.account.tokens.access,
    })
    if (answer.status === 404) continue
    if (!isOk(answer)) throw fail(answer)
    const platformCounts = {
      likes: countAt(answer.json, 'likesSummary', 'totalLikes'),
      comments: countAt(answer.json, 'commentsSummary', 'aggregatedTotalComments'),
    }
    // LinkedIn gives apps neither views nor shares of a member's post.
    found.set(urn, { views: 0, shares: 0, ...platformCounts, platformMetrics: platformCounts })
  }
  return found
}

export const linkedin: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  addresses: { api: 'https://api.linkedin.com', token: 'https://www.linkedin.com' },
  uploadHosts: ['www.linkedin.com', '.linkedin.com', '.licdn.com'],
  remove: (call, urn) => callApi(call, { path: `/rest/posts/${encodeURIComponent(urn)}`, method: 'DELETE' }),
  comment: (call, urn, text) =>
    callApi(call, {
      path: `/rest/socialActions/${encodeURIComponent(urn)}/comments`,
      json: { actor: call.account.nativeId, object: urn, message: { text } },
    }),
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://www.linkedin.com/oauth/v2/authorization',
    scopes: ['openid', 'profile', 'w_member_social'],
    separator: ' ',
    ...createTokenRequests(PRESET, { at: 'token', path: '/oauth/v2/accessToken' }, null),
    identify: identifyBy(
      { path: '/v2/userinfo' },
      { id: ['sub'], names: [['name']], urn: 'urn:li:person:' },
      fail,
    ),
  },
}

/** PURE: a text in LinkedIn's "little text" format: https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format */

const RESERVED = /[\\|{}@[\]()<>#*_~]/g
const HASHTAG = /(?<=^|\s)#([\p{L}\p{N}_]*[\p{L}][\p{L}\p{N}_]*)/gu

const escaped = (text: string): string => text.replaceAll(RESERVED, (sign) => `\\${sign}`)

/** What has a meaning in the format is escaped, and hashtags are marked as such. */
export function littleText(text: string): string {
  let made = ''
  let end = 0
  for (const match of text.matchAll(HASHTAG)) {
    made += `${escaped(text.slice(end, match.index))}{hashtag|\\#|${escaped(match[1] ?? '')}}`
    end = match.index + match[0].length
  }
  return made + escaped(text.slice(end))
}
