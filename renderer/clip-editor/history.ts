/**
 * The history of the open clip: undo and redo over immutable values, and what this browser stores of it so that a reload
 * loses nothing. PURE but for the storage.
 */
import { storeJson, loadJson, type Store } from '../state/stored-json.ts'
import type { Correction } from './corrections.ts'
import { same, differences, type ClipEdit, editOf } from '../../server/nodes/editing/clip-edit.ts'
import { type Automatic, automaticOf, mergeEdits } from './merge.ts'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'

/** A step of the history: the edit after it, and its correction of words. */
export interface Step {
  readonly edit: ClipEdit
  readonly words: Correction | null
}

export interface History<T = Step> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
}

export const begin = <T = Step>(present: T): History<T> => ({ past: [], present, future: [] })

/** Adds a step, and drops what was undone before. */
export function record<T>({ past, present }: History<T>, next: T): History<T> {
  return { past: [...past, present], present: next, future: [] }
}

/** Changes the present without adding a step: all moves of one drag are one step. */
export const amend = <T>(history: History<T>, present: T): History<T> => ({ ...history, present, future: [] })

/** Replaces the present by its saved form. Where both are the same, redo stays possible. */
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

/** Removes a refused correction from the steps. */
export function withoutWords(history: History, words: Correction): History {
  if (history.present.words === words) return { ...undo(history), future: [] }
  const without = (step: Step): Step => (step.words === words ? { ...step, words: null } : step)
  const { past, present, future } = history
  return { past: past.map(without), present: without(present), future: future.map(without) }
}

/** Merges other people's saved edits into every step, so that undo does not undo theirs. PURE. */
export function mergeRemoteEdits(
  history: History,
  { since, theirs, automatic }: { since: ClipEdit; theirs: ClipEdit; automatic: Automatic },
): History {
  if (differences(since, theirs).length === 0) return history
  const merged = (step: Step): Step => ({
    ...step,
    edit: mergeEdits({ base: since, ours: step.edit, theirs, automatic }).edit,
  })
  const { past, present, future } = history
  return { past: past.map(merged), present: merged(present), future: future.map(merged) }
}

/** Only the fields in which a step differs from its neighbour that is nearer to the present. */
interface PackedStep {
  readonly edit: Partial<ClipEdit>
  readonly words: Correction | null
}

interface Packed {
  /** What the appliance was known to have. */
  readonly base: ClipEdit
  readonly present: Step
  /** Both begin next to the present. */
  readonly past: readonly PackedStep[]
  readonly future: readonly PackedStep[]
}

const key = (id: string): string => `cutroom-steps:${id}`

function packed(from: Step, steps: readonly Step[]): PackedStep[] {
  return steps.map(({ edit, words }, at) => {
    const near = at === 0 ? from.edit : (steps[at - 1]?.edit ?? from.edit)
    const other = Object.entries(edit).filter(([name, value]) => !same(value, near[name as keyof ClipEdit]))
    return { edit: Object.fromEntries(other), words }
  })
}

function unpacked(from: Step, steps: readonly PackedStep[]): Step[] {
  let { edit } = from
  return steps.map((step) => {
    edit = { ...edit, ...step.edit }
    return { edit, words: step.words }
  })
}

export interface StoredSteps {
  readonly history: History
  /** What the appliance was known to have. */
  readonly base: ClipEdit
}

/** Whether the saved clip is one of this window's own steps, saved just before the window closed. PURE. */
export function isSavedUnconfirmed(
  { history: { past, present }, base }: StoredSteps,
  theirs: ClipEdit,
): boolean {
  const steps = [present, ...past.toReversed()].map(({ edit }) => edit)
  const confirmed = steps.findIndex((edit) => differences(edit, base).length === 0)
  const unconfirmed = confirmed === -1 ? steps : steps.slice(0, confirmed)
  return unconfirmed.some((edit) => differences(edit, theirs).length === 0)
}

/** Stores as many steps as fit, those nearest to the present first. */
export function storeSteps(
  store: Store,
  id: string,
  { history: { past, present, future }, base }: StoredSteps,
): void {
  let packs: Packed = {
    base,
    present,
    past: packed(present, past.toReversed()),
    future: packed(present, future),
  }
  const half = (steps: readonly PackedStep[]) => steps.slice(0, Math.floor(steps.length / 2))
  while (!storeJson(store, key(id), packs)) {
    if (packs.past.length + packs.future.length === 0) return
    packs = { ...packs, past: half(packs.past), future: half(packs.future) }
  }
}

/** Null where no steps are stored. */
export function loadSteps(store: Pick<Store, 'getItem'>, id: string): StoredSteps | null {
  try {
    const { base, present, past, future } = (loadJson(store, key(id)) ?? {}) as Partial<Packed>
    if (base === undefined || present === undefined || past === undefined || future === undefined) return null
    const history = {
      past: unpacked(present, past).toReversed(),
      present,
      future: unpacked(present, future),
    }
    return { history, base }
  } catch {
    // Stored by another version of the studio: undo starts anew.
    return null
  }
}

/** Steps are large and a drag adds many, so that they are stored after a pause. */
const STORE_AFTER_MS = 500

/** Stores the history of this window soon after a step and before the page closes. */
export function createStepRecorder(id: string, now: () => StoredSteps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  function store(): void {
    clearTimeout(timer)
    storeSteps(sessionStorage, id, now())
  }
  window.addEventListener('pagehide', store)
  return {
    soon(): void {
      clearTimeout(timer)
      timer = setTimeout(store, STORE_AFTER_MS)
    },
    /** Stores the steps a last time. */
    close(): void {
      window.removeEventListener('pagehide', store)
      store()
    },
  }
}

/** An edit that is not saved. */
export interface Draft {
  /** What the edits were made on. */
  readonly base: ClipEdit
  readonly edit: ClipEdit
}

const draftKey = (id: string): string => `cutroom-draft:${id}`

/** Null removes the draft. Where the storage is full, the edit is still being saved to the appliance. */
export function storeDraft(id: string, draft: Draft | null): void {
  storeJson(localStorage, draftKey(id), draft)
}

/** Null where no draft is stored. */
export function loadDraft(id: string): Draft | null {
  return loadJson(localStorage, draftKey(id)) as Draft | null
}

export interface Beginning {
  /** The saved edit that the history is based on. */
  readonly base: ClipEdit
  readonly history: History
  /** Somebody else changed the same: nothing is saved until the person has chosen. */
  readonly isConflict: boolean
}

/** Replaces the present by the saved edit, which may include edits of other people; redo stays where both are the same. */
export const adoptSaved = (history: History, edit: ClipEdit): History =>
  returned(history, { ...history.present, edit }, isSame(history.present.edit, edit))

const isSame = (one: ClipEdit, other: ClipEdit): boolean => differences(one, other).length === 0

const stepTo = (base: ClipEdit, edit: ClipEdit): History =>
  record(begin({ edit: base, words: null }), { edit, words: null })

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
    return {
      base: theirs,
      history: leads ? adoptSaved(history, theirs) : begin({ edit: theirs, words: null }),
      isConflict: false,
    }
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
