/**
 * Undo and redo without limit, over immutable values. PURE.
 */
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
}

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** Adds a step, and drops what was undone before. */
export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] }
}

/** Changes the present without adding a step: all moves of one drag are one step. */
export const amend = <T>(history: History<T>, present: T): History<T> => ({ ...history, present, future: [] })

/** Replaces the present by its saved form. Where both are the same, redo stays possible. */
export const returned = <T>(history: History<T>, present: T, isSame: boolean): History<T> =>
  isSame ? { ...history, present } : amend(history, present)

/** The same history where there is nothing to undo. */
export function undo<T>(history: History<T>): History<T> {
  const last = history.past.at(-1)
  if (last === undefined) return history
  return { past: history.past.slice(0, -1), present: last, future: [history.present, ...history.future] }
}

/** The same history where there is nothing to redo. */
export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future }
}
