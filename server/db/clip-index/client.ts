/** Searches of clips, carried out in a thread of their own, so that no request waits for another's facets. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import type { Answered, Asked, ClipFindings, ClipSearch } from './protocol.ts'

/** The thread's program: TypeScript in the source tree, or its bundle beside ours. */
function program(moduleUrl: string = import.meta.url): string {
  const inSource = new URL(moduleUrl).pathname.endsWith('.ts')
  return fileURLToPath(new URL(inSource ? './thread.ts' : './clip-index.js', moduleUrl))
}

interface Waiting {
  readonly resolve: (findings: ClipFindings) => void
  readonly reject: (error: Error) => void
}

/** One thread for each open database, started by the first search; a thread that died is replaced by the next one. */
const threadOf = oncePerConnection((db: Db) => {
  let worker: Worker | null = null
  let last = 0
  const waiting = new Map<number, Waiting>()
  const giveUp = (error: Error): void => {
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(program(), { workerData: { file: db.sqlite.name } })
    started.unref()
    started.on('message', (answer: Answered) => {
      const asker = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('findings' in answer) asker?.resolve(answer.findings)
      else asker?.reject(new Error(answer.problem))
      if (waiting.size === 0) started.unref()
    })
    started.on('error', (error) => giveUp(error instanceof Error ? error : new Error(String(error))))
    started.on('exit', () => {
      if (worker === started) giveUp(new Error('the thread of the clip index has ended'))
    })
    return started
  }
  db.beforeClose(() => {
    worker?.postMessage('close')
    worker?.unref()
  })
  return (search: ClipSearch): Promise<ClipFindings> => {
    worker ??= start()
    const asked: Asked = { id: (last += 1), search }
    // The process waits for answers that somebody waits for, and for nothing else of it.
    worker.ref()
    worker.postMessage(asked)
    return new Promise((resolve, reject) => waiting.set(asked.id, { resolve, reject }))
  }
})

/** A page of clips, how many there are, what occurs among them: of one company, as the database is now. */
export function searchClips(db: Db, search: ClipSearch): Promise<ClipFindings> {
  return threadOf(db)(search)
}
