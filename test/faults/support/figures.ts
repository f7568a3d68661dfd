/** What fault runs found, as a table on the terminal and a section of docs/quality.md. */
import { join } from 'node:path'
import { machineFacts } from '../../bench/performance.ts'
import { asMarkdown, asText, writeSections, type FigureTable } from '../../bench/report.ts'

/** How often each pair of words came up, in the order of the words. */
export function countRows(pairs: readonly (readonly [string, string])[]): string[][] {
  const counts = new Map<string, number>()
  for (const pair of pairs) counts.set(pair.join('|'), (counts.get(pair.join('|')) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, times]) => [...key.split('|'), String(times)])
}

/** Prints them; `write`: puts them into docs/quality.md, under `name`. */
export async function showFigures(
  name: string,
  { title, table, write }: { readonly title: string; readonly table: FigureTable; readonly write: boolean },
): Promise<void> {
  const report = { title, tables: [table], unmeasured: [] }
  process.stdout.write(`${asText(report)}\n`)
  if (!write) return
  const file = join(import.meta.dirname, '..', '..', '..', 'docs', 'quality.md')
  const markdown = `${asMarkdown(report)}\n\nMeasured on ${machineFacts(new Date())}`
  await writeSections(file, new Map([[name, markdown]]))
}
