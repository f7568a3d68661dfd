/** The part of a run's trace that is made on a worker node, below the span of the stage on the appliance. */
import { randomBytes } from 'node:crypto'
import { AppError } from '../contract/errors.ts'
import type { RemoteEnd, RemoteTask } from '../jobs/remote/protocol.ts'
import { readTraceparent } from '../traces/spans.ts'
import type { Tracer } from '../traces/tracer.ts'

/** Measures a step of a task. */
export type TraceStep = <T>(name: string, step: () => Promise<T>) => Promise<T>

const newSpanId = (): string => randomBytes(8).toString('hex')

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : 'INTERNAL')

/** Does a task; with a span for it and for each of its steps where the appliance and this node make traces. */
export async function traceTask(
  tracer: Tracer | null,
  { stage, traceparent }: Pick<RemoteTask, 'stage' | 'traceparent'>,
  work: (step: TraceStep) => Promise<RemoteEnd>,
): Promise<RemoteEnd> {
  const above = readTraceparent(traceparent)
  if (tracer === null || above === null) return await work((_name, step) => step())
  const { traceId } = above
  const attributes = { 'cutroom.stage': stage }
  const measure = async <T>(
    { name, parentId, kind }: { name: string; parentId: string; kind: 'internal' | 'consumer' },
    act: (spanId: string) => Promise<T>,
    failureOf: (value: T) => string | null = () => null,
  ): Promise<T> => {
    const span = {
      traceId,
      spanId: newSpanId(),
      parentId,
      name,
      kind,
      start: Date.now(),
      attributes,
      events: [],
    }
    try {
      const value = await act(span.spanId)
      tracer.record({ ...span, end: Date.now(), failure: failureOf(value) })
      return value
    } catch (error) {
      tracer.record({ ...span, end: Date.now(), failure: codeOf(error) })
      throw error
    }
  }
  return await measure(
    { name: `${stage} on a node`, parentId: above.spanId, kind: 'consumer' },
    (parentId) => work((name, step) => measure({ name, parentId, kind: 'internal' }, step)),
    (end) => (end.ok ? null : end.failure.code),
  )
}
