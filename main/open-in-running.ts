/**
 * Uploads a file that was opened with the desktop app, as the page's own upload would; Home then offers it as the source
 * of a new run. One at a time: a later file replaces an earlier one.
 */
import { basename, extname, isAbsolute, resolve } from 'node:path'
import { messages } from './messages.ts'

/** The state that the page gets at each change, and after it has loaded. */
type OpenedSource =
  | { readonly state: 'sending'; readonly name: string; readonly fraction: number }
  | { readonly state: 'ready'; readonly name: string; readonly uploadId: string }
  | { readonly state: 'failed'; readonly name: string; readonly why: string }

interface OpenInRunningDeps {
  readonly send: (source: OpenedSource) => void
  readonly sendFile: (
    path: string,
    how: { signal: AbortSignal; onProgress: (fraction: number) => void },
  ) => Promise<string>
}

export function createOpenInRunning({ send, sendFile }: OpenInRunningDeps) {
  let path: string | null = null
  let source: OpenedSource | null = null
  let sending: AbortController | null = null

  const set = (next: OpenedSource): void => {
    source = next
    send(next)
  }
  const halt = (): void => {
    sending?.abort()
    sending = null
  }

  function begin(file: string): void {
    const mine = new AbortController()
    sending = mine
    const name = basename(file)
    set({ state: 'sending', name, fraction: 0 })
    let reported = 0
    const onProgress = (fraction: number): void => {
      // Hundredths are enough for a person.
      if (mine.signal.aborted || fraction - reported < 0.01) return
      reported = fraction
      set({ state: 'sending', name, fraction })
    }
    sendFile(file, { signal: mine.signal, onProgress }).then(
      (uploadId) => {
        if (!mine.signal.aborted) set({ state: 'ready', name, uploadId })
      },
      (error: unknown) => {
        if (mine.signal.aborted) return
        set({ state: 'failed', name, why: error instanceof Error ? error.message : String(error) })
      },
    )
  }

  return {
    /** Remembers a file; `resume` sends it. Returns another one whose place it takes, null when there was none. */
    take: (file: string): string | null => {
      halt()
      const before = path === file ? null : path
      path = file
      source = null
      return before
    },
    /** The appliance is running: uploads the file, unless that is done or in progress. */
    resume: (): void => {
      if (path !== null && sending === null) begin(path)
    },
    /** The appliance is not running: an incomplete upload starts over at the next `resume`. */
    pause: (): void => {
      // An upload that is whole is on the disk there, and is found again.
      if (source?.state !== 'ready') halt()
    },
    /** Sends the state to the page again. */
    repeatSource: (): void => {
      if (source !== null) send(source)
    },
    /** The page has started a run of it. */
    forget: (): void => {
      halt()
      path = null
      source = null
    },
  }
}

/** What Cutroom opens; the desktop packages register the same (resources/package/desktop.ts). */
export const OPENED_EXTENSIONS: readonly string[] =
  'mp4 m4v mov mkv webm mxf ts avi mp3 m4a wav flac ogg'.split(' ')

/** Absolute paths of the files among the words; the program itself and its switches are none. */
export function openedFiles(
  words: readonly string[],
  cwd: string,
  isFile: (path: string) => boolean,
): string[] {
  return words
    .slice(1)
    .filter(
      (word) => !word.startsWith('-') && OPENED_EXTENSIONS.includes(extname(word).slice(1).toLowerCase()),
    )
    .map((word) => (isAbsolute(word) ? word : resolve(cwd, word)))
    .filter(isFile)
}

/** Which files were not opened, or are no longer, since `path` was; null when there are none. */
export function sayNotOpened(
  path: string,
  others: readonly string[],
  replaced: string | null,
): string | null {
  const name = basename(path)
  if (others.length > 0) return messages.openedFiles.othersWait(name)
  if (replaced === null) return null
  return messages.openedFiles.replaced(name, basename(replaced))
}
