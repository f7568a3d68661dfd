/** What a process did to the file system, out of the text of `strace -f -y -xx`: each call that changes something, in order. */

/** Calls that the trace needs. */
export const CALLS =
  'open,openat,creat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,ftruncate,truncate,copy_file_range,sendfile'
/** Bytes of each write that stand in the trace: a page of SQLite and more. */
export const DATA_BYTES = 4200

export type Event =
  | {
      readonly kind: 'write'
      readonly path: string
      /** Null: behind what was written before. */
      readonly at: number | null
      readonly bytes: number
      /** Null: the trace has not all of it. */
      readonly data: Buffer | null
    }
  | { readonly kind: 'resize'; readonly path: string; readonly size: number }
  | { readonly kind: 'open'; readonly path: string; readonly empties: boolean }
  /** `began`: how many events there were then; what came later need not be on the disk. */
  | { readonly kind: 'sync'; readonly path: string; readonly began: number }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'link'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }

/** Events below `root`, and those of the file `notes`. */
export function readTrace(text: Iterable<string>, isOurs: (path: string) => boolean): Event[] {
  const events: Event[] = []
  const open = new Map<string, { head: string; began: number }>()
  for (const line of text) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const unfinished = rest.indexOf(' <unfinished ...>')
    if (unfinished !== -1) {
      open.set(pid, { head: rest.slice(0, unfinished), began: events.length })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const before = resumed === null ? undefined : open.get(pid)
    const call = before === undefined ? rest : before.head + (resumed?.[1] ?? '')
    if (resumed !== null) open.delete(pid)
    const event = readCall(call, before?.began ?? events.length)
    if (event !== null && pathsOf(event).some(isOurs)) events.push(event)
  }
  return events
}

const pathsOf = (event: Event): string[] =>
  event.kind === 'move' || event.kind === 'link' ? [event.from, event.to] : [event.path]

const unescape = (text: string): string => bytesOf(text).toString('utf8')

/** With -xx every byte of a string is `\x41`. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}

/** `"..."` or `23</...>`, in the order in which they stand; a relative path goes with the folder before it. */
function pathsIn(words: string): string[] {
  const found: string[] = []
  let folder = ''
  for (const [, descriptor, quoted] of words.matchAll(/(?:(?:\d+|AT_FDCWD)<([^>]*)>)|"([^"]*)"/g)) {
    if (descriptor !== undefined) {
      folder = readPath(descriptor)
      continue
    }
    const path = unescape(quoted ?? '')
    found.push(path.startsWith('/') ? path : `${folder}/${path}`)
  }
  return found
}

const readPath = (text: string): string => (text.startsWith('\\x') ? unescape(text) : text)

/** Null: it changed nothing, failed, or is none of those. */
function readCall(call: string, began: number): Event | null {
  const [, name = '', words = '', answer = ''] = /^(\w+)\((.*)\) += (-?\d+)/s.exec(call) ?? []
  const result = Number(answer)
  if (name === '' || answer === '' || result < 0) return null
  const descriptor = readPath(/^\d+<([^>]*)>/.exec(words)?.[1] ?? '')
  const [first = '', second = ''] = pathsIn(words)
  switch (name) {
    case 'open':
    case 'openat':
    case 'creat':
      if (name !== 'creat' && !words.includes('O_CREAT') && !words.includes('O_TRUNC')) return null
      return { kind: 'open', path: first, empties: name === 'creat' || words.includes('O_TRUNC') }
    case 'write':
    case 'pwrite64': {
      const [, text = '', cut = ''] = /"([^"]*)"(\.\.\.)?/.exec(words) ?? []
      const at = name === 'write' ? null : Number(/, (\d+)$/.exec(words)?.[1])
      const data = cut === '' ? bytesOf(text).subarray(0, result) : null
      return { kind: 'write', path: descriptor, at, bytes: result, data }
    }
    case 'writev':
    case 'pwritev':
    case 'pwritev2':
      return { kind: 'write', path: descriptor, at: null, bytes: result, data: null }
    case 'copy_file_range': {
      const [, into = ''] = [...words.matchAll(/\d+<([^>]*)>/g)].map(([, path = '']) => readPath(path))
      return { kind: 'write', path: into, at: null, bytes: result, data: null }
    }
    case 'sendfile':
      return { kind: 'write', path: descriptor, at: null, bytes: result, data: null }
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: descriptor, began }
    case 'ftruncate':
      return { kind: 'resize', path: descriptor, size: Number(/, (\d+)$/.exec(words)?.[1]) }
    case 'truncate':
      return { kind: 'resize', path: first, size: Number(/, (\d+)$/.exec(words)?.[1]) }
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { kind: 'move', from: first, to: second }
    case 'link':
    case 'linkat':
      return { kind: 'link', from: first, to: second }
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return { kind: 'remove', path: first }
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'folder', path: first }
    default:
      return null
  }
}
