/** How many windows of speech are decoded at once. PURE. */
import type { Provider } from '../../../../server/contract/inference.ts'

/** More windows gain little, because rows wait for the longest one. */
const MAX_TOGETHER = 8
/** Share of the free memory that a batch may take. */
const MEMORY_SHARE = 0.25

/**
 * One on the processor: its cores are busy with one window, and rows that have ended would continue for nothing. A graphics card is
 * idle for most of a single window's steps, so it gets as many as its memory permits.
 */
export function windowsTogether(
  provider: Provider,
  { freeBytes, bytesEach }: { readonly freeBytes: number; readonly bytesEach: number },
): number {
  if (provider === 'cpu') return 1
  return Math.max(1, Math.min(MAX_TOGETHER, Math.floor((freeBytes * MEMORY_SHARE) / bytesEach)))
}
