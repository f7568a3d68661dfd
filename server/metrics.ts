/**
 * What a Prometheus server may read of the appliance: requests, work, disk, memory. Made only where a token for it is set
 * (`metricsToken`), so that nobody else pays for it.
 */
import { statSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { countOpenWork, countRuns } from './db/work-counts.ts'
import { listOperations } from './db/operation-list.ts'
import type { Services } from './domain/services.ts'
import { freeBytes } from '../workers/media/disk.ts'

export interface CallSeen {
  readonly method: string
  /** The template: an address would make a series for each clip. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export interface Metrics {
  readonly contentType: string
  readonly seen: (call: CallSeen) => void
  /** The exposition, with what is measured only when somebody asks. */
  readonly text: () => Promise<string>
}

/** Most dead letters that are counted: beyond, the number does not matter any more. */
const MOST_DEAD = 1000

interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** https://prometheus.io/docs/practices/naming/: base units, and a prefix of one's own. */
export async function createMetrics(services: Services): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'cutroom_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'cutroom_http_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [registry],
  })
  await addWork(registry, services)
  return {
    contentType: registry.contentType,
    seen: ({ method, route, status, seconds: took }) => {
      requests.inc({ method, route, status: String(status) })
      seconds.observe({ method, route }, took)
    },
    text: () => registry.metrics(),
  }
}

async function addWork(registry: Registry, services: Services): Promise<void> {
  const { Gauge } = await import('prom-client')
  const { db, home, now } = services
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: () => readonly Sample[] | Promise<readonly Sample[]>,
  ): void => {
    const made = new Gauge({
      ...{ name, help, labelNames: [...labelNames], registers: [registry] },
      collect: async () => {
        const samples = await collect()
        made.reset()
        for (const { labels, value } of samples) made.set(labels, value)
      },
    })
  }
  const work = () => countOpenWork(db)
  gauge('cutroom_operations', 'Operations that wait or go on', ['kind', 'state'], () =>
    work().map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  )
  gauge('cutroom_oldest_operation_seconds', 'Age of the oldest of them', ['kind', 'state'], () =>
    work().map(({ kind, state, oldest }) => ({ labels: { kind, state }, value: (now() - oldest) / 1000 })),
  )
  gauge('cutroom_dead_operations', `Failed, and waiting for a person; ${MOST_DEAD} at most`, [], () => [
    { labels: {}, value: listOperations(db, { companyId: null, state: 'dead', limit: MOST_DEAD }).length },
  ])
  gauge('cutroom_runs', 'Runs by status', ['status'], () =>
    countRuns(db).map(({ status, count }) => ({ labels: { status }, value: count })),
  )
  gauge('cutroom_disk_free_bytes', 'Free where the home lies', [], async () => [
    { labels: {}, value: await freeBytes(home.root) },
  ])
  gauge('cutroom_database_bytes', 'Size of the database file', [], () => [
    { labels: {}, value: statSync(home.database).size },
  ])
}
