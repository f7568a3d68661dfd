/** Worker nodes: who may be one, and for how long its token lives. */
import type { WorkerToken, WorkerWelcome } from '../contract/domain/worker.ts'
import { mediaTools } from '../adapters/media-tools.ts'
import { AppError } from '../contract/errors.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import { issueServiceToken, type ServiceIdentity } from './access/service-tokens.ts'
import { ownIssuer, type SigningServices } from './access/signing-key.ts'
import type { Services } from './services.ts'
import { applianceId } from './sign-in.ts'

const LIFE_SECONDS = 3600

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
 * A new token for the bearer of a live one, so that a node works on for longer than an hour. INVALID_STATE for a token of
 * an outside provider, which is renewed there.
 */
export async function renewWorkerToken(
  services: SigningServices,
  { issuer, subject }: ServiceIdentity,
): Promise<WorkerToken> {
  if (issuer !== ownIssuer(services))
    throw new AppError('INVALID_STATE', { message: 'This token is renewed by the provider that issued it.' })
  const token = await issueServiceToken(services, { subject, lifeSeconds: LIFE_SECONDS })
  return { token, expiresAt: new Date(services.now() + LIFE_SECONDS * 1000).toISOString() }
}
