import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core'
import type { Sample } from './sample.ts'

/** The counts of one area. `ignored` mutants sit in what runs once on import, and count for nothing. */
export interface Summary {
  run: string
  mutants: number
  killed: number
  survived: number
  uncovered: number
  ignored: number
}

export function summarize(results: MutantResult[], sample: Sample | undefined): Summary {
  const count = (...statuses: MutantStatus[]) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout')
  const survived = count('Survived')
  const uncovered = count('NoCoverage')
  return {
    run: sample === undefined ? 'all' : `${sample.percent} %, seed ${sample.seed}`,
    mutants: killed + survived + uncovered,
    killed,
    survived,
    uncovered,
    ignored: count('Ignored'),
  }
}

/** The score in percent; of a sample with the half width of its 95 % interval. */
function scoreOf({ run, mutants, killed }: Summary): string {
  const share = killed / Math.max(1, mutants)
  const error = 1.96 * Math.sqrt((share * (1 - share)) / Math.max(1, mutants))
  return `${(100 * share).toFixed(1)} %${run === 'all' ? '' : ` ± ${(100 * error).toFixed(1)}`}`
}

export function summaryLine(summary: Summary): string {
  const { mutants, killed, survived, uncovered, ignored } = summary
  return `${scoreOf(summary)} (${mutants} mutants: ${killed} killed, ${survived} survived, ${uncovered} not reached; ${ignored} on import left out)`
}

/** One line for each mutant that no test found: where it is, what stood there, and what stood there instead. */
export function describeSurvivors(results: MutantResult[], root: string): string {
  const alive = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const sources = new Map<string, string[]>()
  const lines = alive.map(({ fileName, location, replacement = '', status }) => {
    const file = path.resolve(root, fileName)
    const source = sources.get(file) ?? readFileSync(file, 'utf8').split('\n')
    sources.set(file, source)
    const { start, end } = location
    const rows = source.slice(start.line - 1, end.line)
    const text = rows.join('\n').slice(start.column - 1, rows.length > 1 ? undefined : end.column - 1)
    const change = `${shorten(text)} → ${shorten(replacement)}`
    const mark = status === 'NoCoverage' ? ' (not reached)' : ''
    return `${path.relative(root, file)}:${start.line}:${start.column} ${change}${mark}`
  })
  return lines.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).join('\n')
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 97)}...` : line
}

const HEADER = `# Mutation testing

Written by \`npm run mutation -- --write\`, area by area: do not edit the table by hand. Each mutant is one small change of
the code (a comparison turned, a number moved by one, a statement left out); it is killed when a test of the area fails
or never ends. The score is the share of killed ones, counting those that no test reaches as survivors. Where only a
sample of the mutants was run, its share and seed stand in the second column, and the score has its 95 % interval.

Mutants in code that runs only once on import (tables, schemas) are left out, for each would need a process of its own:
their number stands in the last column. Two rules for speed can only lower the score: a property of fast-check gets a
tenth of a second for each mutant, and a test of more than a fifth of a second is not run where a quicker one reaches it.

`

const COLUMNS = ['area', 'run', 'mutants', 'killed', 'survived', 'not reached', 'score', 'on import']

export function renderPage(rows: Record<string, Summary>): string {
  const cells = Object.entries(rows).map(([name, row]) => {
    const { run, mutants, killed, survived, uncovered, ignored } = row
    return [name, run, mutants, killed, survived, uncovered, scoreOf(row), ignored]
  })
  const lines = [COLUMNS, COLUMNS.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`)
  return `${HEADER}${lines.join('\n')}\n`
}

/** Parses the rows of a page, so that one area can be measured alone. */
export function readTable(page: string): Record<string, Summary> {
  const rows: Record<string, Summary> = {}
  for (const line of page.split('\n')) {
    const [name, run, ...cells] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (!name || !run || !/^\d+$/.test(cells[0] ?? '')) continue
    const [mutants = 0, killed = 0, survived = 0, uncovered = 0, , ignored = 0] = cells.map(Number)
    rows[name] = { run, mutants, killed, survived, uncovered, ignored }
  }
  return rows
}
