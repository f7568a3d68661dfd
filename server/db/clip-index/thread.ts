/** What the thread of the index runs: answers searches of clips, one message each. */
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { collectSteadily } from '../../steady-memory.mjs'
import { CACHE_KIB } from '../cache.ts'
import { createClipIndex } from './index.ts'
import type { Answered, Asked } from './protocol.ts'
import { clipSource } from './source.ts'

const port = parentPort
if (port === null) throw new Error('the clip index runs in a thread of the server')
const sqlite = new Database((workerData as { file: string }).file, { readonly: true })
sqlite.pragma('busy_timeout = 10000')
sqlite.pragma('trusted_schema = OFF')
sqlite.pragma(`cache_size = -${CACHE_KIB}`)
const index = createClipIndex(clipSource(sqlite))

collectSteadily()

async function answered({ id, search }: Asked): Promise<Answered> {
  try {
    return { id, findings: await index.search(search) }
  } catch (error) {
    return { id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

port.on('message', (asked: Asked | 'close') => {
  if (asked === 'close') {
    sqlite.close()
    port.close()
  } else void answered(asked).then((answer) => port.postMessage(answer))
})
