/** Edits that the appliance does not have yet, kept in this browser: a reload or a restart loses nothing. */
import type { ClipEdit } from './merge.ts'

/** An edit that is not saved. */
export interface Draft {
  /** What the edits were made on. */
  readonly base: ClipEdit
  readonly edit: ClipEdit
}

const key = (id: string): string => `cutroom-draft:${id}`

export function keepDraft(id: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(key(id))
    else localStorage.setItem(key(id), JSON.stringify(draft))
  } catch {
    // The storage is full: the edit is saved all the same, and an older draft would bring back what it has undone.
    localStorage.removeItem(key(id))
  }
}

export function keptDraft(id: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(key(id)) ?? 'null') as Draft | null
  } catch {
    // Half-written by a browser that was killed: there is nothing to bring back.
    return null
  }
}
