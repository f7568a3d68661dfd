/** Fetches one segment of a playlist into the spool, with its initialisation section and its key. */
import { createDecipheriv } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../server/contract/errors.ts'
import { toDiskFull } from '../../media/disk.ts'
import type { Fetched } from './fetcher.ts'
import { type RecordJob } from './job.ts'
import { pause } from '../ingest/download.ts'
import type { PlaylistSegment, SegmentKey, SegmentMap } from './pure/playlist.ts'

export interface TakenSegment {
  readonly file: string
  readonly bytes: number
  readonly map: string | null
}

export type Taken =
  | { readonly kind: 'taken'; readonly segment: TakenSegment }
  /** `gone`: the segment is missing. `again`: a temporary problem. */
  | { readonly kind: 'gone'; readonly message: string }
  | { readonly kind: 'again'; readonly message: string }

const KEY_BYTES = 16
/** Edge servers may get a new segment a moment after the playlist lists it. */
const RETRY_SECONDS = 0.5

/** Fetched keys of a stream by address, in memory only. */
export type KeyRing = Map<string, Buffer>

/** Throws SOURCE_FORBIDDEN, UNSUPPORTED_SOURCE_URL, DISK_FULL, CANCELLED. */
export async function takeSegment(
  job: RecordJob,
  base: URL,
  segment: PlaylistSegment,
  keys: KeyRing,
): Promise<Taken> {
  const map = segment.map === null ? null : await fetchMap(job, base, segment.map)
  if (map !== null && map.kind !== 'got') return map
  const key = segment.key === null ? null : await fetchKey(job, base, segment.key, keys)
  if (key !== null && key.kind !== 'got') return key
  const { name, path } = job.spool.newFile('segment')
  const url = resolveAddress(segment.uri, base)
  const found = await retryOnce(job, () => job.fetcher.file(url, path, segment.range))
  if (found.kind !== 'got') return found
  const taken = { file: name, bytes: found.value, map: map?.value ?? null }
  if (key === null || segment.key === null) return { kind: 'taken', segment: taken }
  const opened = await decrypt(job, path, key.value, buildIv(segment.key, segment.sequence))
  await job.spool.remove([name])
  return opened === null
    ? { kind: 'gone', message: 'A part of the stream could not be decrypted with the key that it names.' }
    : { kind: 'taken', segment: { ...taken, ...opened } }
}

/** Resolves an address of a playlist; only http and https are allowed. */
export function resolveAddress(uri: string, base: URL): URL {
  if (!URL.canParse(uri, base))
    throw new AppError('SOURCE_NOT_VIDEO', { message: 'The playlist has an invalid address.' })
  const url = new URL(uri, base)
  if (url.protocol === 'http:' || url.protocol === 'https:') return url
  const message = `The playlist leads to ${url.protocol}//, and only http and https are fetched.`
  throw new AppError('SOURCE_FORBIDDEN', { message, details: { scheme: url.protocol.slice(0, -1) } })
}

/** Tries once more if something is missing. */
async function retryOnce<T>({ context }: RecordJob, fetch: () => Promise<Fetched<T>>): Promise<Fetched<T>> {
  const first = await fetch()
  if (first.kind === 'got') return first
  await pause(RETRY_SECONDS, context.signal)
  return fetch()
}

async function fetchMap(job: RecordJob, base: URL, map: SegmentMap): Promise<Fetched<string>> {
  const url = resolveAddress(map.uri, base)
  const name = `${url.href}#${map.range?.offset ?? 0}+${map.range?.length ?? ''}`
  const known = job.spool.state().maps[name]
  if (known !== undefined) return { kind: 'got', value: known, url }
  const file = job.spool.newFile('map')
  const found = await retryOnce(job, () => job.fetcher.file(url, file.path, map.range))
  if (found.kind !== 'got') return found
  await job.spool.save({ maps: { ...job.spool.state().maps, [name]: file.name } })
  return { ...found, value: file.name }
}

async function fetchKey(job: RecordJob, base: URL, key: SegmentKey, ring: KeyRing): Promise<Fetched<Buffer>> {
  const url = resolveAddress(key.uri, base)
  const known = ring.get(url.href)
  if (known !== undefined) return { kind: 'got', value: known, url }
  const found = await retryOnce(job, () => job.fetcher.bytes(url, 4096))
  if (found.kind !== 'got') return found
  if (found.value.length !== KEY_BYTES)
    return { kind: 'gone', message: `The key of the stream has ${found.value.length} bytes instead of 16.` }
  ring.set(url.href, found.value)
  return found
}

/** Without an explicit initialisation vector the segment's number is used. */
function buildIv(key: SegmentKey, sequence: number): Buffer {
  return Buffer.from(key.iv ?? sequence.toString(16).padStart(32, '0'), 'hex')
}

/** Decrypts into a new file; null when the key does not fit. */
async function decrypt(job: RecordJob, path: string, key: Buffer, iv: Buffer) {
  const { name, path: target } = job.spool.newFile('segment')
  const decipher = createDecipheriv('aes-128-cbc', key, iv)
  try {
    await pipeline(createReadStream(path), decipher, createWriteStream(target, { mode: 0o600 }), {
      signal: job.context.signal,
    })
  } catch (error) {
    if (job.context.signal.aborted) throw new AppError('CANCELLED', { cause: error })
    if (!/DECRYPT|FINAL_BLOCK/i.test((error as NodeJS.ErrnoException).code ?? '')) throw toDiskFull(error)
    await job.spool.remove([name])
    return null
  }
  return { file: name, bytes: (await stat(target)).size }
}
