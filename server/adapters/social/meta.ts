/** What Facebook, Instagram and Threads have in common: the Graph API's errors, tokens and states. https://developers.facebook.com/docs/graph-api/guides/error-handling */
import type {
  AccountCall,
  Later,
  OAuthCode,
  PostMetrics,
  Published,
  PublishJob,
  SocialAdapter,
  SocialTokens,
  TokenCall,
} from './adapter.ts'
import { socialFailure } from './failure.ts'
import { createApiCall, refusedVideo } from './common.ts'
import { isOk, refusal, type SocialAnswer, type SocialRequest } from './http.ts'
import { requestTokens, requireApp } from './oauth.ts'
import { at, countAt, earliest, listAt, textAt } from './values.ts'

export const GRAPH = 'v23.0'

const LIMITED = new Set([4, 9, 17, 32, 341, 368, 613, 80001, 80002, 80006, 80007])
/** -1 and -2 are faults of Instagram's own; 9007: the video is not ready to be published yet. */
const PASSING = new Set([1, 2, -1, -2, 9007])

/** Whether the post no longer exists. Code 100 alone also means an unknown field or metric, so it proves nothing. */
const isGone = (answer: SocialAnswer): boolean =>
  !isOk(answer) &&
  ((countAt(answer.json, 'error', 'code') === 100 && countAt(answer.json, 'error', 'error_subcode') === 33) ||
    [24, 803].includes(countAt(answer.json, 'error', 'code')))

export function metaFailure(label: string, answer: SocialAnswer) {
  const code = Number(at(answer.json, 'error', 'code') ?? 0)
  // Where files are taken refusals are worded in a way of their own.
  const message =
    textAt(answer.json, 'error', 'error_user_msg') ??
    textAt(answer.json, 'error', 'message') ??
    textAt(answer.json, 'debug_info', 'message')
  if (at(answer.json, 'debug_info', 'retriable') === true) return refusal(label, answer, message, 'transient')
  // A token that has ended comes with status 400.
  if (code === 190 || code === 102) return refusal(label, { ...answer, status: 401 }, message, 'auth')
  if (code === 10 || code === 3 || (code >= 200 && code < 300))
    return refusal(label, { ...answer, status: 403 }, message, 'auth')
  if (LIMITED.has(code)) return refusal(label, answer, message, 'rate_limited')
  if (PASSING.has(code) || at(answer.json, 'error', 'is_transient') === true)
    return refusal(label, answer, message, 'transient')
  return refusal(label, answer, message, answer.status === 403 ? 'rejected' : undefined)
}

/** Calls of one of the three; the token goes into the header, never into an address. */
export const createMetaCall = (label: string) => createApiCall((answer) => metaFailure(label, answer))

type MetaCall = ReturnType<typeof createMetaCall>

/** The id of what was made. Throws `transient` with `sentence` without one. */
export function requireId(json: unknown, sentence: string): string {
  const id = textAt(json, 'id')
  if (id === null) throw socialFailure('transient', sentence)
  return id
}

/** The newest of an account's posts that has this job's text and is no older than it. */
export async function findNewest(
  callApi: MetaCall,
  job: PublishJob,
  { path, text, time, more }: { path: string; text: string; time: string; more: string },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const query = { fields: `id,${text},${time}${more}`, limit: '10' }
  const answer = await callApi(job, { path, query })
  return listAt(answer.json, 'data').find(
    (post) =>
      (textAt(post, text) ?? '') === job.post.text &&
      Date.parse((textAt(post, time) ?? '').replace(/\+0000$/, 'Z')) >= earliest(job, answer),
  )
}

/** Counters of posts, one request for each; posts that are gone are left out. */
export const createMetrics =
  (
    label: string,
    request: (id: string) => Pick<SocialRequest, 'path' | 'query'>,
    read: (json: unknown) => PostMetrics,
  ): SocialAdapter['metrics'] =>
  async (call, ids) => {
    const found = new Map<string, PostMetrics>()
    for (const id of ids) {
      const answer = await call.http({ at: 'api', token: call.account.tokens.access, ...request(id) })
      if (isGone(answer)) continue
      if (!isOk(answer)) throw metaFailure(label, answer)
      found.set(id, read(answer.json))
    }
    return found
  }

/** `{name: value}` of an answer of insights. */
export function readInsights(json: unknown): Record<string, number> {
  return Object.fromEntries(
    listAt(json, 'data').map((one) => [
      textAt(one, 'name') ?? '',
      countAt(one, 'values', 0, 'value') || countAt(one, 'total_value', 'value'),
    ]),
  )
}

/** Faults of the platform's own: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes */
const PASSING_ERROR = /\b22070(?:01|03|20|32|53)\b|^UNKNOWN$/
/** Of Threads, which fetches the video itself. */
const NOT_FETCHED = 'FAILED_DOWNLOADING_VIDEO'

/** How Instagram and Threads publish: a container is made, becomes ready, and can be published once. */
interface ContainerRules {
  readonly label: string
  /** Begins every path: `/v1.0`. */
  readonly root: string
  /** The field that has the state, and all that are read with it. */
  readonly state: 'status_code' | 'status'
  readonly stateFields: string
  /** The account's posts, the request that publishes one, and the field that has a post's text. */
  readonly posts: string
  readonly publishing: string
  readonly text: string
  /** The container that an earlier try has made for this very file; null: none. */
  readonly findContainer: (job: PublishJob) => string | null
  /** Makes a container and remembers it; after how many milliseconds to look at it. */
  readonly begin: (job: PublishJob) => Promise<number>
}

const POLL_MS = 5000

