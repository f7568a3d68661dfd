/** Downloads a small file into memory, behind the same guard as sources: addresses, redirects, size and time. */
import { request as httpRequest, type Dispatcher } from 'undici'
import { AppError } from '../../../server/contract/errors.ts'
import { guardedAgent, type AddressPolicy } from '../ingest/guard.ts'
import { contentLength, decideResponse, type Asked } from '../ingest/pure/response.ts'
import {
  networkSentence,
  plainHeaders,
  redirectTarget,
  rootCause,
  withoutCredentials,
} from '../ingest/transfer.ts'

export interface SmallDownload {
  readonly url: string
  readonly addresses: AddressPolicy
  readonly maxBytes: number
  /** Give up when nothing arrives for this long. */
  readonly idleTimeoutSeconds: number
  readonly totalTimeoutSeconds: number
  readonly accept: string
}

const MOST_REDIRECTS = 5
const ATTEMPTS = 3
const PAUSE_MS = 400
const FROM_THE_START: Asked = { from: 0, total: null, etag: null, lastModified: null, known: null }

/** A passing trouble: worth another attempt. */
interface Passing {
  readonly passing: string
}

/**
 * The whole file. Tries again after passing troubles. Throws INVALID_URL, UNSUPPORTED_SOURCE_URL, SOURCE_UNREACHABLE,
 * SOURCE_FORBIDDEN, SOURCE_TOO_LARGE or CANCELLED, each with a sentence for a person.
 */
export async function fetchSmall(download: SmallDownload, signal: AbortSignal): Promise<Buffer> {
  if (!URL.canParse(download.url)) throw new AppError('INVALID_URL')
  const url = new URL(download.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `Only http and https addresses are fetched, not ${url.protocol}`
    throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
  }
  const agent = guardedAgent(download.addresses, Math.min(30, download.idleTimeoutSeconds))
  const overdue = AbortSignal.timeout(download.totalTimeoutSeconds * 1000)
  try {
    let last = ''
    for (let count = 1; count <= ATTEMPTS; count++) {
      const answer = await attempt({ download, url, agent, overdue, signal })
      if (!('passing' in answer)) return answer
      last = answer.passing
      if (count < ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * count))
      signal.throwIfAborted()
    }
    throw new AppError('SOURCE_UNREACHABLE', { message: `${last} Several attempts were made.` })
  } finally {
    await agent.destroy()
  }
}

interface Attempt {
  readonly download: SmallDownload
  readonly url: URL
  readonly agent: Dispatcher
  readonly overdue: AbortSignal
  readonly signal: AbortSignal
}

async function attempt(job: Attempt): Promise<Buffer | Passing> {
  const { download, overdue, signal } = job
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), download.idleTimeoutSeconds * 1000)
  const touch = (): void => void timer.refresh()
  try {
    return await follow(job, AbortSignal.any([silence.signal, overdue, signal]), touch)
  } catch (error) {
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    const unreachable = (message: string) => new AppError('SOURCE_UNREACHABLE', { message, cause: error })
    if (overdue.aborted)
      throw unreachable(`The download was not done after ${download.totalTimeoutSeconds} seconds.`)
    if (silence.signal.aborted)
      throw unreachable(`The server sent nothing for ${download.idleTimeoutSeconds} seconds.`)
    const cause = rootCause(error)
    if (cause instanceof AppError) throw cause
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    const host = job.url.hostname
    if (code === 'ENOTFOUND') throw unreachable(`There is no server named ${host}. Check the address.`)
    return { passing: networkSentence(code, host) }
  } finally {
    clearTimeout(timer)
  }
}

async function follow(job: Attempt, signal: AbortSignal, touch: () => void): Promise<Buffer | Passing> {
  let url = job.url
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const headers: Record<string, string> = { accept: job.download.accept, 'accept-encoding': 'identity' }
    if (url.username !== '' || url.password !== '') {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
    }
    const response = await httpRequest(withoutCredentials(url), { dispatcher: job.agent, signal, headers })
    touch()
    const decision = decideResponse(response.statusCode, plainHeaders(response), FROM_THE_START)
    if (decision.kind === 'receive') return receive(job, response, touch)
    response.body.on('error', () => undefined).destroy()
    if (decision.kind === 'fail') throw new AppError(decision.code, { message: decision.message })
    if (decision.kind === 'again') return { passing: decision.message }
    if (decision.kind !== 'redirect') return { passing: 'The server answered with a part of the file.' }
    url = redirectTarget(decision.location, url)
  }
  throw new AppError('SOURCE_UNREACHABLE', { message: 'The address redirects too many times.' })
}

async function receive(
  job: Attempt,
  response: Dispatcher.ResponseData,
  touch: () => void,
): Promise<Buffer | Passing> {
  const { maxBytes } = job.download
  const total = contentLength(plainHeaders(response))
  const tooLarge = (): AppError =>
    new AppError('SOURCE_TOO_LARGE', {
      message: `The file is larger than ${Math.round(maxBytes / 1e6)} MB.`,
      details: { maxBytes },
    })
  if (total !== null && total > maxBytes) {
    response.body.on('error', () => undefined).destroy()
    throw tooLarge()
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response.body) {
    touch()
    size += (chunk as Buffer).length
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk as Buffer)
  }
  if (total !== null && size !== total)
    return { passing: `The server promised ${total} bytes and the connection ended after ${size}.` }
  return Buffer.concat(chunks)
}
