/** The library as it is shown: its items, and one deletion that can be undone. */
import type { LibraryItem } from '../../server/contract/library.ts'
import { media as messages } from '../messages/library.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import { deleteMedia, loadMedia, renameMedia } from './api.ts'
import { createSending } from './sending.svelte.ts'

/** So long a deletion can be undone. */
const UNDO_MS = 8000

export function openMedia() {
  let items = $state.raw<readonly LibraryItem[] | null>(null)
  /** Why there is nothing to show. */
  let problem = $state<string | null>(null)
  /** How files and deletions ended that were refused. */
  let said = $state.raw<readonly string[]>([])
  let going = $state.raw<LibraryItem | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function refresh(): Promise<void> {
    try {
      items = await loadMedia()
      problem = null
    } catch (error) {
      problem = sentence(error)
    }
  }

  const say = (what: string): void => void (said = [...said, what])
  const sending = createSending({ onadded: refresh, say })

  /** Deletes what was to be deleted. `last`: the window is closing. */
  function settle(last = false): void {
    clearTimeout(timer)
    const item = going
    going = null
    if (item === null) return
    deleteMedia(item.id, last).then(
      () => (items = items?.filter(({ id }) => id !== item.id) ?? null),
      (error: unknown) => say(messages.kept(item.name, sentence(error))),
    )
  }
  void refresh()

  return {
    /** Null: not known yet. */
    get items() {
      return items === null || going === null ? items : items.filter(({ id }) => id !== going?.id)
    },
    get problem() {
      return problem
    },
    get sending() {
      return sending.all
    },
    get said() {
      return said
    },
    /** What was just deleted, while that can be undone. */
    get going() {
      return going
    },
    refresh,
    add(files: readonly File[]): void {
      said = []
      sending.add(files)
    },
    cancel: sending.cancel,
    /** Throws RequestRefused. */
    async rename(id: string, name: string): Promise<void> {
      const { item } = await renameMedia(id, name)
      items = items?.map((one) => (one.id === id ? { ...one, name: item.name } : one)) ?? null
    },
    remove(item: LibraryItem): void {
      settle()
      going = item
      timer = setTimeout(settle, UNDO_MS)
    },
    undo(): void {
      clearTimeout(timer)
      going = null
    },
    settle,
    dismiss: (): void => void (said = []),
  }
}
