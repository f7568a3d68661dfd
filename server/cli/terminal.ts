import { EXIT, type Terminal } from './command.ts'

/**
 * Terminal output that never ends the process: a full disk under `2>>log` or a closed terminal must not stop an
 * appliance. Notes that cannot be written are lost (the home's log file has them). A result that cannot be written
 * fails the command with one message; an appliance continues. A reader that closed the pipe (`cutroom workflow list |
 * head -1`) is not an error.
 */
function bearLostLines(): void {
  process.stderr.on('error', () => undefined)
  let reported = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || reported) return
    reported = true
    process.exitCode = EXIT.failed
    process.stderr.write(`cutroom: The result cannot be written: ${error.message}\n`)
  })
}

/** Ends as the command did, unless its result could not be written: that may be known before the command has ended. */
export function endWith(exitCode: number): void {
  process.exitCode ||= exitCode
}

/** The process's own streams. */
export function processTerminal(): Terminal {
  const interactive = process.stderr.isTTY
  let drawn = false
  const clear = (): void => {
    if (drawn) process.stderr.write('\r\x1b[2K')
    drawn = false
  }
  bearLostLines()
  return {
    out: (line) => {
      clear()
      process.stdout.write(`${line}\n`)
    },
    note: (line) => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    status: (line) => {
      if (!interactive) return
      clear()
      if (line === '') return
      process.stderr.write(line)
      drawn = true
    },
    interactive,
    get columns() {
      return process.stderr.columns || 80
    },
  }
}

/** Rows as aligned columns; the header is the first row. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** One line of `columns` characters at the most. `fraction` is clamped to 0 to 1. */
export function progressLine(fraction: number, note: string, columns: number): string {
  const part = Math.min(1, Math.max(0, fraction))
  const width = Math.max(8, Math.min(28, Math.floor(columns / 3)))
  const filled = Math.round(part * width)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${note}`.slice(0, Math.max(1, columns - 1))
}

export interface ProgressReporter {
  update(fraction: number, note: string): void
  end(): void
}

/** In a log, a line is only worth writing when the stage changes or a tenth more is done. */
export function progressReporter(terminal: Terminal): ProgressReporter {
  let lastNote = ''
  let lastTenth = -1
  return {
    update: (fraction, note) => {
      if (terminal.interactive) return terminal.status(progressLine(fraction, note, terminal.columns))
      const tenth = Math.floor(fraction * 10)
      if (note === lastNote && tenth === lastTenth) return
      lastNote = note
      lastTenth = tenth
      if (note !== '') terminal.note(`${String(Math.floor(fraction * 100)).padStart(3)} %  ${note}`)
    },
    end: () => terminal.status(''),
  }
}
