/**
 * Local servers that answer as the platforms' documentation says: each keeps what was published, so that a test can count
 * it, and can be told to lose an answer or to keep it back for good.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Platform } from '../../server/contract/post.ts'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** JSON or form members; {} for anything else. */
  readonly json: Record<string, unknown>
  readonly origin: string
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly json?: unknown
}

export interface FakePost {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly media?: string
  readonly bytes?: number
}

/** State that every fake shares. */
export interface FakeState {
  readonly posts: FakePost[]
  readonly uploads: Map<
    string,
    { bytes: Buffer; total: number; ready: number; published?: string; text?: string }
  >
  readonly removed: string[]
  readonly comments: { id: string; text: string }[]
  now: () => number
  count: number
}

export type Fake = (request: FakeRequest, state: FakeState) => FakeAnswer

export interface Platformer {
  readonly url: string
  readonly state: FakeState
  readonly requests: string[]
  /**
   * After this many more requests one is carried out, and then its answer is kept back (`hang`) or cut off (`cut`), or it
   * is not even carried out (`drop`).
   */
  fault: { after: number; kind: 'hang' | 'cut' | 'drop' } | null
  /** Answers this instead, once for each. */
  readonly instead: FakeAnswer[]
  /** Resolves when the fault has struck. */
  readonly struck: () => Promise<void>
  /** Ends what hangs. */
  release(): void
  reset(): void
  close(): Promise<void>
}

export async function startFake(fake: Fake, now: () => number): Promise<Platformer> {
  const state: FakeState = { posts: [], uploads: new Map(), removed: [], comments: [], now, count: 0 }
  const requests: string[] = []
  const instead: FakeAnswer[] = []
  const hanging = new Set<() => void>()
  let tell: () => void = () => undefined
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://fake')
      const body = Buffer.concat(chunks)
      requests.push(`${incoming.method ?? ''} ${url.pathname}`)
      const dropped = self.fault?.kind === 'drop' && self.fault.after === 0
      const answer = dropped
        ? {}
        : (instead.shift() ??
          fake(
            {
              ...{ method: incoming.method ?? '', path: url.pathname, query: url.searchParams, body },
              ...{ headers: incoming.headers, json: members(incoming, body), origin: self.url },
            },
            state,
          ))
      const { fault } = self
      if (fault !== null && fault.after-- === 0) {
        self.fault = null
        const end = () => void incoming.socket.destroy()
        if (fault.kind === 'cut') end()
        else hanging.add(end)
        tell()
        return
      }
      const text = answer.json === undefined ? '' : JSON.stringify(answer.json)
      outgoing.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      outgoing.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: Platformer = {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, requests, instead },
    fault: null,
    struck: () => new Promise((resolve) => (tell = resolve)),
    release: () => {
      for (const end of hanging) end()
      hanging.clear()
    },
    reset: () => {
      state.posts.length = 0
      state.uploads.clear()
      requests.length = 0
      instead.length = 0
      self.fault = null
    },
    close: () => {
      self.release()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return self
}

function members({ headers }: IncomingMessage, body: Buffer): Record<string, unknown> {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json'))
    return JSON.parse(body.toString('utf8') || '{}') as Record<string, unknown>
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
  if (!type.startsWith('multipart/form-data')) return {}
  const found: Record<string, unknown> = {}
  const boundary = `--${/boundary=(.+)$/.exec(type)?.[1] ?? ''}`
  for (const part of body.toString('latin1').split(boundary)) {
    const match = /name="([^"]+)"(?:; filename="[^"]*")?[^]*?\r\n\r\n([^]*)\r\n$/.exec(part)
    if (match !== null) found[match[1] ?? ''] = match[2]
  }
  return found
}

const newId = (state: FakeState): string => String(7_000_000_000 + ++state.count)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const missing: FakeAnswer = {
  status: 404,
  json: { error: { message: 'not found', code: 100 }, message: 'not found' },
}

function addPost(state: FakeState, post: Omit<FakePost, 'id' | 'at'>): string {
  const id = newId(state)
  state.posts.push({ id, at: state.now(), ...post })
  return id
}

