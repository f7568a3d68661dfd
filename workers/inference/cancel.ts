/** Cooperative cancel between steps: an aborted signal becomes the closed table's CANCELLED. */
import { AppError } from '../../server/contract/errors.ts'

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('CANCELLED')
}
