import type { StageContext } from './context.ts'

const REPORT_EVERY_MS = 250
/** If the length is unknown, the progress bar reaches its middle after this many bytes. */
const HALF_WAY_BYTES = 1e8

/**
 * Reports received bytes at most four times a second, such as `Downloading: 3.1 of 80 MB`. The bar ends at `upTo`; without a
 * known length it approaches that end and never reaches it.
 */
export function bytesProgress(
  context: Pick<StageContext, 'progress'>,
  verb: string,
  upTo = 1,
): (done: number, total: number | null) => void {
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < REPORT_EVERY_MS) return
    last = now
    const share = total === null ? done / (done + HALF_WAY_BYTES) : Math.min(1, done / Math.max(1, total))
    const of = total === null ? '' : ` of ${megabytes(total)}`
    context.progress(upTo * share, `${verb}: ${megabytes(done)}${of} MB`)
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