export function createContainerFlow(rules: ContainerRules): Pick<SocialAdapter, 'publish' | 'find'> & {
  readonly publishContainer: (call: AccountCall, container: string) => Promise<string>
} {
  const { label, root, posts } = rules
  const callApi = createMetaCall(label)

  const readState = async (job: PublishJob, container: string) => {
    const { json } = await callApi(job, {
      path: `${root}/${container}`,
      query: { fields: rules.stateFields },
    })
    // An ERROR will never be published: a new container may be made.
    return containerState(label, json, rules.state, () => job.remember({ container: null }))
  }
  const publishedAs = async (call: AccountCall, id: string): Promise<Published> => {
    const { json } = await callApi(call, { path: `${root}/${id}`, query: { fields: 'permalink' } })
    return { nativeId: id, url: textAt(json, 'permalink') }
  }
  /** A published container does not name its post, so the account's newest posts are searched for it. */
  const findPublished = async (job: PublishJob): Promise<Published | Later> => {
    const path = `${root}/${job.account.nativeId}/${posts}`
    const own = await findNewest(callApi, job, {
      path,
      text: rules.text,
      time: 'timestamp',
      more: ',permalink',
    })
    const id = textAt(own, 'id')
    return id === null ? { later: POLL_MS } : { nativeId: id, url: textAt(own, 'permalink') }
  }
  const publishContainer = async (call: AccountCall, container: string): Promise<string> => {
    const path = `${root}/${call.account.nativeId}/${rules.publishing}`
    const { json } = await callApi(call, { path, form: { creation_id: container } })
    return requireId(json, `${label} has not told the post's id.`)
  }
  return {
    publishContainer,
    publish: async (job) => {
      const container = rules.findContainer(job)
      const state = container === null ? 'gone' : await readState(job, container)
      if (container === null || state === 'gone') return { later: await rules.begin(job) }
      if (state === 'working') return { later: POLL_MS }
      if (state === 'published') return findPublished(job)
      await job.sending()
      const id = await publishContainer(job, container)
      job.remember({ published: id })
      return publishedAs(job, id)
    },
    find: async (job) => {
      const { container, published } = job.memo()
      if (typeof published === 'string') return publishedAs(job, published)
      if (typeof container !== 'string' || (await readState(job, container)) !== 'published') return null
      return findPublished(job)
    },
  }
}

/**
 * State of a container by its `status_code` (Instagram) or `status` (Threads). `forget`: it will never be published,
 * and a new one may be made.
 */
function containerState(
  label: string,
  json: unknown,
  field: 'status_code' | 'status',
  forget: () => void,
): 'ready' | 'working' | 'published' | 'gone' {
  const state = textAt(json, field)
  if (state === 'FINISHED') return 'ready'
  if (state === 'PUBLISHED') return 'published'
  if (state === 'EXPIRED') return 'gone'
  if (state !== 'ERROR') return 'working'
  const why = textAt(json, 'error_message') ?? textAt(json, 'status')
  forget()
  if (why !== null && PASSING_ERROR.test(why))
    throw socialFailure('transient', `${label} has trouble: ${why}.`)
  if (why === NOT_FETCHED)
    throw socialFailure(
      'transient',
      `${label} could not fetch the video: see that CUTROOM_PUBLIC_URL can be reached from the internet.`,
    )
  throw refusedVideo(label, why)
}

/** A code for a token of 60 days. */
export async function exchangeMeta(
  call: TokenCall,
  label: string,
  platform: 'facebook' | 'instagram',
  { code, redirectAddress }: OAuthCode,
): Promise<SocialTokens> {
  const { clientId, clientSecret } = requireApp(call, label, platform)
  const app = { client_id: clientId, client_secret: clientSecret ?? '' }
  const path = `/${GRAPH}/oauth/access_token`
  const short = await requestTokens(call, label, {
    at: 'api',
    path,
    form: { ...app, code, redirect_uri: redirectAddress },
  })
  return requestTokens(call, label, {
    at: 'api',
    path,
    form: { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: short.access },
  })
}

export interface MetaPage {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly instagram: { readonly id: string; readonly name: string } | null
}

/** The pages that the person manages, each with a token of its own, which does not end. */
export async function pagesOf(call: TokenCall, label: string, tokens: SocialTokens): Promise<MetaPage[]> {
  const answer = await call.http({
    at: 'api',
    path: `/${GRAPH}/me/accounts`,
    token: tokens.access,
    query: { fields: 'id,name,access_token,instagram_business_account{id,username}', limit: '100' },
  })
  if (!isOk(answer)) throw metaFailure(label, answer)
  return listAt(answer.json, 'data').map((page) => {
    const instagram = textAt(page, 'instagram_business_account', 'id')
    return {
      id: textAt(page, 'id') ?? '',
      name: textAt(page, 'name') ?? '',
      token: textAt(page, 'access_token') ?? '',
      instagram:
        instagram === null
          ? null
          : { id: instagram, name: textAt(page, 'instagram_business_account', 'username') ?? instagram },
    }
  })
}

/** The one that is wanted, or the only one; a sentence that lists them otherwise. */
export function choose<T extends { readonly id: string; readonly name: string }>(
  label: string,
  found: readonly T[],
  wanted: string | null,
): T {
  const name = wanted?.replace(/^@/, '').toLowerCase()
  const chosen =
    name === undefined
      ? found.length === 1
        ? found[0]
        : undefined
      : found.find((one) => one.id === name || one.name.toLowerCase() === name)
  if (chosen !== undefined) return chosen
  const names = found.map((one) => `${one.name} (${one.id})`).join(', ')
  throw socialFailure(
    'unsupported',
    found.length === 0
      ? `${label}: this person manages no account that can be published to.`
      : `${label}: name one of these with --account: ${names}.`,
    { choices: found.map(({ id, name: shown }) => ({ id, name: shown })) },
  )
}
