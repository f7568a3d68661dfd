/** What a page asks of the appliance, and the sentence of what was refused: one for each part that shows it in one place. */
import { sentence } from './sentence.ts'

export interface Attempt {
  /** Why the last one did not work; null: it did. */
  readonly problem: string | null
  /** Something is going on. */
  readonly busy: boolean
  /** Does it. True when it was done; else its sentence is `problem`. Never rejects. */
  run(work: () => Promise<unknown>): Promise<boolean>
}

export function createAttempt(): Attempt {
  let problem = $state<string | null>(null)
  let going = $state(0)
  return {
    get problem() {
      return problem
    },
    get busy() {
      return going > 0
    },
    async run(work) {
      going += 1
      try {
        await work()
        problem = null
        return true
      } catch (error) {
        problem = sentence(error)
        return false
      } finally {
        going -= 1
      }
    },
  }
}
