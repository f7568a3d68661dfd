/** A list that grows page by page, and reloads as far as it is shown. */
import { sentence } from '../ui/attempt.svelte.ts'

interface Page<T> {
  readonly data: readonly T[]
  readonly meta: { readonly nextCursor: string | null }
}

/** `idOf` identifies items; `page`: how many at a time; `most`: how many a reload fetches at most. */
export function createPagedList<T>(
  fetchPage: (query: URLSearchParams) => Promise<Page<T>>,
  { idOf, page, most }: { readonly idOf: (item: T) => string; readonly page: number; readonly most: number },
) {
  let items = $state.raw<readonly T[]>([])
  let nextCursor = $state<string | null>(null)
  let loaded = $state(false)
  let problem = $state<string | null>(null)
  let query: Readonly<Record<string, string>> = {}
  let latestRequest = 0

  async function read(cursor: string | null): Promise<void> {
    const own = ++latestRequest
    const limit = cursor === null ? Math.min(most, Math.max(page, items.length)) : page
    const given = { ...query, limit: String(limit), cursor: cursor ?? '' }
    try {
      const answer = await fetchPage(
        new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')),
      )
      if (own !== latestRequest) return
      items = newestOfEach(cursor === null ? answer.data : [...items, ...answer.data], idOf)
      nextCursor = answer.meta.nextCursor
      problem = null
      loaded = true
    } catch (error) {
      if (own === latestRequest) problem = sentence(error)
    }
  }

  return {
    get items() {
      return items
    },
    /** False before the first answer. */
    get loaded() {
      return loaded
    },
    get hasMore() {
      return nextCursor !== null
    },
    get problem() {
      return problem
    },
    /** Loads from the beginning with these parameters, without the empty ones. Of overlapping requests the last one wins. */
    load(next: Readonly<Record<string, string>>): Promise<void> {
      query = next
      return read(null)
    },
    /** The next page of what was loaded last. */
    more: () => read(nextCursor),
  }
}

/**
 * The items of several pages, each once: an item that moved to a later page while they were read is taken from the
 * later one. PURE.
 */
export function newestOfEach<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  const last = new Map(items.map((item, at) => [idOf(item), at]))
  return items.filter((item, at) => last.get(idOf(item)) === at)
}
