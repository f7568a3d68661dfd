/** Which of the words that a program was started with are videos to open. */
import { basename, extname, isAbsolute, resolve } from 'node:path'
import { messages } from './messages.ts'

/** What Cutroom opens; the desktop packages register the same (resources/package/desktop.ts). */
export const OPENED_EXTENSIONS: readonly string[] = [
  'mp4',
  'm4v',
  'mov',
  'mkv',
  'webm',
  'mxf',
  'ts',
  'avi',
  'mp3',
  'm4a',
  'wav',
  'flac',
  'ogg',
]

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
