/** Which node takes a task: the one that has most of what it works on, and after a moment whoever is free. */

/** A task is left to the node that has its inputs for so long, and no longer. */
export const LEAVE_MS = 1000

export interface OtherNode {
  /** Whether it has a place for this kind of work. */
  readonly isFree: boolean
  /** Digests and keys of what it has. */
  readonly has: ReadonlySet<string>
}

export interface Choice {
  /** Digests and keys of what the task works on. */
  readonly inputs: readonly string[]
  readonly has: ReadonlySet<string>
  readonly others: readonly OtherNode[]
  /** Since it was seen here for the first time. */
  readonly waitedMs: number
}

/** PURE: whether this node takes the task now. */
export function takesNow({ inputs, has, others, waitedMs }: Choice): boolean {
  if (waitedMs >= LEAVE_MS) return true
  const count = (names: ReadonlySet<string>): number => inputs.filter((name) => names.has(name)).length
  const own = count(has)
  return !others.some((other) => other.isFree && count(other.has) > own)
}
