/** Sending a file in pieces, by the tus protocol: after a lost connection it goes on where the appliance says. */
import type { components } from './schema.ts'
import { CutroomError, pause, type Transport } from './transport.ts'

type Upload = components['schemas']['Upload']

export interface UploadOptions {
  /** Its name, for the title; that of the file where left out. */
  readonly name?: string
  /** Bytes that are sent, and held in memory, at once; 8 MiB where left out. */
  readonly pieceBytes?: number
  /** A name of yours for this upload: called again with it, also by another process, `upload` goes on with it. */
  readonly key?: string
  /** Stops sending. What has come stays for a day. */
  readonly signal?: AbortSignal
  /** Called with the bytes that are there, and all of them, whenever more are. */
  readonly onProgress?: (sent: number, total: number) => void
}

const VERSION = { 'tus-resumable': '1.0.0' }
const PIECE_BYTES = 8 * 2 ** 20
const FIRST_PAUSE_MS = 250

interface NodeProcess {
  readonly getBuiltinModule?: (name: 'node:fs') => { openAsBlob(path: string): Promise<Blob> }
}

/** The file at a path, read piece by piece. Asked for like this, since a bundler for browsers stops at an import of Node's. */
function openFile(path: string): Promise<Blob> {
  const { process } = globalThis as { process?: NodeProcess }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined) throw new TypeError('Paths are for Node alone: give upload a Blob or a File.')
  return files.openAsBlob(path)
}

function nameOf(source: Blob | string): string {
  if (typeof source === 'string') return source.split(/[/\\]/).at(-1) ?? ''
  return 'name' in source ? String(source.name) : ''
}

const inBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

async function createUpload(
  transport: Transport,
  query: Readonly<Record<string, string>>,
  file: { readonly name: string; readonly bytes: number },
  { key = crypto.randomUUID(), signal }: UploadOptions,
): Promise<Upload> {
  const named = file.name === '' ? {} : { 'upload-metadata': `filename ${inBase64(file.name)}` }
  const headers = { ...VERSION, 'upload-length': String(file.bytes), ...named }
  const sent = { method: 'POST', query, headers, key, signal, repeatable: true } as const
  return JSON.parse((await transport.send('/uploads', sent)).text) as Upload
}

/** Whether the bytes may be sent again from where the upload ends: no answer came, or something on the way failed. */
const mayGoOn = (error: unknown): boolean =>
  !(error instanceof CutroomError) || error.status >= 500 || error.code === 'UPLOAD_OFFSET_CONFLICT'

/** Uploads a file and answers the address that `trigger` takes. */
export async function sendUpload(
  transport: Transport,
  companyId: string,
  source: Blob | string,
  options: UploadOptions = {},
): Promise<string> {
  const { name = nameOf(source), pieceBytes = PIECE_BYTES, key, signal, onProgress } = options
  const file = typeof source === 'string' ? await openFile(source) : source
  const query = { companyId }
  const { id, url } = await createUpload(transport, query, { name, bytes: file.size }, options)
  const path = `/uploads/${encodeURIComponent(id)}`
  const readOffset = async (): Promise<number> => {
    const { text } = await transport.send(path, { method: 'GET', query, signal, repeatable: true })
    return (JSON.parse(text) as Upload).offset
  }
  const sendPiece = async (bytes: ArrayBuffer, from: number): Promise<void> => {
    const headers = {
      ...VERSION,
      'upload-offset': String(from),
      'content-type': 'application/offset+octet-stream',
    }
    await transport.send(path, { method: 'PATCH', query, headers, bytes, signal, repeatable: false })
  }
  let offset = key === undefined ? 0 : await readOffset()
  for (let failures = 0; offset < file.size;) {
    const before = offset
    const bytes = await file.slice(offset, offset + pieceBytes).arrayBuffer()
    try {
      await sendPiece(bytes, offset)
      offset += bytes.byteLength
    } catch (error) {
      if (signal?.aborted === true || failures >= transport.retries || !mayGoOn(error)) throw error
      await pause(FIRST_PAUSE_MS * 2 ** failures, signal)
      offset = await readOffset()
    }
    failures = offset > before ? 0 : failures + 1
    if (offset > before) onProgress?.(offset, file.size)
  }
  return url
}
