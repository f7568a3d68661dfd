/** Runs requests of a component, and holds the error of the last one in one place to show it. */
import { commonMessages } from '../messages/common.ts'
import { inPlainWords } from './plain-words.ts'
import { isConnectionLost } from '../state/outage.ts'

export class Attempt {
  /** Why the last request failed; null: it succeeded. */
  problem = $state<string | null>(null)
  #running = $state(0)

  /** A request is running. */
  get busy(): boolean {
    return this.#running > 0
  }

  /** True on success; otherwise `problem` says why. Never rejects. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.#running += 1
    try {
      await work()
      this.problem = null
      return true
    } catch (error) {
      this.problem = sentence(error)
      return false
    } finally {
      this.#running -= 1
    }
  }
}

export const createAttempt = (): Attempt => new Attempt()

/** The `onsubmit` of a form that stays on its page. */
export const submit =
  (work: () => Promise<unknown>) =>
  (event: SubmitEvent): void => {
    event.preventDefault()
    void work()
  }

/** The message to show for an error. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return isConnectionLost(error) ? commonMessages.applianceUnreachable : inPlainWords(error.message)
}
