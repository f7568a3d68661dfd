/** The clip that is open in the editor: its edits with undo and redo, their composition, and saving. */
import { untrack } from 'svelte'
import type { StudioCaptioned } from '../../server/contract/studio.ts'
import type { StudioComposition, StudioEditor, StudioWord } from '../../server/contract/studio-editor.ts'
import { composeDraft, openEditor, saveClip } from '../state/api.ts'
import {
  beginningOf,
  adoptSaved,
  storeDraft,
  loadDraft,
  amend,
  record,
  redo,
  undo,
  type History,
  createStepRecorder,
  loadSteps,
  mergeRemoteEdits,
  withoutWords,
} from './history.ts'
import {
  corrected,
  createCorrections,
  type Correction,
  sendWords,
  type WordOperation,
  inverseOf,
} from './corrections.ts'
import { automaticOf, mergeEdits, type EditField, type Preferred } from './merge.ts'
import { changesOf, EDIT_FIELDS, editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { createSaver, type SaveState } from './saver.ts'
import { commonMessages } from '../messages/common.ts'
import { throughOutages } from '../state/outage.ts'
import { sentence } from '../ui/attempt.svelte.ts'

const COMPOSE_AFTER_MS = 120

export interface ClipView extends Pick<State, 'editor' | 'preview' | 'composed' | 'save' | 'problem'> {
  readonly edit: ClipEdit
  /** Null: none. */
  readonly conflict: Conflict | null
  readonly canUndo: boolean
  readonly canRedo: boolean
}

/** What somebody else has saved of fields that are edited here too. */
export interface Conflict {
  /** Their name; null: another program. */
  readonly by: string | null
  readonly base: ClipEdit
  readonly theirs: ClipEdit
  readonly fields: readonly EditField[]
}

export interface OpenClip {
  readonly view: ClipView
  /** Adds a step to the history, or continues the last one while `drag` is the same. */
  change(next: Partial<ClipEdit>, drag?: symbol): void
  undo(): void
  redo(): void
  /** Resolves a conflict with our values, or with theirs. */
  settle(keep: Preferred): void
  /** Corrects words as one step. Returns null, or why none was corrected. */
  correct(operations: readonly WordOperation[]): Promise<string | null>
  /** Takes over that all words were replaced, as one step. */
  replaced(words: NonNullable<StudioCaptioned['words']>): void
  /** Composes again, because a file of the clip has arrived. */
  refresh(): void
  /** Saves at once. */
  close(): void
}

/** All state in one value, so that it always changes together. */
interface State {
  readonly editor: StudioEditor
  readonly base: ClipEdit
  readonly history: History
  readonly preview: StudioComposition
  /** The edit that `preview` was composed from. */
  readonly composed: ClipEdit
  readonly save: SaveState
  /** An error message; null: none. */
  readonly problem: string | null
  /** Why `preview` is of an earlier edit; null: it is not, or will not be soon. */
  readonly notComposed: string | null
  /** What somebody else has saved, during a conflict. */
  readonly theirs: StudioEditor | null
  /** Corrections that are not saved yet, and their error. */
  readonly words: { readonly waiting: readonly WordOperation[]; readonly problem: string | null }
}

/** Takes the words of a clip that is in conflict with the edits here. */
function withTheirs(state: State, theirs: StudioEditor): State {
  const { words, wordsEtag } = theirs
  return { ...state, theirs, editor: { ...state.editor, words, wordsEtag } }
}

/** Takes the newest clip from the appliance under `edit`; edits were based on `since` before. */
function rebased(state: State, editor: StudioEditor, edit: ClipEdit, since: ClipEdit): State {
  const theirs = editOf(editor)
  const history = mergeRemoteEdits(state.history, { since, theirs, automatic: automaticOf(state.editor) })
  return { ...state, editor, base: theirs, theirs: null, history: adoptSaved(history, edit) }
}

/** The same for a person who may not edit: nothing is saved, so that there are no conflicts. */
function rebaseReadOnly(state: State, editor: StudioEditor): State {
  const sides = { base: state.base, ours: state.history.present.edit, theirs: editOf(editor) }
  const { edit } = mergeEdits({ ...sides, automatic: automaticOf(state.editor) })
  return rebased(state, editor, edit, state.base)
}

function conflictOf({ save, theirs: newest, base, editor, history }: State): Conflict | null {
  if (save !== 'conflict' || newest === null) return null
  const theirs = editOf(newest)
  const sides = { base, ours: history.present.edit, theirs, automatic: automaticOf(editor) }
  const { conflicts } = mergeEdits(sides)
  const fields = EDIT_FIELDS.filter(({ label }) => conflicts.includes(label)).map(({ name }) => name)
  return { by: newest.editedBy, base, theirs, fields }
}

const viewOf = (state: State): ClipView => {
  const { waiting, problem } = state.words
  const words = [...corrected(state.editor.words, waiting)]
  return {
    editor: waiting.length === 0 ? state.editor : { ...state.editor, words },
    edit: state.history.present.edit,
    conflict: conflictOf(state),
    preview: state.preview,
    composed: state.composed,
    save: waiting.length > 0 && state.save === 'saved' ? 'waiting' : state.save,
    problem: state.problem ?? state.notComposed ?? problem,
    canUndo: state.history.past.length > 0,
    canRedo: state.history.future.length > 0,
  }
}

interface StepsOf {
  readonly history: () => History
  readonly words: () => readonly StudioWord[]
  readonly step: (history: History) => void
  readonly send: (correction: Correction) => Promise<string | null>
  /** Reads the saved clip. */
  readonly renew: () => Promise<void>
}

/** How steps are made, taken back and made again; their words go along. */
function stepsOf({
  history,
  words,
  step,
  send,
  renew,
}: StepsOf): Pick<OpenClip, 'change' | 'correct' | 'replaced' | 'undo' | 'redo'> {
  let lastDrag: symbol | undefined
  const follow = (correction: Correction | null | undefined): void => {
    if (correction) void send(correction)
  }
  return {
    change(next, drag) {
      const { present } = history()
      const edit = { ...present.edit, ...next }
      const goesOn = drag !== undefined && drag === lastDrag
      lastDrag = drag
      step(goesOn ? amend(history(), { ...present, edit }) : record(history(), { edit, words: null }))
    },
    async correct(again) {
      const done = { again, back: inverseOf(words(), again) }
      step(record(history(), { ...history().present, words: done }))
      const problem = await send(done)
      if (problem !== null) step(withoutWords(history(), done))
      return problem
    },
    replaced({ before, after }) {
      const words = { again: { all: after }, back: { all: before } }
      step(record(history(), { ...history().present, words }))
      void throughOutages(renew).catch(() => undefined)
    },
    undo() {
      const { past, present } = history()
      step(undo(history()))
      if (past.length > 0) follow(present.words && { again: present.words.back, back: present.words.again })
    },
    redo() {
      const next = history().future[0]
      step(redo(history()))
      follow(next?.words)
    },
  }
}

/** Composes the clip as it is edited; of several that are under way the newest counts. */
function createComposer(
  id: string,
  current: () => { readonly base: ClipEdit; readonly edit: ClipEdit },
  onComposed: (composed: Partial<Pick<State, 'preview' | 'composed'>> & Pick<State, 'notComposed'>) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let calls = 0

  async function compose(): Promise<void> {
    const call = ++calls
    const { base, edit } = current()
    const composed = await throughOutages(() => composeDraft(id, changesOf(base, edit) ?? { updates: {} }), {
      isWanted: () => call === calls,
      onAway: () => onComposed({ notComposed: commonMessages.applianceUnreachable }),
    }).then(
      (preview) => ({ preview, composed: edit, notComposed: null }),
      (error: unknown) => ({ notComposed: sentence(error) }),
    )
    if (call === calls) onComposed(composed)
  }

  return {
    now: () => void compose(),
    /** Once edits have come to rest. */
    soon(): void {
      clearTimeout(timer)
      timer = setTimeout(() => void compose(), COMPOSE_AFTER_MS)
    },
    close: (): void => {
      clearTimeout(timer)
      calls += 1
    },
  }
}

/** As a clip is opened. */
const firstState = (
  first: StudioEditor,
  begun: ClipEdit,
  beginning: History,
  savesEdits: boolean,
): State => ({
  editor: first,
  base: begun,
  preview: first.preview,
  composed: editOf(first),
  history: beginning,
  save: savesEdits ? 'saved' : 'looking',
  problem: null,
  notComposed: null,
  theirs: null,
  words: { waiting: [], problem: null },
})

/**
 * Opens a clip, with its edits that this browser stores. Rejects when there is no such clip. Without `savesEdits` edits
 * last as long as the clip is open.
 */
export async function openClip(id: string, savesEdits: boolean): Promise<OpenClip> {
  const first = await openEditor(id)
  const draft = savesEdits ? loadDraft(id) : null
  const steps = savesEdits ? loadSteps(sessionStorage, id) : null
  const { base: begun, history: beginning, isConflict } = beginningOf(first, draft, steps)
  let state = $state.raw<State>(firstState(first, begun, beginning, savesEdits))
  const saver = createSaver({
    id,
    open: openEditor,
    save: saveClip,
    now: () => ({ editor: state.editor, base: state.base, edit: state.history.present.edit }),
    // What is drawn and kept follows once the clip is read, which comes next.
    saved: (base, etag) => (state = { ...state, base, editor: { ...state.editor, etag } }),
    rebase: (editor, edit, since) => applyState(rebased(state, editor, edit, since)),
    beside: (theirs) => applyState(withTheirs(state, theirs)),
    report: (save, problem) => (state = { ...state, save, problem }),
  })
  const recorder = createStepRecorder(id, () => ({ history: state.history, base: state.base }))
  const renew = (): Promise<void> =>
    savesEdits ? saver.renew() : openEditor(id).then((editor) => applyState(rebaseReadOnly(state, editor)))
  const corrections = createCorrections({
    id,
    storage: localStorage,
    now: () => ({
      words: state.editor.words,
      etag: state.editor.wordsEtag,
      by: state.theirs?.editedBy ?? state.editor.editedBy,
    }),
    send: sendWords,
    renew,
    report: (waiting, problem) => (state = { ...state, words: { waiting, problem } }),
    wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
  })

  const composer = createComposer(
    id,
    () => ({ base: state.base, edit: state.history.present.edit }),
    (composed) => (state = { ...state, ...composed }),
  )

  function edited(): void {
    composer.soon()
    if (!savesEdits) return
    recorder.soon()
    const { base, history } = state
    const saved = changesOf(base, history.present.edit) === null
    storeDraft(id, saved ? null : { base, edit: history.present.edit })
    saver.edited()
  }

  function applyState(next: State): void {
    state = next
    edited()
  }

  function step(history: History): void {
    if (history !== state.history) applyState({ ...state, history })
  }

  if (isConflict) saver.meet(first)
  else if (changesOf(begun, beginning.present.edit) !== null) edited()

  const view = $derived(viewOf(state))
  return {
    get view() {
      return view
    },
    ...stepsOf({
      history: () => state.history,
      words: () => view.editor.words,
      step,
      send: (correction) => corrections.send(correction),
      renew,
    }),
    settle: saver.settle,
    refresh: composer.now,
    close() {
      composer.close()
      corrections.close()
      if (!savesEdits) return
      recorder.close()
      void saver.now()
    },
  }
}

/** A value shared by all panels of an open clip: created at first use, released with the clip. */
export function oncePerClip<T>(make: (clip: OpenClip) => T): (clip: OpenClip) => T {
  const made = new WeakMap<OpenClip, { readonly value: T }>()
  return (clip) => {
    const known = made.get(clip)
    if (known !== undefined) return known.value
    let value: T | undefined
    // What is derived in it would stop with the panel that uses it first.
    $effect.root(() => void (value = untrack(() => make(clip))))
    const shared = { value: value as T }
    made.set(clip, shared)
    return shared.value
  }
}
