/** Footage and results as objects of a bucket: large ones in parts, read in ranges, encrypted there on request. */
import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '../contract/errors.ts'
import type { ObjectStore, PartsUpload } from '../domain/store/object-store.ts'
import { openBucket, reasonOf, S3Refusal, valuesIn, type Bucket, type S3Access } from './s3-bucket.ts'

const MEGABYTE = 1024 ** 2
/** Of what is sent and read at once; larger objects go in parts. */
const PART_BYTES = 16 * MEGABYTE
/** A store takes so many parts of one object at the most. */
const MOST_PARTS = 10_000
/** How often a part is read again whose transfer broke off. */
const READS = 4

export interface S3Objects {
  readonly access: S3Access
  /** How the store encrypts what it holds; null: as the bucket is set. */
  readonly encryption: 'AES256' | 'aws:kms' | null
}

/** `place`: `s3://BUCKET/PREFIX`. */
export function openS3Objects(place: string, { access, encryption }: S3Objects): ObjectStore {
  const bucket = openBucket(place, access)
  const sealed: Readonly<Record<string, string>> =
    encryption === null ? {} : { 'x-amz-server-side-encryption': encryption }
  const use = async <T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      signal?.throwIfAborted()
      throw unavailable(place, error)
    }
  }
  return {
    place,
    size: (name, signal) => use(() => sizeOf(bucket, name, signal), signal),
    put: (name, path, signal) => use(() => put(bucket, { name, path, sealed }, signal), signal),
    get: (name, path, signal) => use(() => get(bucket, name, path, signal), signal),
    read: (name, range) =>
      use(async () => {
        const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
        const answer = await bucket.request({ method: 'GET', name, headers, patienceMs: 24 * 3_600_000 })
        return answer?.body ? Readable.fromWeb(answer.body as ReadableStream) : null
      }),
    list: (folder, signal) => listed(bucket, place, folder, signal),
    remove: (name) => use(async () => void (await bucket.request({ method: 'DELETE', name }))),
    address: async ({ name, method, seconds }) => {
      const headers = method === 'PUT' ? sealed : {}
      return { url: await bucket.sign({ method, name, headers }, seconds), headers }
    },
    parts: {
      begin: (name) => use(() => beginParts(bucket, { name, sealed })),
      address: ({ name, uploadId, number, seconds }) =>
        bucket.sign({ method: 'PUT', name, query: { partNumber: String(number), uploadId } }, seconds),
      end: (upload) => use(() => endParts(bucket, upload)),
    },
  }
}

function unavailable(place: string, error: unknown): unknown {
  // A file of this machine, not the store.
  if (error instanceof AppError || (error as NodeJS.ErrnoException).syscall !== undefined) return error
  const isRefusal = error instanceof S3Refusal
  if (isRefusal && error.isFull)
    return new AppError(
      'STORE_UNAVAILABLE',
      `The store at ${place} is full. Free some there, and runs go on.`,
    )
  const why = isRefusal ? error.message : `the store does not answer (${reasonOf(error)})`
  return new AppError('STORE_UNAVAILABLE', {
    message: `The store at ${place} cannot be used: ${why}. Look at CUTROOM_S3_ENDPOINT, the bucket and its key; runs go on by themselves once it answers.`,
    ...(isRefusal ? { cause: error } : {}),
  })
}

async function sizeOf(bucket: Bucket, name: string, signal?: AbortSignal): Promise<number | null> {
  const answer = await bucket.request({ method: 'HEAD', name, signal, patienceMs: 30_000 })
  return answer === null ? null : Number(answer.headers.get('content-length') ?? 0)
}

async function readPart(file: FileHandle, start: number, bytes: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, start)
  return buffer.subarray(0, bytesRead)
}

const hashed = (body: Buffer): Record<string, string> => ({
  'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
})

interface ToPut {
  readonly name: string
  readonly path: string
  readonly sealed: Readonly<Record<string, string>>
}

