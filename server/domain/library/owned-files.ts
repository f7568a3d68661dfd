/** Which kept files a company may name by `cutroom-source:<sha256>`: a digest by itself is no right to a file. */
import { ownsContent } from '../../db/library.ts'
import type { Services } from '../services.ts'

/** Whether the file with this SHA-256 is in the company's library, or came in as the source of one of its runs. */
export type OwnsFile = (digest: string) => boolean

/** Asks the database for each digest: what a company owns changes while a run goes on. */
export function ownedFiles({ db }: Pick<Services, 'db'>, companyId: string): OwnsFile {
  return (digest) => ownsContent(db, companyId, digest)
}
