/** What a clip is opened with: what the appliance has, and what this browser still keeps of it. PURE. */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import type { Draft } from './drafts.ts'
import { begin, record, returned, type History } from './history.ts'
import { isSavedUnconfirmed, mergeRemoteEdits, type StoredSteps, type Step } from './stored-steps.ts'
import { automaticOf } from './merge-overrides.ts'
import { differences, editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from './merge.ts'

export interface Beginning {
  /** What the edits stand on. */
  readonly base: ClipEdit
  readonly history: History<Step>
  /** Others have changed the same meanwhile: nothing is saved before somebody has chosen. */
  readonly isConflict: boolean
}

/** Saving gives back what was saved, and with it what others have saved meanwhile. */
export const adoptSaved = (history: History<Step>, edit: ClipEdit): History<Step> =>
  returned(history, { ...history.present, edit }, isSame(history.present.edit, edit))

const isSame = (one: ClipEdit, other: ClipEdit): boolean => differences(one, other).length === 0

const stepTo = (base: ClipEdit, edit: ClipEdit): History<Step> =>
  record(begin<Step>({ edit: base, words: null }), { edit, words: null })

/** `draft`: edits that are not saved; `kept`: the steps of this window, which count as far as they lead to what there is now. */
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
  // What is there is what this window has saved: the steps after it stand on it.
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
