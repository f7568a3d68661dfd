/** Decides which files of a watched folder are complete, and which are known. No I/O. */
import type { KnownFile } from '../../db/watch.ts'
import type { SeenVideo } from './find-videos.ts'

/** Since when files have not changed, by path. */
export type Unchanged = ReadonlyMap<string, { readonly stamp: string; readonly since: number }>

/** Changes with the content of a video and of its subtitles. File numbers are left out: some shares give new ones. */
export const stampOf = ({ bytes, modifiedAt, sidecars }: SeenVideo): string =>
  `${bytes} ${modifiedAt}\n${sidecars}`

/**
 * Splits files into those that have not changed for `settleMs` and those that settle still. Times are of a clock that
 * only goes forward, and never those of files: the clock of a share may be another one.
 */
export function settleFiles(
  seen: readonly SeenVideo[],
  before: Unchanged,
  { now, settleMs }: { readonly now: number; readonly settleMs: number },
): { readonly unchanged: Unchanged; readonly complete: readonly SeenVideo[]; readonly settling: number } {
  const unchanged = new Map<string, { readonly stamp: string; readonly since: number }>()
  const complete: SeenVideo[] = []
  for (const file of seen) {
    const stamp = stampOf(file)
    const earlier = before.get(file.path)
    const since = earlier?.stamp === stamp ? earlier.since : now
    unchanged.set(file.path, { stamp, since })
    if (now - since >= settleMs) complete.push(file)
  }
  return { unchanged, complete, settling: seen.length - complete.length }
}

export interface Recognised {
  /** Files that were not met with this content. */
  readonly unknown: readonly SeenVideo[]
  /** Known files that have another path or other file numbers now. */
  readonly moved: readonly { readonly id: string; readonly file: SeenVideo }[]
}

const contentOf = ({ fileId, bytes, modifiedAt }: Pick<KnownFile, 'fileId' | 'bytes' | 'modifiedAt'>) =>
  `${fileId} ${bytes} ${modifiedAt}`

/**
 * A file is known by its path, size and time; or by its file number, size and time where its old path is gone (it was
 * renamed or moved). `known`: oldest first.
 */
export function recogniseFiles(seen: readonly SeenVideo[], known: readonly KnownFile[]): Recognised {
  const byPath = new Map(known.map((file) => [file.path, file]))
  const byContent = new Map(known.map((file) => [contentOf(file), file]))
  const present = new Set(seen.map(({ path }) => path))
  const unknown: SeenVideo[] = []
  const moved: { id: string; file: SeenVideo }[] = []
  for (const file of seen) {
    const here = byPath.get(file.path)
    if (here?.bytes === file.bytes && here.modifiedAt === file.modifiedAt) {
      if (here.fileId !== file.fileId) moved.push({ id: here.id, file })
      continue
    }
    const before = byContent.get(contentOf(file))
    if (before !== undefined && !present.has(before.path)) moved.push({ id: before.id, file })
    else unknown.push(file)
  }
  return { unknown, moved }
}
