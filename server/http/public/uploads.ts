/**
 * Uploads by the tus protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload): POST /uploads creates one, HEAD says how
 * far it is, PATCH brings the next bytes, DELETE removes it. GET answers the same as HEAD in JSON. Pieces are streamed, so PATCH
 * does not pass through Elysia; the others do. An addition to the service's document.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { UploadQuery, UploadState } from '../../contract/upload.ts'
import {
  CHECKSUM_ALGORITHMS,
  continueUpload,
  createUpload,
  deleteUpload,
  readUpload,
  uploadAddress,
  type Piece,
  type UploadState as StoredUpload,
} from '../../domain/library/resumable-uploads.ts'
import type { Services } from '../../domain/services.ts'
import { describeRoute } from '../answers.ts'
import type { Principal } from '../authenticate.ts'
import { limitHeaders, type CallTrace } from '../call-trace.ts'
import { readQuery } from '../json-body.ts'
import { contextOf, principalOf } from '../request-context.ts'
import { requirePlainBody } from '../respond.ts'
import { companyFor } from '../studio/company.ts'
import { answerPost, type PostAnswer } from './answer-posts.ts'

const VERSION = '1.0.0'
const PIECE_TYPE = 'application/offset+octet-stream'
/** A client that sends nothing for this long is given up; what has come stays. */
const IDLE_MS = 60_000
const PATH = /^\/uploads(?:\/[^/]+)?$/
const ONE_PATH = /^\/uploads\/[^/]+$/
const UPLOAD_PATH = '/uploads/:uploadId'

/** Whether this is an address of uploads. */
export const isUploadPath = (path: string): boolean => PATH.test(path)

/**
 * What every answer at an address of uploads says; and a POST that names another method, from behind a proxy that lets no PATCH
 * and no DELETE pass, is from here on a request of that method.
 */
export function beginTus({
  request,
  response,
  path,
}: {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
}): void {
  response.setHeader('Tus-Resumable', VERSION)
  const instead = request.headers['x-http-method-override']
  if (request.method !== 'POST' || !ONE_PATH.test(path)) return
  if (instead === 'PATCH' || instead === 'DELETE') request.method = instead
}

/** The answer to OPTIONS: what of the protocol is spoken. */
export function sendTusOptions(
  { config }: Pick<Services, 'config'>,
  response: ServerResponse,
  methods: readonly string[],
): void {
  response.writeHead(204, {
    'Tus-Version': VERSION,
    'Tus-Extension': 'creation,expiration,termination,checksum',
    'Tus-Max-Size': String(config.maxSourceBytes),
    'Tus-Checksum-Algorithm': CHECKSUM_ALGORITHMS.join(','),
    Allow: methods.join(', '),
  })
  response.end()
}

/** Throws TUS_VERSION_UNSUPPORTED for another version of the protocol, or none where the request changes something. */
function requireTus(version: string | null, changes: boolean): void {
  if (version === VERSION || (version === null && !changes)) return
  throw new AppError('TUS_VERSION_UNSUPPORTED', { details: { header: 'Tus-Resumable', versions: [VERSION] } })
}

/** A petabyte: more than any file has, and exact as a number. */
const MOST_BYTES = 1e15

/** A header that should be a whole number. INVALID_REQUEST. */
function readCount(name: string, given: string | null | undefined): number {
  if (/^\d+$/.test(given ?? '') && Number(given) <= MOST_BYTES) return Number(given)
  throw invalidRequest(name, `"${name}" should be a whole number of bytes.`)
}

