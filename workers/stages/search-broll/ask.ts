/** Calls a service with a JSON API. Errors never include the address, because it contains the key. */
import { request as httpRequest, type Dispatcher } from 'undici'
import type { Static } from '@sinclair/typebox'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedAgent } from '../ingest/guard.ts'
import { readBounded } from '../ingest/read-bounded.ts'
import { networkSentence, rootCause } from '../ingest/transfer.ts'
import type { ServiceAccess } from './declaration.ts'

export type Access = Static<typeof ServiceAccess>

export interface Question {
  /** Name for people: `Google Images`. */
  readonly service: string
  readonly method?: 'GET' | 'POST'
  /** Path after the service's address, with a slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
}

const MAX_BYTES = 4_000_000
const ATTEMPTS = 2
const PAUSE_MS = 500

/**
 * The response as JSON. Retries once after temporary problems. Throws SOURCE_FORBIDDEN (the key is refused or its quota used up),
 * SOURCE_UNREACHABLE, or CANCELLED.
 */
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
  if (error instanceof AppError) return error
  const cause = rootCause(error)
  if (cause instanceof AppError) return cause
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  return new AppError('SOURCE_UNREACHABLE', { message: networkSentence(code, service) })
}

async function requestOnce(
  access: Access,
  question: Question,
  agent: Dispatcher,
  signal: AbortSignal,
): Promise<unknown> {
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
