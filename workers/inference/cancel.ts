/** Cancels between steps of work that cannot be interrupted itself. Throws CANCELLED when the signal is aborted. */
import { AppError } from '../../server/contract/errors.ts'

export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('CANCELLED')
}
