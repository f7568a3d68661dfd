/** The steps that Review takes back, the last one first: decisions, and what else was done to clips. */
import type { DecisionStep } from './decisions.ts'

/** Something that is taken back in its own way. */
interface OtherStep {
  /** False: it was taken back already. */
  readonly isOpen: () => boolean
  readonly undo: () => void
}
type Step = DecisionStep | OtherStep

const isOther = (step: Step): step is OtherStep => 'undo' in step
const isOpen = (step: Step): boolean => !isOther(step) || step.isOpen()

/** `takeBack`: makes a decision what it was. */
export function createSteps(takeBack: (step: DecisionStep) => void) {
  let steps = $state.raw<readonly Step[]>([])
  return {
    get canUndo() {
      return steps.some(isOpen)
    },
    add: (step: Step): void => void (steps = [...steps, step]),
    /** It was refused. */
    drop: (step: Step): void => void (steps = steps.filter((one) => one !== step)),
    undo(this: void): void {
      const at = steps.findLastIndex(isOpen)
      const step = steps[at]
      steps = steps.slice(0, Math.max(0, at))
      if (step === undefined) return
      if (isOther(step)) step.undo()
      else takeBack(step)
    },
  }
}
