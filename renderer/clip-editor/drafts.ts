/** Unsaved edits, stored in this browser so that a reload or a restart loses nothing. */
import { storeJson, loadJson } from '../state/stored-json.ts'
import type { ClipEdit } from '../../server/nodes/editing/clip-edit.ts'

/** An edit that is not saved. */
export interface Draft {
  /** What the edits were made on. */
  readonly base: ClipEdit
  readonly edit: ClipEdit
}

const key = (id: string): string => `cutroom-draft:${id}`

/** Null removes the draft. Where the storage is full, the edit is still being saved to the appliance. */
export function storeDraft(id: string, draft: Draft | null): void {
  storeJson(localStorage, key(id), draft)
}

/** Null where no draft is stored. */
export function loadDraft(id: string): Draft | null {
  return loadJson(localStorage, key(id)) as Draft | null
}
