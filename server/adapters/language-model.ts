/** Lists the models of a language model server, to check that it answers and has the configured one. */
import type { Reach } from '../reachable.ts'
import { readBounded } from '../../workers/stages/ingest/guarded-fetch.ts'

export interface ModelServer {
  /** With the path of the API, without a slash at its end. */
  readonly address: string
  readonly model: string
  readonly key: string | null
  readonly addresses: Reach
}

const CONNECT_SECONDS = 5
const ANSWER_MS = 10_000
const MAX_BYTES = 1_000_000

/** Returns the HTTP status and the model names; none when the response has another form. Throws network errors. */
export async function listRemoteModels(
  server: ModelServer,
): Promise<{ status: number; names: readonly string[] }> {
  const [{ request }, { guardedAgent }] = await Promise.all([
    import('undici'),
    import('../../workers/stages/ingest/guard.ts'),
  ])
  const dispatcher = guardedAgent(server.addresses, CONNECT_SECONDS)
  try {
    const { statusCode, body } = await request(`${server.address}/models`, {
      dispatcher,
      method: 'GET',
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        accept: 'application/json',
        ...(server.key === null ? {} : { authorization: `Bearer ${server.key}` }),
      },
    })
    const content = await readBounded(body, MAX_BYTES)
    return { status: statusCode, names: content === null ? [] : namesIn(content.toString()) }
  } finally {
    await dispatcher.destroy()
  }
}

function namesIn(text: string): string[] {
  try {
    const { data } = JSON.parse(text) as { data?: { id?: unknown }[] }
    return (Array.isArray(data) ? data : []).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  } catch {
    // No list of models: the status is all that is known.
    return []
  }
}
