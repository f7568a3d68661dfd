/** GET /metrics, for a Prometheus server that has the token; without one in the settings there is no such address. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../contract/errors.ts'
import type { Services } from '../domain/services.ts'
import { createMetrics, type Metrics } from '../metrics.ts'

export const METRICS_PATH = '/metrics'

/** Equal digests for equal secrets, whatever their lengths. */
const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

export interface MetricsRoute {
  readonly seen: Metrics['seen']
  /** Throws NOT_FOUND where metrics are not set up, INVALID_API_KEY for anything but the token. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** `token` null: there is no such address, and nothing is counted. */
export async function createMetricsRoute(services: Services, token: string | null): Promise<MetricsRoute> {
  if (token === null) return { seen: () => undefined, serve: () => Promise.reject(new AppError('NOT_FOUND')) }
  const metrics = await createMetrics(services)
  return {
    seen: metrics.seen,
    serve: async (request, response) => {
      const [, bearer = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
      if (!timingSafeEqual(digest(bearer), digest(token)))
        throw new AppError('INVALID_API_KEY', 'Give the metrics token as "Authorization: Bearer".')
      const text = await metrics.text()
      response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' })
      response.end(request.method === 'HEAD' ? undefined : text)
    },
  }
}
