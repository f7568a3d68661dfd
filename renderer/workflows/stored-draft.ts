/** Edits of a workflow that are not saved, kept in this browser: a reload or another room loses nothing. */
import { keepJson, keptJson } from '../state/stored-json.ts'
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

/** Null: there is nothing to keep. Without room the edits live in this page only. */
export function keepWorkflow(id: string, kept: Kept | null): void {
  keepJson(localStorage, key(id), kept)
}

/** Null where nothing is kept. */
export function keptWorkflow(id: string): Kept | null {
  return keptJson(localStorage, key(id)) as Kept | null
}
