/** Worker nodes: how they join, and how long their tokens are valid. */
import type { WorkerToken, WorkerWelcome } from '../../contract/tenant-api/worker.ts'
import { mediaTools } from '../../adapters/media-tools.ts'
import { AppError } from '../../contract/errors.ts'
import { STAGES } from '../../../workers/stages/catalog.ts'
import { issueServiceToken, type ServiceIdentity } from '../access/service-tokens.ts'
import { ownIssuer, type SigningServices } from '../access/signing-key.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../services.ts'
import { applianceId } from '../people/sign-in.ts'

const LIFE_SECONDS = 3600
/** A node's token is renewed for so long after it has joined; then somebody who may issue tokens has to let it in again. */
const MAX_SECONDS = 30 * 86_400

/** Versions of all stages: a node whose stages are others would make other results under the same keys. */
export function stageVersions(): Record<string, number> {
  return Object.fromEntries(Object.entries(STAGES).map(([name, { version }]) => [name, version]))
}

/** What a node must be like, and where its queue is. INVALID_STATE where the appliance does everything by itself. */
export async function welcomeNode(services: Pick<Services, 'config' | 'db'>): Promise<WorkerWelcome> {
  const { config } = services
  if (config.queue !== 'bullmq' || config.redisUrl === null)
    throw new AppError('INVALID_STATE', {
      message:
        'This appliance takes no worker nodes: start it with CUTROOM_QUEUE=bullmq and CUTROOM_REDIS_URL.',
    })
  const { fingerprint } = await mediaTools(config)
  return {
    applianceId: applianceId(services),
    redisUrl: config.redisUrl,
    toolsFingerprint: fingerprint,
    stages: stageVersions(),
  }
}

/**
 * A node's own token: it opens `/internal/worker` only, and says which node this is. For the bearer of a live one again,
 * so that a node works on for longer than an hour. INVALID_STATE for a token of an outside provider, which is renewed
 * there; UNAUTHENTICATED for a node that joined long ago.
 */
export async function renewWorkerToken(
  services: SigningServices,
  { issuer, subject, node: known }: ServiceIdentity,
): Promise<WorkerToken> {
  if (issuer !== ownIssuer(services))
    throw new AppError('INVALID_STATE', { message: 'This token is renewed by the provider that issued it.' })
  const now = Math.floor(services.now() / 1000)
  const node = known ?? { id: newId(), since: now }
  if (now >= node.since + MAX_SECONDS)
    throw new AppError('UNAUTHENTICATED', {
      message:
        'This node joined 30 days ago: start it again with a new token (`cutroom service-token issue`).',
    })
  const token = await issueServiceToken(services, { subject, lifeSeconds: LIFE_SECONDS, node })
  return { token, expiresAt: new Date(services.now() + LIFE_SECONDS * 1000).toISOString() }
}
