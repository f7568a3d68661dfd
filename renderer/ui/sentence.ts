/** What browsers say of a request that reached nobody, each in its own words. */
import { commonMessages } from '../messages/common.ts'
const UNREACHED = /^(Failed to fetch|Load failed|NetworkError when attempting)/

/** What people are told of an error: its own sentence. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof TypeError && UNREACHED.test(error.message)
    ? commonMessages.applianceUnreachable
    : error.message
}
