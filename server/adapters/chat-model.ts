/**
 * Calls a language model with tools through the API that Ollama, llama.cpp, vLLM and LM Studio share. Errors never
 * contain the key, the question or the answer.
 */
import { AppError } from '../contract/errors.ts'
import type { Reach } from '../reachable.ts'
import { readBounded } from '../../workers/stages/ingest/guarded-fetch.ts'

export interface ChatAccess {
  /** Without a slash at the end; `/chat/completions` is below it. */
  readonly address: string
  readonly model: string
  readonly key: string | null
  readonly addresses: Reach
  readonly timeoutSeconds: number
}

export interface ChatQuestion {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    readonly parameters: unknown
  }[]
}

export type ChatAnswer =
  | {
      readonly kind: 'answer'
      readonly text: string
      /** As the model wrote them: nothing about them is known. */
      readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
    }
  /** A sentence for people. */
  | { readonly kind: 'failed'; readonly why: string }

const CONNECT_SECONDS = 5
const MAX_BYTES = 1_000_000
const MAX_CALLS = 40

/** Throws CANCELLED when the signal is aborted; everything else is an answer. */
export async function callChatModel(
  access: ChatAccess,
  question: ChatQuestion,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  // The client is loaded with the first question: an appliance without a model has none.
  const { guardedAgent } = await import('../../workers/stages/ingest/guard.ts')
  const agent = guardedAgent(access.addresses, Math.min(CONNECT_SECONDS, access.timeoutSeconds))
  const limit = AbortSignal.timeout(access.timeoutSeconds * 1000)
  try {
    const { request } = await import('undici')
    const response = await request(`${access.address}/chat/completions`, {
      dispatcher: agent,
      method: 'POST',
      signal: AbortSignal.any([signal, limit]),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(access.key === null ? {} : { authorization: `Bearer ${access.key}` }),
      },
      body: bodyOf(access, question),
    })
    if (response.statusCode !== 200) {
      await response.body.dump({ limit: MAX_BYTES })
      return { kind: 'failed', why: refusal(response.statusCode) }
    }
    const content = await readBounded(response.body, MAX_BYTES)
    if (content === null) return { kind: 'failed', why: 'It answered with far too much.' }
    return answerOf(content.toString())
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    if (limit.aborted) return { kind: 'failed', why: `It did not answer within ${access.timeoutSeconds} s.` }
    return { kind: 'failed', why: await sentenceOf(error, access) }
  } finally {
    await agent.destroy()
  }
}

const bodyOf = ({ model }: ChatAccess, { messages, tools }: ChatQuestion): string =>
  JSON.stringify({
    model,
    temperature: 0,
    stream: false,
    max_tokens: 1500,
    messages,
    tools: tools.map((tool) => ({ type: 'function', function: tool })),
    tool_choice: 'auto',
  })

interface Message {
  readonly content?: unknown
  readonly tool_calls?: unknown
}

function answerOf(text: string): ChatAnswer {
  let message: Message | undefined
  try {
    const body = JSON.parse(text) as { choices?: { message?: Message }[] } | null
    message = body?.choices?.[0]?.message
  } catch {
    return { kind: 'failed', why: 'What it answered is not JSON.' }
  }
  if (typeof message !== 'object' || message === null)
    return { kind: 'failed', why: 'Its answer holds no message.' }
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : []
  return {
    kind: 'answer',
    text: typeof message.content === 'string' ? message.content.trim() : '',
    calls: calls.slice(0, MAX_CALLS).map(callOf),
  }
}

/** Arguments come as text that is JSON, from some servers as the value itself. */
function callOf(call: unknown): { name: string; arguments: unknown } {
  const { name, arguments: given } =
    (call as { function?: { name?: unknown; arguments?: unknown } } | null)?.function ?? {}
  return {
    name: typeof name === 'string' ? name : '',
    arguments: typeof given === 'string' ? parsed(given) : given,
  }
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    // Held against a schema later, which it will not fit.
    return text
  }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `It refuses the key (HTTP ${status}); check CUTROOM_LLM_KEY.`
  if (status === 404)
    return 'It knows neither the address nor the model (HTTP 404); check CUTROOM_LLM_URL and CUTROOM_LLM_MODEL.'
  if (status === 400 || status === 422 || status === 501)
    return `It does not take tools (HTTP ${status}); use a model that calls functions.`
  return `It answered with an error (HTTP ${status}).`
}

async function sentenceOf(error: unknown, access: ChatAccess): Promise<string> {
  const { networkSentence, rootCause } = await import('../../workers/stages/ingest/transfer.ts')
  const cause = rootCause(error)
  if (cause instanceof AppError)
    return cause.code === 'SOURCE_FORBIDDEN' && access.addresses === 'loopback'
      ? 'The network is off (CUTROOM_NETWORK), and the address is not on this machine.'
      : cause.message
  return networkSentence((cause as NodeJS.ErrnoException).code ?? '', new URL(access.address).host)
}
