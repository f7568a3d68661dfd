/** Edits that the appliance does not have yet, kept in this browser: a reload or a restart loses nothing. */
import { keepJson, keptJson } from '../state/stored-json.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

/** An edit that is not saved. */
export interface Draft {
  /** What the edits were made on. */
  readonly base: ClipEdit
  readonly edit: ClipEdit
}

const key = (id: string): string => `cutroom-draft:${id}`

/** Null: there is nothing to keep. Without room the edit is on its way to the appliance all the same. */
export function keepDraft(id: string, draft: Draft | null): void {
  keepJson(localStorage, key(id), draft)
}

/** Null where nothing is kept. */
export function keptDraft(id: string): Draft | null {
  return keptJson(localStorage, key(id)) as Draft | null
}
