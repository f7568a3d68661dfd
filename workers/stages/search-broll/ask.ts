/** Calls a service with a JSON API. Errors never include the address, because it contains the key. */
import { request as httpRequest, type Dispatcher } from 'undici'
import type { Static } from '@sinclair/typebox'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedAgent } from '../ingest/guard.ts'
import { readBounded } from '../ingest/guarded-fetch.ts'
import { failureCode, networkSentence } from '../ingest/transfer.ts'
import type { ServiceAccess } from './declaration.ts'
import type { BrollCandidate } from '../../../server/contract/clip-broll.ts'

export type Access = Static<typeof ServiceAccess>

export interface Question {
  /** Name for people: `Google Images`. */
  readonly service: string
  readonly method?: 'GET' | 'POST'
  /** Path after the service's address, with a slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

const MAX_BYTES = 4_000_000
const ATTEMPTS = 2
const PAUSE_MS = 500

/** The response as JSON, after one retry. Throws SOURCE_FORBIDDEN (key or quota), SOURCE_UNREACHABLE or CANCELLED. */
export async function requestService(
  access: Access,
  question: Question,
  signal: AbortSignal,
): Promise<unknown> {
  const agent = guardedAgent(access.addresses, Math.min(30, access.idleTimeoutSeconds))
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await requestOnce(access, question, agent, signal)
      } catch (error) {
        if (signal.aborted) throw new AppError('CANCELLED')
        if (error instanceof AppError && error.code !== 'SOURCE_UNREACHABLE') throw error
        if (attempt === ATTEMPTS) throw asReachable(error, question.service)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  } finally {
    await agent.destroy()
  }
}

/** Without the cause, because a request's own error may contain the address. */
function asReachable(error: unknown, service: string): AppError {
  return new AppError('SOURCE_UNREACHABLE', { message: networkSentence(failureCode(error), service) })
}

async function requestOnce(access: Access, question: Question, agent: Dispatcher, signal: AbortSignal) {
  const url = new URL(access.address + question.path)
  for (const [name, value] of Object.entries(question.query ?? {})) url.searchParams.set(name, value)
  const { form, service } = question
  const response = await httpRequest(url, {
    dispatcher: agent,
    method: question.method ?? 'GET',
    signal: AbortSignal.any([signal, AbortSignal.timeout(access.idleTimeoutSeconds * 1000)]),
    headers: {
      accept: 'application/json',
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...question.headers,
    },
    body: form === undefined ? null : new URLSearchParams({ ...form }).toString(),
  })
  const content = await readBounded(response.body, MAX_BYTES)
  if (content === null)
    throw new AppError('SOURCE_FORBIDDEN', { message: `${service} sent a response that is too long.` })
  const { statusCode } = response
  if (statusCode >= 200 && statusCode < 300) return parse(content.toString(), service)
  throw refusal(statusCode, service)
}

function refusal(status: number, service: string): AppError {
  if (status === 400 || status === 401)
    return new AppError('SOURCE_FORBIDDEN', {
      message: `${service} refuses the key or the request (HTTP ${status}). Check the key in the settings.`,
    })
  if (status === 403 || status === 429 || status === 402)
    return new AppError('SOURCE_FORBIDDEN', {
      message: `${service} refuses (HTTP ${status}): the key has no right to this, or its allowance is used up.`,
    })
  if (status >= 300 && status < 400)
    return new AppError('SOURCE_FORBIDDEN', {
      message: `${service} redirects to another address (HTTP ${status}).`,
    })
  return new AppError('SOURCE_UNREACHABLE', {
    message: `${service} answered with an error (HTTP ${status}).`,
  })
}

function parse(text: string, service: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new AppError('SOURCE_UNREACHABLE', {
      message: `${service} answered with something that is not JSON.`,
    })
  }
}

export type Found = Omit<BrollCandidate, 'provider' | 'tags'> & { readonly kind: 'image' | 'video' }

export type Searcher = (question: {
  readonly access: Access
  readonly query: string
  readonly most: number
  readonly signal: AbortSignal
  /** State that one search leaves for the next one of the same run. */
  readonly shared: { token?: string }
}) => Promise<Found[]>

/** One of the user's keys. A missing key is a defect, because the plan refuses such a stage before. */
export function keyOf(access: Access, name: string): string {
  const key = access.keys[name]
  if (key === undefined || key === '')
    throw new AppError('SOURCE_FORBIDDEN', { message: `The setting for "${name}" is missing.` })
  return key
}

type Json = Readonly<Record<string, unknown>>

/** The object under a name, empty when there is none. */
export function objectAt(value: unknown, name: string): Json {
  const found = asObject(value)[name]
  return asObject(found)
}

/** The objects of the list under a name. */
export function listAt(value: unknown, name: string): Json[] {
  const found = asObject(value)[name]
  return Array.isArray(found) ? found.map(asObject) : []
}

/** The text under a name without control characters, at most 300 characters; empty when there is none. */
export function textAt(value: unknown, name: string): string {
  const found = asObject(value)[name]
  return typeof found === 'string'
    ? found
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 300)
    : ''
}

/** An http or https address under a name; empty when there is none. */
export function addressAt(value: unknown, name: string): string {
  const found = asObject(value)[name]
  if (typeof found !== 'string' || found.length > 4000 || !URL.canParse(found)) return ''
  return /^https?:$/u.test(new URL(found).protocol) ? found : ''
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
}

/** Titles of some services contain the five HTML entities. */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|quot|#39|lt|gt);/gu, (entity) => ENTITIES[entity] ?? entity)
}
