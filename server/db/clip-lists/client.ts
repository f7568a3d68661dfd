/** Searches of clips, carried out in threads of their own, so that no request waits for another's facets. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import type { ClipFindings, ClipSearch, SearchAnswer, SearchRequest } from './types.ts'

/** The thread's program: TypeScript in the source tree, or its bundle beside ours. */
function program(moduleUrl: string = import.meta.url): string {
  const inSource = new URL(moduleUrl).pathname.endsWith('.ts')
  return fileURLToPath(new URL(inSource ? './thread.ts' : './clip-lists.js', moduleUrl))
}

/** A search needs some megabytes: V8 is not to let what it has freed grow to a multiple of them. */
const HEAP = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 64 }

interface Waiting {
  readonly resolve: (findings: ClipFindings) => void
  readonly reject: (error: Error) => void
}

interface SearchThread {
  readonly search: (search: ClipSearch) => Promise<ClipFindings>
  readonly close: () => void
}

/** A thread that is started by its first search; one that died is replaced by the next. */
function createThread(file: string): SearchThread {
  let worker: Worker | null = null
  let last = 0
  const waiting = new Map<number, Waiting>()
  const giveUp = (error: Error): void => {
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(program(), { workerData: { file }, resourceLimits: HEAP })
    started.unref()
    started.on('message', (answer: SearchAnswer) => {
      const request = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('findings' in answer) request?.resolve(answer.findings)
      else request?.reject(new Error(answer.problem))
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => giveUp(error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => {
      if (worker === started) giveUp(new Error('a thread of clip lists has ended'))
    })
    return started
  }
  return {
    search: (search) => {
      worker ??= start()
      const request: SearchRequest = { id: (last += 1), search }
      // The thread keeps the process alive only while a search is pending.
      worker.ref()
      worker.postMessage(request)
      return new Promise((resolve, reject) => waiting.set(request.id, { resolve, reject }))
    },
    close: () => {
      worker?.postMessage('close')
      worker?.unref()
    },
  }
}

/** Pages take milliseconds, totals up to hundreds of them: they do not wait for each other. */
const threadsOf = oncePerConnection((db: Db) => {
  const create = (): SearchThread => createThread(db.sqlite.name)
  const threads = { pages: create(), totals: create() }
  db.beforeClose(() => {
    for (const thread of Object.values(threads)) thread.close()
  })
  return threads
})

/** A page of clips, how many there are, what occurs among them: of one company, as the database is now. */
export function searchClips(db: Db, search: ClipSearch): Promise<ClipFindings> {
  const { pages, totals } = threadsOf(db)
  return (search.count || search.facets ? totals : pages).search(search)
}
