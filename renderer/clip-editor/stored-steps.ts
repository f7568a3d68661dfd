/** Steps of the open clip, kept in this window: what was done before a reload can be undone after it. */
import { storeJson, loadJson, type Store } from '../state/stored-json.ts'
import type { Correction } from './corrections.ts'
import { undo, type History } from './history.ts'
import { same } from '../../server/nodes/editing/clip-edit.ts'
import type { Automatic } from './merge-overrides.ts'
import { differences, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from './merge.ts'

/** One step of the history: the edit as it is after it, and what it did to words. */
export interface Step {
  readonly edit: ClipEdit
  readonly words: Correction | null
}

/** The same steps without the one that corrected words, or at least without its words: the appliance did not take it. */
export function withoutWords(history: History<Step>, words: Correction): History<Step> {
  if (history.present.words === words) return { ...undo(history), future: [] }
  const without = (step: Step): Step => (step.words === words ? { ...step, words: null } : step)
  const { past, present, future } = history
  return { past: past.map(without), present: without(present), future: future.map(without) }
}

/** What others have saved: taking a step of ours back must not take theirs back. PURE. */
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

/** What a step has that its neighbour, the one nearer to the present, has otherwise. */
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

/** What the appliance has is a step since the base: this window has saved it, and was gone before it heard so. PURE. */
export function isSavedUnconfirmed(
  { history: { past, present }, base }: StoredSteps,
  theirs: ClipEdit,
): boolean {
  const steps = [present, ...past.toReversed()].map(({ edit }) => edit)
  const confirmed = steps.findIndex((edit) => differences(edit, base).length === 0)
  const unconfirmed = confirmed === -1 ? steps : steps.slice(0, confirmed)
  return unconfirmed.some((edit) => differences(edit, theirs).length === 0)
}

/** Of a history that is larger than the storage, what is nearest to the present. */
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

/** Null where nothing is kept. */
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
    // Of another version: what cannot be read is not undone.
    return null
  }
}

/** Steps are many and large, and a drag makes one of each move. */
const KEEP_AFTER_MS = 500

export interface StepRecorder {
  /** There was a step. */
  soon(): void
  /** Keeps what there is now. */
  close(): void
}

/** Keeps the history in this window, soon after a step and before the page goes. */
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
