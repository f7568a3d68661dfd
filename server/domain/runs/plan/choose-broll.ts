/** Chooses the b-roll of a run's clips from the company's library and from the results of stock services. */
import { existsSync } from 'node:fs'
import { storedFileAddress } from '../../../contract/asset.ts'
import type { BrollCandidate, PickedVideo } from '../../../contract/clip-broll.ts'
import type { ClipDocument } from '../../../contract/clip.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import type { TranscriptWord } from '../../../contract/transcript.ts'
import { listFolders, listItems, type LibraryItemRow } from '../../../db/library.ts'
import type { Run } from '../../../db/runs.ts'
import { brollSettings, clipBroll, listSecondVideoCategories } from '../../../nodes/index.ts'
import { sourcePath, digestOf } from '../../../../workers/artefacts.ts'
import { BROLL_SERVICES } from './broll-providers.ts'
import { foundBroll } from './plan-broll.ts'
import type { SlotResults } from './plan-draft.ts'
import type { HomeServices } from '../../services.ts'

export interface BrollChooser {
  /** Returns the document with its b-roll. */
  choose(document: ClipDocument, words: readonly TranscriptWord[], facts: SourceFacts): ClipDocument
  /** Call after its clips: what was missing, and the credits. `all`: every clip of the source, once they are drafted. */
  warnings(all: readonly ClipDocument[]): string[]
}

/** Null for a run without the node `add_broll`. */
export function createBrollChooser(
  services: HomeServices,
  run: Run,
  results: SlotResults,
): BrollChooser | null {
  const settings = brollSettings(run.snapshot.nodes)
  if (settings === null) return null
  const warnings: string[] = []
  const libraryItems = settings.useLibrary
    ? listLibraryBroll(services, run.companyId, settings.folders, warnings)
    : []
  const found = foundBroll(run.snapshot, results)
  const candidates = [...libraryItems, ...found]
  if (candidates.length === 0)
    warnings.push(
      settings.useLibrary
        ? 'add_broll: there is nothing to show. Add pictures to the library with: cutroom library add DIR'
        : 'add_broll: there is nothing to show: the library is not to be used (use_broll_library), and no service offered anything.',
    )
  const credits = new Set<string>()
  const { frequency, prompt } = settings
  return {
    choose: (document, words, facts) => {
      const broll = clipBroll({ document, words, facts, candidates, frequency, prompt })
      for (const { provider, credit } of broll.inserts) {
        if (provider !== 'library' && credit !== '')
          credits.add(`${BROLL_SERVICES[provider].label}: ${credit}`)
      }
      return { ...document, broll }
    },
    warnings: (all) => {
      const named = [...credits].map((credit) => `add_broll: name the maker of a picture. ${credit}`)
      const without = all.filter((document) => document.broll?.inserts.length === 0)
      if (without.length === 0 || candidates.length === 0) return [...warnings, ...named]
      const clips = `${without.length} of ${all.length} clips`
      const none = `add_broll: ${clips} have none, because nothing that is said there is a tag of a picture.`
      return [...warnings, none, ...named]
    },
  }
}

function listLibraryBroll(
  { db, home }: HomeServices,
  companyId: string,
  folders: readonly string[],
  warnings: string[],
): BrollCandidate[] {
  const known = new Set(listFolders(db, companyId).map(({ id }) => id))
  for (const id of folders.filter((folder) => !known.has(folder))) {
    warnings.push(`add_broll: the library has no folder "${id.slice(0, 60)}" (library_folder_ids).`)
  }
  return listItems(db, companyId)
    .filter(({ folderId }) => folders.length === 0 || (folderId !== null && folders.includes(folderId)))
    .flatMap(({ id, kind, digest, name, tags, durationMs }): BrollCandidate[] => {
      if (kind === 'audio' || kind === 'font') return []
      if (!existsSync(sourcePath(home.sources, digest))) {
        warnings.push(`add_broll: the file of "${name}" in the library is gone. Add it again.`)
        return []
      }
      const durationSeconds = durationMs === null ? null : durationMs / 1000
      const url = storedFileAddress(digest)
      return [{ id, provider: 'library', kind, url, name, tags, durationSeconds, credit: '' }]
    })
}

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
export function createSecondVideoChooser({ db, home }: HomeServices, run: Run): SecondVideoChooser | null {
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

/** Picks by a rank of clip and file, so that a clip has the same video unless a new one ranks higher. */
function pickVideo(clipHash: string, category: string, items: readonly LibraryItemRow[]): PickedVideo[] {
  const ranked = items
    .map((item) => ({ item, rank: digestOf({ clip: clipHash, digest: item.digest }) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
  const first = ranked[0]?.item
  return first === undefined ? [] : [{ category, url: storedFileAddress(first.digest), name: first.name }]
}
