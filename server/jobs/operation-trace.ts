/** The trace of a run: a span for each operation that works on it, and below that one for each stage. */
import type { Operation } from '../db/operations.ts'
import type { StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import { formatTraceparent, spanIdOf, traceIdOf, type TraceContext } from '../traces/spans.ts'
import type { Tracer } from '../traces/tracer.ts'
import type { FinalVerdict } from './attempt-stage.ts'
import type { Verdict } from './verdict.ts'

export interface StageTrace {
  /** What a worker node makes its own spans under. */
  readonly traceparent: string
  /** The stage really starts: it waited until now, or it is tried again. */
  readonly started: () => void
  readonly ended: (verdict: FinalVerdict, signal: AbortSignal) => void
}

export interface OperationTrace {
  readonly stage: (invocation: Pick<StageInvocation, 'stage' | 'slot'>) => StageTrace
  readonly ended: (verdict: Verdict, signal: AbortSignal) => void
}

/** Null: no failure. Undefined: it goes on in another life, and its span is made there. */
function failureCode(verdict: Verdict | FinalVerdict, signal: AbortSignal): string | null | undefined {
  if (verdict.kind === 'failed') return verdict.failure.code
  if (verdict.kind === 'stopped') return signal.reason === 'cancel' ? 'CANCELLED' : undefined
  return null
}

/** `operation`: begun when it was queued, so that its span has the time that it waited. */
export function traceOperation(
  tracer: Tracer,
  { id, kind, subjectId: runId, createdAt }: Pick<Operation, 'id' | 'kind' | 'subjectId' | 'createdAt'>,
  now: () => number,
): OperationTrace {
  const traceId = traceIdOf(runId)
  const root: TraceContext = { traceId, spanId: spanIdOf(id) }
  const ids = { 'cutroom.run.id': runId }
  const began = now()

  return {
    stage: ({ stage, slot }) => {
      const own = { traceId, spanId: spanIdOf(id, slot) }
      const start = now()
      const starts: number[] = []
      return {
        traceparent: formatTraceparent(own),
        started: () => void starts.push(now()),
        ended: (verdict, signal) => {
          const failure = failureCode(verdict, signal)
          if (failure === undefined || verdict.kind === 'done') return
          const reused = verdict.kind === 'finished' && verdict.reused
          const attributes = { 'cutroom.stage': stage, 'cutroom.slot': slot, 'cutroom.reused': reused }
          const events = starts.map((at) => ({ name: 'started', at }))
          const span = { ...own, parentId: root.spanId, name: stage, kind: 'internal' as const }
          tracer.record({
            ...span,
            start,
            end: now(),
            attributes: { ...ids, ...attributes },
            events,
            failure,
          })
        },
      }
    },
    ended: (verdict, signal) => {
      const failure = failureCode(verdict, signal)
      if (failure === undefined) return
      const attributes = { ...ids, 'cutroom.operation.kind': kind }
      const events = [{ name: 'started', at: began }]
      const span = { ...root, parentId: null, name: kind, kind: 'consumer' as const }
      tracer.record({ ...span, start: createdAt, end: now(), attributes, events, failure })
    },
  }
}
