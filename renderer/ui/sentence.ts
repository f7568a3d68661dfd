/** How browsers word a request that reached no server. */
import { commonMessages } from '../messages/common.ts'
const UNREACHED = /^(Failed to fetch|Load failed|NetworkError when attempting)/

/** The message to show for an error. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof TypeError && UNREACHED.test(error.message)
    ? commonMessages.applianceUnreachable
    : error.message
}
