import { AppError } from '../contract/errors.ts'

/** Parses `--render-concurrency`; empty when the option was not given. Throws INVALID_USAGE. */
export function renderConcurrencyOf(given: string | undefined): { renderConcurrency?: number } {
  if (given === undefined) return {}
  if (!/^\d+$/.test(given))
    throw new AppError('INVALID_USAGE', { message: '--render-concurrency must be a whole number.' })
  return { renderConcurrency: Number(given) }
}
