/** Figures of quality as tables: for the terminal, for JSON, and for docs/quality.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

export interface FigureTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What was done, on what, and what the figures leave out. */
  readonly notes?: readonly string[]
}

/** What one bench measured of one sense. */
export interface QualityReport {
  readonly title: string
  readonly tables: readonly FigureTable[]
  /** One sentence for each figure that could not be measured here, with the command that measures it. */
  readonly unmeasured: readonly string[]
}

/** A bench's answer with its section of docs/quality.md. */
export interface QualityBench {
  readonly table: string
  readonly json: object
  readonly markdown: string
}

export function qualityBench(name: string, report: QualityReport): QualityBench {
  return { table: asText(report), json: { name, ...report }, markdown: asMarkdown(report) }
}

/** A bench's answer with its section of docs/performance.md. `json`: its figures, for programs. */
export function speedBench<Json extends object>(name: string, report: QualityReport, json: Json) {
  return {
    table: asText(report),
    json: { name, ...json },
    markdown: asMarkdown(report),
    file: 'performance.md',
  }
}

export function asText(report: QualityReport): string {
  const tables = report.tables.map(({ title, columns, rows, notes = [] }) => {
    const widths = columns.map((column, at) =>
      Math.max(...[columns, ...rows].map((row) => row[at]?.length ?? column.length)),
    )
    const line = (row: readonly string[]): string =>
      row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
    return [
      title,
      ...[columns, ...rows].map((row) => `  ${line(row).trimEnd()}`),
      ...notes.map((note) => `  ${note}`),
    ].join('\n')
  })
  const missing = report.unmeasured.map((sentence) => `Not measured: ${sentence}`)
  return [report.title, ...tables, ...missing].join('\n\n')
}

/** A report as a section of a file of figures. */
export function asMarkdown(report: QualityReport): string {
  const tables = report.tables.map(({ title, columns, rows, notes = [] }) => {
    const line = (row: readonly string[]): string => `| ${row.join(' | ')} |`
    const lines = [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
    return [`### ${title}`, lines, ...notes].join('\n\n')
  })
  const missing =
    report.unmeasured.length === 0
      ? []
      : [['### Not measured', report.unmeasured.map((sentence) => `- ${sentence}`).join('\n')].join('\n\n')]
  return [`## ${report.title}`, ...tables, ...missing].join('\n\n')
}

const INTRO = `# Measured quality

Written by \`npm run bench -- ears sound-cleaning eyes analysis taste ffmpegs --write docs/quality.md\`; each part is replaced when its bench is
run with \`--write\`, so do not edit it by hand. The media and the model weights lie beside the project in \`../shared\`
and are not part of it; without them a bench prints what it skips and why. Speeds are multiples of real time on one core:
seconds of media over seconds of processor time of the bench and everything that it starts. The machine was shared with
other work, which slows every core: on an idle one they are higher.`

const SPEED_INTRO = `# Measured speed

Written by \`npm run bench -- start run cards render cuts api domain search scrub open wire load soak heap --write\`; each part is replaced when its bench is run with \`--write\`, so do not edit
it by hand. Milliseconds as a caller waits for them, on a machine that was shared with other work; the processor's own
time, which that changes less, stands beside them.`

const opens = (name: string): string => `<!-- ${name}: begin -->`
const closes = (name: string): string => `<!-- ${name}: end -->`

/** Puts the sections into the file: those that it has are replaced, others come last. Makes the file. */
export async function writeSections(file: string, sections: ReadonlyMap<string, string>): Promise<void> {
  let text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return basename(file) === 'performance.md' ? SPEED_INTRO : INTRO
    throw error
  })
  for (const [name, markdown] of sections) {
    const section = `${opens(name)}\n\n${markdown}\n\n${closes(name)}`
    const from = text.indexOf(opens(name))
    const to = text.indexOf(closes(name))
    text =
      from === -1 || to < from
        ? `${text.trimEnd()}\n\n${section}`
        : text.slice(0, from) + section + text.slice(to + closes(name).length)
  }
  const prettier = await import('prettier')
  const options = await prettier.resolveConfig(file)
  await writeFile(file, await prettier.format(`${text.trimEnd()}\n`, { ...options, parser: 'markdown' }))
}
