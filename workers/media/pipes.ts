/** Helpers for pipes to and from tools: a tool may stop reading at any time, which is not an error by itself. */
import type { Writable } from 'node:stream'

const BROKEN = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
])

/** Whether the error only says that the other end of a pipe is gone. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && BROKEN.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Without a listener an `error` event would end the process. The tool's exit and `close` report what matters. */
export function ignorePipeErrors(pipe: { on(event: 'error', listener: () => void): unknown }): void {
  pipe.on('error', () => undefined)
}

/**
 * Writes one chunk and waits while the pipe is full. Resolves to false when the reader is gone; stop writing then. The
 * chunk must not be changed before the promise resolves to true AND `pipe.writableLength` is 0; to reuse one buffer for
 * every frame use `writeWhole`.
 */
export function writeChunk(pipe: Writable, chunk: Uint8Array): Promise<boolean> {
  if (pipe.destroyed || pipe.writableEnded) return Promise.resolve(false)
  if (pipe.write(chunk)) return Promise.resolve(true)
  return new Promise((resolve) => {
    const settle = (goOn: boolean) => (): void => {
      pipe.off('drain', drained)
      pipe.off('close', closed)
      resolve(goOn)
    }
    const drained = settle(true)
    const closed = settle(false)
    pipe.once('drain', drained)
    pipe.once('close', closed)
  })
}

/** Writes one chunk and waits until the system has taken all of it, so that the buffer can be reused. False: reader gone. */
export function writeWhole(pipe: Writable, chunk: Uint8Array): Promise<boolean> {
  if (pipe.destroyed || pipe.writableEnded) return Promise.resolve(false)
  return new Promise((resolve) => {
    const closed = (): void => resolve(false)
    pipe.once('close', closed)
    pipe.write(chunk, (error) => {
      pipe.off('close', closed)
      resolve(error === null || error === undefined)
    })
  })
}

/** Parses what tools print: the tail of stderr, its last meaningful line, and ffmpeg's progress. */

const TAIL_BYTES = 64 * 1024

/** Stores the last 64 KiB of a stream. */
export function createTailBuffer(): { add: (chunk: Buffer) => void; text: () => string } {
  let chunks: Buffer[] = []
  let bytes = 0
  return {
    add: (chunk) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > TAIL_BYTES * 2) {
        const tail = Buffer.concat(chunks).subarray(-TAIL_BYTES)
        chunks = [Buffer.from(tail)]
        bytes = tail.length
      }
    },
    text: () => Buffer.concat(chunks).subarray(-TAIL_BYTES).toString('utf8'),
  }
}

/** Lines that follow the real reason and carry no information. */
const UNINFORMATIVE =
  /^(conversion failed|error while (opening|processing)|exiting normally|received signal|\[?aac @|video:\S+ audio:|frame=|size=|press \[q\])/i

/** The last line that gives a reason, without ffmpeg's `[demuxer @ 0x...]` prefix; '' when there is none. */
export function findMeaningfulLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const meaningful = lines.findLast((line) => !UNINFORMATIVE.test(line)) ?? lines.at(-1) ?? ''
  return meaningful.replace(/^\[[^\]]*@ 0x[0-9a-f]+\]\s*/i, '').slice(0, 500)
}

/**
 * Parses `-progress` blocks and reports the seconds of output written. ffmpeg prints microseconds as `out_time_us` and, for
 * compatibility with an old mistake, as `out_time_ms`; before the first packet it prints N/A or a large negative number.
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
