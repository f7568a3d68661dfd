/** Chooses the b-roll of a run's clips from the company's library and from the results of stock services. */
import { existsSync } from 'node:fs'
import { storedFileAddress } from '../../../contract/asset.ts'
import type { BrollCandidate } from '../../../contract/clip-broll.ts'
import type { ClipDocument } from '../../../contract/clip.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import type { TranscriptWord } from '../../../contract/transcript.ts'
import { listFolders, listItems } from '../../../db/library.ts'
import type { Run } from '../../../db/runs.ts'
import { brollSettings, clipBroll } from '../../../nodes/index.ts'
import { sourcePath } from '../../../../workers/artefacts.ts'
import { BROLL_SERVICES } from './broll-providers.ts'
import { foundBroll } from './plan-broll.ts'
import type { SlotResults } from './plan-draft.ts'
import type { Services } from '../../services.ts'

export interface BrollChooser {
  /** Returns the document with its b-roll. */
  choose(document: ClipDocument, words: readonly TranscriptWord[], facts: SourceFacts): ClipDocument
  /** Call after the last clip: what was missing, and who must be credited. */
  warnings(): string[]
}

type Dependencies = Pick<Services, 'db' | 'home'>

/** Null for a run without the node `add_broll`. */
export function createBrollChooser(
  services: Dependencies,
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
  if (candidates.length === 0) {
    warnings.push(
      settings.useLibrary
        ? 'add_broll: there is nothing to show. Add pictures to the library with: cutroom library add DIR'
        : 'add_broll: there is nothing to show: the library is not to be used (use_broll_library), and no service offered anything.',
    )
  }
  const credits = new Set<string>()
  const chosen = new Set<ClipDocument>()
  const without = new Set<ClipDocument>()
  const { frequency, prompt } = settings
  return {
    choose: (document, words, facts) => {
      const broll = clipBroll({ document, words, facts, candidates, frequency, prompt })
      ;(broll.inserts.length === 0 ? without : chosen).add(document)
      for (const { provider, credit } of broll.inserts) {
        if (provider !== 'library' && credit !== '')
          credits.add(`${BROLL_SERVICES[provider].label}: ${credit}`)
      }
      return { ...document, broll }
    },
    warnings: () => {
      const named = [...credits].map((credit) => `add_broll: name the maker of a picture. ${credit}`)
      if (without.size === 0 || candidates.length === 0) return [...warnings, ...named]
      const clips = `${without.size} of ${without.size + chosen.size} clips`
      const none = `add_broll: ${clips} have none, because nothing that is said there is a tag of a picture.`
      return [...warnings, none, ...named]
    },
  }
}

function listLibraryBroll(
  { db, home }: Dependencies,
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
      if (kind === 'audio') return []
      if (!existsSync(sourcePath(home.sources, digest))) {
        warnings.push(`add_broll: the file of "${name}" in the library is gone. Add it again.`)
        return []
      }
      const durationSeconds = durationMs === null ? null : durationMs / 1000
      const url = storedFileAddress(digest)
      return [{ id, provider: 'library', kind, url, name, tags, durationSeconds, credit: '' }]
    })
}
