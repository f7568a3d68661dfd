/**
 * YouTube, by the Data API v3. Uploads: https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 * Fields: https://developers.google.com/youtube/v3/docs/videos  Errors: https://developers.google.com/youtube/v3/docs/errors
 * Covers: https://developers.google.com/youtube/v3/docs/thumbnails/set
 * Twice-safe by the upload session: it answers what became of it, and after its end the channel's uploads are looked at.
 */
import { youtube as PRESET } from '../../contract/platforms/youtube.ts'
import type { Published, PublishJob, SocialAdapter, SocialMedia } from './adapter.ts'
import { createApiCall, identifyBy, readCounters, requireVideo } from './common.ts'
import { socialFailure } from './failure.ts'
import { filePart } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer } from './http.ts'
import { createTokenRequests } from './oauth.ts'
import { at, earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
/** The protocol requires a multiple of 256 KiB. */
const CHUNK = 8 * 1024 * 1024

const LIMITED = new Set([
  'quotaExceeded',
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'uploadLimitExceeded',
  'dailyLimitExceeded',
])

function fail(answer: SocialAnswer) {
  const reason = textAt(answer.json, 'error', 'errors', 0, 'reason') ?? ''
  const message = textAt(answer.json, 'error', 'message')
  const kind = LIMITED.has(reason) ? 'rate_limited' : answer.status === 404 ? 'rejected' : undefined
  return refusal(LABEL, answer, message?.replaceAll(/<[^>]*>/g, '') ?? null, kind)
}

const callApi = createApiCall(fail)

/** YouTube refuses angle brackets in both. */
const plain = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›')

const publishedAs = (id: string): Published => ({
  nativeId: id,
  url: `https://www.youtube.com/watch?v=${id}`,
})

async function begin(job: PublishJob, media: SocialMedia): Promise<string> {
  const { post } = job
  const answer = await job.http({
    at: 'api',
    path: '/upload/youtube/v3/videos',
    method: 'POST',
    token: job.account.tokens.access,
    query: { uploadType: 'resumable', part: 'snippet,status' },
    headers: { 'x-upload-content-type': media.mediaType, 'x-upload-content-length': String(media.bytes) },
    json: {
      snippet: { title: plain(post.title ?? ''), description: plain(post.text) },
      status: { privacyStatus: post.visibility, selfDeclaredMadeForKids: false },
    },
  })
  const session = answer.headers['location']
  if (!isOk(answer) || session === undefined) throw fail(answer)
  job.remember({ session, bytes: media.bytes, title: plain(post.title ?? '') })
  return session
}

/** State of an upload: its video when complete, the next byte, or null when the upload session has expired. */
async function standing(job: PublishJob, session: string, bytes: number): Promise<Published | number | null> {
  const answer = await job.http({
    url: session,
    method: 'PUT',
    token: job.account.tokens.access,
    headers: { 'content-range': `bytes */${bytes}` },
    body: new Uint8Array(0),
  })
  const id = isOk(answer) ? textAt(answer.json, 'id') : null
  if (id !== null) return publishedAs(id)
  if (answer.status === 308) return nextByte(answer)
  if (answer.status === 404 || answer.status === 410) return null
  throw fail(answer)
}

function nextByte({ headers }: SocialAnswer): number {
  const last = /-(\d+)$/.exec(headers['range'] ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

async function upload(
  job: PublishJob,
  session: string,
  media: SocialMedia,
  from: number,
): Promise<Published> {
  let start = from
  for (;;) {
    const length = Math.min(CHUNK, media.bytes - start)
    const last = start + length >= media.bytes
    // With its last byte the video is there.
    if (last) await job.sending()
    const body = await filePart(media.file, start, length)
    const answer = await job.http({
      url: session,
      method: 'PUT',
      token: job.account.tokens.access,
      body,
      headers: {
        'content-type': media.mediaType,
        'content-range': `bytes ${start}-${start + length - 1}/${media.bytes}`,
      },
    })
    const id = isOk(answer) ? textAt(answer.json, 'id') : null
    if (id !== null) return publishedAs(id)
    if (answer.status !== 308) throw fail(answer)
    const next = nextByte(answer)
    if (last && next >= media.bytes)
      throw socialFailure('transient', `${LABEL} has not told what became of the upload.`)
    if (next <= start) throw socialFailure('transient', `${LABEL} takes no more of the upload for now.`)
    start = next
    job.progress(start / media.bytes)
  }
}

/** The video is there: a cover that is refused (a channel needs a verified phone for it) leaves it as it is. */
async function withCover(job: PublishJob, published: Published): Promise<Published> {
  if (job.cover === null) return published
  try {
    const answer = await job.http({
      at: 'api',
      path: '/upload/youtube/v3/thumbnails/set',
      method: 'POST',
      token: job.account.tokens.access,
      query: { videoId: published.nativeId, uploadType: 'media' },
      headers: { 'content-type': 'image/jpeg' },
      body: await job.cover.picture(),
    })
    if (!isOk(answer)) throw fail(answer)
    return published
  } catch (error) {
    if (job.signal.aborted) throw error
    const why = error instanceof Error ? error.message : 'the platform refused it.'
    return { ...published, note: `The cover is missing: ${why}` }
  }
}

const publish = async (job: PublishJob): Promise<Published> => withCover(job, await send(job))

async function send(job: PublishJob): Promise<Published> {
  const media = requireVideo(job, LABEL)
  const { session, bytes } = job.memo()
  if (typeof session === 'string' && bytes === media.bytes) {
    const stand = await standing(job, session, media.bytes)
    if (typeof stand === 'object' && stand !== null) return stand
    if (stand !== null && stand < media.bytes) return upload(job, session, media, stand)
  }
  return upload(job, await begin(job, media), media, 0)
}

async function find(job: PublishJob): Promise<Published | null> {
  const { session, bytes, title } = job.memo()
  if (typeof session !== 'string' || typeof bytes !== 'number') return null
  const stand = await standing(job, session, bytes)
  if (typeof stand === 'object' && stand !== null) return stand
  if (stand !== null) return null
  // The upload session has expired: search the channel's newest uploads, in a playlist whose id follows from the
  // channel's.
  const answer = await callApi(job, {
    path: '/youtube/v3/playlistItems',
    query: { part: 'snippet', playlistId: `UU${job.account.nativeId.slice(2)}`, maxResults: '10' },
  })
  const own = listAt(answer.json, 'items').find(
    (item) =>
      textAt(item, 'snippet', 'title') === title &&
      Date.parse(textAt(item, 'snippet', 'publishedAt') ?? '') >= earliest(job, answer),
  )
  const id = textAt(own, 'snippet', 'resourceId', 'videoId')
  return id === null ? null : publishedAs(id)
}

const metrics: SocialAdapter['metrics'] = async (call, ids) => {
  const { json } = await callApi(call, {
    path: '/youtube/v3/videos',
    query: { part: 'statistics', id: ids.join(',') },
  })
  return new Map(
    listAt(json, 'items').map((item) => {
      const statistics = at(item, 'statistics')
      const names = { views: 'viewCount', likes: 'likeCount', comments: 'commentCount' }
      const platformMetrics = { ...(statistics as object) }
      return [textAt(item, 'id') ?? '', { ...readCounters(statistics, names), platformMetrics }]
    }),
  )
}

export const youtube: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  addresses: {
    api: 'https://www.googleapis.com',
    token: 'https://oauth2.googleapis.com',
  },
  uploadHosts: ['www.googleapis.com', '.googleapis.com'],
  remove: (call, id) => callApi(call, { path: '/youtube/v3/videos', method: 'DELETE', query: { id } }),
  comment: async (call, videoId, text) => {
    const topLevelComment = { snippet: { textOriginal: text } }
    await callApi(call, {
      path: '/youtube/v3/commentThreads',
      method: 'POST',
      query: { part: 'snippet' },
      json: { snippet: { videoId, channelId: call.account.nativeId, topLevelComment } },
    })
  },
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://accounts.google.com/o/oauth2/v2/auth',
    scopes: [
      'https://www.googleapis.com/auth/youtube.upload',
      'https://www.googleapis.com/auth/youtube.force-ssl',
    ],
    separator: ' ',
    parameters: { access_type: 'offline', prompt: 'consent' },
    ...createTokenRequests(PRESET, { at: 'token', path: '/token' }, 'base64url'),
    identify: identifyBy(
      { path: '/youtube/v3/channels', query: { part: 'snippet', mine: 'true' } },
      {
        id: ['items', 0, 'id'],
        names: [
          ['items', 0, 'snippet', 'customUrl'],
          ['items', 0, 'snippet', 'title'],
        ],
      },
      (answer) =>
        isOk(answer) ? socialFailure('auth', 'This Google account has no YouTube channel.') : fail(answer),
    ),
  },
}
