/**
 * The one spawner of ffmpeg and ffprobe. Arguments are arrays from the pure builders in `arguments/`; children get their
 * own process group, are announced to the engine's reaper, and are killed when the task is cancelled.
 */
import type { Readable, Writable } from 'node:stream'

export interface ToolRun {
  readonly executable: string
  readonly args: readonly string[]
  readonly signal?: AbortSignal
  /** Seconds of media already written, from ffmpeg's own `-progress` clock (the spawner adds the arguments). */
  readonly onProgress?: (outputSeconds: number) => void
  /** Receives stdout as it comes; return a promise to push back. */
  readonly onStdout?: (chunk: Buffer) => void | Promise<void>
  /** Writers for extra pipes: index 0 is fd 3, index 1 is fd 4... Each must end its stream. */
  readonly inputs?: readonly ((pipe: Writable) => Promise<void>)[]
  /** Readers for extra output pipes, on the file descriptors after the inputs. */
  readonly outputs?: readonly ((pipe: Readable) => Promise<void>)[]
  /** Hard limit in seconds; the child is killed and the run fails. */
  readonly timeoutSeconds?: number
  /** Kill when neither progress nor output moved for this long. */
  readonly stallSeconds?: number
}

export interface ToolResult {
  readonly stdout: Buffer
  /** The last 64 KiB of stderr, for facts that tools print and for the report. */
  readonly stderr: string
  readonly milliseconds: number
}
