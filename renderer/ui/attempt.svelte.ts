/** Runs requests of a component, and holds the error of the last one in one place to show it. */
import { commonMessages } from '../messages/common.ts'

interface Attempt {
  /** Why the last request failed; null: it succeeded. */
  readonly problem: string | null
  /** A request is running. */
  readonly busy: boolean
  /** True on success; otherwise `problem` says why. Never rejects. */
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

/** The `onsubmit` of a form that stays on its page. */
export const submit =
  (work: () => Promise<unknown>) =>
  (event: SubmitEvent): void => {
    event.preventDefault()
    void work()
  }

const UNREACHED = /^(Failed to fetch|Load failed|NetworkError when attempting)/

/** The message to show for an error. */
export function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error instanceof TypeError && UNREACHED.test(error.message)
    ? commonMessages.applianceUnreachable
    : error.message
}
