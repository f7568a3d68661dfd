/** Searches of passages, carried out in a thread: comparing the vectors of 100 hours takes some tens of milliseconds. */
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import { createReadingThread, threadProgram } from '../reading-thread.ts'
import type { PassageFindings, PassageSearch } from './types.ts'

const threadOf = oncePerConnection((db: Db) => {
  const program = threadProgram(import.meta.url, 'passage-search')
  const thread = createReadingThread<PassageSearch, PassageFindings>(program, db.sqlite.name)
  db.beforeClose(() => thread.close())
  return thread
})

/** The passages of one company that are nearest to a query by words and by meaning, and how much of it is indexed. */
export const searchPassages = (db: Db, search: PassageSearch): Promise<PassageFindings> =>
  threadOf(db).request(search)
