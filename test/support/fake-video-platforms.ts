/** YouTube, TikTok and X, with responses as documented. */
import { addPost, missing, newId, text, type Fake, type FakeAnswer } from './fake-platforms.ts'

export const youtube: Fake = ({ method, path, query, headers, body, json, origin }, state) => {
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
  if (path === '/upload/youtube/v3/thumbnails/set') return { json: { items: [{}] } }
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

export const tiktok: Fake = ({ method, path, headers, body, json, origin }, state) => {
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
      bytes: Buffer.alloc(0),
      total: info.source_info.video_size,
      ready: 2,
      text: info.post_info.title,
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
    return { status: upload.bytes.length < upload.total ? 206 : 201 }
  }
  if (path === '/v2/post/publish/status/fetch/') {
    const upload = state.uploads.get(text(json['publish_id']))
    if (upload === undefined) return missing
    if (upload.published === undefined || upload.ready-- > 0)
      return ok({ status: 'PROCESSING_UPLOAD', uploaded_bytes: upload.bytes.length })
    // TikTok gives a number of 19 digits, which no double holds.
    const long = `73012345678${upload.published.slice(-8)}`
    return {
      text: `{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[${long}]},"error":{"code":"ok"}}`,
    }
  }
  if (path === '/v2/video/query/') {
    const { video_ids } = (json as { filters: { video_ids: string[] } }).filters
    if (video_ids.length === 0 || video_ids.length > 20)
      return { status: 400, json: { data: {}, error: { code: 'invalid_params', message: '1 to 20 ids' } } }
    return ok({
      videos: video_ids.map((video) => ({
        id: video,
        view_count: 90,
        like_count: 8,
        comment_count: 7,
        share_count: 6,
      })),
    })
  }
  return missing
}

export const twitter: Fake = ({ method, path, query, json }, state) => {
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
          // Addresses are its own in the text, whether they were written with https:// or not.
          id: post.id,
          text: `${post.text.replaceAll('cutroom.app', 'https://t.co/abc')} https://t.co/abc`,
          created_at: new Date(post.at).toISOString(),
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
