/** Chooses the library video for the other half of a split clip, for nodes that name no video themselves. */
import { existsSync } from 'node:fs'
import { storedFileAddress } from '../../../contract/asset.ts'
import type { ClipDocument } from '../../../contract/clip.ts'
import type { PickedVideo } from '../../../contract/clip-broll.ts'
import { listFolders, listItems, type LibraryItemRow } from '../../../db/library.ts'
import type { Run } from '../../../db/runs.ts'
import { listSecondVideoCategories } from '../../../nodes/index.ts'
import { digestOf, sourcePath } from '../../../../workers/artefacts.ts'
import type { Services } from '../../services.ts'

export interface SecondVideoChooser {
  /** The document with the chosen videos; unchanged where there is none to choose. */
  choose(document: ClipDocument): ClipDocument
  /** One for each video of the library whose file is missing. */
  readonly warnings: readonly string[]
}

/** Folders and tags to search when the node names no category. */
const DEFAULT_CATEGORIES = ['brainrot', 'gameplay']

const normalize = (text: string): string => text.trim().toLowerCase()

/** Null for a run whose nodes name every video themselves. */
export function createSecondVideoChooser(
  { db, home }: Pick<Services, 'db' | 'home'>,
  run: Run,
): SecondVideoChooser | null {
  const categories = listSecondVideoCategories(run.snapshot.nodes)
  if (categories.length === 0) return null
  const folders = new Map(listFolders(db, run.companyId).map(({ id, name }) => [id, normalize(name)]))
  const videos = listItems(db, run.companyId).filter(({ kind }) => kind === 'video')
  const warnings: string[] = []
  const available = videos.filter(({ digest, name }) => {
    if (existsSync(sourcePath(home.sources, digest))) return true
    warnings.push(`add_brainrot: the file of "${name}" in the library is gone. Add it again.`)
    return false
  })
  const candidates = categories.map((category) => {
    const names = category === '' ? DEFAULT_CATEGORIES : [category]
    const matches = ({ folderId, tags }: LibraryItemRow): boolean =>
      names.some((name) => folders.get(folderId ?? '') === name || tags.includes(name))
    return { category, items: available.filter(matches) }
  })
  return {
    choose: (document) => {
      const picked = candidates.flatMap(({ category, items }) =>
        pickVideo(document.clipHash, category, items),
      )
      return picked.length === 0 ? document : { ...document, secondVideos: picked }
    },
    warnings,
  }
}

/** Picks by a rank of clip and file, so that a clip keeps its video unless a new one ranks higher. */
function pickVideo(clipHash: string, category: string, items: readonly LibraryItemRow[]): PickedVideo[] {
  const ranked = items
    .map((item) => ({ item, rank: digestOf({ clip: clipHash, digest: item.digest }) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const first = ranked[0]?.item
  return first === undefined ? [] : [{ category, url: storedFileAddress(first.digest), name: first.name }]
}