const youtube: Fake = ({ method, path, query, headers, body, json, origin }, state) => {
  if (path === '/upload/youtube/v3/videos' && method === 'POST') {
    const id = newId(state)
    const { snippet } = json as { snippet: { title: string } }
    const total = Number(headers['x-upload-content-length'])
    state.uploads.set(id, { bytes: Buffer.alloc(0), total, ready: 0, text: snippet.title })
    return { headers: { location: `${origin}/session/${id}` } }
  }
  const session = /^\/session\/(\d+)$/.exec(path)?.[1]
  if (session !== undefined) {
    const upload = state.uploads.get(session)
    if (upload === undefined) return missing
    const [, first] = /^bytes (\d+)-/.exec(headers['content-range'] ?? '') ?? []
    if (first !== undefined && upload.published === undefined && Number(first) === upload.bytes.length)
      upload.bytes = Buffer.concat([upload.bytes, body])
    if (upload.bytes.length < upload.total)
      return {
        status: 308,
        headers: upload.bytes.length === 0 ? {} : { range: `bytes=0-${upload.bytes.length - 1}` },
      }
    upload.published ??= addPost(state, { text: upload.text ?? '', bytes: upload.bytes.length })
    return { status: 201, json: { id: upload.published } }
  }
  if (path === '/youtube/v3/commentThreads') {
    const { snippet } = json as {
      snippet: { videoId: string; topLevelComment: { snippet: { textOriginal: string } } }
    }
    state.comments.push({ id: snippet.videoId, text: snippet.topLevelComment.snippet.textOriginal })
    return { json: { id: 'c' } }
  }
  if (path === '/youtube/v3/videos' && method === 'DELETE') {
    state.removed.push(query.get('id') ?? '')
    return { status: 204 }
  }
  if (path === '/youtube/v3/videos')
    return {
      json: {
        items: (query.get('id') ?? '')
          .split(',')
          .filter((id) => id !== 'gone')
          .map((id) => ({ id, statistics: { viewCount: '1200', likeCount: '34', commentCount: '5' } })),
      },
    }
  return missing
}

const tiktok: Fake = ({ method, path, headers, body, json, origin }, state) => {
  const ok = (data: unknown): FakeAnswer => ({ json: { data, error: { code: 'ok', message: '' } } })
  if (path === '/v2/post/publish/creator_info/query/')
    return ok({
      privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
      max_video_post_duration_sec: 600,
    })
  if (path === '/v2/post/publish/video/init/') {
    const id = newId(state)
    const info = json as { post_info: { title: string }; source_info: { video_size: number } }
    state.uploads.set(id, {
      ...{ bytes: Buffer.alloc(0), total: info.source_info.video_size, ready: 2, text: info.post_info.title },
    })
    return ok({ publish_id: id, upload_url: `${origin}/upload/${id}` })
  }
  const id = /^\/upload\/(\d+)$/.exec(path)?.[1]
  if (id !== undefined && method === 'PUT') {
    const upload = state.uploads.get(id)
    if (upload === undefined || headers['content-range'] === undefined) return missing
    upload.bytes = Buffer.concat([upload.bytes, body])
    if (upload.bytes.length >= upload.total)
      upload.published ??= addPost(state, { text: upload.text ?? '', bytes: upload.bytes.length })
    return { status: 201 }
  }
  if (path === '/v2/post/publish/status/fetch/') {
    const upload = state.uploads.get(text(json['publish_id']))
    if (upload === undefined) return missing
    if (upload.published === undefined || upload.ready-- > 0)
      return ok({ status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.bytes.length })
    return ok({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [upload.published] })
  }
  if (path === '/v2/video/query/')
    return ok({
      videos: (json as { filters: { video_ids: string[] } }).filters.video_ids.map((video) => ({
        ...{ id: video, view_count: 90, like_count: 8, comment_count: 7, share_count: 6 },
      })),
    })
  return missing
}

