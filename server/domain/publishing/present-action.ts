/** An action of the outbox as callers see it: an operation. */
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import type { Failure } from '../../contract/errors.ts'
import { getAction, type SocialAction } from '../../db/social-actions.ts'
import type { Services } from '../services.ts'

/** An action of the outbox as an operation. */
export function presentAction(action: SocialAction): DomainOperation {
  const { id, kind, state, progress, attempts, createdAt, updatedAt, result } = action
  const failure: Failure | null = state === 'failed' || state === 'cancelled' ? action.failure : null
  return {
    id,
    kind: `social_${kind}`,
    state,
    progress,
    attempts,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(state === 'succeeded' ? { result: (result ?? {}) as Record<string, unknown> } : {}),
    ...(failure === null ? {} : { error: { code: failure.code, message: failure.message } }),
  }
}

/** For GET /operations/{operationId}: the company's operation of the outbox, or null. */
export function findSocialOperation(
  { db }: Pick<Services, 'db'>,
  of: { readonly companyId: string; readonly id: string },
): DomainOperation | null {
  const action = getAction(db, of.id)
  return action?.companyId === of.companyId ? presentAction(action) : null
}
