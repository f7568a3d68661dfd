/**
 * Downloads one file, a model's or ffmpeg's: resumes a partial download, reports bytes, and gives up when nothing arrives for
 * a minute.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EnvHttpProxyAgent, fetch, type Dispatcher, type Response } from 'undici'
import { AppError } from '../server/contract/errors.ts'

export interface Download {
  readonly url: string
  /** Where the download is written; it stays there when the connection breaks, so that the next attempt can resume. */
  readonly partial: string
  readonly signal: AbortSignal
  /** Bytes so far and in total; the total is 0 when the server does not report it. */
  readonly onBytes: (done: number, total: number) => void
  /** The error for a file that could not be had; `why`: a sentence, without what else can be done. */
  readonly failure: (why: string, cause?: unknown) => AppError
  /** For tests; default: the proxy settings of the machine. */
  readonly dispatcher?: Dispatcher
}

const IDLE_MS = 60_000

/** Leaves the whole file at `partial`. Throws what `failure` makes of the cause in words, DISK_FULL or CANCELLED. */
export async function download(task: Download): Promise<void> {
  await mkdir(dirname(task.partial), { recursive: true })
  try {
    await fetchInto(task)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if (task.signal.aborted) throw new AppError('CANCELLED')
    if (hasCode(cause, 'ENOSPC')) throw new AppError('DISK_FULL', { cause })
    throw failed(task, cause instanceof Error ? reasonOf(cause) : 'unknown reason', cause)
  }
}

async function fetchInto(task: Download): Promise<void> {
  const tagFile = `${task.partial}.etag`
  const have = await sizeOf(task.partial)
  const tag = have > 0 ? await readFile(tagFile, 'utf8').catch(() => '') : ''
  const resume = have > 0 && tag !== ''
  const response = await fetch(task.url, {
    // Without compression: the length and the resume position of a compressed response are not those of the file.
    headers: {
      'accept-encoding': 'identity',
      ...(resume ? { range: `bytes=${have}-`, 'if-range': tag } : {}),
    },
    signal: task.signal,
    dispatcher: task.dispatcher ?? new EnvHttpProxyAgent({ headersTimeout: IDLE_MS, bodyTimeout: IDLE_MS }),
  })
  if (response.status === 416) {
    // The server has nothing after our part, or the file has changed: start over and let the checksum decide.
    await rm(task.partial, { force: true })
    await rm(tagFile, { force: true })
    return resume ? fetchInto(task) : Promise.reject(failed(task, 'the server refused the range'))
  }
  if (!response.ok || response.body === null) throw failed(task, `the server answered ${response.status}`)
  const append = response.status === 206
  const newTag = response.headers.get('etag') ?? ''
  await writeFile(tagFile, newTag.startsWith('W/') ? '' : newTag)
  const start = append ? have : 0
  const counter = countBytes(start, totalOf(response, start), task)
  await pipeline(
    Readable.fromWeb(response.body),
    counter,
    createWriteStream(task.partial, { flags: append ? 'a' : 'w' }),
  )
  await rm(tagFile, { force: true })
}

function totalOf(response: Response, start: number): number {
  const length = Number(response.headers.get('content-length') ?? 0)
  return Number.isFinite(length) && length > 0 ? start + length : 0
}

function countBytes(start: number, total: number, task: Download): Transform {
  let done = start
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      done += chunk.length
      task.onBytes(done, total)
      callback(null, chunk)
    },
  })
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

function hasCode(error: unknown, code: string): boolean {
  return (
    error instanceof Error && ((error as NodeJS.ErrnoException).code === code || hasCode(error.cause, code))
  )
}

function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

function failed({ url, failure }: Download, why: string, cause?: unknown): AppError {
  return failure(
    `${new URL(url).host} could not deliver ${url.split('/').at(-1) ?? 'the file'}: ${why}.`,
    cause,
  )
}
