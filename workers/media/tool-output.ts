/** What tools print: the tail of stderr, its last meaningful line, and ffmpeg's progress clock. */

const TAIL_BYTES = 64 * 1024

/** Keeps the last 64 KiB of a stream. */
export function createTailBuffer(): { add: (chunk: Buffer) => void; text: () => string } {
  let kept: Buffer[] = []
  let bytes = 0
  return {
    add: (chunk) => {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes > TAIL_BYTES * 2) {
        const tail = Buffer.concat(kept).subarray(-TAIL_BYTES)
        kept = [Buffer.from(tail)]
        bytes = tail.length
      }
    },
    text: () => Buffer.concat(kept).subarray(-TAIL_BYTES).toString('utf8'),
  }
}

/** Lines that come after the real reason and say nothing by themselves. */
const EMPTY_TALK =
  /^(conversion failed|error while (opening|processing)|exiting normally|received signal|\[?aac @|video:\S+ audio:|frame=|size=|press \[q\])/i

/** The last line that tells why, without ffmpeg's `[demuxer @ 0x...]` prefix; '' when there is none. */
export function findMeaningfulLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const telling = lines.findLast((line) => !EMPTY_TALK.test(line)) ?? lines.at(-1) ?? ''
  return telling.replace(/^\[[^\]]*@ 0x[0-9a-f]+\]\s*/i, '').slice(0, 500)
}

/**
 * Reads `-progress` blocks and reports seconds of output written. ffmpeg prints microseconds under both `out_time_us`
 * and (by an old mistake that it keeps) `out_time_ms`; before the first packet it prints N/A or a large negative number.
 */
export function createProgressReader(report: (seconds: number) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const match = /^out_time_ms=(\d+)\s*$/.exec(line)
      if (match?.[1] !== undefined) report(Number(match[1]) / 1e6)
    }
  }
}
