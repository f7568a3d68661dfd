/** Prometheus metrics: requests, work, disk, memory. Created only when `metricsToken` is set. */
import { statSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { countOpenWork, countRuns, listOperations } from './db/operation-list.ts'
import { countOpenDeliveries, countPosts } from './db/metric-rows.ts'
import { getSetting, LAST_BACKUP, VERIFIED_BACKUP } from './db/settings.ts'
import { summarisePromises } from './domain/promises/promised-times.ts'
import type { Services } from './domain/services.ts'
import { freeBytes } from '../workers/media/disk.ts'
import { addStages } from './stage-metrics.ts'
import { addStandby } from './standby-metrics.ts'
import { addWorkers } from './worker-metrics.ts'

export type Metrics = Awaited<ReturnType<typeof createMetrics>>

/** Most dead letters that are counted: beyond, the number does not matter any more. */
const MAX_DEAD = 1000

interface Sample {
  /** None: the gauge has one value. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** https://prometheus.io/docs/practices/naming/: base units, and a prefix of one's own. */
export async function createMetrics(services: Services) {
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
  const measure = await addWork(registry, services)
  const countStages = await addStages(registry, services)
  const measureWorkers = await addWorkers(registry, services)
  const measureStandby = await addStandby(registry, services)
  return {
    contentType: registry.contentType,
    /** `route`: its template, since an address would make a series for each clip. */
    seen: (call: { method: string; route: string; status: number; seconds: number }): void => {
      const { method, route, status, seconds: took } = call
      requests.inc({ method, route, status: String(status) })
      seconds.observe({ method, route }, took)
    },
    /** The exposition text; gauges are measured when it is requested. */
    text: async (): Promise<string> => {
      countStages()
      await measure()
      await measureWorkers()
      measureStandby()
      return await registry.metrics()
    },
  }
}

/** No sample where it never happened: an alert asks for its absence. */
const ageOf = (at: string | null, now: number): Sample[] =>
  at === null ? [] : [{ value: (now - Number(at)) / 1000 }]

/** Gauges that are read from the database and the disk, and the function that reads all of them once per request. */
async function addWork(registry: Registry, services: Services): Promise<() => Promise<void>> {
  const { Gauge } = await import('prom-client')
  const { db, home, now } = services
  const gauge = (name: string, help: string, labelNames: readonly string[]) => {
    const made = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] })
    return (samples: readonly Sample[]): void => {
      made.reset()
      for (const { labels = {}, value } of samples) made.set(labels, value)
    }
  }
  const show = {
    open: gauge('cutroom_operations', 'Operations that wait or go on', ['kind', 'state']),
    oldest: gauge('cutroom_oldest_operation_seconds', 'Age of the oldest of them', ['kind', 'state']),
    dead: gauge('cutroom_dead_operations', `Failed, and waiting for a person; ${MAX_DEAD} at most`, []),
    runs: gauge('cutroom_runs', 'Runs by status', ['status']),
    deliveries: gauge('cutroom_webhook_deliveries', 'Deliveries that wait, or were given up', ['state']),
    oldestDelivery: gauge('cutroom_oldest_webhook_delivery_seconds', 'Age of the oldest of them', ['state']),
    posts: gauge('cutroom_posts', 'Posts by status', ['status']),
    promises: gauge('cutroom_promises', 'Of the last 100 runs and renders that were promised a time', [
      'kind',
      'kept',
    ]),
    late: gauge(
      'cutroom_promise_late_ratio',
      'Nine in ten of them were late by no more than this share of the time that was promised',
      ['kind'],
    ),
    free: gauge('cutroom_disk_free_bytes', 'Free where the home lies', []),
    backup: gauge('cutroom_backup_age_seconds', 'Since the last backup was made; none: never', []),
    verified: gauge('cutroom_backup_verified_age_seconds', 'Since the last one that was read back', []),
    database: gauge('cutroom_database_bytes', 'Size of the database file', []),
  }
  return async () => {
    show.free([{ value: await freeBytes(home.root) }])
    const work = countOpenWork(db).map(({ kind, state, ...rest }) => ({ labels: { kind, state }, ...rest }))
    show.open(work.map(({ labels, count }) => ({ labels, value: count })))
    show.oldest(work.map(({ labels, oldest }) => ({ labels, value: (now() - oldest) / 1000 })))
    const dead = listOperations(db, { companyId: null, state: 'dead', limit: MAX_DEAD })
    show.dead([{ value: dead.length }])
    show.runs(countRuns(db).map(({ status, count }) => ({ labels: { status }, value: count })))
    const deliveries = countOpenDeliveries(db)
    show.deliveries(deliveries.map(({ state, count }) => ({ labels: { state }, value: count })))
    show.oldestDelivery(
      deliveries.map(({ state, oldest }) => ({ labels: { state }, value: (now() - oldest) / 1000 })),
    )
    show.posts(countPosts(db).map(({ status, count }) => ({ labels: { status }, value: count })))
    const promises = summarisePromises(services)
    show.promises(
      promises.flatMap(({ kind, made, kept }) => [
        { labels: { kind, kept: 'yes' }, value: kept },
        { labels: { kind, kept: 'no' }, value: made - kept },
      ]),
    )
    show.late(
      promises.flatMap(({ kind, lateness }) =>
        lateness === null ? [] : [{ labels: { kind }, value: lateness }],
      ),
    )
    show.database([{ value: statSync(home.database).size }])
    show.backup(ageOf(getSetting(db, LAST_BACKUP), now()))
    show.verified(ageOf(getSetting(db, VERIFIED_BACKUP), now()))
  }
}