/** The name of the file in Upload-Metadata: keys with values in Base64, with commas between. INVALID_REQUEST. */
function readTitle(metadata: string | null): string {
  const pairs = new Map<string, string>()
  for (const pair of (metadata ?? '').split(',').map((one) => one.trim())) {
    if (pair === '' && (metadata ?? '').trim() === '') continue
    const [key = '', value = '', ...more] = pair.split(' ')
    if (key === '' || pairs.has(key) || more.length > 0 || !/^[\w+/-]*={0,2}$/.test(value))
      throw invalidRequest(
        'Upload-Metadata',
        'Upload-Metadata should be keys, each once and with its value in Base64, with commas between.',
      )
    pairs.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return pairs.get('filename') ?? pairs.get('name') ?? ''
}

/** The checksum of a piece; null: it came without one. INVALID_REQUEST. */
function readChecksum(given: string | undefined): Piece['checksum'] {
  if (given === undefined) return null
  const [name, digest = ''] = given.split(' ')
  const algorithm = CHECKSUM_ALGORITHMS.find((one) => one === name)
  if (algorithm !== undefined && digest !== '') return { algorithm, digest: Buffer.from(digest, 'base64') }
  throw invalidRequest(
    'Upload-Checksum',
    `Upload-Checksum should be one of ${CHECKSUM_ALGORITHMS.join(', ')}, a space, and the checksum in Base64.`,
  )
}

function present(upload: StoredUpload, baseUrl: string): UploadState {
  const { id, title, bytes, offset, expiresAt } = upload
  return {
    id,
    url: baseUrl + uploadAddress(id),
    title,
    bytes,
    offset,
    complete: offset === bytes,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

/** Headers that say how far an upload is, in lower case. */
const progressHeaders = ({ offset, expiresAt }: StoredUpload): Record<string, string> => ({
  'upload-offset': String(offset),
  'upload-expires': new Date(expiresAt).toUTCString(),
})

/** A key, and its value in Base64. */
const PAIR = ' *[^, ]+( [A-Za-z0-9_+/-]*={0,2})? *'
const text = (description: string) => ({ description, schema: { type: 'string' } })
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } })
const inHeader = (name: string, schema: object, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  schema,
  description,
})

// A list of one in place of `const`: generators of clients leave out operations that have such a header.
const TUS = inHeader('Tus-Resumable', { type: 'string', enum: [VERSION] }, 'The version of the protocol')
const TUS_READ = { ...TUS, required: false }
const EXPIRES = { 'Upload-Expires': text('When it ends, as HTTP writes dates') }
const TUS_ANSWER = { 'Tus-Resumable': { description: 'The version of the protocol', schema: TUS.schema } }
const PROGRESS = {
  ...TUS_ANSWER,
  'Upload-Offset': count('How many of the bytes are there'),
  ...EXPIRES,
}
const ABOUT =
  'By the tus protocol 1.0.0 with the extensions creation, expiration, termination and checksum: clients of it work as they are. An addition to the service’s document.'

/** Answers POST /uploads, once for each Idempotency-Key. */
function beginUpload(
  services: Services,
  {
    request,
    set,
  }: { readonly request: Request; readonly set: { readonly headers: Record<string, unknown> } },
): Promise<object> {
  const { headers } = request
  requireTus(headers.get('tus-resumable'), true)
  const given = readQuery({ request, params: {} }, UploadQuery)
  const companyId = companyFor(services, principalOf(request), given.companyId)
  if (headers.has('upload-defer-length'))
    throw invalidRequest('Upload-Defer-Length', 'The length is needed at once: send Upload-Length.')
  const bytes = readCount('Upload-Length', headers.get('upload-length'))
  const tusMetadata = headers.get('upload-metadata')
  const title = readTitle(tusMetadata)
  const create = (): PostAnswer<UploadState> => {
    const upload = createUpload(services, { companyId, bytes, title, tusMetadata })
    const data = present(upload, contextOf(request).baseUrl)
    return { data, status: 201, headers: { location: data.url, ...progressHeaders(upload) } }
  }
  return answerPost(services, { request, set, content: { bytes, tusMetadata } }, { atomic: create })
}

