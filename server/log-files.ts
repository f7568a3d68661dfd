/** The log on disk: `logs/cutroom.log` in the home, begun anew when it is full, so that it never grows without end. */
import { join } from 'node:path'
import { createStream, type RotatingFileStream } from 'rotating-file-stream'

interface LogFileLimits {
  /** Of one file. */
  readonly bytes: number
  /** Full ones that are kept beside it. */
  readonly kept: number
  /** A folder that cannot be written to must not end the appliance. */
  readonly onTrouble: (error: Error) => void
}

const NAME = 'cutroom.log'

/** A disk that was full has room again some time, and nobody starts the appliance anew for its log. */
const TRY_AGAIN_MS = 60_000

/** Full files are `cutroom.1.log` (the newest) and so on. After an error writing is tried again in a minute. */
export function openLogFiles(
  folder: string,
  { bytes, kept, onTrouble }: LogFileLimits,
  now: () => number = () => performance.now(),
) {
  let brokenAt: number | null = null
  const begin = (): RotatingFileStream => {
    const stream = createStream(
      (index: number | Date | null) => (typeof index === 'number' ? `cutroom.${index}.log` : NAME),
      { path: folder, size: `${Math.max(1, Math.round(bytes / 1024))}K`, rotate: kept, mode: 0o600 },
    )
    stream.on('error', (error) => {
      if (current !== stream) return
      if (brokenAt === null) onTrouble(error)
      brokenAt = now()
    })
    stream.on('warning', onTrouble)
    return stream
  }
  let current: RotatingFileStream | null = null
  current = begin()
  return {
    write: (line: string): void => {
      if (brokenAt !== null) {
        if (now() - brokenAt < TRY_AGAIN_MS) return
        brokenAt = null
        current = begin()
      }
      current?.write(line)
    },
    /** Writes out what waits. */
    close: (): Promise<void> =>
      brokenAt === null ? new Promise((resolve) => current?.end(() => resolve())) : Promise.resolve(),
  }
}

/** Where the log files of a home lie. */
export const logFolder = (root: string): string => join(root, 'logs')
