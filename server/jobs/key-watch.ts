/** Looks now and then whether the key of the secrets is there: what needs it waits, and goes on when it is put back. */
import type { Services } from '../domain/services.ts'
import { keyTrouble, recordKey } from '../secrets.ts'

const EVERY_MS = 5000

type Deps = Pick<Services, 'db' | 'home' | 'log' | 'now'>

/** Answers whether secrets can be opened, as of some seconds ago, and logs when that changes. The start says it itself. */
export function watchKey({ db, home, log, now }: Deps): () => boolean {
  let lookedAt: number | null = null
  let trouble: string | null = null
  return () => {
    const time = now()
    if (lookedAt !== null && time >= lookedAt && time - lookedAt < EVERY_MS) return trouble === null
    const before = lookedAt === null ? undefined : trouble
    lookedAt = time
    trouble = keyTrouble(home)
    if (trouble === null) recordKey(home, db)
    if (before === null && trouble !== null) log.warn(trouble)
    if (typeof before === 'string' && trouble === null)
      log.info('the key of the secrets is there again: what waited for it goes on')
    return trouble === null
  }
}
