/** GET /operations/{operationId}: whatever works on something for the tenant, presented alike. */
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { AppError, type Failure } from '../../contract/errors.ts'
import { getDispatchOfOperation } from '../../db/dispatches.ts'
import { getOperation, type Operation } from '../../db/operations.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import type { RenderResult } from '../rendering/render-clip.ts'
import type { DbServices } from '../services.ts'
import { findSocialOperation } from '../publishing/present-post.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Which operation, and how addresses in it begin. */
export interface OperationAddress {
  readonly companyId: string
  readonly operationId: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

/** The tenant's operation, or null: of another tenant, or not of this kind. */
type Reader = (services: DbServices, address: OperationAddress) => DomainOperation | null

/** Where an operation is looked up, in order. Ids of all kinds are random, so at most one of them has it. */
const READERS: readonly Reader[] = [queued, dispatched, social]

function social(services: DbServices, { companyId, operationId }: OperationAddress): DomainOperation | null {
  return findSocialOperation(services, { companyId, id: operationId })
}

/** Throws NOT_FOUND. */
export function readOperation(services: DbServices, address: OperationAddress): DomainOperation {
  for (const read of READERS) {
    const found = read(services, address)
    if (found !== null) return found
  }
  throw new AppError('NOT_FOUND', 'There is no such operation.')
}

const iso = (time: number): string => new Date(time).toISOString()

/** Only the final failure, without those of earlier attempts. */
const errorOf = (failure: Failure | null) => (failure === null ? {} : { error: failure })

function queued(
  services: DbServices,
  { companyId, operationId, baseUrl }: OperationAddress,
): DomainOperation | null {
  const operation = getOperation(services.db, operationId)
  return operation?.companyId === companyId ? presentOperation(services, operation, baseUrl) : null
}

/** An operation of the queue as callers see it. */
export function presentOperation(
  services: DbServices,
  operation: Operation,
  baseUrl: string,
): DomainOperation {
  const { id, state, progress, attempts, createdAt, updatedAt, failure } = operation
  const ended = state === 'failed' || state === 'cancelled'
  return {
    id,
    kind: operation.kind,
    state,
    progress,
    attempts,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    ...(state === 'succeeded' ? { result: resultOf(services, operation, baseUrl) } : {}),
    ...(ended ? errorOf(failure) : {}),
  }
}

function resultOf(
  services: DbServices,
  { kind, subjectId, result }: Operation,
  baseUrl: string,
): Record<string, unknown> {
  if (kind === 'run') return { runId: subjectId, ...(result as Record<string, unknown> | null) }
  if (kind !== 'render') return { clipId: subjectId }
  const mediaId = (result as RenderResult | null)?.mediaId
  const renderUrl = mediaAddresses(services, baseUrl, [mediaId])(mediaId)
  return { clipId: subjectId, ...omitUndefined({ renderUrl }) }
}

/** A run that was confirmed and is not in the queue yet: its operation is known by its id already. */
function dispatched(
  { db }: DbServices,
  { companyId, operationId }: OperationAddress,
): DomainOperation | null {
  const dispatch = getDispatchOfOperation(db, operationId)
  if (dispatch?.companyId !== companyId) return null
  const { attempts, createdAt, updatedAt, state, failure } = dispatch
  return {
    id: operationId,
    kind: 'run',
    state: state === 'failed' ? 'failed' : 'queued',
    progress: 0,
    attempts,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    ...(state === 'failed' ? errorOf(failure ?? null) : {}),
  }
}
