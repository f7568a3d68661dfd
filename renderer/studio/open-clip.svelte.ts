/** The clip that is open in the editor: its edits with undo and redo, the composition that they make, and its saving. */
import type { StudioComposition, StudioEditor } from '../../server/contract/studio-editor.ts'
import { composeDraft, openEditor, RequestRefused } from '../state/api.ts'
import { keepDraft, keptDraft, type Draft } from './drafts.ts'
import { amend, begin, record, redo, returned, undo, type History } from './history.ts'
import { automaticOf } from './merge-hand.ts'
import { changesOf, differences, editOf, mergeEdits, type ClipEdit } from './merge.ts'
import { createSaver, type SaveState } from './saver.ts'
import { patchWords, type WordOperation } from './transcript/patch-words.ts'
import { sentence } from '../ui/sentence.ts'

const COMPOSE_AFTER_MS = 120

export interface ClipView {
  readonly editor: StudioEditor
  readonly edit: ClipEdit
  readonly preview: StudioComposition
  /** The edit that `preview` is of: `edit`, or an earlier one. */
  readonly composed: ClipEdit
  readonly save: SaveState
  /** A sentence when something is wrong. */
  readonly problem: string | null
  readonly canUndo: boolean
  readonly canRedo: boolean
}

export interface OpenClip {
  readonly view: ClipView
  /** One step of the history. `drag`: it goes on with the step before it, as long as that is the same drag. */
  change(next: Partial<ClipEdit>, drag?: symbol): void
  undo(): void
  redo(): void
  /** After a conflict in the same field: keep ours, or take theirs. */
  settle(keep: 'ours' | 'theirs'): void
  /** Puts other words in the place of one, at once; no step of the history, for it is no edit of the cut. */
  correct(index: number, to: string): Promise<void>
  /** The same for many at once: all of them, or none and a sentence that says why. */
  correctAll(operations: readonly WordOperation[]): Promise<string | null>
  /** Composes anew what is on the screen: a file of the clip has come in. */
  refresh(): void
  /** Saves at once. */
  close(): void
}

/** What is shown, and what is known: one value, so that nothing can be half new. */
interface State {
  readonly editor: StudioEditor
  readonly base: ClipEdit
  readonly history: History<ClipEdit>
  readonly preview: StudioComposition
  /** What `preview` was made of. */
  readonly composed: ClipEdit
  readonly save: SaveState
  readonly problem: string | null
}

/** Saving gives back what was saved, and with it what others have saved meanwhile. */
const cameBack = (history: History<ClipEdit>, edit: ClipEdit): History<ClipEdit> =>
  returned(history, edit, differences(history.present, edit).length === 0)

/** The edits of a draft, made on what the appliance has now. */
const onto = (editor: StudioEditor, { base, edit }: Draft): ClipEdit =>
  mergeEdits({ base, ours: edit, theirs: editOf(editor), automatic: automaticOf(editor) }).edit

/** What the appliance has now, under the edits that are not saved. */
function renewed(state: State, editor: StudioEditor): State {
  const theirs = editOf(editor)
  const sides = { base: state.base, ours: state.history.present, theirs }
  const { edit } = mergeEdits({ ...sides, automatic: automaticOf(state.editor) })
  return { ...state, editor, base: theirs, history: cameBack(state.history, edit) }
}

/** Corrects words, then has everything read anew: they may have moved. Resolves with what went wrong. */
async function correct(
  id: string,
  patch: { readonly operations: readonly WordOperation[]; readonly etag: string },
  renew: (problem: string | null) => Promise<void>,
): Promise<string | null> {
  const problem = await patchWords(id, patch).then(
    () => null,
    (error: unknown) => {
      if (error instanceof RequestRefused && error.status === 412)
        return 'Somebody else has just corrected these words; look again.'
      return sentence(error)
    },
  )
  await renew(problem)
  return problem
}

/**
 * Opens a clip, with the edits of it that this browser still keeps. Rejects when there is none. `keeps`: edits are saved;
 * otherwise they are seen as long as the clip is open, and no longer.
 */
export async function openClip(id: string, keeps: boolean): Promise<OpenClip> {
  const first = await openEditor(id)
  const begun = editOf(first)
  let state = $state.raw<State>({
    ...{ editor: first, base: begun, history: begin(begun), preview: first.preview, composed: begun },
    ...{ save: keeps ? 'saved' : 'looking', problem: null },
  })
  let lastDrag: symbol | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let composeCall = 0

  const saver = createSaver({
    id,
    now: () => ({ editor: state.editor, base: state.base, edit: state.history.present }),
    rebase: (editor, edit) => {
      state = { ...state, editor, base: editOf(editor), history: cameBack(state.history, edit) }
      edited()
    },
    tell: (save, problem) => (state = { ...state, save, problem }),
  })

  async function compose(): Promise<void> {
    const [own, made] = [++composeCall, state.history.present]
    const composed = await composeDraft(
      id,
      changesOf(state.base, state.history.present) ?? { updates: {} },
    ).then(
      (preview) => ({ preview, composed: made }),
      (error: unknown) => ({ problem: sentence(error) }),
    )
    if (own === composeCall) state = { ...state, ...composed }
  }

  function edited(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void compose(), COMPOSE_AFTER_MS)
    if (!keeps) return
    const { base, history } = state
    const saved = changesOf(base, history.present) === null
    keepDraft(id, saved ? null : { base, edit: history.present })
    saver.edited()
  }

  function step(history: History<ClipEdit>): void {
    if (history === state.history) return
    state = { ...state, history }
    edited()
  }

  async function renew(problem: string | null): Promise<void> {
    const editor = await openEditor(id)
    state = { ...renewed(state, editor), problem }
    edited()
  }

  const draft = keeps ? keptDraft(id) : null
  if (draft !== null) step(record(begin(editOf(first)), onto(first, draft)))

  const view = $derived<ClipView>({
    ...{ editor: state.editor, edit: state.history.present, preview: state.preview },
    ...{ save: state.save, problem: state.problem, composed: state.composed },
    ...{ canUndo: state.history.past.length > 0, canRedo: state.history.future.length > 0 },
  })
  return {
    get view() {
      return view
    },
    change(next, drag) {
      const edit = { ...state.history.present, ...next }
      const goesOn = drag !== undefined && drag === lastDrag
      lastDrag = drag
      step(goesOn ? amend(state.history, edit) : record(state.history, edit))
    },
    undo: () => step(undo(state.history)),
    redo: () => step(redo(state.history)),
    settle: saver.settle,
    refresh: () => void compose(),
    async correct(index, to) {
      await correct(id, { operations: [{ index, to }], etag: state.editor.wordsEtag }, renew)
    },
    correctAll: (operations) => correct(id, { operations, etag: state.editor.wordsEtag }, renew),
    close() {
      clearTimeout(timer)
      if (keeps) void saver.now()
    },
  }
}
