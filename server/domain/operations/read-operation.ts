/** GET /operations/{operationId}: whatever works on something for the tenant, presented alike. */
import { readyField } from '../promises/promised-times.ts'
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { AppError } from '../../contract/errors.ts'
import { getDispatchOfOperation } from '../../db/dispatches.ts'
import { getOperation, type Operation } from '../../db/operations.ts'
import { mediaAddresses, type RenderResult } from '../rendering/register-media.ts'
import type { DbServices } from '../services.ts'
import { getAction, type SocialAction } from '../../db/social-actions.ts'
import { iso } from '../moments.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Which operation, and how addresses in it begin. */
export interface OperationAddress {
  readonly companyId: string
  readonly operationId: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

/** Ids of all kinds are random, so at most one has it. Throws NOT_FOUND, also for one of another tenant. */
export function readOperation(services: DbServices, address: OperationAddress): DomainOperation {
  const { db } = services
  const { companyId, operationId: id, baseUrl } = address
  const operation = getOperation(db, id)
  if (operation?.companyId === companyId) return presentOperation(services, operation, baseUrl)
  const dispatch = getDispatchOfOperation(db, id)
  // A run that was confirmed and is not in the queue yet: its operation is known by its id already.
  if (dispatch?.companyId === companyId) {
    const state = dispatch.state === 'failed' ? 'failed' : 'queued'
    return presentWork({ ...dispatch, id, kind: 'run', state, progress: 0 })
  }
  const action = getAction(db, id)
  if (action?.companyId === companyId) return presentAction(action)
  throw new AppError('NOT_FOUND', 'There is no such operation.')
}

type Work = Pick<DomainOperation, 'id' | 'kind' | 'state' | 'progress' | 'attempts'> &
  Pick<Operation, 'createdAt' | 'updatedAt' | 'failure'>

/** Only the final failure is shown, without those of earlier attempts. `resultOf`: of work that has succeeded. */
function presentWork(work: Work, resultOf = (): Record<string, unknown> => ({})): DomainOperation {
  const { id, kind, state, progress, attempts, failure } = work
  const hasEnded = state === 'failed' || state === 'cancelled'
  return {
    id,
    kind,
    state,
    progress,
    attempts,
    createdAt: iso(work.createdAt),
    updatedAt: iso(work.updatedAt),
    ...(state === 'succeeded' ? { result: resultOf() } : {}),
    ...(hasEnded && failure !== null ? { error: failure } : {}),
  }
}

/** An operation of the queue as callers see it. */
export function presentOperation(
  services: DbServices,
  operation: Operation,
  baseUrl: string,
): DomainOperation {
  const { kind, subjectId } = operation
  const ready = kind === 'run' || kind === 'render' ? readyField(services, kind, subjectId) : {}
  return { ...presentWork(operation, () => resultOf(services, operation, baseUrl)), ...ready }
}

/** An action of the outbox as an operation. */
export function presentAction(action: SocialAction): DomainOperation {
  const { kind, failure, result } = action
  return presentWork(
    {
      ...action,
      kind: `social_${kind}`,
      failure: failure && { code: failure.code, message: failure.message },
    },
    () => (result ?? {}) as Record<string, unknown>,
  )
}

function resultOf(
  services: DbServices,
  { kind, subjectId, input, result }: Operation,
  baseUrl: string,
): Record<string, unknown> {
  if (kind === 'run') return { runId: subjectId, ...(result as Record<string, unknown> | null) }
  if (kind === 'pick') return { runId: subjectId }
  if (kind === 'export') return exportOf(services, { subjectId, input, result }, baseUrl)
  if (kind !== 'render') return { clipId: subjectId }
  const { mediaId, warnings } = (result as RenderResult | null) ?? {}
  const renderUrl = mediaAddresses(services, baseUrl, [mediaId])(mediaId)
  return { clipId: subjectId, ...omitUndefined({ renderUrl, warnings }) }
}

/** `exportUrl` is left out once the file is gone. */
function exportOf(
  services: DbServices,
  { subjectId: clipId, input, result }: Pick<Operation, 'subjectId' | 'input' | 'result'>,
  baseUrl: string,
): Record<string, unknown> {
  const { profile } = input as { readonly profile: string }
  const { mediaId, warnings = [] } =
    (result as { mediaId?: string; warnings?: readonly string[] } | null) ?? {}
  const exportUrl = mediaAddresses(services, baseUrl, [mediaId])(mediaId)
  return { clipId, profile, warnings, ...omitUndefined({ exportUrl }) }
}
