/** Unsaved edits of a workflow, stored in this browser so that a reload or another page loses nothing. */
import { storeJson, loadJson } from '../state/stored-json.ts'
import type { Graph } from './graph.ts'

/** The editable parts of a workflow. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly graph: Graph
}

interface StoredDraft {
  /** The revision that the draft is based on. */
  readonly revision: number
  readonly draft: Draft
}

const key = (id: string): string => `cutroom-workflow:${id}`

/** Null removes the draft. Where the storage is full, the edits live in this page only. */
export function storeWorkflowDraft(id: string, stored: StoredDraft | null): void {
  storeJson(localStorage, key(id), stored)
}

/** Null where no draft is stored. */
export function loadWorkflowDraft(id: string): StoredDraft | null {
  return loadJson(localStorage, key(id)) as StoredDraft | null
}
