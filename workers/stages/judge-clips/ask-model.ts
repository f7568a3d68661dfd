/** Asks the user's language model one question. Errors never contain the key, the question or the answer. */
import type { Static } from '@sinclair/typebox'
import { request, type Dispatcher } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedAgent } from '../ingest/guard.ts'
import { readBounded } from '../ingest/guarded-fetch.ts'
import { networkSentence, rootCause } from '../ingest/transfer.ts'
import type { ModelAccess } from './declaration.ts'
import type { Question } from './pure/question.ts'

export type Access = Static<typeof ModelAccess>

export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  /** Sentence for users. */
  | { readonly kind: 'failed'; readonly why: string }

const CONNECT_SECONDS = 10
const MAX_BYTES = 2_000_000
/** Statuses of servers that do not support response_format. */
const UNSUPPORTED_STATUSES: ReadonlySet<number> = new Set([400, 415, 422, 501])

/** Throws CANCELLED when the signal is aborted; every other failure is returned as a value. */
export async function requestAnswer(
  access: Access,
  question: Question,
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<Answer> {
  const agent = guardedAgent(access.addresses, Math.min(CONNECT_SECONDS, access.timeoutSeconds))
  const both = AbortSignal.any([signal, limit])
  try {
    const first = await post(access, buildBody(access, question, true), agent, both)
    const status = 'status' in first ? first.status : 200
    const answer = UNSUPPORTED_STATUSES.has(status)
      ? await post(access, buildBody(access, question, false), agent, both)
      : first
    return 'status' in answer ? { kind: 'failed', why: refusal(answer.status) } : parseContent(answer.text)
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED')
    if (limit.aborted) return { kind: 'failed', why: `It did not answer within ${access.timeoutSeconds} s.` }
    return { kind: 'failed', why: formatError(error, access) }
  } finally {
    await agent.destroy()
  }
}

function buildBody({ model }: Access, { system, user, schema }: Question, structured: boolean): string {
  return JSON.stringify({
    model,
    temperature: 0,
    stream: false,
    max_tokens: 4000,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    ...(structured
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', strict: true, schema },
          },
        }
      : {}),
  })
}

async function post(access: Access, body: string, dispatcher: Dispatcher, signal: AbortSignal) {
  const response = await request(`${access.address}/chat/completions`, {
    dispatcher,
    method: 'POST',
    signal,
    body,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(access.key === null ? {} : { authorization: `Bearer ${access.key}` }),
    },
  })
  const { statusCode } = response
  if (statusCode !== 200) {
    await response.body.dump()
    return { status: statusCode }
  }
  const content = await readBounded(response.body, MAX_BYTES)
  if (content === null) throw new AppError('SOURCE_TOO_LARGE', { message: 'It answered with far too much.' })
  return { text: content.toString() }
}

function parseContent(text: string): Answer {
  try {
    const body = JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] } | null
    const content = body?.choices?.[0]?.message?.content
    if (typeof content === 'string' && content.trim() !== '') return { kind: 'text', text: content }
    return { kind: 'failed', why: 'Its answer has no text.' }
  } catch {
    return { kind: 'failed', why: 'Its answer is not JSON.' }
  }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `It refuses the key (HTTP ${status}); check CUTROOM_LLM_KEY.`
  if (status === 404)
    return 'It knows neither the address nor the model (HTTP 404); check CUTROOM_LLM_URL and CUTROOM_LLM_MODEL.'
  return `It answered with an error (HTTP ${status}).`
}

function formatError(error: unknown, access: Access): string {
  const cause = rootCause(error)
  if (cause instanceof AppError) {
    return cause.code === 'SOURCE_FORBIDDEN' && access.addresses === 'loopback'
      ? 'The network is off (CUTROOM_NETWORK), and the address is not on this machine.'
      : cause.message
  }
  return networkSentence((cause as NodeJS.ErrnoException).code ?? '', new URL(access.address).host)
}
