/** Worker nodes: how they join, and how long their tokens are valid. */
import type { WorkerToken, WorkerWelcome } from '../../contract/tenant-api/worker.ts'
import { mediaTools } from '../../adapters/media-tools.ts'
import { AppError } from '../../contract/errors.ts'
import { STAGES } from '../../../workers/stages/catalog.ts'
import { issueServiceToken, type ServiceIdentity } from '../access/service-tokens.ts'
import { ownIssuer, type SigningServices } from '../access/signing-key.ts'
import { saveWorkerNode } from '../../db/worker-nodes.ts'
import { newId } from '../../ids.ts'
import type { Services } from '../services.ts'
import { applianceId } from '../people/sign-in.ts'

const LIFE_SECONDS = 3600
/** A node's token is renewed for this long after it joined; then it needs a new token. */
const MAX_SECONDS = 30 * 86_400

/** Versions of all stages: a node with other versions would make other results under the same keys. */
export function stageVersions(): Record<string, number> {
  return Object.fromEntries(Object.entries(STAGES).map(([name, { version }]) => [name, version]))
}

/** The queue of the nodes. INVALID_STATE where the appliance has no worker nodes. */
export function requireNodes({ config }: Pick<Services, 'config'>): string {
  if (config.queue === 'bullmq' && config.redisUrl !== null) return config.redisUrl
  throw new AppError('INVALID_STATE', {
    message:
      'This appliance takes no worker nodes: start it with CUTROOM_QUEUE=bullmq and CUTROOM_REDIS_URL.',
  })
}

/** The requirements for a node, and the address of the queue. INVALID_STATE where the appliance has no worker nodes. */
export async function welcomeNode(services: Pick<Services, 'config' | 'db'>): Promise<WorkerWelcome> {
  const { config } = services
  const redisUrl = requireNodes(services)
  const { fingerprint } = await mediaTools(config)
  return {
    applianceId: applianceId(services),
    redisUrl,
    toolsFingerprint: fingerprint,
    stages: stageVersions(),
  }
}

/**
 * A node's own token, which gives access to `/internal/worker` only. A live one may be renewed, so that a node can work
 * for longer than an hour. INVALID_STATE for a token of an outside provider, which is renewed there; UNAUTHENTICATED
 * for a node that joined too long ago.
 */
export async function renewWorkerToken(
  services: SigningServices,
  { issuer, subject, node: known }: ServiceIdentity,
): Promise<WorkerToken> {
  if (issuer !== ownIssuer(services))
    throw new AppError('INVALID_STATE', 'This token is renewed by the provider that issued it.')
  const now = Math.floor(services.now() / 1000)
  const node = known ?? { id: newId(), since: now }
  if (now >= node.since + MAX_SECONDS)
    throw new AppError('UNAUTHENTICATED', {
      message:
        'This node joined 30 days ago: start it again with a new token (`cutroom service-token issue --for worker`).',
    })
  saveWorkerNode(services.db, {
    id: node.id,
    name: subject,
    joinedAt: node.since * 1000,
    seenAt: services.now(),
    revokedAt: null,
  })
  const token = await issueServiceToken(services, { subject, lifeSeconds: LIFE_SECONDS, node })
  return { token, expiresAt: new Date(services.now() + LIFE_SECONDS * 1000).toISOString() }
}
