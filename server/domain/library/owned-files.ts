/** Which stored files a company may name by `cutroom-source:<sha256>`: knowing a digest gives no access to a file. */
import { ownsContent } from '../../db/library.ts'
import type { Services } from '../services.ts'

/** Whether the file with this SHA-256 is in the company's library, or came in as the source of one of its runs. */
export type OwnsFile = (digest: string) => boolean

/** Looks up every digest, because what a company owns changes while a run is running. */
export function ownedFiles({ db }: Pick<Services, 'db'>, companyId: string): OwnsFile {
  return (digest) => ownsContent(db, companyId, digest)
}
