/** Saves the open clip: soon after an edit, again when the appliance was away, together with other people's edits. */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { openEditor, RequestRefused, saveClip } from '../state/api.ts'
import { automaticOf } from './merge-hand.ts'
import { changesOf, editOf, mergeEdits, type ClipEdit } from './merge.ts'

/** `looking`: whoever is signed in may not edit, and nothing is kept. */
export type SaveState = 'looking' | 'saved' | 'saving' | 'waiting' | 'refused' | 'conflict'

const SAVE_AFTER_MS = 800
const TRY_AGAIN_MS = 3000

/** The clip as it is open. */
export interface SavedClip {
  readonly id: string
  /** What the appliance is known to have, and what it shall have. */
  readonly now: () => { readonly editor: StudioEditor; readonly base: ClipEdit; readonly edit: ClipEdit }
  /** The appliance has something newer than `since`, which it had before: further edits stand on it. */
  readonly rebase: (newest: StudioEditor, edit: ClipEdit, since: ClipEdit) => void
  readonly tell: (state: SaveState, problem: string | null) => void
}

export interface Saver {
  /** There was an edit. */
  readonly edited: () => void
  /** Saves at once what is not saved. */
  readonly now: () => Promise<void>
  /** After a conflict: whose value of the fields that both have changed is kept. */
  readonly settle: (keep: 'ours' | 'theirs') => void
}

export function createSaver(clip: SavedClip): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving = false
  let theirs: StudioEditor | null = null

  function soon(after: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void store(), after)
  }

  async function store(): Promise<void> {
    clearTimeout(timer)
    const { editor, base, edit: sent } = clip.now()
    const changes = changesOf(base, sent)
    if (saving || theirs !== null || changes === null) return
    saving = true
    clip.tell('saving', null)
    try {
      await saveClip(clip.id, { etag: editor.etag, ...changes })
      const newest = await openEditor(clip.id)
      // What was edited meanwhile stands on what has just been saved.
      const ours = clip.now().edit
      const sides = { base: sent, ours, theirs: editOf(newest) }
      clip.rebase(newest, mergeEdits({ ...sides, automatic: automaticOf(editor) }).edit, sent)
    } catch (error) {
      await refused(error)
    } finally {
      saving = false
    }
  }

  async function refused(error: unknown): Promise<void> {
    if (!(error instanceof RequestRefused) || error.status === 0 || error.status >= 500) {
      clip.tell(
        'waiting',
        'The appliance does not answer. Your edits are kept here and saved when it is back.',
      )
      soon(TRY_AGAIN_MS)
    } else if (error.status === 412) await meet()
    else clip.tell('refused', error.message)
  }

  /** What is edited here, with what somebody else has saved. */
  function together(newest: StudioEditor, prefer: 'ours' | 'theirs' = 'ours'): ReturnType<typeof mergeEdits> {
    const { editor, base, edit } = clip.now()
    return mergeEdits({
      ...{ base, ours: edit, theirs: editOf(newest), prefer },
      automatic: automaticOf(editor),
    })
  }

  /** Somebody else has saved in between. */
  async function meet(): Promise<void> {
    try {
      const newest = await openEditor(clip.id)
      const merged = together(newest)
      if (merged.conflicts.length === 0) {
        clip.rebase(newest, merged.edit, clip.now().base)
        return
      }
      theirs = newest
      const what = merged.conflicts.join(' and ')
      clip.tell('conflict', `Somebody else has changed ${what} of this clip too.`)
    } catch (error) {
      await refused(error)
    }
  }

  return {
    edited() {
      if (theirs !== null) return
      const { base, edit } = clip.now()
      const nothing = changesOf(base, edit) === null
      clip.tell(nothing ? 'saved' : 'waiting', null)
      if (!nothing) soon(SAVE_AFTER_MS)
    },
    now: store,
    settle(keep) {
      if (theirs === null) return
      const newest = theirs
      theirs = null
      clip.rebase(newest, together(newest, keep).edit, clip.now().base)
    },
  }
}
