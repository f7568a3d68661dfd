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
