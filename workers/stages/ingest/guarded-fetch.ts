/** `fetch` behind the guard, for libraries that accept one, so that they connect only where the appliance may. */
import { AppError } from '../../../server/contract/errors.ts'
import type { AddressPolicy } from './guard.ts'

const MAX_BYTES = 1_000_000

interface FetchOptions {
  readonly method?: string
  readonly headers?: Headers | Readonly<Record<string, string>>
  /** Text or a form; nothing else is sent. */
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
}

type Fetch = (url: string, options: FetchOptions) => Promise<Response>

/** Does not follow redirects. The HTTP client is loaded with the first request, and its connections end with it. */
export function guardedFetch(policy: AddressPolicy, connectTimeoutSeconds: number): Fetch {
  return async (url, options) => {
    const [{ request }, { guardedAgent }] = await Promise.all([import('undici'), import('./guard.ts')])
    const dispatcher = guardedAgent(policy, connectTimeoutSeconds)
    try {
      const { method = 'GET', headers = {}, body, signal = null } = options
      const answer = await request(url, {
        dispatcher,
        signal,
        method: method as 'GET',
        headers: headers instanceof Headers ? Object.fromEntries(headers) : { ...headers },
        body: body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : null,
      })
      const content = await readBounded(answer.body, MAX_BYTES)
      if (content === null) throw new Error('the answer is too long')
      const type = answer.headers['content-type']
      const shown = typeof type === 'string' ? { 'content-type': type } : {}
      return new Response(content.toString(), { status: answer.statusCode, headers: shown })
    } catch (error) {
      // The caller expects a network error; the refusal is its cause.
      throw error instanceof AppError ? new Error(error.message, { cause: error }) : error
    } finally {
      await dispatcher.destroy()
    }
  }
}

/** The whole body; null when it is longer than `maxBytes`, in which case it is closed together with its connection. */
export async function readBounded(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  // The streams of undici and node do not declare their type: without an encoding they yield bytes.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the body.
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
