/**
 * GET /internal/worker/files/sources/{sha256} and /artefacts/{stage}/{key}/{index}; PUT /blobs/{sha256}. Streams bytes
 * without holding them in memory, with ranges so that a broken transfer resumes. Needs a service identity, and serves
 * only the tasks that the node has leased now.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WORKER_FILES_PATH } from '../contract/tenant-api/worker.ts'
import { AppError } from '../contract/errors.ts'
import type { Services } from '../domain/services.ts'
import type { ServiceIdentity } from '../domain/access/service-tokens.ts'
import { artefactFileForNode, receiveFromNode, sourceForNode } from '../domain/worker-nodes/worker-calls.ts'
import type { FileToSend } from '../domain/worker-nodes/worker-files.ts'
import { identified, type CallTrace } from './call-trace.ts'
import { identifyService } from './tenant-api/serve-route.ts'
import { sendRange } from './pipe-out.ts'
import { decideRange } from './range.ts'
import { sendJson } from './respond.ts'

/** A node that sends nothing for this long is given up. */
const IDLE_MS = 60_000

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly requestId: string
  readonly trace: CallTrace
}

/** Throws UNAUTHENTICATED, NOT_FOUND, METHOD_NOT_ALLOWED, and what the calls of nodes throw. */
export async function serveWorkerFiles(services: Services, exchange: Exchange): Promise<void> {
  const { request, path, trace } = exchange
  trace.route = { method: request.method ?? '', path: `${WORKER_FILES_PATH}blobs/{sha256}` }
  const authorization = request.headers.authorization ?? ''
  const service = await identifyService(services, new Headers({ authorization }), path)
  identified(trace, { kind: 'service', id: service.subject, name: null }, null)
  const [kind, ...names] = path.slice(WORKER_FILES_PATH.length).split('/')
  const [first = '', second = '', third = ''] = names
  if (kind === 'sources' && names.length === 1) {
    onlyMethods(exchange, ['GET'])
    return sendFile(exchange, await sourceForNode(services, service, first))
  }
  if (kind === 'artefacts' && names.length === 3) {
    onlyMethods(exchange, ['GET'])
    const address = { stage: first, key: second, index: third }
    return sendFile(exchange, await artefactFileForNode(services, service, address))
  }
  if (kind !== 'blobs' || names.length !== 1) throw new AppError('NOT_FOUND')
  onlyMethods(exchange, ['PUT'])
  return receive(services, exchange, { service, sha256: first })
}

function onlyMethods({ request, response }: Exchange, allowed: readonly string[]): void {
  if (allowed.includes(request.method ?? '')) return
  response.setHeader('Allow', allowed.join(', '))
  throw new AppError('METHOD_NOT_ALLOWED', { details: { allow: allowed } })
}

async function sendFile({ request, response }: Exchange, file: FileToSend): Promise<void> {
  response.setHeader('Content-Type', 'application/octet-stream')
  response.setHeader('Accept-Ranges', 'bytes')
  // A transfer that breaks off closes the connection; the node then requests the rest.
  await sendRange(response, file, decideRange(request.headers.range, file.bytes)).catch(() => undefined)
}

async function receive(
  services: Services,
  exchange: Exchange,
  { service, sha256 }: { readonly service: ServiceIdentity; readonly sha256: string },
): Promise<void> {
  const { request, response, requestId } = exchange
  const given = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(request.headers['content-range'] ?? '')
  const whole = Number(request.headers['content-length'] ?? Number.NaN)
  if (given === null && !Number.isInteger(whole))
    throw new AppError(
      'VALIDATION_FAILED',
      'Send Content-Range: bytes START-END/TOTAL, or Content-Length for a whole file.',
    )
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('the upload stalled')))
  const [start, total] = given === null ? [0, whole] : [Number(given[1]), Number(given[3])]
  const state = await receiveFromNode(services, service, { sha256, start, total, stream: request })
  request.setTimeout(0)
  sendJson(response, 200, { data: state, requestId })
}
