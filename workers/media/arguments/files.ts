/** Which files a command names, so that the tool is shown these and no others. PURE. */

export interface NamedFiles {
  /** Absolute paths that the tool reads. */
  readonly read: readonly string[]
  /** Absolute paths of folders that it writes into. */
  readonly written: readonly string[]
}

/** Options of ffmpeg and yt-dlp whose value is a path that is read. */
const READ_BY: ReadonlySet<string> = new Set([
  '-i',
  '-filter_complex_script',
  '-/filter_complex',
  '--config-locations',
  '--load-info-json',
  '--ffmpeg-location',
])

/** What only ffmpeg has: inputs, or a graph that may generate all there is, such as a still of sound alone. */
const INPUTS: ReadonlySet<string> = new Set([
  '-i',
  '-filter_complex',
  '-filter_complex_script',
  '-/filter_complex',
])

/**
 * The files that the arguments of ffmpeg, ffprobe or yt-dlp name: whole arguments that are an absolute path. Without `file:`
 * it is a pattern, where `%%` stands for `%`. What no option reads is written, as outputs are named by their place alone;
 * ffprobe has no output, and its one input no option.
 */
export function findNamedFiles(args: readonly string[]): NamedFiles {
  const read = new Set<string>()
  const written = new Set<string>()
  const hasInputs = args.some((arg) => INPUTS.has(arg))
  args.forEach((arg, at) => {
    const isFile = arg.startsWith('file:/')
    if (!isFile && !arg.startsWith('/')) return
    const path = isFile ? arg.slice('file:'.length) : arg
    if (READ_BY.has(args[at - 1] ?? '') || (isFile && !hasInputs)) read.add(path)
    else written.add(folderOf(isFile ? path : path.replaceAll('%%', '%')))
  })
  return { read: [...read], written: [...written] }
}

/** Only systems with `/` between folders confine tools in this way. */
const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')))
