/** Which video of the company's library plays in the other half of a clip, for nodes that leave the choice to us. */
import { existsSync } from 'node:fs'
import { storedFileAddress } from '../../../contract/asset.ts'
import type { ClipDocument } from '../../../contract/clip.ts'
import type { PickedVideo } from '../../../contract/clip-second-video.ts'
import { listFolders, listItems, type LibraryItemRow } from '../../../db/library.ts'
import type { Run } from '../../../db/runs.ts'
import { listSecondVideoCategories } from '../../../nodes/index.ts'
import { digestOf, sourcePath } from '../../../../workers/artefacts.ts'
import type { Services } from '../../services.ts'

export interface SecondVideoChooser {
  /** The document with the videos that its nodes left to us; unchanged where there is none to pick. */
  choose(document: ClipDocument): ClipDocument
  /** Videos of the library whose files are gone. */
  readonly warnings: readonly string[]
}

/** Folders and tags that are looked for when no category is named. */
const USUAL = ['brainrot', 'gameplay']

const plain = (text: string): string => text.trim().toLowerCase()

/** Null for a run whose nodes leave nothing to us. */
export function secondVideoChooser(
  { db, home }: Pick<Services, 'db' | 'home'>,
  run: Run,
): SecondVideoChooser | null {
  const wishes = listSecondVideoCategories(run.snapshot.nodes)
  if (wishes.length === 0) return null
  const folders = new Map(listFolders(db, run.companyId).map(({ id, name }) => [id, plain(name)]))
  const videos = listItems(db, run.companyId).filter(({ kind }) => kind === 'video')
  const warnings: string[] = []
  const there = videos.filter(({ digest, name }) => {
    if (existsSync(sourcePath(home.sources, digest))) return true
    warnings.push(`add_brainrot: the file of "${name}" in the library is gone. Add it again.`)
    return false
  })
  const candidates = wishes.map((category) => {
    const names = category === '' ? USUAL : [category]
    const counts = ({ folderId, tags }: LibraryItemRow): boolean =>
      names.some((name) => folders.get(folderId ?? '') === name || tags.includes(name))
    return { category, items: there.filter(counts) }
  })
  return {
    choose: (document) => {
      const picked = candidates.flatMap(({ category, items }) => pick(document.clipHash, category, items))
      return picked.length === 0 ? document : { ...document, secondVideos: picked }
    },
    warnings,
  }
}

/** The same one for a clip as long as it is there, whatever is added beside it, unless the new one ranks higher. */
function pick(clipHash: string, category: string, items: readonly LibraryItemRow[]): PickedVideo[] {
  const ranked = items
    .map((item) => ({ item, rank: digestOf({ clip: clipHash, digest: item.digest }) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const first = ranked[0]?.item
  return first === undefined ? [] : [{ category, url: storedFileAddress(first.digest), name: first.name }]
}
