/** A list that grows page by page, and reloads as far as it is shown. */
import { sentence } from '../ui/attempt.svelte.ts'

interface PageMeta {
  readonly nextCursor: string | null
}
interface Page<T, M> {
  readonly data: readonly T[]
  readonly meta: M
}

/** `idOf` identifies items; `page`: how many at a time; `most`: how many a reload fetches at most. */
export function createPagedList<T, M extends PageMeta>(
  fetchPage: (query: URLSearchParams) => Promise<Page<T, M>>,
  { idOf, page, most }: { readonly idOf: (item: T) => string; readonly page: number; readonly most: number },
) {
  let items = $state.raw<readonly T[]>([])
  let meta = $state.raw<M | null>(null)
  let loading = $state(false)
  let loaded = $state(false)
  let problem = $state<string | null>(null)
  let query: Readonly<Record<string, string>> = {}
  let latestRequest = 0

  async function read(cursor: string | null): Promise<void> {
    const own = ++latestRequest
    loading = true
    const limit = cursor === null ? Math.min(most, Math.max(page, items.length)) : page
    const given = { ...query, limit: String(limit), cursor: cursor ?? '' }
    try {
      const answer = await fetchPage(
        new URLSearchParams(Object.entries(given).filter(([, value]) => value !== '')),
      )
      if (own !== latestRequest) return
      items = newestOfEach(cursor === null ? answer.data : [...items, ...answer.data], idOf)
      meta = { ...meta, ...answer.meta }
      problem = null
      loaded = true
    } catch (error) {
      if (own === latestRequest) problem = sentence(error)
    } finally {
      if (own === latestRequest) loading = false
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
    get loading() {
      return loading
    },
    /** What the pages say of the whole list; null before the first answer. */
    get meta() {
      return meta
    },
    get hasMore() {
      return meta !== null && meta.nextCursor !== null
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
    more: () => read(meta?.nextCursor ?? null),
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
