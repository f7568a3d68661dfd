/** Edits of a workflow that are not saved, kept in this browser: a reload or another room loses nothing. */
import type { Graph } from './graph.ts'

/** What of a workflow can be edited. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly graph: Graph
}

interface Kept {
  /** The version that it was made on. */
  readonly revision: number
  readonly draft: Draft
}

const key = (id: string): string => `cutroom-workflow:${id}`

/** Null: there is nothing to keep. */
export function keepWorkflow(id: string, kept: Kept | null): void {
  try {
    if (kept === null) localStorage.removeItem(key(id))
    else localStorage.setItem(key(id), JSON.stringify(kept))
  } catch {
    // The storage is full: the edits live in this page, and an older draft would be worse than none.
    localStorage.removeItem(key(id))
  }
}

/** Null where nothing is kept. */
export function keptWorkflow(id: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(key(id)) ?? 'null') as Kept | null
  } catch {
    // Half-written by a browser that was killed: there is nothing to bring back.
    return null
  }
}
