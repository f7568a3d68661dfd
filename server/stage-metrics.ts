/** Counters and durations of stages. They are read from the rows of stages, so that they count whoever has done the work. */
import type { Registry } from 'prom-client'
import { listEndedStages } from './db/metric-rows.ts'
import type { Services } from './domain/services.ts'

/** From a second, which a probe takes, to hours of speech. */
const BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1800, 3600, 10_800]

/** Answers what adds the stages that have ended since the call before; those from before the start are not counted. */
export async function addStages(registry: Registry, { db, now }: Services): Promise<() => void> {
  const { Counter, Histogram } = await import('prom-client')
  const seconds = new Histogram({
    name: 'cutroom_stage_seconds',
    help: 'How long stages took that were done, and not found done',
    labelNames: ['stage'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const failures = new Counter({
    name: 'cutroom_stage_failures_total',
    help: 'Stages that failed, by code',
    labelNames: ['stage', 'code'],
    registers: [registry],
  })
  let last = now()
  return () => {
    for (const { stage, state, code, milliseconds, finishedAt } of listEndedStages(db, last)) {
      last = Math.max(last, finishedAt)
      if (state === 'failed') failures.inc({ stage, code: code ?? 'INTERNAL' })
      else if (milliseconds !== null) seconds.observe({ stage }, milliseconds / 1000)
    }
  }
}