/** Instagram and Threads: containers. */
const container = (reel: boolean): Fake => {
  const root = reel ? '/v23.0' : '/v1.0'
  return ({ method, path, json, body, origin }, state) => {
    const made = (reel ? /^\/v23.0\/[^/]+\/media$/ : /^\/v1.0\/[^/]+\/threads$/).test(path)
    if (made && method === 'POST') {
      const id = newId(state)
      const total = reel ? 1 : 0
      state.uploads.set(id, {
        ...{ bytes: Buffer.alloc(0), total, ready: 1, text: text(json['caption'] ?? json['text']) },
      })
      return { json: { id, uri: `${origin}/ig-api-upload/${id}` } }
    }
    if (made)
      return {
        json: {
          data: state.posts.map((post) => ({
            ...{
              id: post.id,
              caption: post.text,
              text: post.text,
              permalink: `https://platform.test/${post.id}`,
            },
            timestamp: new Date(post.at).toISOString().replace(/\.\d+Z/, '+0000'),
          })),
        },
      }
    const uploaded = /^\/ig-api-upload\/(\d+)$/.exec(path)?.[1]
    if (uploaded !== undefined) {
      const upload = state.uploads.get(uploaded)
      if (upload !== undefined) upload.bytes = body
      return { json: { success: true } }
    }
    if (/(media_publish|threads_publish)$/.test(path)) {
      const upload = state.uploads.get(text(json['creation_id']))
      if (upload === undefined) return missing
      if (upload.published !== undefined)
        return { status: 400, json: { error: { code: 9007, message: 'already published' } } }
      upload.published = addPost(state, { text: upload.text ?? '', bytes: upload.bytes.length })
      return { json: { id: upload.published } }
    }
    const insight = new RegExp(`^${root}/(\\w+)/insights$`).exec(path)?.[1]
    if (insight === 'gone') return { status: 400, json: { error: { code: 100, message: 'no such object' } } }
    if (insight !== undefined) {
      const values = { views: 500, likes: 40, comments: 3, replies: 3, shares: 2, reposts: 1, quotes: 1 }
      const data = Object.entries(values).map(([name, value]) => ({ name, values: [{ value }] }))
      return { json: { data } }
    }
    const one = new RegExp(`^${root}/(\\d+)$`).exec(path)?.[1] ?? ''
    const upload = state.uploads.get(one)
    if (method === 'DELETE') {
      state.removed.push(one)
      return { json: { success: true } }
    }
    if (upload === undefined) return { json: { id: one, permalink: `https://platform.test/${one}` } }
    const waiting = upload.bytes.length < upload.total || upload.ready-- > 0
    const status = upload.published !== undefined ? 'PUBLISHED' : waiting ? 'IN_PROGRESS' : 'FINISHED'
    return { json: { status_code: status, status, id: one } }
  }
}

const facebook: Fake = ({ method, path, json }, state) => {
  if (/\/videos$/.test(path)) {
    if (json['upload_phase'] === 'start') {
      const id = newId(state)
      const total = Number(json['file_size'])
      state.uploads.set(id, { bytes: Buffer.alloc(0), total, ready: 0 })
      return {
        json: {
          video_id: id,
          upload_session_id: id,
          start_offset: '0',
          end_offset: String(Math.min(2000, total)),
        },
      }
    }
    const upload = state.uploads.get(text(json['upload_session_id']))
    if (upload === undefined) return missing
    if (json['upload_phase'] === 'transfer') {
      upload.bytes = Buffer.concat([upload.bytes, Buffer.from(text(json['video_file_chunk']), 'latin1')])
      const start = upload.bytes.length
      return {
        json: { start_offset: String(start), end_offset: String(Math.min(start + 200_000, upload.total)) },
      }
    }
    if (upload.published === undefined) {
      upload.published = text(json['upload_session_id'])
      state.posts.push({
        ...{
          id: upload.published,
          text: text(json['description']),
          at: state.now(),
          bytes: upload.bytes.length,
        },
      })
    }
    return { json: { success: true } }
  }
  if (/\/feed$/.test(path)) return { json: { id: `page_${addPost(state, { text: text(json['message']) })}` } }
  if (/\/posts$/.test(path))
    return {
      json: {
        data: state.posts.map((post) => ({
          ...{ id: `page_${post.id}`, message: post.text },
          created_time: new Date(post.at).toISOString().replace(/\.\d+Z/, '+0000'),
        })),
      },
    }
  const id = path.split('/').at(-1) ?? ''
  if (method === 'DELETE') {
    state.removed.push(id)
    return { json: { success: true } }
  }
  if (id === 'gone') return { status: 400, json: { error: { code: 100, message: 'no such object' } } }
  const summary = (total: number) => ({ data: [], summary: { total_count: total } })
  const published = state.posts.some((post) => post.id === id)
  return { json: { id, published, views: 77, likes: summary(6), comments: summary(5), shares: { count: 4 } } }
}

