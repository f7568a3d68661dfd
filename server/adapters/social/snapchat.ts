/**
 * Snapchat Spotlight through the Public Profile API (for apps that Snap has approved):
 * https://developers.snap.com/api/marketing-api/Public-Profile-API/ProfileAssetManagement A video is encrypted with a
 * key of its own before upload, as Snap requires. Snap has no idempotency key: after an interruption the profile's
 * newest spotlights are searched.
 */
import { snapchat as PRESET } from '../../contract/platforms/snapchat.ts'
import { createCipheriv, randomBytes } from 'node:crypto'
import type { AccountCall, Later, Published, PublishJob, SocialAdapter, SocialMedia } from './adapter.ts'
import { createApiCall, identifyBy, noUpload, readCounters, requireVideo, wholeUpload } from './common.ts'
import { socialFailure } from './failure.ts'
import { fileFrom, multipart } from './file-parts.ts'
import { isOk, refusal, type SocialAnswer, type SocialRequest } from './http.ts'
import { createTokenRequests } from './oauth.ts'
import { at, earliest, listAt, textAt } from './values.ts'

const LABEL = PRESET.label
const CHUNK = 32 * 1000 * 1000
const POLL_MS = 10_000

const messageOf = ({ json }: SocialAnswer): string | null =>
  textAt(json, 'display_message') ?? textAt(json, 'debug_message') ?? textAt(json, 'error_code')

const fail = (answer: SocialAnswer) => refusal(LABEL, answer, messageOf(answer))
const callApi = createApiCall(fail)

const profileOf = (call: AccountCall): string => `/v1/public_profiles/${call.account.nativeId}`

/** Parts of the encrypted file, one at a time. */
async function* encrypted(media: SocialMedia, key: Buffer, iv: Buffer): AsyncGenerator<Buffer> {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  let buffered = Buffer.alloc(0)
  for await (const chunk of fileFrom(media.file)) {
    buffered = Buffer.concat([buffered, cipher.update(chunk)])
    while (buffered.length >= CHUNK) {
      yield buffered.subarray(0, CHUNK)
      buffered = buffered.subarray(CHUNK)
    }
  }
  buffered = Buffer.concat([buffered, cipher.final()])
  while (buffered.length > 0) {
    yield buffered.subarray(0, CHUNK)
    buffered = buffered.subarray(CHUNK)
  }
}

async function uploaded(job: PublishJob, media: SocialMedia): Promise<string> {
  const known = wholeUpload(job, media, 'media')
  if (known !== null) return known
  const key = randomBytes(32)
  const iv = randomBytes(16)
  const { json } = await callApi(job, {
    path: `${profileOf(job)}/media`,
    json: {
      type: 'VIDEO',
      name: `cutroom-${job.key}`,
      key: key.toString('base64'),
      iv: iv.toString('base64'),
    },
  })
  const id = textAt(json, 'media_id')
  const addPath = textAt(json, 'add_path')
  const finalizePath = textAt(json, 'finalize_path')
  if (id === null || addPath === null || finalizePath === null) throw noUpload(LABEL)
  let part = 0
  for await (const chunk of encrypted(media, key, iv)) {
    part += 1
    const form = multipart({ action: 'ADD', part_number: String(part) }, { name: 'file', bytes: chunk })
    await callApi(job, inside(addPath, form))
    job.progress(Math.min(1, (part * CHUNK) / media.bytes))
  }
  await callApi(job, inside(finalizePath, multipart({ action: 'FINALIZE' }, null)))
  job.remember({ media: id, bytes: media.bytes, whole: true })
  return id
}

/** A path that Snap gave: a path of its own API only. */
function inside(path: string, form: ReturnType<typeof multipart>): SocialRequest {
  if (!/^\/[A-Za-z0-9]/.test(path))
    throw socialFailure('unsupported', `${LABEL} named an address that is not its own.`)
  return { path, method: 'POST', body: form.body, headers: { 'content-type': form.type } }
}

async function publish(job: PublishJob): Promise<Published | Later> {
  const { post, account } = job
  const id = await uploaded(job, requireVideo(job, LABEL))
  await job.sending()
  const answer = await job.http({
    at: 'api',
    path: `${profileOf(job)}/spotlights`,
    token: account.tokens.access,
    json: {
      media_id: id,
      locale: account.settings['locale'] ?? 'en_US',
      ...(post.text === '' ? {} : { description: post.text }),
    },
  })
  if (textAt(answer.json, 'error_code') === 'MEDIA_PROCESSING') {
    job.notTaken()
    return { later: POLL_MS }
  }
  if (!isOk(answer)) throw fail(answer)
  const made = idOf(answer.json) ?? textAt(answer.json, 'spotlights', 0, 'spotlight', 'id')
  return made === null
    ? { nativeId: id, url: null, note: 'Snapchat has not told the address of the spotlight.' }
    : publishedAs(made)
}

