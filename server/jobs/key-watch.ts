/** Checks periodically whether the key of the secrets is available. Work that needs it waits until it is restored. */
import type { Services } from '../domain/services.ts'
import { keyTrouble, recordKey } from '../secrets.ts'

const EVERY_MS = 5000

type Deps = Pick<Services, 'db' | 'home' | 'log' | 'now'>

/** Returns a function that tells whether secrets can be opened, checked every few seconds. Logs when that changes. */
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
      log.info('the key of the secrets is available again; work that waited for it continues')
    return trouble === null
  }
}
