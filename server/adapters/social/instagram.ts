/**
 * Instagram reels of professional accounts through the Graph API with Facebook Login, which accepts file uploads:
 * https://developers.facebook.com/docs/instagram-platform/content-publishing/resumable-uploads Fields and limits:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media Publishing twice
 * is impossible: a container can be published once, and its status shows that it was.
 */
import { instagram as PRESET } from '../../contract/platforms/instagram.ts'
import type { PostMetrics, PublishJob, SocialAdapter, SocialMedia } from './adapter.ts'
import { requireVideo } from './common.ts'
import { fileFrom } from './file-parts.ts'
import { isOk } from './http.ts'
import {
  choose,
  createContainerFlow,
  createMetaCall,
  createMetrics,
  exchangeMeta,
  GRAPH,
  metaFailure,
  pagesOf,
  readInsights,
  requireId,
} from './meta.ts'
import { textAt } from './values.ts'

const LABEL = PRESET.label
const FIRST_LOOK_MS = 5000

const callApi = createMetaCall(LABEL)

async function begin(job: PublishJob, media: SocialMedia): Promise<void> {
  const { json } = await callApi(job, {
    path: `/${GRAPH}/${job.account.nativeId}/media`,
    form: {
      media_type: 'REELS',
      upload_type: 'resumable',
      caption: job.post.text,
      share_to_feed: 'true',
      ...(job.cover === null ? {} : { thumb_offset: String(Math.round(job.cover.seconds * 1000)) }),
    },
  })
  const container = requireId(json, `${LABEL} has begun no upload.`)
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
}

const { publish, find } = createContainerFlow({
  label: LABEL,
  root: `/${GRAPH}`,
  state: 'status_code',
  stateFields: 'status_code,status',
  posts: 'media',
  publishing: 'media_publish',
  text: 'caption',
  findContainer: (job) => {
    const { container, bytes } = job.memo()
    return typeof container === 'string' && bytes === requireVideo(job, LABEL).bytes ? container : null
  },
  begin: async (job) => {
    await begin(job, requireVideo(job, LABEL))
    return FIRST_LOOK_MS
  },
})

const COUNTED = 'views,reach,likes,comments,shares,saved,total_interactions'

function countersOf(json: unknown): PostMetrics {
  const platformMetrics = readInsights(json)
  const { views = 0, likes = 0, comments = 0, shares = 0 } = platformMetrics
  return { views, likes, comments, shares, platformMetrics }
}

export const instagram: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics: createMetrics(
    LABEL,
    (id) => ({ path: `/${GRAPH}/${id}/insights`, query: { metric: COUNTED } }),
    countersOf,
  ),
  addresses: { api: 'https://graph.facebook.com' },
  uploadHosts: ['rupload.facebook.com'],
  remove: null,
  comment: (call, id, text) => callApi(call, { path: `/${GRAPH}/${id}/comments`, form: { message: text } }),
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