const idOf = (json: unknown): string | null =>
  textAt(json, 'spotlight', 'id') ?? textAt(json, 'spotlight_id') ?? textAt(json, 'id')

const publishedAs = (id: string): Published => ({
  nativeId: id,
  url: `https://www.snapchat.com/spotlight/${id}`,
})

async function find(job: PublishJob): Promise<Published | null> {
  const { media } = job.memo()
  const answer = await callApi(job, { path: `${profileOf(job)}/spotlights`, query: { limit: '20' } })
  const own = listAt(answer.json, 'spotlights')
    .map((entry) => at(entry, 'spotlight') ?? entry)
    .find((one) => {
      const made = Date.parse(textAt(one, 'created_at') ?? '')
      if (textAt(one, 'media_id') !== null) return textAt(one, 'media_id') === media
      return (textAt(one, 'description') ?? '') === job.post.text && made >= earliest(job, answer)
    })
  const id = textAt(own, 'id')
  return id === null ? null : publishedAs(id)
}

/** https://developers.snap.com/api/marketing-api/Public-Profile-API/Metrics : every spotlight of the profile at once. */
const metrics: SocialAdapter['metrics'] = async (call, ids) => {
  const { json } = await callApi(call, {
    path: `${profileOf(call)}/stats`,
    query: { assetType: 'SPOTLIGHT', granularity: 'LIFETIME' },
  })
  const names = { views: 'views', likes: 'favorites', comments: 'replies', shares: 'shares' }
  const wanted = [...snapStats(json)].filter(([id]) => ids.includes(id))
  return new Map(wanted.map(([id, own]) => [id, { ...readCounters(own, names), platformMetrics: own }]))
}

export const snapchat: SocialAdapter = {
  ...PRESET,
  publish,
  find,
  metrics,
  addresses: { api: 'https://businessapi.snapchat.com', token: 'https://accounts.snapchat.com' },
  uploadHosts: [],
  remove: null,
  comment: null,
  way: {
    kind: 'oauth',
    authorizeAddress: 'https://accounts.snapchat.com/login/oauth2/authorize',
    scopes: ['snapchat-profile-api'],
    separator: ' ',
    ...createTokenRequests(PRESET, { at: 'token', path: '/login/oauth2/access_token' }, null),
    identify: identifyBy(
      { path: '/v1/public_profiles/my_profile' },
      {
        id: ['public_profiles', 0, 'public_profile', 'id'],
        names: [
          ['public_profiles', 0, 'public_profile', 'snap_user_name'],
          ['public_profiles', 0, 'public_profile', 'display_name'],
        ],
      },
      (answer) => refusal(LABEL, answer, messageOf(answer), 'auth'),
    ),
  },
}

/**
 * PURE: counters of Snapchat's stats by asset. Its documentation names the metrics and leaves open how deep they lie in an
 * answer, so they are looked for: in whatever has an asset's id, and in what is inside of that.
 */

type Counters = Record<string, number>

/** `{views, favorites, ...}` by asset id, names in lower case. */
export function snapStats(answer: unknown): Map<string, Counters> {
  const found = new Map<string, Counters>()
  walk(answer, null, found)
  return found
}

function walk(value: unknown, owner: string | null, found: Map<string, Counters>): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, owner, found)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const entry = value as Record<string, unknown>
  const id = [entry['asset_id'], entry['id']].find((one) => typeof one === 'string') ?? owner
  if (typeof id === 'string') collectCounters(entry, id, found)
  for (const inner of Object.values(entry)) walk(inner, typeof id === 'string' ? id : null, found)
}

/** Both ways of telling a counter: `{views: 5}`, and `{field: 'VIEWS', value: 5}`. */
function collectCounters(entry: Record<string, unknown>, id: string, found: Map<string, Counters>): void {
  const counters = found.get(id) ?? {}
  const named = [entry['field'], entry['name'], entry['metric']].find((one) => typeof one === 'string')
  const entries: [string, unknown][] =
    typeof named === 'string' && 'value' in entry ? [[named, entry['value']]] : Object.entries(entry)
  for (const [name, value] of entries) {
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    if (typeof count === 'number' && Number.isFinite(count) && count >= 0)
      counters[name.toLowerCase()] = Math.floor(count)
  }
  if (Object.keys(counters).length > 0) found.set(id, counters)
}
