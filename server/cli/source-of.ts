/** What the command line means by URL_OR_FILE. */
import { AppError } from '../contract/errors.ts'
import type { RunSource } from '../contract/run.ts'
import { localFileSource } from '../domain/runs/start-run.ts'

/** An address when it has a scheme, else a file on this machine, which must be there (INVALID_REQUEST). */
export function sourceOf(given: string): RunSource {
  if (given === '') throw new AppError('INVALID_USAGE', { message: 'URL_OR_FILE is empty.' })
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? { kind: 'url', url: given } : localFileSource(given)
}
