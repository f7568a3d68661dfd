/** The company's library, for the forms of workflows: read once for all fields of a page. */
import { LIBRARY_KINDS, type Library } from '../../server/contract/library.ts'
import { call } from '../state/api.ts'
import { shownCompany } from '../state/company.ts'

const EMPTY: Library = { folders: [], items: [] }
let found = $state.raw<{ readonly company: string | null; readonly library: Library } | null>(null)

/** Empty while it is being read, and where it cannot be. */
export const library = (): Library => (found?.company === shownCompany() ? found.library : EMPTY)

/** Reads it again. */
export async function readLibrary(): Promise<void> {
  const company = shownCompany()
  const lists = await Promise.all(LIBRARY_KINDS.map((kind) => call<Library>(`/studio/library?kind=${kind}`)))
  const items = lists.flatMap((list) => list.items)
  found = { company, library: { folders: lists[0]?.folders ?? [], items } }
}
