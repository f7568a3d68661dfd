/**
 * Local servers that respond as the platforms' documentation describes: each stores what was published, so that a test
 * can count it, and can be configured to lose a response or to delay it for ever.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** JSON or form members; {} for anything else. */
  readonly json: Record<string, unknown>
  readonly origin: string
}

export interface FakeAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly json?: unknown
  /** Instead of `json`: JSON to the letter. */
  readonly text?: string
}

export interface FakePost {
  readonly id: string
  readonly text: string
  readonly at: number
  readonly media?: string
  readonly bytes?: number
}

/** State that every fake shares. */
export interface FakeState {
  readonly posts: FakePost[]
  readonly uploads: Map<
    string,
    { bytes: Buffer; total: number; ready: number; published?: string; text?: string }
  >
  readonly removed: string[]
  readonly comments: { id: string; text: string }[]
  now: () => number
  count: number
}

export type Fake = (request: FakeRequest, state: FakeState) => FakeAnswer

export interface Platformer {
  readonly url: string
  readonly state: FakeState
  readonly requests: string[]
  /**
   * After this many more requests one is carried out, and then its response is withheld (`hang`) or cut off (`cut`), or
   * it is not even carried out (`drop`).
   */
  fault: { after: number; kind: 'hang' | 'cut' | 'drop' } | null
  /** Answers this instead, once for each. */
  readonly instead: FakeAnswer[]
  /** Resolves when the fault has struck. */
  readonly struck: () => Promise<void>
  /** Ends what hangs. */
  release(): void
  reset(): void
  close(): Promise<void>
}

export async function startFake(fake: Fake, now: () => number): Promise<Platformer> {
  const state: FakeState = { posts: [], uploads: new Map(), removed: [], comments: [], now, count: 0 }
  const requests: string[] = []
  const instead: FakeAnswer[] = []
  const hanging = new Set<() => void>()
  let tell: () => void = () => undefined
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://fake')
      const body = Buffer.concat(chunks)
      requests.push(`${incoming.method ?? ''} ${url.pathname}`)
      const dropped = self.fault?.kind === 'drop' && self.fault.after === 0
      const answer = dropped
        ? {}
        : (instead.shift() ??
          fake(
            {
              method: incoming.method ?? '',
              path: url.pathname,
              query: url.searchParams,
              body,
              headers: incoming.headers,
              json: members(incoming, body),
              origin: self.url,
            },
            state,
          ))
      const { fault } = self
      if (fault !== null && fault.after-- === 0) {
        self.fault = null
        const end = () => void incoming.socket.destroy()
        if (fault.kind === 'cut') end()
        else hanging.add(end)
        tell()
        return
      }
      const text = answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json))
      outgoing.writeHead(answer.status ?? 200, {
        'content-type': 'application/json',
        date: new Date(state.now()).toUTCString(),
        ...answer.headers,
      })
      outgoing.end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: Platformer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    instead,
    fault: null,
    struck: () => new Promise((resolve) => (tell = resolve)),
    release: () => {
      for (const end of hanging) end()
      hanging.clear()
    },
    reset: () => {
      state.posts.length = 0
      state.uploads.clear()
      requests.length = 0
      instead.length = 0
      self.fault = null
    },
    close: () => {
      self.release()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return self
}

function members({ headers }: IncomingMessage, body: Buffer): Record<string, unknown> {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/json'))
    return JSON.parse(body.toString('utf8') || '{}') as Record<string, unknown>
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
  if (!type.startsWith('multipart/form-data')) return {}
  const found: Record<string, unknown> = {}
  const boundary = `--${/boundary=(.+)$/.exec(type)?.[1] ?? ''}`
  for (const part of body.toString('latin1').split(boundary)) {
    const match = /name="([^"]+)"(?:; filename="[^"]*")?[^]*?\r\n\r\n([^]*)\r\n$/.exec(part)
    if (match !== null) found[match[1] ?? ''] = match[2]
  }
  return found
}

export const newId = (state: FakeState): string => String(7_000_000_000 + ++state.count)
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const missing: FakeAnswer = {
  status: 404,
  json: { error: { message: 'not found', code: 100 }, message: 'not found' },
}

export function addPost(state: FakeState, post: Omit<FakePost, 'id' | 'at'>): string {
  const id = newId(state)
  state.posts.push({ id, at: state.now(), ...post })
  return id
}
