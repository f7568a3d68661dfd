/** Ensures that every input of ffmpeg and ffprobe is local, whoever built the arguments. PURE. */

const OPTION = '-protocol_whitelist'
const LOCAL: ReadonlySet<string> = new Set(['file', 'pipe', 'fd'])

/**
 * Adds a list of local protocols to each input that has no list of its own. Throws RangeError for an input whose list has
 * another protocol; `srt` is allowed where the tool connects to a relay on this machine.
 */
export function localInputs(args: readonly string[], network: 'none' | 'loopback' = 'none'): string[] {
  const made: string[] = []
  let from = 0
  const guard = (): void => {
    const own = made.slice(from)
    const at = own.lastIndexOf(OPTION)
    const protocols = own[at + 1]?.split(',') ?? []
    if (at === -1) {
      if (!isGenerated(own)) made.push(OPTION, [...LOCAL].join(','))
    } else if (!protocols.every((name) => LOCAL.has(name) || (network === 'loopback' && name === 'srt')))
      throw new RangeError(`an input takes ${protocols.join(', ')}`)
  }
  const takesInputs = args.includes('-i')
  args.forEach((arg, at) => {
    // ffprobe has one input, named by its last argument.
    const isLast = !takesInputs && at === args.length - 1 && arg.startsWith('file:')
    if (arg === '-i' || isLast) guard()
    made.push(arg)
    if (arg === '-i') from = made.length + 1
  })
  return made
}

/** An input that a filter generates opens no file. */
function isGenerated(own: readonly string[]): boolean {
  return own.some((option, at) => option === '-f' && own[at + 1] === 'lavfi')
}
