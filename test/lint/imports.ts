/** Which files and packages each source file imports, types counted: what the checks of cycles and dependencies read. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..', '..')

/** Every import, export-from, `import()` and `import type` of a text, as written. A component's are in its scripts. */
function importsOf(file: string, text: string): string[] {
  const scripts = file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '')
    : [text]
  return scripts.flatMap((script) =>
    ts.preProcessFile(script, true, true).importedFiles.map(({ fileName }) => fileName),
  )
}

/** Source file (relative to the root, slashes) to what it imports: paths of source files, or packages as written. */
export function importGraph(): ReadonlyMap<string, readonly string[]> {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mts', '*.mjs', '*.js', '*.svelte'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  const files = [...new Set(listed.trim().split('\n'))].filter((file) => existsSync(join(ROOT, file)))
  return new Map(
    files.map((file) => [
      file,
      importsOf(file, readFileSync(join(ROOT, file), 'utf8')).map((written) =>
        written.startsWith('.') ? join(dirname(file), written).replaceAll('\\', '/') : written,
      ),
    ]),
  )
}

/**
 * Groups of files that reach each other, smallest group first. A component that draws a tree imports itself, which is how
 * Svelte writes recursion, and is no cycle.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    stack.push(file)
    let low = at
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low !== at) return low
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group)
    return low
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles.sort((a, b) => a.length - b.length)
}
