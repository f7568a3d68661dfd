/** Sign-ins that are under way: what was sent to a browser or to the provider, until it comes back. In memory only. */
import { randomBytes } from 'node:crypto'

/** More than begin at once; the oldest go first, so that nobody fills the memory. */
const MAX_FLOWS = 2000
export const FLOW_LIVES_MS = 10 * 60_000

export interface Flows<T> {
  /** Begins one; its id, which nobody guesses. `now`: epoch milliseconds. */
  readonly begin: (value: T, now: number) => string
  /** One that is under way, or null; it stays. */
  readonly find: (id: string, now: number) => T | null
  /** The same, and ends it. */
  readonly take: (id: string, now: number) => T | null
}

export function createFlows<T>(): Flows<T> {
  const flows = new Map<string, { readonly value: T; readonly until: number }>()
  const find = (id: string, now: number): T | null => {
    const flow = flows.get(id)
    return flow === undefined || flow.until <= now ? null : flow.value
  }
  return {
    begin: (value, now) => {
      const id = randomBytes(32).toString('base64url')
      const oldest = flows.size >= MAX_FLOWS ? flows.keys().next() : null
      if (oldest?.done === false) flows.delete(oldest.value)
      flows.set(id, { value, until: now + FLOW_LIVES_MS })
      return id
    },
    find,
    take: (id, now) => {
      const value = find(id, now)
      flows.delete(id)
      return value
    },
  }
}
