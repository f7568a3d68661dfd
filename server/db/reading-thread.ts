/** Reads that take long, carried out in threads of their own on a connection that cannot write, so that no request waits. */
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { collectSteadily } from '../steady-memory.mjs'
import { CACHE_KIB } from './cache.ts'

interface Posted<Request> {
  readonly id: number
  readonly request: Request
}

type Answered<Answer> =
  { readonly id: number; readonly answer: Answer } | { readonly id: number; readonly problem: string }

/** A read needs some megabytes: V8 is not to let what it has freed grow to a multiple of them. */
const HEAP = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 64 }

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

export interface ReadingThread<Request, Answer> {
  readonly request: (request: Request) => Promise<Answer>
  readonly close: () => void
  /** Resolves once a closed thread has let go of the file. */
  readonly ended: () => Promise<void>
}

/** A thread's program: TypeScript beside the caller in the source tree, or its bundle beside ours. */
export function threadProgram(moduleUrl: string, bundle: string): string {
  const inSource = new URL(moduleUrl).pathname.endsWith('.ts')
  return fileURLToPath(new URL(inSource ? './thread.ts' : `./${bundle}.js`, moduleUrl))
}

/** A thread that is started by its first request; one that died is replaced by the next. `file`: the database. */
export function createReadingThread<Request, Answer>(
  program: string,
  file: string,
): ReadingThread<Request, Answer> {
  let worker: Worker | null = null
  let last = 0
  let ended = Promise.resolve()
  const waiting = new Map<number, Waiting<Answer>>()
  const giveUp = (error: Error): void => {
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(program, { workerData: { file }, resourceLimits: HEAP })
    started.unref()
    started.on('message', (answered: Answered<Answer>) => {
      const request = waiting.get(answered.id)
      waiting.delete(answered.id)
      if ('answer' in answered) request?.resolve(answered.answer)
      else request?.reject(new Error(answered.problem))
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => giveUp(error instanceof Error ? error : new Error(String(error))))
    ended = new Promise((resolve) => started.once('exit', () => resolve()))
    started.on('exit', () => {
      if (worker === started) giveUp(new Error('a thread that reads the database has ended'))
    })
    return started
  }
  return {
    request: (request) => {
      worker ??= start()
      const posted: Posted<Request> = { id: (last += 1), request }
      // The thread keeps the process alive only while a request is pending.
      worker.ref()
      worker.postMessage(posted)
      return new Promise((resolve, reject) => waiting.set(posted.id, { resolve, reject }))
    },
    close: () => {
      worker?.postMessage('close')
      worker?.unref()
    },
    ended: () => {
      worker?.ref()
      return ended
    },
  }
}

/** What a thread's program does: `create` makes the function that answers requests, one message each. */
export function answerInThread<Request, Answer>(
  create: (sqlite: Database.Database) => (request: Request) => Answer,
): void {
  const port = parentPort
  if (port === null) throw new Error('this runs in a thread of the server')
  const sqlite = new Database((workerData as { file: string }).file, { readonly: true })
  sqlite.pragma('busy_timeout = 10000')
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma(`cache_size = -${CACHE_KIB}`)
  const read = create(sqlite)
  collectSteadily()
  const answer = ({ id, request }: Posted<Request>): Answered<Answer> => {
    try {
      return { id, answer: read(request) }
    } catch (error) {
      return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  port.on('message', (message: Posted<Request> | 'close') => {
    if (message === 'close') {
      sqlite.close()
      port.close()
    } else port.postMessage(answer(message))
  })
}
