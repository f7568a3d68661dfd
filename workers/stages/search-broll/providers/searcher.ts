/** The interface of a service's search; one file per service. */
import type { BrollCandidate } from '../../../../server/contract/clip-broll.ts'
import { AppError } from '../../../../server/contract/errors.ts'
import type { Access } from '../ask.ts'

export type Found = Omit<BrollCandidate, 'provider' | 'tags'> & { readonly kind: 'image' | 'video' }

export type Searcher = (question: {
  readonly access: Access
  readonly query: string
  /** Maximum number of results. */
  readonly most: number
  readonly signal: AbortSignal
  /** State that one search leaves for the next one of the same run. */
  readonly shared: { token?: string }
}) => Promise<Found[]>

/** One of the user's keys. A missing key is a defect, because the plan refuses such a stage before. */
export function keyOf(access: Access, name: string): string {
  const key = access.keys[name]
  if (key === undefined || key === '')
    throw new AppError('SOURCE_FORBIDDEN', { message: `The setting for "${name}" is missing.` })
  return key
}
