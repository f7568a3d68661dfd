/** What a thread of clip lists runs: answers searches on a connection that cannot write, one message each. */
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { collectSteadily } from '../../steady-memory.mjs'
import { CACHE_KIB } from '../cache.ts'
import { createClipSearch } from './search.ts'
import type { SearchAnswer, SearchRequest } from './types.ts'

const port = parentPort
if (port === null) throw new Error('clip lists are searched in a thread of the server')
const sqlite = new Database((workerData as { file: string }).file, { readonly: true })
sqlite.pragma('busy_timeout = 10000')
sqlite.pragma('trusted_schema = OFF')
sqlite.pragma(`cache_size = -${CACHE_KIB}`)
const search = createClipSearch(sqlite)

collectSteadily()

function answer({ id, search: request }: SearchRequest): SearchAnswer {
  try {
    return { id, findings: search(request) }
  } catch (error) {
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

port.on('message', (message: SearchRequest | 'close') => {
  if (message === 'close') {
    sqlite.close()
    port.close()
  } else port.postMessage(answer(message))
})
