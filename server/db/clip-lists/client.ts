/** Searches of clips, carried out in threads of their own, so that no request waits for another's facets. */
import type { Db } from '../client.ts'
import { oncePerConnection } from '../prepared.ts'
import { createReadingThread, threadProgram } from '../reading-thread.ts'
import type { ClipFindings, ClipSearch } from './types.ts'

/** Pages take milliseconds, totals up to hundreds of them: they do not wait for each other. */
const threadsOf = oncePerConnection((db: Db) => {
  const program = threadProgram(import.meta.url, 'clip-lists')
  const create = () => createReadingThread<ClipSearch, ClipFindings>(program, db.sqlite.name)
  const threads = { pages: create(), totals: create() }
  db.beforeClose(() => {
    for (const thread of Object.values(threads)) thread.close()
  })
  return threads
})

/** A page of clips, how many there are, what occurs among them: of one company, as the database is now. */
export function searchClips(db: Db, search: ClipSearch): Promise<ClipFindings> {
  const { pages, totals } = threadsOf(db)
  return (search.count || search.facets ? totals : pages).request(search)
}
