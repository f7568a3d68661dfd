/**
 * Facebook pages, by the Graph API. Videos: https://developers.facebook.com/docs/video-api/guides/publishing (in parts,
 * by upload_phase). Texts: https://developers.facebook.com/docs/pages-api/posts  Twice-safe by the video's id, which is
 * known before its last phase; texts are looked up among the page's newest posts.
 */
import { facebook as PRESET } from '../../contract/platforms/facebook.ts'
import type {
  AccountCall,
  Later,
  PostMetrics,
  Published,
  PublishJob,
  SocialAdapter,
  SocialMedia,
} from './adapter.ts'
import { noUpload, wholeUpload } from './common.ts'
import { socialFailure } from './failure.ts'
import { filePart, multipart } from './file-parts.ts'
import type { SocialAnswer } from './http.ts'
import {
  choose,
  createMetrics,
  createMetaCall,
  exchangeMeta,
  findNewest,
  GRAPH,
  pagesOf,
  requireId,
} from './meta.ts'
import { at, countAt, textAt } from './values.ts'

const LABEL = PRESET.label
const MAX_AT_ONCE = 16 * 1024 * 1024

const callApi = createMetaCall(LABEL)

async function phase(
  job: PublishJob,
  fields: Record<string, string>,
  chunk?: Uint8Array,
): Promise<SocialAnswer> {
  const path = `/${GRAPH}/${job.account.nativeId}/videos`
  if (chunk === undefined) return callApi(job, { at: 'video', path, form: fields })
  const { body, type } = multipart(fields, { name: 'video_file_chunk', bytes: chunk })
  return callApi(job, { at: 'video', path, method: 'POST', body, headers: { 'content-type': type } })
}

/** Uploads everything but the word that makes it public. */
async function upload(job: PublishJob, media: SocialMedia): Promise<{ video: string; session: string }> {
  const earlier = job.memo()['session']
  const known = wholeUpload(job, media, 'video')
  if (known !== null && typeof earlier === 'string') return { video: known, session: earlier }
  let { json } = await phase(job, { upload_phase: 'start', file_size: String(media.bytes) })
  const video = textAt(json, 'video_id')
  const session = textAt(json, 'upload_session_id')
  if (video === null || session === null) throw noUpload(LABEL)
  job.remember({ video, session, bytes: media.bytes, whole: false })
  for (;;) {
    const start = countAt(json, 'start_offset')
    const end = countAt(json, 'end_offset')
    if (start >= end) break
    const part = await filePart(media.file, start, Math.min(MAX_AT_ONCE, end - start))
    const fields = { upload_phase: 'transfer', upload_session_id: session, start_offset: String(start) }
    json = (await phase(job, fields, part)).json
    if (countAt(json, 'start_offset') <= start)
      throw socialFailure('transient', `${LABEL} takes no more of the upload for now.`)
    job.progress(countAt(json, 'start_offset') / media.bytes)
  }
  job.remember({ whole: true })
  return { video, session }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const { media, post } = job
  if (media === null) return publishText(job)
  const { video, session } = await upload(job, media)
  await job.sending()
  await phase(job, {
    upload_phase: 'finish',
    upload_session_id: session,
    description: post.text,
    published: 'true',
    ...(post.title === null ? {} : { title: post.title }),
  })
  return publishedAs(job, video)
}

async function publishText(job: PublishJob): Promise<Published> {
  await job.sending()
  const { json } = await callApi(job, {
    path: `/${GRAPH}/${job.account.nativeId}/feed`,
    form: { message: job.post.text },
  })
  const id = requireId(json, `${LABEL} has not told the post's id.`)
  return { nativeId: id, url: `https://www.facebook.com/${id}` }
}

const publishedAs = (job: AccountCall, video: string): Published => ({
  nativeId: video,
  url: `https://www.facebook.com/${job.account.nativeId}/videos/${video}`,
})

async function find(job: PublishJob): Promise<Published | Later | null> {
  const { video } = job.memo()
  if (typeof video === 'string') {
    const { json } = await callApi(job, { path: `/${GRAPH}/${video}`, query: { fields: 'published,status' } })
    return at(json, 'published') === true ? publishedAs(job, video) : null
  }
  const path = `/${GRAPH}/${job.account.nativeId}/posts`
  const own = await findNewest(callApi, job, { path, text: 'message', time: 'created_time', more: '' })
  const id = textAt(own, 'id')
  return id === null ? null : { nativeId: id, url: `https://www.facebook.com/${id}` }
}

const BOTH = 'likes.summary(true).limit(0),comments.summary(true).limit(0)'

function countersOf(json: unknown): PostMetrics {
  const counters = {
    views: countAt(json, 'views'),
    likes: countAt(json, 'likes', 'summary', 'total_count'),
    comments: countAt(json, 'comments', 'summary', 'total_count'),
    shares: countAt(json, 'shares', 'count'),
  }
  return { ...counters, platformMetrics: counters }
}

export const facebook: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics: createMetrics(
    LABEL,
    // A post of the feed has the page's id before its own; a video has its own only.
    (id) => ({
      path: `/${GRAPH}/${id}`,
      query: { fields: id.includes('_') ? `shares,${BOTH}` : `views,${BOTH}` },
    }),
    countersOf,
  ),
  addresses: { api: 'https://graph.facebook.com', video: 'https://graph-video.facebook.com' },
  uploadHosts: ['.facebook.com'],
  remove: (call, id) => callApi(call, { path: `/${GRAPH}/${id}`, method: 'DELETE' }),
  comment: (call, id, text) => callApi(call, { path: `/${GRAPH}/${id}/comments`, form: { message: text } }),
  way: {
    kind: 'oauth',
    authorizeAddress: `https://www.facebook.com/${GRAPH}/dialog/oauth`,
    scopes: [
      'pages_show_list',
      'pages_manage_posts',
      'pages_manage_engagement',
      'pages_read_engagement',
      'read_insights',
      'business_management',
    ],
    separator: ',',
    pkce: null,
    refresh: null,
    exchange: (call, code) => exchangeMeta(call, LABEL, 'facebook', code),
    identify: async (call, tokens, wanted) => {
      const { id, name, token } = choose(LABEL, await pagesOf(call, LABEL, tokens), wanted)
      return { nativeId: id, handle: name, tokens: { access: token } }
    },
  },
}
