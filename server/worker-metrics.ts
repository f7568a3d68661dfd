/** Gauges of worker nodes: which are there, what each works on, when each was seen. None where no stage goes to nodes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Gauge, Registry } from 'prom-client'
import type { Services } from './domain/services.ts'
import { listSeenNodes, type SeenNode } from './domain/settings/workers.ts'
import type { Backlog } from './jobs/jobs.ts'

/** A queue that hangs must not hold the other metrics up. */
const PATIENCE_MS = 3000

/** Answers what measures them once per request. */
export async function addWorkers(registry: Registry, services: Services): Promise<() => Promise<void>> {
  if (services.jobs.nodes === undefined) return () => Promise.resolve()
  const { Gauge } = await import('prom-client')
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const queue = gauge('cutroom_worker_queue_up', 'Whether the queue of the worker nodes answers', [])
  const up = gauge('cutroom_worker_up', 'Whether a node is there; none: it was revoked', ['node', 'name'])
  const stages = gauge('cutroom_worker_stages', 'Stages that a node works on', ['node', 'name', 'stage'])
  const seen = gauge('cutroom_worker_seen_age_seconds', 'Since a node was seen', ['node', 'name'])
  const more = addMore(gauge)
  return async () => {
    const away = pause(PATIENCE_MS, { queueThere: false, nodes: [] }, { ref: false })
    const found = await Promise.race([listSeenNodes(services), away])
    for (const one of [queue, up, stages, seen]) one.reset()
    queue.set(Number(found.queueThere))
    more(found.queueThere ? found.nodes : [], services.jobs.nodes?.backlog() ?? [])
    // Nobody knows of any node then, and an alert about each would hide the one about the queue.
    if (!found.queueThere) return
    for (const { row, report, stages: working } of found.nodes) {
      if (row.revokedAt !== null) continue
      const labels = { node: row.id, name: row.name }
      up.set(labels, Number(report !== null))
      seen.set(labels, report === null ? (services.now() - row.seenAt) / 1000 : 0)
      for (const stage of working) stages.inc({ ...labels, stage })
    }
  }
}

type MakeGauge = <Label extends string>(name: string, help: string, labelNames: Label[]) => Gauge<Label>

/** By what machines are added and removed: what waits, what is busy, what goes where. */
function addMore(gauge: MakeGauge): (nodes: readonly SeenNode[], backlog: readonly Backlog[]) => void {
  const waiting = gauge('cutroom_worker_queue_depth', 'Tasks that no node has taken', ['label'])
  const oldest = gauge('cutroom_worker_queue_oldest_seconds', 'Since the first of them was queued', ['label'])
  const slots = gauge('cutroom_worker_slots', 'Places of a node', ['node', 'name', 'label', 'state'])
  const store = gauge('cutroom_worker_store_up', 'Whether a node reaches the store', ['node', 'name'])
  const cache = gauge('cutroom_worker_cache_bytes', 'What a node keeps of what it fetched and made', [
    'node',
    'name',
  ])
  const bytes = gauge('cutroom_worker_transfer_bytes', 'Bytes of a node since it was started', [
    'node',
    'name',
    'way',
    'direction',
  ])
  return (nodes, backlog) => {
    for (const one of [waiting, oldest, slots, store, cache, bytes]) one.reset()
    for (const { label, waiting: count, oldestMs } of backlog) {
      waiting.set({ label }, count)
      oldest.set({ label }, oldestMs / 1000)
    }
    for (const { row, report } of nodes) {
      if (report === null || row.revokedAt !== null) continue
      const labels = { node: row.id, name: row.name }
      for (const [label, { busy, all }] of Object.entries(report.slots ?? {})) {
        slots.set({ ...labels, label, state: 'busy' }, busy)
        slots.set({ ...labels, label, state: 'idle' }, all - busy)
      }
      store.set(labels, Number(report.storeThere ?? true))
      cache.set(labels, report.cacheBytes ?? 0)
      for (const way of ['store', 'appliance'] as const) {
        const { read, written } = report.moved?.[way] ?? { read: 0, written: 0 }
        bytes.set({ ...labels, way, direction: 'read' }, read)
        bytes.set({ ...labels, way, direction: 'written' }, written)
      }
    }
  }
}
