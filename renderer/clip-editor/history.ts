/**
 * The clip editor lives here: what an edit is (cut.ts, history.ts: PURE), the open clip and its saving
 * (open-clip.svelte.ts), and the parts of the page. This file: undo and redo without limit, over values that never change.
 */
export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
}

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] })

/** A new present; what was undone before is gone, as everywhere. */
export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] }
}

/** Changes the present without a step of its own: the next hundred moves of one drag are one edit. */
export const amend = <T>(history: History<T>, present: T): History<T> => ({ ...history, present, future: [] })

/** The present as it comes back from elsewhere: where it is the same, what was undone can still be done again. */
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
