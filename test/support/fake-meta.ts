/** Instagram, Threads and Facebook, with responses as documented. */
import { addPost, missing, newId, text, type Fake, type FakeAnswer } from './fake-platforms.ts'

const noSuchObject: FakeAnswer = {
  status: 400,
  json: { error: { code: 100, error_subcode: 33, message: 'Object does not exist' } },
}

/** Instagram and Threads: containers. */
export const container = (reel: boolean): Fake => {
  const root = reel ? '/v23.0' : '/v1.0'
  return ({ method, path, json, body, origin }, state) => {
    const made = (reel ? /^\/v23.0\/[^/]+\/media$/ : /^\/v1.0\/[^/]+\/threads$/).test(path)
    if (made && method === 'POST') {
      const id = newId(state)
      const total = reel ? 1 : 0
      state.uploads.set(id, {
        bytes: Buffer.alloc(0),
        total,
        ready: 1,
        text: text(json['caption'] ?? json['text']),
      })
      return { json: { id, uri: `${origin}/ig-api-upload/${id}` } }
    }
    if (made)
      return {
        json: {
          data: state.posts.map((post) => ({
            id: post.id,
            caption: post.text,
            text: post.text,
            permalink: `https://platform.test/${post.id}`,
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
    if (insight === 'gone') return noSuchObject
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

export const facebook: Fake = ({ method, path, json }, state) => {
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
        id: upload.published,
        text: text(json['description']),
        at: state.now(),
        bytes: upload.bytes.length,
      })
    }
    return { json: { success: true } }
  }
  if (/\/feed$/.test(path)) return { json: { id: `page_${addPost(state, { text: text(json['message']) })}` } }
  if (/\/posts$/.test(path))
    return {
      json: {
        data: state.posts.map((post) => ({
          id: `page_${post.id}`,
          message: post.text,
          created_time: new Date(post.at).toISOString().replace(/\.\d+Z/, '+0000'),
        })),
      },
    }
  const id = path.split('/').at(-1) ?? ''
  if (method === 'DELETE') {
    state.removed.push(id)
    return { json: { success: true } }
  }
  if (id === 'gone') return noSuchObject
  const summary = (total: number) => ({ data: [], summary: { total_count: total } })
  const published = state.posts.some((post) => post.id === id)
  return { json: { id, published, views: 77, likes: summary(6), comments: summary(5), shares: { count: 4 } } }
}
