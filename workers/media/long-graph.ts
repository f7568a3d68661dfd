/**
 * Filter graphs that are too long for a command line. Linux allows 131,072 bytes in one argument
 * (MAX_ARG_STRLEN, https://man7.org/linux/man-pages/man2/execve.2.html), Windows 32,767 characters in all; half an hour
 * with its filler words cut out needs more.
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Dialect } from './arguments/dialect.ts'

const OPTION = '-filter_complex'
/** Leaves space for the other arguments on Windows. */
export const MAX_GRAPH_CHARACTERS = 16_000

/**
 * Calls `run` with these arguments. A graph that is too long is read from a file in `folder` instead, which is deleted
 * afterwards. Rejects with the error of `run`, or of writing the file.
 */
export async function withGraphFile<T>(
  args: readonly string[],
  { dialect, folder }: { readonly dialect: Dialect; readonly folder: string },
  run: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const at = args.indexOf(OPTION) + 1
  const graph = at === 0 ? '' : (args[at] ?? '')
  if (Buffer.byteLength(graph) <= MAX_GRAPH_CHARACTERS) return run(args)
  const file = join(folder, `filter-graph-${randomUUID()}.txt`)
  try {
    await writeFile(file, graph, { mode: 0o600 })
    const option = dialect.optionFiles ? '-/filter_complex' : '-filter_complex_script'
    return await run([...args.slice(0, at - 1), option, `file:${file}`, ...args.slice(at + 1)])
  } finally {
    await rm(file, { force: true })
  }
}
