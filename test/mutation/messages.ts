import type { CoverageData, MutantCoverage } from '@stryker-mutator/api/core'

/** What the runner in Stryker's process sends to the thread that holds the tests. */
export type Request =
  | { kind: 'dry-run' }
  | {
      kind: 'mutant'
      mutant: string
      /** Ids, in the order in which they run; undefined: all. */
      tests: string[] | undefined
      hitLimit: number | undefined
      bail: boolean
    }
  | { kind: 'stop' }

/** One test that ran. `elapsed` in milliseconds, `duration` in milliseconds of processor time. */
export interface TestOutcome {
  id: string
  name: string
  file: string
  duration: number
  elapsed: number
  state: 'pass' | 'fail' | 'skip'
  error?: string
}

/** What the thread answers. */
export type Answer =
  | { kind: 'ready' }
  | { kind: 'dry-run'; tests: TestOutcome[]; coverage: MutantCoverage | undefined }
  | {
      kind: 'mutant'
      ran: number
      failed: TestOutcome[]
      hits: number | undefined
      /** A failed test fails without the mutant too: something that an earlier mutant left behind. */
      polluted: boolean
    }

/** The global object through which Stryker's instrumented code is steered. */
export interface StrykerNamespace {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: CoverageData; perTest: Record<string, CoverageData> }
}
