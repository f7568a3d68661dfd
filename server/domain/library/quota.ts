/** What a company may use: storage up to its limit, and stored files that are its own. */
import { AppError } from '../../contract/errors.ts'
import { companyBytes } from '../../db/retention.ts'
import type { DbServices, Services } from '../services.ts'
import { ownsContent } from '../../db/library.ts'

type Deps = Pick<Services, 'config' | 'db'>

/** Bytes that a company uses, and its limit; null: only the disk limits it. */
export function storageOf(
  { config, db }: Deps,
  companyId: string,
): { bytes: number; quotaBytes: number | null } {
  const { companyQuotaBytes: quota } = config.storage
  return { bytes: companyBytes(db, companyId), quotaBytes: quota === 0 ? null : quota }
}

/**
 * Throws QUOTA_EXCEEDED when the company has reached its limit, or would with `more` bytes. Returns how many bytes are left:
 * Infinity without a limit.
 */
export function requireQuota(services: Deps, companyId: string, more = 0): number {
  const quota = services.config.storage.companyQuotaBytes
  if (quota === 0) return Infinity
  const bytes = companyBytes(services.db, companyId)
  if (bytes < quota && bytes + more <= quota) return quota - bytes
  const megabytes = (count: number) => Math.round(count / 1e6)
  throw new AppError('QUOTA_EXCEEDED', {
    message: `This company keeps ${megabytes(bytes)} of the ${megabytes(quota)} MB that it may${
      more === 0 ? '' : `, and this needs ${megabytes(more)} more`
    }. Take what is not needed out of its library, or have CUTROOM_COMPANY_QUOTA_BYTES raised.`,
    details: { bytes, quotaBytes: quota },
  })
}

/** Whether the file with this SHA-256 is in the company's library, or came in as the source of one of its runs. */
export type OwnsFile = (digest: string) => boolean

/** Looks up every digest, because what a company owns changes while a run is running. */
export function ownedFiles({ db }: DbServices, companyId: string): OwnsFile {
  return (digest) => ownsContent(db, companyId, digest)
}