const twitter: Fake = ({ method, path, query, json }, state) => {
  if (path === '/2/media/upload/initialize') {
    const id = newId(state)
    state.uploads.set(id, { bytes: Buffer.alloc(0), total: Number(json['total_bytes']), ready: 1 })
    return { json: { data: { id, media_key: `13_${id}` } } }
  }
  const [, media = '', step] = /^\/2\/media\/upload\/(\d+)\/(append|finalize)$/.exec(path) ?? []
  const upload = state.uploads.get(media || (query.get('media_id') ?? ''))
  if (step === 'append' && upload !== undefined) {
    upload.bytes = Buffer.from(text(json['media']), 'latin1')
    return { json: { data: { expires_at: 1 } } }
  }
  if (step === 'finalize' || (path === '/2/media/upload' && upload !== undefined)) {
    const state_ = upload !== undefined && upload.ready-- > 0 ? 'in_progress' : 'succeeded'
    return { json: { data: { id: media, processing_info: { state: state_, check_after_secs: 1 } } } }
  }
  if (path === '/2/tweets' && method === 'POST') {
    const { media: attached, reply } = json as {
      media?: { media_ids: string[] }
      reply?: { in_reply_to_tweet_id: string }
    }
    if (reply !== undefined) {
      state.comments.push({ id: reply.in_reply_to_tweet_id, text: text(json['text']) })
      return { status: 201, json: { data: { id: newId(state) } } }
    }
    const key = attached?.media_ids[0]
    const bytes = key === undefined ? {} : { media: key, bytes: state.uploads.get(key)?.bytes.length ?? 0 }
    return { status: 201, json: { data: { id: addPost(state, { text: text(json['text']), ...bytes }) } } }
  }
  if (/^\/2\/users\/[^/]+\/tweets$/.test(path))
    return {
      json: {
        data: state.posts.map((post) => ({
          ...{ id: post.id, text: `${post.text} https://t.co/abc` },
          ...(post.media === undefined ? {} : { attachments: { media_keys: [`13_${post.media}`] } }),
        })),
      },
    }
  if (method === 'DELETE') {
    state.removed.push(path.split('/').at(-1) ?? '')
    return { json: { data: { deleted: true } } }
  }
  if (path === '/2/tweets') {
    const public_metrics = {
      impression_count: 999,
      like_count: 9,
      reply_count: 8,
      retweet_count: 2,
      quote_count: 1,
    }
    const ids = (query.get('ids') ?? '').split(',').filter((id) => id !== 'gone')
    return { json: { data: ids.map((id) => ({ id, public_metrics })) } }
  }
  return missing
}

const linkedin: Fake = ({ method, path, query, body, json, origin }, state) => {
  if (path === '/rest/videos' && query.get('action') === 'initializeUpload') {
    const id = newId(state)
    const { initializeUploadRequest: asked } = json as { initializeUploadRequest: { fileSizeBytes: number } }
    const total = asked.fileSizeBytes
    state.uploads.set(`urn:li:video:${id}`, { bytes: Buffer.alloc(0), total, ready: 1 })
    const half = Math.floor(total / 2)
    const part = (firstByte: number, lastByte: number) => ({
      ...{ firstByte, lastByte, uploadUrl: `${origin}/dms-uploads/${id}/${firstByte}` },
    })
    const uploadInstructions = [part(0, half - 1), part(half, total - 1)]
    return { json: { value: { video: `urn:li:video:${id}`, uploadToken: '', uploadInstructions } } }
  }
  const [, id, start] = /^\/dms-uploads\/(\d+)\/(\d+)$/.exec(path) ?? []
  if (id !== undefined) {
    const upload = state.uploads.get(`urn:li:video:${id}`)
    if (upload === undefined) return missing
    upload.bytes = Buffer.concat([upload.bytes.subarray(0, Number(start)), body])
    return { headers: { etag: `"part-${start ?? ''}"` } }
  }
  if (path === '/rest/videos') return { json: {} }
  const video = decodeURIComponent(/^\/rest\/videos\/(.+)$/.exec(path)?.[1] ?? '')
  if (video !== '') {
    const upload = state.uploads.get(video)
    return { json: { status: upload !== undefined && upload.ready-- > 0 ? 'PROCESSING' : 'AVAILABLE' } }
  }
  if (path === '/rest/posts' && method === 'POST') {
    const { content, commentary } = json as { content?: { media: { id: string } }; commentary: string }
    const media = content?.media.id
    const bytes = media === undefined ? {} : { media, bytes: state.uploads.get(media)?.bytes.length ?? 0 }
    const made = addPost(state, { text: commentary, ...bytes })
    return { status: 201, headers: { 'x-restli-id': `urn:li:share:${made}` } }
  }
  if (path === '/rest/posts')
    return {
      json: {
        elements: state.posts.map((post) => ({
          ...{ id: `urn:li:share:${post.id}`, commentary: post.text, createdAt: post.at },
          ...(post.media === undefined ? {} : { content: { media: { id: post.media } } }),
        })),
      },
    }
  if (method === 'DELETE') {
    state.removed.push(decodeURIComponent(path.split('/').at(-1) ?? ''))
    return { status: 204 }
  }
  if (/\/comments$/.test(path)) {
    const { message, object } = json as { message: { text: string }; object: string }
    state.comments.push({ id: object, text: message.text })
    return { status: 201, json: {} }
  }
  if (path.endsWith('gone')) return missing
  return { json: { likesSummary: { totalLikes: 12 }, commentsSummary: { aggregatedTotalComments: 4 } } }
}

