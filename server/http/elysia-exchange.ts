/** One request through Elysia and back, by srvx: body limits, and what Elysia must not see of the client. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { NodeRequest, type NodeResponse } from 'srvx/node'
import { AppError } from '../contract/errors.ts'
import { MAX_JSON_BYTES } from './json-body.ts'
import { isClientGone, pipeOut } from './pipe-out.ts'
import { limitHeaders } from './call-trace.ts'
import { attachContext, type RequestContext } from './request-context.ts'
import { drain, hasBody, headOf, requirePlainBody } from './respond.ts'

/** A client has this long to send a JSON body. */
const BODY_MS = 30_000
/** Elysia takes addresses apart by a fixed offset: it always sees the same host, never the client's. */
const HOST_FOR_ELYSIA = 'cutroom.internal'

export interface ElysiaExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

/** The part of an Elysia application that is used here. */
interface Answers {
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** It is no Elysia, and judges the Content-Type by itself. */
  readonly readsContentType?: true
  /** Awaited before an answer goes out; throws what is answered in its place. */
  readonly settled?: (() => Promise<void>) | undefined
}

/**
 * Throws PAYLOAD_TOO_LARGE for a declared length over the limit; a longer body in chunks is answered in the same way.
 * UNSUPPORTED_ENCODING for a compressed one.
 */
export async function answerByElysia(
  app: Answers,
  { request, response, requestId }: ElysiaExchange,
  known: Omit<RequestContext, 'requestId'>,
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new AppError('PAYLOAD_TOO_LARGE')
  requirePlainBody(request)
  request.headers.host = HOST_FOR_ELYSIA
  if (app.readsContentType !== true) hideContentType(request)
  // Elysia sees HEAD as GET; Node leaves the body of the response out by itself.
  if (request.method === 'HEAD') request.method = 'GET'
  const webRequest = new NodeRequest({ req: request, res: response, maxRequestBodySize: MAX_JSON_BYTES })
  attachContext(webRequest, { requestId, ...known })
  const slow = hasBody(request) ? setTimeout(() => request.complete || request.destroy(), BODY_MS) : undefined
  try {
    const answer = await app.fetch(webRequest)
    await app.settled?.()
    if (!request.complete && hasBody(request)) {
      await drain(request)
      if (!request.complete) response.setHeader('Connection', 'close')
    }
    await send(response, requestId, answer, limitHeaders(known.trace))
  } finally {
    clearTimeout(slow)
  }
}

/**
 * Elysia would parse by it, also where no body is read, and fail on a form without a boundary or JSON without a body. A
 * route that takes a body reads it itself, as JSON (json-body.ts). srvx reads either list of the headers.
 */
function hideContentType({ headers, rawHeaders }: IncomingMessage): void {
  delete headers['content-type']
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === 'content-type') rawHeaders.splice(at, 2)
}

/** What srvx knows of its own answers, without making a Response of them; of any other, the same. */
function prepared(answer: Response | NodeResponse): ReturnType<NodeResponse['_toNodeResponse']> {
  if ('_toNodeResponse' in answer) return answer._toNodeResponse()
  const { status, statusText, headers, body } = answer
  return { status, statusText, headers: [...headers].flat(), body }
}

/** Where it is so, the bytes are the same in either encoding, and node:http writes this one faster. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length

/** Head and body in one write; srvx's own way is one for each, and about a third of a small request. */
async function send(
  response: ServerResponse,
  requestId: string,
  answer: Response,
  more: readonly [string, string][],
): Promise<void> {
  const { status, headers, body } = prepared(answer)
  const own: [string, string][] = [...more]
  for (let at = 0; at + 1 < headers.length; at += 2) own.push([headers[at] ?? '', headers[at + 1] ?? ''])
  response.writeHead(status, headOf(requestId, own))
  if (typeof body === 'string') response.end(body, isAscii(body) ? 'latin1' : 'utf8')
  else if (body instanceof Uint8Array) response.end(body)
  else if (body === null || body === undefined) response.end()
  else await sendStream(response, Readable.from(body as AsyncIterable<unknown>))
}

async function sendStream(response: ServerResponse, body: Readable): Promise<void> {
  try {
    await pipeOut(body, response)
  } catch (error) {
    // The client has disconnected, so no other response is needed.
    if (!isClientGone(error)) throw error
  }
}
