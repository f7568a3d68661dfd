/** LinkedIn, Snapchat and Bluesky, with responses as documented. */
import { addPost, missing, newId, text, type Fake } from './fake-platforms.ts'

/** Whether a version of LinkedIn's API is there yet, and is not more than a year old. */
function isServed(version: unknown, now: number): boolean {
  const [, year, month] = /^(\d{4})(\d{2})$/.exec(typeof version === 'string' ? version : '') ?? []
  const made = Date.UTC(Number(year), Number(month) - 1)
  return made <= now && now - made < 365 * 86_400_000
}

export const linkedin: Fake = ({ method, path, query, headers, body, json, origin }, state) => {
  if (path.startsWith('/rest/') && !isServed(headers['linkedin-version'], state.now()))
    return { status: 426, json: { code: 'NONEXISTENT_VERSION', message: 'Requested version is not active' } }
  if (path === '/rest/videos' && query.get('action') === 'initializeUpload') {
    const id = newId(state)
    const { initializeUploadRequest: asked } = json as { initializeUploadRequest: { fileSizeBytes: number } }
    const total = asked.fileSizeBytes
    state.uploads.set(`urn:li:video:${id}`, { bytes: Buffer.alloc(0), total, ready: 1 })
    const half = Math.floor(total / 2)
    const part = (firstByte: number, lastByte: number) => ({
      firstByte,
      lastByte,
      uploadUrl: `${origin}/dms-uploads/${id}/${firstByte}`,
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
          id: `urn:li:share:${post.id}`,
          commentary: post.text,
          createdAt: post.at,
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

export const snapchat: Fake = ({ method, path, json }, state) => {
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
      text: text(json['description']),
      media: text(json['media_id']),
      bytes: upload.bytes.length,
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
  if (/\/public_profiles\/[^/]+\/stats$/.test(path)) {
    const stats = { VIEWS: 10, FAVORITES: 3, REPLIES: 2, SHARES: 1 }
    return { json: { lifetime_stats: [{ lifetime_stat: { id: '71', type: 'SPOTLIGHT', stats } }] } }
  }
  return missing
}

export const bluesky: Fake = ({ path, query, body, json }, state) => {
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