/** Creating, reading and removing uploads. */
export function uploadRoutes(services: Services) {
  const addressOf = (request: Request, { uploadId }: { uploadId: string }) => {
    const { companyId } = readQuery({ request, params: {} }, UploadQuery)
    return { uploadId, companyId: companyFor(services, principalOf(request), companyId) }
  }
  return new Elysia()
    .post(
      '/uploads',
      ({ request, set }) => beginUpload(services, { request, set }),
      describeRoute('Begin an upload', UploadState, {
        query: UploadQuery,
        once: true,
        status: 201,
        headers: [
          TUS,
          inHeader(
            'Upload-Length',
            { type: 'integer', minimum: 1, maximum: MOST_BYTES },
            'Bytes of the whole file',
          ),
          inHeader(
            'Upload-Metadata',
            { type: 'string', pattern: `^(${PAIR}(,${PAIR})*)?$` },
            'Keys with values in Base64, with commas between; `filename` becomes the title',
            false,
          ),
        ],
        answerHeaders: { Location: text('The address of the upload'), ...PROGRESS },
        errors: ['TUS_VERSION_UNSUPPORTED', 'PAYLOAD_TOO_LARGE', 'QUOTA_EXCEEDED', 'DISK_FULL'],
        description: `It has no body. Refused before any byte is taken where the file is too large, or would not fit. ${ABOUT}`,
      }),
    )
    .get(
      UPLOAD_PATH,
      async ({ request, params, set }): Promise<UploadState> => {
        requireTus(request.headers.get('tus-resumable'), false)
        const upload = await readUpload(services, addressOf(request, params))
        Object.assign(set.headers, progressHeaders(upload), {
          'upload-length': String(upload.bytes),
          ...(upload.tusMetadata === null ? {} : { 'upload-metadata': upload.tusMetadata }),
        })
        return present(upload, contextOf(request).baseUrl)
      },
      describeRoute('How far an upload is', UploadState, {
        query: UploadQuery,
        headers: [TUS_READ],
        answerHeaders: {
          ...PROGRESS,
          'Upload-Length': count('Bytes of the whole file'),
          'Upload-Metadata': text('As the upload was begun with it'),
        },
        errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'TUS_VERSION_UNSUPPORTED'],
        description: `HEAD answers the headers alone. A request that sends a piece of it meanwhile is ended: whoever asks has lost that one. ${ABOUT}`,
      }),
    )
    .delete(
      UPLOAD_PATH,
      async ({ request, params, set }) => {
        requireTus(request.headers.get('tus-resumable'), true)
        await deleteUpload(services, addressOf(request, params))
        set.status = 204
      },
      describeRoute('Remove an upload', null, {
        query: UploadQuery,
        status: 204,
        headers: [TUS],
        answerHeaders: TUS_ANSWER,
        errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_EXPIRED', 'INVALID_STATE', 'TUS_VERSION_UNSUPPORTED'],
        description: `Not while a run needs it. ${ABOUT}`,
      }),
    )
}

/** Described as the routes of Elysia are, for the document and for whoever asks what routes there are. */
export const PIECE_ROUTE = {
  method: 'PATCH',
  path: UPLOAD_PATH,
  hooks: describeRoute('Send the next bytes of an upload', null, {
    query: UploadQuery,
    status: 204,
    body: {
      detail: {
        requestBody: {
          required: true,
          content: {
            [PIECE_TYPE]: { schema: Type.String({ contentMediaType: 'application/octet-stream' }) },
          },
        },
      },
    },
    headers: [
      TUS,
      inHeader(
        'Upload-Offset',
        { type: 'integer', minimum: 0, maximum: MOST_BYTES },
        'Where these bytes begin: the offset so far',
      ),
      inHeader(
        'Upload-Checksum',
        { type: 'string', pattern: `^(${CHECKSUM_ALGORITHMS.join('|')}) [A-Za-z0-9+/]+={0,2}$` },
        `One of ${CHECKSUM_ALGORITHMS.join(', ')}, a space, and the checksum of these bytes in Base64`,
        false,
      ),
    ],
    answerHeaders: PROGRESS,
    errors: [
      'UPLOAD_NOT_FOUND',
      'UPLOAD_EXPIRED',
      'UPLOAD_OFFSET_CONFLICT',
      'UPLOAD_CHECKSUM_MISMATCH',
      'TUS_VERSION_UNSUPPORTED',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
    ],
    description: `Bytes that have come stay, also where the connection breaks off or the appliance ends: ask how far the upload is, and go on there. The last byte completes it. ${ABOUT}`,
  }),
} as const

interface PieceCall {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly trace: CallTrace
  readonly query: URLSearchParams
  readonly principal: Principal
}

/** Takes a piece and answers how far the upload is then. Throws what continueUpload and companyFor do. */
export async function receivePiece(services: Services, call: PieceCall): Promise<void> {
  const { request, response, path, trace, query, principal } = call
  const { headers } = request
  const one = (name: string): string | undefined => {
    const given = headers[name]
    return typeof given === 'string' ? given : undefined
  }
  requireTus(one('tus-resumable') ?? null, true)
  const companyId = companyFor(services, principal, query.get('companyId') ?? undefined)
  const uploadId = decodeURIComponent(path.split('/').at(-1) ?? '')
  if (headers['content-type'] !== PIECE_TYPE)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Pieces are sent with Content-Type: ${PIECE_TYPE}.`,
      details: { header: 'Content-Type' },
    })
  requirePlainBody(request)
  const offset = readCount('Upload-Offset', one('upload-offset'))
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const checksum = readChecksum(one('upload-checksum'))
  request.setTimeout(IDLE_MS, () => request.destroy(new Error('the upload stalled')))
  const piece = { offset, length, stream: request, checksum }
  const upload = await continueUpload(services, { companyId, uploadId }, piece)
  await services.charge?.settled()
  request.setTimeout(0)
  for (const [name, value] of limitHeaders(trace)) response.setHeader(name, value)
  response.writeHead(204, progressHeaders(upload)).end()
}
