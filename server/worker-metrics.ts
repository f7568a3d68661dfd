/** Gauges of worker nodes: which are there, what each works on, when each was seen. None where no stage goes to nodes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Services } from './domain/services.ts'
import { listSeenNodes } from './domain/settings/workers.ts'

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
  return async () => {
    const away = pause(PATIENCE_MS, { queueThere: false, nodes: [] }, { ref: false })
    const found = await Promise.race([listSeenNodes(services), away])
    for (const one of [queue, up, stages, seen]) one.reset()
    queue.set(Number(found.queueThere))
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
