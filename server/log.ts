/** Structured log: JSON lines on stderr. Secrets never get in: fields whose names look like one are masked. */
import pino from 'pino'
import type { LogLevel } from './config/config.ts'

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

const masked = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(name, value)]))

/** Lines below `level` are left out. `write` gets each line with its line break, at once. */
export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: masked },
      // Pino's own would make another object of an error in a field of this name.
      serializers: { err: (value: unknown) => value },
    },
    { write },
  )
  const at =
    (lineLevel: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      lines[lineLevel](fields, message)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
