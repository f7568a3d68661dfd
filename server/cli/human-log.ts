/** The appliance's log for a person: the JSON lines of log.ts, one short line each. */
import type { Terminal } from './command.ts'

interface LogLine {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** `12:03:04 warn  the engine ended  tasks=2` */
function humanLine(json: string): string {
  const { time, level, message, ...fields } = JSON.parse(json) as LogLine
  const rest = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}=${text}`
  })
  return [time.slice(11, 19), level.padEnd(5), message, ...rest].join(' ')
}

export function humanLog(terminal: Terminal): (line: string) => void {
  return (line) => terminal.note(humanLine(line))
}
