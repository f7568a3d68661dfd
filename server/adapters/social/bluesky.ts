/**
 * Bluesky, and every other server of the AT Protocol. Videos: https://docs.bsky.app/docs/tutorials/video (a blob with the
 * post; the network makes the video ready when it is first seen). Records: https://atproto.com/specs/record-key and
 * https://docs.bsky.app/docs/api/com-atproto-repo-put-record. Twice-safe by the record's key, which we choose: writing the
 * same record again changes nothing.
 */
import { bluesky as PRESET } from '../../contract/platforms/bluesky.ts'
import type { AccountCall, Published, PublishJob, SocialAdapter, SocialTokens } from './adapter.ts'
import { createApiCall, readCounters } from './common.ts'
import { fileFrom } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer, type SocialRequest } from './http.ts'
import { at, countAt, listAt, textAt } from './values.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const LABEL = PRESET.label
const POSTS = 'app.bsky.feed.post'
const ENDED = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing'])

function fail(answer: SocialAnswer) {
  const error = textAt(answer.json, 'error') ?? ''
  const message = textAt(answer.json, 'message') ?? error
  // A token that has ended comes with status 400.
  if (ENDED.has(error)) return refusal(LABEL, { ...answer, status: 401 }, message, 'auth')
  return refusal(LABEL, answer, message)
}

const request = createApiCall(fail)

const callApi = (call: AccountCall, name: string, more: Omit<SocialRequest, 'at' | 'path'>) =>
  request(call, { at: 'server', path: `/xrpc/${name}`, ...more })

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz'

/** A record key as posts have it: a TID of 53 bits of microseconds and 10 bits of clock id. */
export function recordKey(milliseconds: number, key: string): string {
  const salt = [...key].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_024_000, 7)
  let value = ((BigInt(milliseconds) * 1000n + BigInt(salt % 1000)) << 10n) | BigInt(Math.floor(salt / 1000))
  let text = ''
  for (let place = 0; place < 13; place++) {
    text = `${ALPHABET[Number(value & 31n)] ?? ''}${text}`
    value >>= 5n
  }
  return text
}

/** The expiry time that a token contains. */
function endOf(jwt: string): number | undefined {
  const [, body = ''] = jwt.split('.')
  try {
    const { exp } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { exp?: number }
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    // Not every server's tokens can be read: then it ends when it is refused.
    return undefined
  }
}

function tokensOf(json: unknown): SocialTokens {
  const access = textAt(json, 'accessJwt') ?? ''
  const refresh = textAt(json, 'refreshJwt') ?? ''
  const expiresAt = endOf(access)
  const refreshExpiresAt = endOf(refresh)
  return { access, refresh, ...omitUndefined({ expiresAt, refreshExpiresAt }) }
}

const uriOf = (job: AccountCall, rkey: string): string => `at://${job.account.nativeId}/${POSTS}/${rkey}`

const publishedAs = (call: AccountCall, rkey: string): Published => ({
  nativeId: uriOf(call, rkey),
  url: `https://bsky.app/profile/${call.account.handle}/post/${rkey}`,
})

/** The blob of the video as the server names it, JSON. */
async function uploaded(job: PublishJob): Promise<string | null> {
  const { media } = job
  if (media === null) return null
  const { blob, bytes } = job.memo()
  if (typeof blob === 'string' && bytes === media.bytes) return blob
  const answer = await callApi(job, 'com.atproto.repo.uploadBlob', {
    headers: { 'content-type': media.mediaType, 'content-length': String(media.bytes) },
    body: fileFrom(media.file),
  })
  const made = JSON.stringify(at(answer.json, 'blob') ?? null)
  if (made === 'null') throw refusal(LABEL, answer, 'the upload was not taken', 'transient')
  job.remember({ blob: made, bytes: media.bytes })
  return made
}

function buildRecord(text: string, at: number, more: Readonly<Record<string, unknown>>) {
  const facets = facetsOf(text)
  const createdAt = new Date(at).toISOString()
  return { $type: POSTS, text, createdAt, ...(facets.length === 0 ? {} : { facets }), ...more }
}

async function publish(job: PublishJob): Promise<Published> {
  const { media, post } = job
  const blob = await uploaded(job)
  const known = job.memo()
  const moment = typeof known['at'] === 'number' ? known['at'] : job.now()
  const rkey = typeof known['rkey'] === 'string' ? known['rkey'] : recordKey(moment, job.key)
  job.remember({ rkey, at: moment })
  const embed =
    blob === null || media === null
      ? {}
      : {
          embed: {
            $type: 'app.bsky.embed.video',
            video: JSON.parse(blob) as unknown,
            aspectRatio: { width: media.width, height: media.height },
          },
        }
  const record = buildRecord(post.text, moment, embed)
  await job.sending()
  await callApi(job, 'com.atproto.repo.putRecord', {
    json: { repo: job.account.nativeId, collection: POSTS, rkey, record },
  })
  return publishedAs(job, rkey)
}