async function put(bucket: Bucket, { name, path, sealed }: ToPut, signal?: AbortSignal): Promise<void> {
  const { size } = await stat(path)
  if (size > PART_BYTES) return putInParts(bucket, { name, path, sealed, size }, signal)
  await using file = await open(path, 'r')
  const body = await readPart(file, 0, size)
  const headers = { ...sealed, ...hashed(body) }
  if ((await bucket.request({ method: 'PUT', name, headers, body, signal })) === null)
    throw new Error('the bucket does not take objects')
}

async function beginParts(
  bucket: Bucket,
  { name, sealed }: Omit<ToPut, 'path'>,
  signal?: AbortSignal,
): Promise<string> {
  const query = { uploads: '' }
  const begun = await bucket.request({ method: 'POST', name, query, headers: sealed, signal })
  const uploadId = valuesIn((await begun?.text()) ?? '', 'UploadId')[0]
  if (uploadId === undefined) throw new Error('the bucket does not take objects in parts')
  return uploadId
}

/** False: there is no such upload. */
async function endParts(
  bucket: Bucket,
  { name, uploadId, etags }: PartsUpload & { readonly etags: readonly string[] },
  signal?: AbortSignal,
): Promise<boolean> {
  const list = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
  const ended = await bucket.request({ method: 'POST', name, query: { uploadId }, body, signal })
  // A store may say with status 200 that it could not put the parts together.
  if (ended !== null && (await ended.text()).includes('<Error>'))
    throw new S3Refusal(500, 'the parts were not put together')
  return ended !== null
}

async function putInParts(
  bucket: Bucket,
  { name, path, sealed, size }: ToPut & { readonly size: number },
  signal?: AbortSignal,
): Promise<void> {
  const uploadId = await beginParts(bucket, { name, sealed }, signal)
  try {
    await using file = await open(path, 'r')
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
    const parts: string[] = []
    for (let start = 0; start < size; start += partBytes) {
      const body = await readPart(file, start, Math.min(partBytes, size - start))
      const query = { partNumber: String(parts.length + 1), uploadId }
      const answer = await bucket.request({ method: 'PUT', name, query, headers: hashed(body), body, signal })
      parts.push(answer?.headers.get('etag') ?? '')
    }
    if (!(await endParts(bucket, { name, uploadId, etags: parts }, signal)))
      throw new Error('the bucket does not take objects')
  } catch (error) {
    await bucket.request({ method: 'DELETE', name, query: { uploadId } }).catch(() => null)
    throw error
  }
}

async function get(bucket: Bucket, name: string, path: string, signal?: AbortSignal): Promise<boolean> {
  const size = await sizeOf(bucket, name, signal)
  if (size === null) return false
  await using file = await open(path, 'w', 0o600)
  for (let start = 0; start < size; start += PART_BYTES) {
    const part = await getPart(bucket, name, { start, end: Math.min(start + PART_BYTES, size) - 1 }, signal)
    if (part === null) return false
    await file.write(part, 0, part.length, start)
  }
  await file.sync()
  return true
}

/** Null: it was removed meanwhile. */
async function getPart(
  bucket: Bucket,
  name: string,
  { start, end }: { readonly start: number; readonly end: number },
  signal?: AbortSignal,
): Promise<Buffer | null> {
  for (let left = READS - 1; ; left -= 1) {
    try {
      const headers = { range: `bytes=${start}-${end}` }
      const answer = await bucket.request({ method: 'GET', name, headers, signal })
      if (answer === null) return null
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (bytes.length === end - start + 1) return bytes
      throw new Error(`the store sent ${bytes.length} bytes in place of ${end - start + 1}`)
    } catch (error) {
      signal?.throwIfAborted()
      if (left === 0 || error instanceof S3Refusal) throw error
    }
  }
}

async function* listed(bucket: Bucket, place: string, folder: string, signal?: AbortSignal) {
  try {
    yield* bucket.list(folder, signal)
  } catch (error) {
    signal?.throwIfAborted()
    throw unavailable(place, error)
  }
}
