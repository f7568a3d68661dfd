/** Answers POSTs of the public API: once for each Idempotency-Key, where the caller sends one. */
import { invalidRequest } from '../../contract/errors.ts'
import { answerOnce, type StoredResponse } from '../../domain/operations/idempotency.ts'
import type { Services } from '../../domain/services.ts'
import { MAX_KEY_LENGTH } from '../openapi-headers.ts'
import { boundCompany } from '../authenticate.ts'
import { actorOf } from '../call-trace.ts'
import { contextOf, principalOf } from '../request-context.ts'

export interface PostAnswer<Data extends object = object> {
  readonly data: Data
  /** 200 where it is not named. */
  readonly status?: number
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** It says how far the work is, or that it failed: not stored, so that the same request tries again. */
  readonly passing?: boolean
}

/** `atomic`: synchronous, and stored together with its answer or not at all. `slow`: may be done again after a crash. */
export type PostWork = { readonly atomic: () => PostAnswer } | { readonly slow: () => Promise<PostAnswer> }

interface Posted {
  readonly request: Request
  /** Headers of the answer. */
  readonly set: { readonly headers: Record<string, unknown>; status?: number | string }
  /** All that makes two requests the same one. */
  readonly content: unknown
  /** Makes the answer of what is stored, where a part of it must not be; `stored` as JSON has it. */
  readonly present?: (stored: object) => object
}

/** The key of the request, null without one. INVALID_REQUEST for one that cannot be. */
function readKey(headers: Headers): string | null {
  const given = headers.get('idempotency-key')
  if (given === null) return null
  const key = given.trim()
  if (key === '' || key.length > MAX_KEY_LENGTH)
    throw invalidRequest('Idempotency-Key', `Idempotency-Key should have 1 to ${MAX_KEY_LENGTH} characters.`)
  return key
}

const toStore = ({ data, status = 200, headers = {}, passing = false }: PostAnswer): StoredResponse => ({
  status,
  headers,
  body: JSON.stringify(data),
  passing,
})

/** Does the work and answers it, or answers what it answered before. Throws what the work throws, and IDEMPOTENCY_KEY_REUSED. */
export async function answerPost(
  services: Services,
  { request, set, content, present }: Posted,
  work: PostWork,
): Promise<object> {
  const key = readKey(request.headers)
  if (key === null) {
    const { data, status = 200, headers = {} } = 'atomic' in work ? work.atomic() : await work.slow()
    Object.assign(set.headers, headers)
    set.status = status
    return present === undefined ? data : present(data)
  }
  const principal = principalOf(request)
  const { kind, id } = actorOf(principal)
  const route = contextOf(request).trace.route ?? { method: request.method, path: '' }
  const bound = {
    companyId: contextOf(request).trace.companyId ?? boundCompany(principal) ?? '',
    clientId: `${kind}:${id}`,
    route: `${route.method} ${route.path}`,
    key,
    content,
  }
  const run =
    'atomic' in work
      ? { atomic: () => toStore(work.atomic()) }
      : { slow: async () => toStore(await work.slow()) }
  const { answer, replayed } = await answerOnce(services, bound, { run, joins: true })
  const replay = replayed ? { 'idempotency-replayed': 'true' } : {}
  // A response of its own: Elysia sends a text as text/plain and without these where a handler only passes `set` on.
  const body =
    present === undefined ? answer.body : JSON.stringify(present(JSON.parse(answer.body) as object))
  return new Response(body, {
    status: answer.status,
    headers: { 'content-type': 'application/json', ...answer.headers, ...replay },
  })
}
