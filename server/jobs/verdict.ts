/** What the executors of operations answer. */
import type { Failure } from '../contract/errors.ts'

/** How an operation ended. `stopped`: its signal was aborted, for a reason that the orchestrator has. */
export type Verdict =
  | { readonly kind: 'succeeded'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }
