/** What a service's searcher is: one file per service. */
import type { BrollCandidate } from '../../../../server/contract/clip-broll.ts'
import { AppError } from '../../../../server/contract/errors.ts'
import type { Access } from '../ask.ts'

export type Found = Omit<BrollCandidate, 'provider' | 'tags'> & { readonly kind: 'image' | 'video' }

export type Searcher = (question: {
  readonly access: Access
  readonly query: string
  /** Results at most. */
  readonly most: number
  readonly signal: AbortSignal
  /** What one search leaves for the next of the same run. */
  readonly shared: { token?: string }
}) => Promise<Found[]>

/** One of the user's keys; its absence is a defect of the plan, which refuses before. */
export function keyOf(access: Access, name: string): string {
  const key = access.keys[name]
  if (key === undefined || key === '')
    throw new AppError('SOURCE_FORBIDDEN', { message: `The setting for "${name}" is missing.` })
  return key
}
