/** Edits that the appliance does not have yet, kept in this browser: a reload or a restart loses nothing. */
import { storeJson, loadJson } from '../state/stored-json.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

/** An edit that is not saved. */
export interface Draft {
  /** What the edits were made on. */
  readonly base: ClipEdit
  readonly edit: ClipEdit
}

const key = (id: string): string => `cutroom-draft:${id}`

/** Null: there is nothing to keep. Without room the edit is on its way to the appliance all the same. */
export function storeDraft(id: string, draft: Draft | null): void {
  storeJson(localStorage, key(id), draft)
}

/** Null where nothing is kept. */
export function loadDraft(id: string): Draft | null {
  return loadJson(localStorage, key(id)) as Draft | null
}
