/** The log on disk: `logs/cutroom.log` in the home, begun anew when it is full, so that it never grows without end. */
import { join } from 'node:path'
import { createStream } from 'rotating-file-stream'

export interface LogFiles {
  readonly write: (line: string) => void
  /** Writes out what waits. */
  readonly close: () => Promise<void>
}

export interface LogFileLimits {
  /** Of one file. */
  readonly bytes: number
  /** Full ones that are kept beside it. */
  readonly kept: number
  /** A folder that cannot be written to must not end the appliance. */
  readonly onTrouble: (error: Error) => void
}

const NAME = 'cutroom.log'

/** Full files are called `cutroom.1.log` (the newest) and so on; readable by their owner only. */
export function openLogFiles(folder: string, { bytes, kept, onTrouble }: LogFileLimits): LogFiles {
  const stream = createStream(
    (index: number | Date | null) => (typeof index === 'number' ? `cutroom.${index}.log` : NAME),
    { path: folder, size: `${Math.max(1, Math.round(bytes / 1024))}K`, rotate: kept, mode: 0o600 },
  )
  let broken = false
  stream.on('error', (error) => {
    if (!broken) onTrouble(error)
    broken = true
  })
  stream.on('warning', onTrouble)
  return {
    write: (line) => {
      if (!broken) stream.write(line)
    },
    close: () => (broken ? Promise.resolve() : new Promise((resolve) => stream.end(() => resolve()))),
  }
}

/** Where the log files of a home lie. */
export const logFolder = (root: string): string => join(root, 'logs')
