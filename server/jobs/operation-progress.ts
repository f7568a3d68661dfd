/** How far an operation is, on its row, for whoever asks about it. */
import { setOperationProgress, type Operation } from '../db/operations.ts'
import type { Machine } from './run-executor.ts'

const PROGRESS_EVERY_MS = 500

/** Keeps a share from 0 to 1: now and then, and the last one always. */
export function operationProgress({ services }: Machine, { id }: Operation): (share: number) => void {
  let last = Number.NEGATIVE_INFINITY
  return (share) => {
    if (share < 1 && performance.now() - last < PROGRESS_EVERY_MS) return
    last = performance.now()
    setOperationProgress(services.db, id, share, services.now())
  }
}
