/** View state of the timeline: scale, scroll position and selection. */
import { keptOf } from '../../../server/contract/time-map/cut.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'
import { placeOf, playedAxis, secondAt, sourceAxis } from './axis.ts'
import type { ItemLaneName } from './items.ts'
import type { Bounds } from './stretches.ts'
import type { Scrub } from './scrub.svelte.ts'

/** Pixels. */
export const HEAD_WIDTH = 92
/** Pixels of a second, at most. */
const CLOSEST = 600

/** What lanes, tools and the page set and read. */
const newSeen = () => ({
  /** Width of what is seen of the lanes, and what is left of it, pixels. */
  viewWidth: 0,
  scrollLeft: 0,
  /** The view follows the playhead while playing. */
  follow: true,
  /** Snapping is on. */
  snapping: true,
  /** Source second that a drag has snapped to; null: none. */
  snapped: null as number | null,
  /** Keys of what is chosen (items.ts). */
  chosen: new Set() as ReadonlySet<string>,
  /** Changes when colours do. */
  skin: 0,
  /** What scrolls; null while it is not there. */
  scroller: null as HTMLElement | null,
})
type Seen = ReturnType<typeof newSeen>

export type Timeline = ReturnType<typeof createTimeline>

const timelines = new WeakMap<OpenClip, Timeline>()

/** The timeline of an open clip, shared by lanes, panel and keys. */
export function timelineOf(clip: OpenClip, player: Player): Timeline {
  const known = timelines.get(clip)
  if (known?.player === player) return known
  const made = createTimeline(clip, player)
  timelines.set(clip, made)
  return made
}

/** Scrolls the view to `left` pixels: the value at once, the page when it has its new width. */
function scrollView(seen: Seen, left: number): void {
  seen.scrollLeft = left
  requestAnimationFrame(() => {
    if (seen.scroller !== null) seen.scroller.scrollLeft = seen.scrollLeft
  })
}

function createTimeline(clip: OpenClip, player: Player) {
  const seen = $state(newSeen())
  let perSecond = $state(0)
  let played = $state(false)
  const duration = $derived(clip.view.editor.source.durationSeconds)
  const axis = $derived(played ? playedAxis(keptOf(clip.view.edit.cut)) : sourceAxis(duration))
  const width = $derived(Math.ceil(axis.length * perSecond))

  /** Pixels from the beginning of the lanes. */
  const x = (second: number): number => placeOf(axis, second) * perSecond
  const secondAtX = (at: number): number => secondAt(axis, at / Math.max(1e-6, perSecond))
  /** The smallest scale shows everything. */
  const allowed = (next: number): number =>
    Math.min(CLOSEST, Math.max(next, seen.viewWidth / Math.max(1, axis.length)))

  const scrollTo = (left: number): void =>
    scrollView(seen, Math.max(0, Math.min(left, width - seen.viewWidth)))

  /** Where the view stood when the clip last filled it. */
  let filledAt: number | null = null
  const fills = (): boolean => filledAt !== null && Math.abs(seen.scrollLeft - filledAt) < 2

  /** Another scale; what is `anchorX` pixels from the left edge of the view, or the playhead, stays there. */
  function zoom(next: number, anchorX = x(player.view.seconds) - seen.scrollLeft): void {
    const anchor = anchorX >= 0 && anchorX <= seen.viewWidth ? anchorX : seen.viewWidth / 2
    const place = (seen.scrollLeft + anchor) / Math.max(1e-6, perSecond)
    perSecond = allowed(next)
    scrollTo(place * perSecond - anchor)
    filledAt = null
  }

  /** Fits the clip and its surroundings in the view. */
  function fit(): void {
    const { range } = clip.view.editor.source
    const [from, to] = played ? [0, axis.length] : [range.start, range.end]
    perSecond = allowed(seen.viewWidth / Math.max(1, to - from))
    scrollTo(from * perSecond)
    filledAt = seen.scrollLeft
  }

  return {
    clip,
    player,
    seen,
    x,
    zoom,
    fit,
    get axis() {
      return axis
    },
    /** Pixels of a second of the axis. */
    get perSecond() {
      return perSecond
    },
    /** Width of the whole lanes, pixels. */
    get width() {
      return width
    },
    /** Source seconds in which something can lie. */
    get bounds(): Bounds {
      return { start: 0, end: duration }
    },
    /** Only what is played is shown, segment after segment. */
    get played() {
      return played
    },
    setPlayed(next: boolean): void {
      const centre = secondAtX(seen.scrollLeft + seen.viewWidth / 2)
      played = next
      perSecond = allowed(perSecond)
      scrollTo(x(centre) - seen.viewWidth / 2)
      filledAt = null
    },
    /** The source second under a pointer. */
    secondUnder(clientX: number): number {
      const left = seen.scroller?.getBoundingClientRect().left ?? 0
      return secondAtX(clientX - left - HEAD_WIDTH + seen.scrollLeft)
    },
    /** Selects one item; `extend` adds it to the selection or removes it. */
    choose(key: string, extend: boolean): void {
      const rest = [...seen.chosen].filter((one) => one !== key)
      seen.chosen = new Set(!extend ? [key] : seen.chosen.has(key) ? rest : [...rest, key])
    },
    /** The view has a new width: a fitted clip is fitted again, any other scale stays where possible. */
    resize(viewWidth: number): void {
      const filled = fills()
      seen.viewWidth = viewWidth
      if (filled) fit()
      else if (perSecond !== allowed(perSecond)) zoom(perSecond)
    },
    /** Whether something at this place of the lanes, pixels, is in view or about to be. */
    isSeen: ({ left, width }: { readonly left: number; readonly width: number }): boolean =>
      left < seen.scrollLeft + seen.viewWidth + 200 && left + width > seen.scrollLeft - 200,
    /** Scrolls a source second into view. */
    show(second: number): void {
      const at = x(second)
      if (at < seen.scrollLeft || at > seen.scrollLeft + seen.viewWidth) scrollTo(at - seen.viewWidth * 0.15)
    },
  }
}

/** Props of each lane. */
export interface LaneProps {
  /** Of a lane with items. */
  readonly part?: ItemLaneName | undefined
  readonly timeline: Timeline
  readonly scrub: Scrub
}
