/** What adapters do alike: videos that must be there, uploads that are whole already, counters, whose account it is. */
import type { AccountCall, OAuthWay, PostMetrics, PublishJob, SocialMedia } from './adapter.ts'
import { socialFailure } from './failure.ts'
import { isOk, type SocialAnswer, type SocialHttp, type SocialRequest } from './http.ts'
import { countAt, textAt } from './values.ts'

/** Requests to a platform's API in an account's name; `fail` makes the error of a refusal. */
export const createApiCall =
  (fail: (answer: SocialAnswer) => Error, isRefused = (answer: SocialAnswer) => !isOk(answer)) =>
  async (
    {
      http,
      account,
    }: { readonly http: SocialHttp; readonly account: Pick<AccountCall['account'], 'tokens'> },
    request: SocialRequest,
  ): Promise<SocialAnswer> => {
    const answer = await http({ at: 'api', token: account.tokens.access, ...request })
    if (isRefused(answer)) throw fail(answer)
    return answer
  }

export function requireVideo({ media }: PublishJob, label: string): SocialMedia {
  if (media === null) throw socialFailure('rejected', `${label} takes posts with a video only.`)
  return media
}

export const noUpload = (label: string): Error => socialFailure('transient', `${label} has begun no upload.`)

export const refusedVideo = (label: string, why: string | null): Error =>
  socialFailure('rejected', `${label} refuses the video: ${why ?? 'it could not be processed'}.`)

/** What was noted under `name` when this very file was uploaded as a whole; null: it has to be uploaded. */
export function wholeUpload(job: PublishJob, media: SocialMedia, name: string): string | null {
  const { [name]: known, bytes, whole } = job.memo()
  return typeof known === 'string' && bytes === media.bytes && whole === true ? known : null
}

type Counter = 'views' | 'likes' | 'comments' | 'shares'

/** The four counters out of a platform's own, by its names for them: several are added, one without a name is 0. */
export function readCounters(
  counts: unknown,
  names: Partial<Record<Counter, string | readonly string[]>>,
): Pick<PostMetrics, Counter> {
  const count = (counter: Counter) =>
    [names[counter] ?? []].flat().reduce((sum, name) => sum + countAt(counts, name), 0)
  return {
    views: count('views'),
    likes: count('likes'),
    comments: count('comments'),
    shares: count('shares'),
  }
}

type Path = readonly (string | number)[]

interface Owner {
  readonly id: Path
  /** Where the name may be; without one it is the id. */
  readonly names: readonly Path[]
  /** Before the name. */
  readonly mark?: string
  /** Before the id. */
  readonly urn?: string
}

/** Whose account tokens open, by one request; `fail` also where the answer names nobody. */
export const identifyBy =
  (
    request: SocialRequest,
    { id, names, mark = '', urn = '' }: Owner,
    fail: (answer: SocialAnswer) => Error,
  ) =>
  async (...[{ http }, tokens]: Parameters<OAuthWay['identify']>) => {
    const answer = await http({ at: 'api', token: tokens.access, ...request })
    const nativeId = textAt(answer.json, ...id)
    if (!isOk(answer) || nativeId === null) throw fail(answer)
    const name = names.map((path) => textAt(answer.json, ...path)).find((one) => one !== null)
    return { nativeId: `${urn}${nativeId}`, handle: `${mark}${name ?? nativeId}`, tokens }
  }
