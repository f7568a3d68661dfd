/** PUT /studio/uploads?name=: streams the raw body to disk, never holding it in memory. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Services } from '../../domain/services.ts'
import { storeUpload } from '../../domain/library/uploads.ts'
import type { Principal } from '../authenticate.ts'
import { sendJson } from '../respond.ts'
import { companyFor } from './company.ts'

/** A client that sends nothing for this long is given up. */
const IDLE_MS = 60_000

/** Answers the upload as it is stored. Throws what storeUpload and companyFor do; a client that stalls is cut off. */
export async function receiveUpload(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  context: { principal: Principal; query: URLSearchParams },
): Promise<void> {
  const { principal, query } = context
  const companyId = companyFor(services, principal, query.get('companyId') ?? undefined)
  const length = request.headers['content-length']
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('the upload stalled')))
  const stored = await storeUpload(services, {
    companyId,
    name: query.get('name') ?? '',
    stream: request,
    bytes: length === undefined ? null : Number(length),
  })
  request.setTimeout(0)
  sendJson(response, 200, stored)
}
