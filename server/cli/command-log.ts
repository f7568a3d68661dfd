/** The log of a command, on stderr: JSON lines for machines, one short line each for people. */
import { unknownSettings } from '../config/config.ts'
import { createLogger, type Logger } from '../log.ts'
import type { Terminal } from './command.ts'

interface LogLine {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** `12:03:04 warn  the engine ended  tasks=2` */
function formatLine(json: string): string {
  const { time, level, message, ...fields } = JSON.parse(json) as LogLine
  const rest = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}=${text}`
  })
  return [time.slice(11, 19), level.padEnd(5), message, ...rest].join(' ')
}

export function createCommandLog(
  level: Parameters<typeof createLogger>[0],
  json: boolean,
  terminal: Terminal,
): Logger {
  return createLogger(level, (line) => terminal.note(json ? line.trimEnd() : formatLine(line)))
}

/** Reports unknown settings before any work uses them: a misspelled CUTROOM_NETWORK would leave the network on. */
export function warnOfUnknownSettings(log: Logger, given: Parameters<typeof unknownSettings>[0]): void {
  for (const setting of unknownSettings(given))
    log.warn('there is no such setting: it does nothing', { setting })
}
