import { describe, expect, test } from 'vitest'
import { progressLine, progressReporter } from './terminal.ts'
import type { Terminal } from './command.ts'

function fakeTerminal(interactive: boolean) {
  const notes: string[] = []
  const statuses: string[] = []
  const terminal: Terminal = {
    out: () => undefined,
    note: (line) => void notes.push(line),
    status: (line) => void statuses.push(line),
    interactive,
    columns: 60,
  }
  return { terminal, notes, statuses }
}

describe('progressLine', () => {
  test('fits the window and shows whole percents that were reached', () => {
    const line = progressLine(0.499, 'Finding the clips in a very long description of what is done', 40)
    expect(line.length).toBeLessThan(40)
    expect(line).toContain(' 49 %')
  })

  test.each([
    [-1, '  0 %'],
    [2, '100 %'],
  ])('clamps %d', (fraction, text) => expect(progressLine(fraction, '', 80)).toContain(text))
})

describe('progressReporter', () => {
  test('in a log: a line per stage and per tenth, not per call', () => {
    const { terminal, notes, statuses } = fakeTerminal(false)
    const reporter = progressReporter(terminal)
    for (let step = 0; step <= 100; step += 1)
      reporter.update(step / 200, step < 50 ? 'Fetching' : 'Rendering')
    reporter.end()
    expect(notes).toEqual([
      '  0 %  Fetching',
      ' 10 %  Fetching',
      ' 20 %  Fetching',
      ' 25 %  Rendering',
      ' 30 %  Rendering',
      ' 40 %  Rendering',
      ' 50 %  Rendering',
    ])
    expect(statuses).toEqual([''])
  })

  test('on a terminal: one moving line, cleared at the end', () => {
    const { terminal, notes, statuses } = fakeTerminal(true)
    const reporter = progressReporter(terminal)
    reporter.update(0.5, 'Rendering')
    reporter.end()
    expect(notes).toEqual([])
    expect(statuses).toHaveLength(2)
    expect(statuses.at(-1)).toBe('')
  })
})
