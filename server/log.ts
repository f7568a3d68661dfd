/** Structured log: JSON lines on stderr. Secrets never get in: fields whose names look like one are masked. */
import type { LogLevel } from './config/config.ts'

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }
const SECRET_NAME = /key$|token|secret|authorization|cookie|password/i

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

function plain(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name) && typeof value === 'string') return '[hidden]'
  if (value instanceof Error) {
    return {
      name: value.name,
      message: value.message,
      stack: value.stack,
      ...(value.cause === undefined ? {} : { cause: plain('cause', value.cause) }),
    }
  }
  return value
}

/** Writes to both. */
export function teeLogger(one: Logger, other: Logger): Logger {
  const both =
    (level: LogLevel) =>
    (message: string, fields?: Record<string, unknown>): void => {
      one[level](message, fields)
      other[level](message, fields)
    }
  return { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') }
}

export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const at =
    (lineLevel: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (ORDER[lineLevel] < ORDER[level]) return
      const masked = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, plain(name, value)]),
      )
      write(`${JSON.stringify({ time: new Date().toISOString(), level: lineLevel, message, ...masked })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
