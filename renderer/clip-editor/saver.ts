/** Saves the open clip soon after an edit, retries when the appliance did not answer, and merges other people's edits. */
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { type openEditor, type saveClip } from '../state/api.ts'
import { RequestRefused } from '../state/request-refused.ts'
import { onceSignedIn } from '../state/signed-out.ts'
import { automaticOf, mergeEdits, type Preferred } from './merge.ts'
import { changesOf, editOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { saving as messages } from '../messages/editor.ts'

/** `looking`: the signed-in person may not edit, and nothing is saved. */
export type SaveState = 'looking' | 'saved' | 'saving' | 'waiting' | 'refused' | 'conflict'

const SAVE_AFTER_MS = 800
const TRY_AGAIN_MS = 3000
const APPLIANCE_AWAY = messages.editsWait

/** The clip as it is open. */
export interface SavedClip {
  readonly id: string
  readonly open: typeof openEditor
  readonly save: typeof saveClip
  /** The saved clip as last read, and the edit to save. */
  readonly now: () => { readonly editor: StudioEditor; readonly base: ClipEdit; readonly edit: ClipEdit }
  /** Takes over what was saved, and the version that it made: edits since then are based on it. */
  readonly saved: (edit: ClipEdit, etag: string) => void
  /** Takes a newer saved clip than `since`: further edits are based on it. */
  readonly rebase: (newest: StudioEditor, edit: ClipEdit, since: ClipEdit) => void
  /** Takes a newer saved clip during a conflict: the base of edits stays until the person has chosen. */
  readonly beside: (newest: StudioEditor) => void
  readonly report: (state: SaveState, problem: string | null) => void
}

/** A refused save is not retried, unless the session had ended and somebody signs in again. */
function reportRefusal(clip: SavedClip, { status, message }: RequestRefused, again: () => void): void {
  clip.report('refused', message)
  if (status === 401) onceSignedIn(again)
}

/** What is edited here, merged with what somebody else has saved; `prefer` decides where both changed the same field. */
function mergeSaved(clip: SavedClip, newest: StudioEditor, prefer: Preferred): ReturnType<typeof mergeEdits> {
  const { editor, base, edit } = clip.now()
  return mergeEdits({
    base,
    ours: edit,
    theirs: editOf(newest),
    prefer,
    automatic: automaticOf(editor),
  })
}

export function createSaver(clip: SavedClip) {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The running request. One at a time: a clip read during a save would look like somebody else's edit. */
  let running: Promise<void> | null = null
  let theirs: StudioEditor | null = null
  /** Something was saved, and the clip was not read since: others may have saved right behind it. */
  let isUnread = false

  function soon(after: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void store(), after)
  }

  function runAlone(work: () => Promise<void>): Promise<void> {
    running = work().finally(() => (running = null))
    return running
  }

  async function store(): Promise<void> {
    clearTimeout(timer)
    const { editor, base, edit: sent } = clip.now()
    const changes = changesOf(base, sent)
    if (running !== null || theirs !== null || (changes === null && !isUnread)) return
    clip.report('saving', null)
    await runAlone(async () => {
      try {
        if (changes !== null) {
          const { etag } = await clip.save(clip.id, { etag: editor.etag, ...changes })
          clip.saved(sent, etag)
          isUnread = true
        }
        meet(await clip.open(clip.id))
      } catch (error) {
        await refused(error)
      }
    })
  }

  async function refused(error: unknown): Promise<void> {
    if (!(error instanceof RequestRefused) || error.status === 0 || error.status >= 500) {
      clip.report('waiting', APPLIANCE_AWAY)
      soon(TRY_AGAIN_MS)
    } else if (error.status === 412) await clip.open(clip.id).then(meet, refused)
    else reportRefusal(clip, error, () => soon(0))
  }

  /** Merges a newer saved clip. In a conflict nothing is saved until the person has chosen. */
  function meet(newest: StudioEditor): void {
    isUnread = false
    const merged = mergeSaved(clip, newest, 'ours')
    if (merged.conflicts.length === 0) {
      theirs = null
      clip.rebase(newest, merged.edit, clip.now().base)
      return
    }
    theirs = newest
    clip.beside(newest)
    const what = merged.conflicts.join(messages.and)
    clip.report('conflict', messages.bothChanged(newest.editedBy, what))
  }

  return {
    /** There was an edit. */
    edited(this: void): void {
      if (theirs !== null) return
      const { base, edit } = clip.now()
      const nothing = changesOf(base, edit) === null
      clip.report(nothing ? 'saved' : 'waiting', null)
      if (!nothing) soon(SAVE_AFTER_MS)
    },
    /** Saves at once what is not saved. */
    now: store,
    meet,
    /** Reads the saved clip and merges it. Rejects when the appliance does not answer. */
    async renew() {
      while (running !== null) await running
      await runAlone(async () => {
        meet(await clip.open(clip.id))
      }).finally(() => soon(SAVE_AFTER_MS))
    },
    /** After a conflict: whose value is taken of fields that both changed. */
    settle(this: void, keep: Preferred): void {
      if (theirs === null) return
      const newest = theirs
      theirs = null
      clip.rebase(newest, mergeSaved(clip, newest, keep).edit, clip.now().base)
    },
  }
}
