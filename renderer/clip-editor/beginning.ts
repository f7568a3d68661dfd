/** The first state of an opened clip: the saved clip, merged with the draft and steps that this browser stores. PURE. */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import type { Draft } from './drafts.ts'
import { begin, record, returned, type History } from './history.ts'
import { isSavedUnconfirmed, mergeRemoteEdits, type StoredSteps, type Step } from './stored-steps.ts'
import { automaticOf } from './merge-overrides.ts'
import { differences, editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from './merge.ts'

export interface Beginning {
  /** The saved edit that the history is based on. */
  readonly base: ClipEdit
  readonly history: History<Step>
  /** Somebody else changed the same: nothing is saved until the person has chosen. */
  readonly isConflict: boolean
}

/** Replaces the present by the saved edit, which may include edits of other people. */
export const adoptSaved = (history: History<Step>, edit: ClipEdit): History<Step> =>
  returned(history, { ...history.present, edit }, isSame(history.present.edit, edit))

const isSame = (one: ClipEdit, other: ClipEdit): boolean => differences(one, other).length === 0

const stepTo = (base: ClipEdit, edit: ClipEdit): History<Step> =>
  record(begin<Step>({ edit: base, words: null }), { edit, words: null })

/** `draft`: unsaved edits; `stored`: the steps of this window, used only where they lead to the current edit. */
export function beginningOf(
  editor: StudioEditor,
  draft: Draft | null,
  stored: StoredSteps | null,
): Beginning {
  const theirs = editOf(editor)
  const automatic = automaticOf(editor)
  const unconfirmed = stored !== null && isSavedUnconfirmed(stored, theirs)
  if (draft === null) {
    const history =
      stored && (unconfirmed ? stored.history : mergeRemoteEdits(stored.history, remoteEditsSince(stored)))
    const leads = history !== null && isSame(history.present.edit, theirs)
    const fresh = begin<Step>({ edit: theirs, words: null })
    return { base: theirs, history: leads ? adoptSaved(history, theirs) : fresh, isConflict: false }
  }
  const steps = stored !== null && isSame(stored.history.present.edit, draft.edit) ? stored : null
  // The saved clip is one of this window's own steps: later steps are based on it.
  if (steps !== null && unconfirmed) return { base: theirs, history: steps.history, isConflict: false }
  const { edit, conflicts } = mergeEdits({ base: draft.base, ours: draft.edit, theirs, automatic })
  if (conflicts.length > 0) {
    const own = steps !== null && isSame(steps.base, draft.base)
    const history = own ? steps.history : stepTo(draft.base, draft.edit)
    return { base: draft.base, history, isConflict: true }
  }
  const history = steps && mergeRemoteEdits(steps.history, remoteEditsSince(steps))
  const leads = history !== null && isSame(history.present.edit, edit)
  return {
    base: theirs,
    history: leads ? adoptSaved(history, edit) : stepTo(theirs, edit),
    isConflict: false,
  }

  function remoteEditsSince({ base }: StoredSteps) {
    return { since: base, theirs, automatic }
  }
}
