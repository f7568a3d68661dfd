/** Which clips the wall shows, and which of them keys act on. */
import type { ReviewClip, ReviewState } from '../../server/contract/review.ts'
import { extend } from '../clips/selection.ts'

export type Wall = ReturnType<typeof createWall>

export const FILTERS = ['all', 'undecided', 'kept', 'rejected'] as const
export type Filter = (typeof FILTERS)[number]

/** Cards that are shown at first, and with each look further down. */
const PAGE = 60

export function createWall(clipsNow: () => readonly ReviewClip[]) {
  let filter = $state<Filter>('all')
  let shown = $state(PAGE)
  let chosenId = $state<string | null>(null)
  let selected = $state.raw<readonly string[]>([])
  let anchor: string | null = null
  const matching = $derived(
    filter === 'all' ? clipsNow() : clipsNow().filter(({ review }) => review === filter),
  )
  const visible = $derived(matching.slice(0, shown))
  const current = $derived(visible.find(({ id }) => id === chosenId) ?? visible[0] ?? null)
  const countOf = (state: ReviewState): number => clipsNow().filter(({ review }) => review === state).length

  return {
    get filter() {
      return filter
    },
    get matching() {
      return matching
    },
    get visible() {
      return visible
    },
    /** The chosen clip, else the first; null without any. */
    get current() {
      return current
    },
    /** Ids of the clips that something is done to at once. */
    get selected() {
      return selected
    },
    count: (one: Filter): number => (one === 'all' ? clipsNow().length : countOf(one)),
    show: (next: Filter): void => void (filter = next),
    more: (): void => void (shown += PAGE),
    choose: (clipId: string): void => void (chosenId = clipId),
    /** Shows so many cards that this one is among them; undefined where the filter leaves it out. */
    reach(clipId: string): ReviewClip | undefined {
      const index = matching.findIndex(({ id }) => id === clipId)
      shown = Math.max(shown, index + 1)
      return matching[index]
    },
    /** The card so many places further, at most at an edge; more are shown where it is out of what is shown. */
    beside(by: number): ReviewClip | undefined {
      const index = matching.findIndex(({ id }) => id === current?.id)
      const next = Math.min(matching.length - 1, Math.max(0, index + by))
      if (next >= shown) shown += PAGE
      return matching[next]
    },
    /** The next card after this one that nobody has decided about. */
    nextUndecided(clipId: string): ReviewClip | undefined {
      const index = visible.findIndex(({ id }) => id === clipId)
      return visible.slice(index + 1).find(({ review }) => review === 'undecided')
    },
    select({ id }: ReviewClip): void {
      anchor = id
      selected = selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]
    },
    /** Everything from the clip that was selected last. */
    selectTo({ id }: ReviewClip): void {
      const order = matching.map((clip) => clip.id)
      const next = extend({ ids: new Set(selected), anchor }, id, order)
      anchor = next.anchor
      selected = [...next.ids]
    },
    /** Everything that the filter shows. */
    selectAll: (): void => void (selected = matching.map(({ id }) => id)),
    selectNone: (): void => void (selected = []),
  }
}
