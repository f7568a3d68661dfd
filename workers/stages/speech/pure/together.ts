/** How many windows of speech go through the model at once. PURE. */
import type { Provider } from '../../../../server/contract/inference.ts'

/** More gain little: rows wait for the longest of them. */
const MAX_TOGETHER = 8
/** Share of the memory that is free which a batch may take. */
const MEMORY_SHARE = 0.25

/**
 * On the processor one: its cores are busy with one window, and rows that have ended would go on for nothing. A card
 * is idle for most of a single window's steps, so it gets as many as there is memory for.
 */
export function windowsTogether(
  provider: Provider,
  { freeBytes, bytesEach }: { readonly freeBytes: number; readonly bytesEach: number },
): number {
  if (provider === 'cpu') return 1
  return Math.max(1, Math.min(MAX_TOGETHER, Math.floor((freeBytes * MEMORY_SHARE) / bytesEach)))
}
