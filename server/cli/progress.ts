/** Shows a run's progress: a bar that is redrawn on a terminal, occasional plain lines otherwise. */
import type { Terminal } from './command.ts'

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
