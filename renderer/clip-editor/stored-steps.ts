/** Undo steps of the open clip, stored in this window, so that undo works across a reload. */
import { storeJson, loadJson, type Store } from '../state/stored-json.ts'
import type { Correction } from './corrections.ts'
import { undo, type History } from './history.ts'
import { same } from '../../server/nodes/editing/clip-edit.ts'
import type { Automatic } from './merge-overrides.ts'
import { differences, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from './merge.ts'

/** A step of the history: the edit after it, and its correction of words. */
export interface Step {
  readonly edit: ClipEdit
  readonly words: Correction | null
}

/** Removes a refused correction from the steps. */
export function withoutWords(history: History<Step>, words: Correction): History<Step> {
  if (history.present.words === words) return { ...undo(history), future: [] }
  const without = (step: Step): Step => (step.words === words ? { ...step, words: null } : step)
  const { past, present, future } = history
  return { past: past.map(without), present: without(present), future: future.map(without) }
}

/** Merges other people's saved edits into every step, so that undo does not undo theirs. PURE. */
export function mergeRemoteEdits(
  history: History<Step>,
  { since, theirs, automatic }: { since: ClipEdit; theirs: ClipEdit; automatic: Automatic },
): History<Step> {
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
  readonly history: History<Step>
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
const KEEP_AFTER_MS = 500

export interface StepRecorder {
  /** There was a step. */
  soon(): void
  /** Stores the steps a last time. */
  close(): void
}

/** Stores the history of this window soon after a step and before the page closes. */
export function createStepRecorder(id: string, now: () => StoredSteps): StepRecorder {
  let timer: ReturnType<typeof setTimeout> | undefined
  function keep(): void {
    clearTimeout(timer)
    storeSteps(sessionStorage, id, now())
  }
  window.addEventListener('pagehide', keep)
  return {
    soon() {
      clearTimeout(timer)
      timer = setTimeout(keep, KEEP_AFTER_MS)
    },
    close() {
      window.removeEventListener('pagehide', keep)
      keep()
    },
  }
}
