/** One request through Elysia and back, by srvx: body limits, and what Elysia must not see of the client. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { AppError } from '../contract/errors.ts'
import type { App } from './app.ts'
import type { Principal } from './authenticate.ts'
import { MAX_JSON_BYTES } from './json-body.ts'
import { attachContext } from './request-context.ts'
import { drain, hasBody } from './respond.ts'

/** A client has this long to send a JSON body. */
const BODY_MS = 30_000
/** Elysia takes addresses apart by a fixed offset: it always sees the same host, never the client's. */
const HOST_FOR_ELYSIA = 'cutroom.internal'

export interface ElysiaExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

/** Throws PAYLOAD_TOO_LARGE for a declared length over the limit; a longer body in chunks is answered in the same way. */
export async function answerByElysia(
  app: App,
  { request, response, requestId }: ElysiaExchange,
  known: { principal: Principal | null; baseUrl: string },
): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_JSON_BYTES) throw new AppError('PAYLOAD_TOO_LARGE')
  request.headers.host = HOST_FOR_ELYSIA
  // Node leaves the body of an answer to HEAD out by itself; to Elysia it is a GET.
  if (request.method === 'HEAD') request.method = 'GET'
  const webRequest = new NodeRequest({ req: request, res: response, maxRequestBodySize: MAX_JSON_BYTES })
  attachContext(webRequest, { requestId, ...known })
  const slow = hasBody(request) ? setTimeout(() => request.complete || request.destroy(), BODY_MS) : undefined
  try {
    const answer = await app.fetch(webRequest)
    if (!request.complete && hasBody(request)) {
      await drain(request)
      if (!request.complete) response.setHeader('Connection', 'close')
    }
    await sendNodeResponse(response, answer)
  } finally {
    clearTimeout(slow)
  }
}
