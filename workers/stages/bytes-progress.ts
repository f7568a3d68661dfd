import type { StageContext } from './context.ts'

const OFTEN_MS = 250
/** Of a file whose length nobody tells the bar is half way here. */
const HALF_WAY_BYTES = 1e8

/**
 * Says how much of a file has come, at most four times a second: `Downloading: 3.1 of 80 MB`. The bar ends at `upTo`; without
 * a known length it creeps and never arrives.
 */
export function bytesProgress(
  context: Pick<StageContext, 'progress'>,
  verb: string,
  upTo = 1,
): (done: number, total: number | null) => void {
  let last = -Infinity
  return (done, total) => {
    const now = performance.now()
    if (now - last < OFTEN_MS) return
    last = now
    const share = total === null ? done / (done + HALF_WAY_BYTES) : Math.min(1, done / Math.max(1, total))
    const of = total === null ? '' : ` of ${megabytes(total)}`
    context.progress(upTo * share, `${verb}: ${megabytes(done)}${of} MB`)
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
