/** Stores the progress of an operation in its row. */
import { setOperationProgress, type Operation } from '../db/operations.ts'
import type { Machine } from './run-executor.ts'

const PROGRESS_EVERY_MS = 500

/** Stores a progress from 0 to 1: at most once per interval, and always the last one. */
export function operationProgress({ services }: Machine, { id }: Operation): (share: number) => void {
  let last = Number.NEGATIVE_INFINITY
  return (share) => {
    if (share < 1 && performance.now() - last < PROGRESS_EVERY_MS) return
    last = performance.now()
    setOperationProgress(services.db, id, share, services.now())
  }
}
