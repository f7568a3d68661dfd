/** The shell's own requests to its appliance: the stream of events, and files that were opened from outside. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'
import type { StreamEvent } from './desktop-notifications.ts'
import { messages } from './messages.ts'

/** The appliance's origin, and the window's cookies for it. */
export interface Caller {
  readonly origin: string
  readonly cookie: string
}

const headersOf = ({ origin, cookie }: Caller, more?: RequestInit['headers']) => ({
  cookie,
  origin,
  ...(more as Record<string, string> | undefined),
})

const request = (caller: Caller, path: string, init: RequestInit): Promise<Response> =>
  fetch(new URL(path, caller.origin), { ...init, headers: headersOf(caller, init.headers) })

/** Parses an event stream piece by piece; passes each event's data on, and remembers the last id. */
export function createEventReader(onData: (data: string) => void): {
  read(text: string): void
  readonly lastId: string | null
} {
  let held = ''
  let data: string[] = []
  let lastId: string | null = null
  return {
    read: (text) => {
      const lines = (held + text).split('\n')
      held = lines.pop() ?? ''
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) onData(data.join('\n'))
          data = []
        } else if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
        else if (line.startsWith('id:')) lastId = line.slice(3).trim()
      }
    },
    get lastId() {
      return lastId
    },
  }
}

/**
 * Reads GET /studio/events until it ends for any reason; never rejects. Returns the last event's id, from which the next
 * call continues. `lastId`: from the previous call.
 */
export async function readEvents(
  caller: Caller,
  {
    lastId,
    signal,
    onEvents,
  }: { lastId: string | null; signal: AbortSignal; onEvents: (event: StreamEvent) => void },
): Promise<string | null> {
  const headers = { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) }
  const reader = createEventReader((data) => onEvents(JSON.parse(data) as StreamEvent))
  try {
    const { ok, body } = await request(caller, '/studio/events', { headers, signal })
    if (!ok) await body?.cancel()
    else for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) reader.read(text)
  } catch {
    // It ended: the next call continues.
  }
  return reader.lastId ?? lastId
}

/** Whether the appliance may use the network; null: unknown, because it does not answer. */
export async function hasNetwork(caller: Caller): Promise<boolean | null> {
  try {
    const response = await request(caller, '/studio/models', { headers: { accept: 'application/json' } })
    const { network } = (await response.json()) as { network?: unknown }
    return !response.ok || typeof network !== 'string' ? null : network === 'on'
  } catch {
    return null
  }
}

/** Sends a file as the page's own upload does; answers the id to start a run with. Throws an Error with a sentence. */
export async function sendFile(
  caller: Caller,
  path: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<string> {
  const { size } = await stat(path)
  const query = new URLSearchParams({ name: basename(path) })
  const address = new URL(`/studio/uploads?${query.toString()}`, caller.origin)
  const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' }
  const put = (address.protocol === 'https:' ? requestHttps : requestHttp)(address, {
    method: 'PUT',
    signal,
    headers: headersOf(caller, headers),
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    put.once('response', resolve)
    put.once('error', reject)
  })
  let sent = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length
      onProgress(size === 0 ? 1 : sent / size)
      done(null, chunk)
    },
  })
  // A refusal may arrive before everything is sent: its response counts, not the closed connection.
  const sending = pipeline(createReadStream(path), counted, put).catch(() => undefined)
  const response = await answered
  await Promise.race([
    sending,
    new Promise((resolve) => response.once('end', resolve).once('close', resolve)),
  ])
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  const body = JSON.parse(text) as { uploadId?: string; error?: string }
  if (response.statusCode === 200 && body.uploadId !== undefined) return body.uploadId
  throw new Error(body.error ?? messages.openedFiles.refused)
}
