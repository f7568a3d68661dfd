/** Objects of the store as a node opens them: by addresses that the appliance signed for its task, and with no key of its own. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '../contract/errors.ts'
import { reasonOf } from '../adapters/s3-bucket.ts'
import type { Config } from '../config/config.ts'
import { requireReachable } from '../reachable.ts'
import { openPartial } from './partial-file.ts'

/** A store that sends nothing for this long does not answer. */
const IDLE_MS = 60_000
const FIRST_PAUSE_MS = 250
/** A part that takes longer is sent again. */
const PART_MS = 15 * 60_000

export interface BucketOptions {
  readonly network: Config['network']
  /** How long a store that does not answer is tried before the task is given back. */
  readonly patienceMs?: number
}

export interface WantedObject {
  readonly to: string
  /** Undefined: it is held against the checks of its result. */
  readonly sha256: string | undefined
  /** `again`: the one before did not do, or not any more. */
  readonly address: (again: boolean) => Promise<string>
}

export interface SentPart {
  readonly path: string
  readonly start: number
  readonly bytes: number
  readonly address: WantedObject['address']
}

export type NodeBucket = ReturnType<typeof createNodeBucket>

/** Calls throw STORE_UNAVAILABLE where the store cannot be used from here, and what a full disk throws. */
export function createNodeBucket({ network, patienceMs = 20_000 }: BucketOptions) {
  const moved = { read: 0, written: 0 }
  let origin: string | null = null
  let isAway = false

  /** Tries again what may pass, with new addresses. */
  async function patiently<T>(
    address: WantedObject['address'],
    signal: AbortSignal,
    act: (url: string) => Promise<T>,
  ): Promise<T> {
    let until = performance.now() + patienceMs
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(5000, wait * 2)) {
      const url = await address(wait > FIRST_PAUSE_MS)
      origin = new URL(url).origin
      requireReachable({ network }, 'The store', url)
      const before = moved.read + moved.written
      try {
        return await act(url)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof Passing)) throw error
        // A slow store is no store that is away.
        if (moved.read + moved.written > before) until = performance.now() + patienceMs
        if (performance.now() > until) {
          isAway = true
          throw new AppError('STORE_UNAVAILABLE', {
            message: `This worker node cannot use the store at ${origin}: ${error.message}. It has to be reached from here by the address that the appliance has in CUTROOM_S3_ENDPOINT.`,
          })
        }
        await pause(wait, undefined, { signal })
      }
    }
  }

  return {
    /** Bytes since the start. */
    moved: (): Readonly<typeof moved> => moved,
    /** Fetches an object into its place, going on where it broke off; checks what it is. STAGE_FAILED: it is another. */
    fetch: ({ to, sha256, address }: WantedObject, signal: AbortSignal): Promise<void> => {
      let others = 0
      return patiently(address, signal, async (url) => {
        const partial = await openPartial(to)
        await take(url, partial.headers, signal, async (body, status) => {
          body.on('data', (chunk: Buffer) => (moved.read += chunk.length)).pause()
          await partial.write(body, status, signal)
        })
        if (await partial.finish(sha256)) return
        others += 1
        if (others === MAX_OTHERS) throw isAnother(url)
        throw new Passing('what it sent is not what was put there')
      })
    },
    /** Sends a part of a file; answers its mark in the store. */
    sendPart: ({ path, start, bytes, address }: SentPart, signal: AbortSignal): Promise<string> =>
      patiently(address, signal, async (url) => {
        const body = await readPart(path, start, bytes)
        const etag = await put(url, body, signal)
        moved.written += body.length
        return etag
      }),
    /** The SHA-256 of an object as the store has it. */
    digest: (address: WantedObject['address'], signal: AbortSignal): Promise<string> =>
      patiently(address, signal, async (url) => {
        const hash = createHash('sha256')
        await take(url, {}, signal, async (body) => {
          for await (const chunk of body) {
            moved.read += (chunk as Buffer).length
            hash.update(chunk as Buffer)
          }
        })
        return hash.digest('hex')
      }),
    /** Whether it could be reached when it was looked at last. */
    wasThere: (): boolean => !isAway,
    /** Whether it can be reached; only one that could not is asked. */
    isThere: async (): Promise<boolean> => {
      if (isAway && origin !== null) isAway = !(await answers(origin))
      return !isAway
    },
  }
}

/** Damage on the way is seldom the same so often. */
const MAX_OTHERS = 3

/** The address without what opens it. */
function isAnother(url: string): AppError {
  const { origin, pathname } = new URL(url)
  return new AppError('STAGE_FAILED', {
    message: `What the store at ${origin} has as ${decodeURIComponent(pathname)} is not what was put there. Remove it from the bucket and let the run go on: what the appliance has at home is stored anew, and what it does not have is made or fetched anew.`,
  })
}

/** What may be otherwise the next time. */
class Passing extends Error {}

/** Any answer is one: what is asked for needs a signature. */
const answers = (origin: string): Promise<boolean> =>
  fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(5000) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Ends what has stood still. */
function createWatch(signal: AbortSignal) {
  const idle = new AbortController()
  let timer: NodeJS.Timeout
  const move = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(), IDLE_MS).unref()
  }
  move()
  return { signal: AbortSignal.any([signal, idle.signal]), move, stop: () => clearTimeout(timer) }
}

const passing = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).syscall === 'write' || (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? error
    : new Passing(reasonOf(error))

/** Takes an answer's body; nothing where all of it was here already (416). */
async function take(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  use: (body: Readable, status: number) => Promise<void>,
): Promise<void> {
  const watch = createWatch(signal)
  try {
    const answer = await fetch(url, { headers, signal: watch.signal })
    if (!answer.ok && answer.status !== 416) {
      await answer.body?.cancel()
      throw new Passing(`it answered ${answer.status}`)
    }
    if (answer.body === null || !answer.ok) return
    const body = Readable.fromWeb(answer.body as ReadableStream)
    body.on('data', watch.move).pause()
    await use(body, answer.status)
  } catch (error) {
    throw error instanceof Passing ? error : passing(error)
  } finally {
    watch.stop()
  }
}

async function readPart(path: string, start: number, bytes: number): Promise<Buffer<ArrayBuffer>> {
  await using file = await open(path, 'r')
  const buffer = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, start)
  return buffer.subarray(0, bytesRead)
}

/** The store holds what comes in against its MD5. */
async function put(url: string, body: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<string> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PART_MS)])
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
  try {
    const answer = await fetch(url, { method: 'PUT', headers, body, signal: limit })
    await answer.arrayBuffer()
    const etag = answer.headers.get('etag')
    if (!answer.ok || etag === null) throw new Passing(`it answered ${answer.status}`)
    return etag
  } catch (error) {
    throw error instanceof Passing ? error : passing(error)
  }
}