async function recordOf(call: AccountCall, rkey: string): Promise<SocialAnswer | null> {
  const answer = await call.http({
    at: 'server',
    path: '/xrpc/com.atproto.repo.getRecord',
    token: call.account.tokens.access,
    query: { repo: call.account.nativeId, collection: POSTS, rkey },
  })
  if (isOk(answer)) return answer
  if (textAt(answer.json, 'error') === 'RecordNotFound' || answer.status === 404) return null
  throw fail(answer)
}

async function find(job: PublishJob): Promise<Published | null> {
  const { rkey } = job.memo()
  if (typeof rkey !== 'string' || (await recordOf(job, rkey)) === null) return null
  return publishedAs(job, rkey)
}

const rkeyOf = (uri: string): string => uri.split('/').at(-1) ?? ''

async function comment(call: AccountCall, uri: string, text: string): Promise<void> {
  const post = await recordOf(call, rkeyOf(uri))
  const parent = { uri, cid: textAt(post?.json, 'cid') ?? '' }
  const record = buildRecord(text, call.now(), { reply: { root: parent, parent } })
  await callApi(call, 'com.atproto.repo.createRecord', {
    json: { repo: call.account.nativeId, collection: POSTS, record },
  })
}

const metrics: SocialAdapter['metrics'] = async (call, uris) => {
  const search = new URLSearchParams(uris.map((uri) => ['uris', uri]))
  const { json } = await callApi(call, `app.bsky.feed.getPosts?${search}`, {})
  return new Map(
    listAt(json, 'posts').map((post) => {
      const counted = ['likeCount', 'replyCount', 'repostCount', 'quoteCount', 'bookmarkCount']
      const platformMetrics = Object.fromEntries(counted.map((name) => [name, countAt(post, name)]))
      // Bluesky counts no views.
      const names = { likes: 'likeCount', comments: 'replyCount', shares: ['repostCount', 'quoteCount'] }
      return [textAt(post, 'uri') ?? '', { ...readCounters(post, names), platformMetrics }]
    }),
  )
}

const SERVER = 'https://bsky.social'

export const bluesky: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  comment,
  addresses: { server: SERVER },
  uploadHosts: [],
  remove: (call, uri) =>
    callApi(call, 'com.atproto.repo.deleteRecord', {
      json: { repo: call.account.nativeId, collection: POSTS, rkey: rkeyOf(uri) },
    }),
  way: {
    kind: 'password',
    connect: async ({ http }, { handle, password, server }) => {
      const answer = await http({
        at: 'server',
        path: '/xrpc/com.atproto.server.createSession',
        json: { identifier: handle.replace(/^@/, ''), password },
      })
      if (!isOk(answer)) throw fail(answer)
      const nativeId = textAt(answer.json, 'did') ?? ''
      return {
        nativeId,
        handle: textAt(answer.json, 'handle') ?? handle,
        tokens: tokensOf(answer.json),
        scopes: ['app_password'],
        settings: { server: server ?? SERVER },
      }
    },
    refresh: async ({ http }, tokens) => {
      const answer = await http({
        at: 'server',
        path: '/xrpc/com.atproto.server.refreshSession',
        method: 'POST',
        token: tokens.refresh ?? '',
      })
      if (!isOk(answer)) throw fail(answer.status === 400 ? { ...answer, status: 401 } : answer)
      return tokensOf(answer.json)
    },
  },
}

/** PURE: addresses and hashtags of a text as Bluesky wants them marked, by bytes: https://docs.bsky.app/docs/advanced-guides/post-richtext */

export interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number }
  readonly features: readonly (
    | { readonly $type: 'app.bsky.richtext.facet#link'; readonly uri: string }
    | { readonly $type: 'app.bsky.richtext.facet#tag'; readonly tag: string }
  )[]
}

const ADDRESS = /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'’]/gu
const HASHTAG = /(?<=^|\s)#([\p{L}\p{N}_]*[\p{L}_][\p{L}\p{N}_]*)/gu
/** As the lexicon has it. */
const MAX_TAG = 64

const bytes = (text: string): number => new TextEncoder().encode(text).length

export function facetsOf(text: string): Facet[] {
  const place = (start: number, found: string) => {
    const byteStart = bytes(text.slice(0, start))
    return { byteStart, byteEnd: byteStart + bytes(found) }
  }
  const links = [...text.matchAll(ADDRESS)].map((match): Facet => ({
    index: place(match.index, match[0]),
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: match[0] }],
  }))
  const tags = [...text.matchAll(HASHTAG)]
    .filter(([, tag = '']) => [...tag].length <= MAX_TAG)
    .map((match): Facet => ({
      index: place(match.index, match[0]),
      features: [{ $type: 'app.bsky.richtext.facet#tag', tag: match[1] ?? '' }],
    }))
  return [...links, ...tags].sort((a, b) => a.index.byteStart - b.index.byteStart)
}