const snapchat: Fake = ({ method, path, json }, state) => {
  if (/\/media$/.test(path)) {
    const id = newId(state)
    state.uploads.set(id, { bytes: Buffer.alloc(0), total: 0, ready: 1 })
    const at = `/us/v1/media/${id}/multipart-upload`
    return { json: { request_status: 'SUCCESS', media_id: id, add_path: at, finalize_path: at } }
  }
  const part = /^\/us\/v1\/media\/(\d+)\/multipart-upload$/.exec(path)?.[1]
  if (part !== undefined) {
    const upload = state.uploads.get(part)
    if (upload === undefined) return missing
    if (json['action'] === 'ADD')
      upload.bytes = Buffer.concat([upload.bytes, Buffer.from(text(json['file']), 'latin1')])
    return { json: { request_status: 'SUCCESS' } }
  }
  if (/\/spotlights$/.test(path) && method === 'POST') {
    const upload = state.uploads.get(text(json['media_id']))
    if (upload === undefined) return missing
    if (upload.ready-- > 0) return { status: 400, json: { error_code: 'MEDIA_PROCESSING' } }
    const id = addPost(state, {
      ...{ text: text(json['description']), media: text(json['media_id']), bytes: upload.bytes.length },
    })
    return { json: { request_status: 'SUCCESS', spotlight: { id } } }
  }
  if (/\/spotlights$/.test(path))
    return {
      json: {
        spotlights: state.posts.map(({ id, text: description, at, media }) => ({
          spotlight: { id, description, created_at: new Date(at).toISOString(), media_id: media },
        })),
      },
    }
  if (/\/gone\/stats$/.test(path)) return missing
  if (/\/stats$/.test(path)) return { json: { stats: { views: 10, favorites: 3, replies: 2, shares: 1 } } }
  return missing
}

const bluesky: Fake = ({ path, query, body, json }, state) => {
  const uri = (rkey: string) => `at://did:plc:me/app.bsky.feed.post/${rkey}`
  switch (path) {
    case '/xrpc/com.atproto.repo.uploadBlob':
      return {
        json: { blob: { $type: 'blob', ref: { $link: 'b' }, mimeType: 'video/mp4', size: body.length } },
      }
    case '/xrpc/com.atproto.repo.putRecord': {
      const { rkey, record } = json as {
        rkey: string
        record: { text: string; embed?: { video: { size: number } } }
      }
      if (!state.posts.some(({ id }) => id === rkey)) {
        const bytes = record.embed === undefined ? {} : { bytes: record.embed.video.size }
        state.posts.push({ id: rkey, text: record.text, at: state.now(), ...bytes })
      }
      return { json: { uri: uri(rkey), cid: 'c' } }
    }
    case '/xrpc/com.atproto.repo.getRecord': {
      const rkey = query.get('rkey') ?? ''
      return state.posts.some(({ id }) => id === rkey)
        ? { json: { uri: uri(rkey), cid: 'c', value: {} } }
        : { status: 400, json: { error: 'RecordNotFound', message: 'Could not locate record' } }
    }
    case '/xrpc/com.atproto.repo.createRecord': {
      const { record } = json as { record: { text: string; reply: { root: { uri: string } } } }
      state.comments.push({ id: record.reply.root.uri, text: record.text })
      return { json: { uri: uri('reply'), cid: 'c' } }
    }
    case '/xrpc/com.atproto.repo.deleteRecord':
      state.removed.push(text(json['rkey']))
      return { json: {} }
    case '/xrpc/app.bsky.feed.getPosts':
      return {
        json: {
          posts: query
            .getAll('uris')
            .filter((one) => one !== 'gone')
            .map((one) => ({ uri: one, likeCount: 5, replyCount: 4, repostCount: 2, quoteCount: 1 })),
        },
      }
    default:
      return { status: 404, json: { error: 'NotFound', message: path } }
  }
}

export const FAKES: Readonly<Record<Platform, Fake>> = {
  ...{ youtube, tiktok, facebook, twitter, linkedin, snapchat, bluesky },
  ...{ instagram: container(true), threads: container(false) },
}
