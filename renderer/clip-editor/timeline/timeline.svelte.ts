/** View state of the timeline: scale, scroll position and selection. */
import { keptOf } from '../../../server/nodes/editing/cut.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Player } from '../player.svelte.ts'
import { placeOf, playedAxis, secondAt, sourceAxis, type Axis } from './axis.ts'
import type { ItemLaneName } from './items.ts'
import type { Bounds } from './stretches.ts'
import type { Scrub } from './scrub.svelte.ts'

/** Pixels. */
export const HEAD_WIDTH = 92
/** Pixels of a second, at most. */
const CLOSEST = 600

/** What lanes, tools and the page set and read. */
export interface Seen {
  /** Width of what is seen of the lanes, and what is left of it, pixels. */
  viewWidth: number
  scrollLeft: number
  /** The view follows the playhead while playing. */
  follow: boolean
  /** Snapping is on. */
  snapping: boolean
  /** Source second that a drag has snapped to; null: none. */
  snapped: number | null
  /** Keys of what is chosen (items.ts). */
  chosen: ReadonlySet<string>
  /** Changes when colours do. */
  skin: number
  /** What scrolls; null while it is not there. */
  scroller: HTMLElement | null
}

export interface Timeline {
  readonly clip: OpenClip
  readonly player: Player
  readonly seen: Seen
  readonly axis: Axis
  /** Pixels of a second of the axis. */
  readonly perSecond: number
  /** Width of the whole lanes, pixels. */
  readonly width: number
  /** Source seconds in which something can lie. */
  readonly bounds: Bounds
  /** Only what is played is seen, piece after piece. */
  readonly played: boolean
  setPlayed(played: boolean): void
  /** Pixels from the beginning of the lanes. */
  x(second: number): number
  /** The source second under a pointer. */
  secondUnder(clientX: number): number
  /** Selects one item; `extend` adds it to the selection or removes it. */
  choose(key: string, extend: boolean): void
  /** Another scale; what is `anchorX` pixels from the left edge of the view, or the playhead, stays there. */
  zoom(perSecond: number, anchorX?: number): void
  /** Fits the clip and its surroundings in the view. */
  fit(): void
  /** The view has a new width in pixels: a fitted clip is fitted again, any other scale stays where possible. */
  resize(viewWidth: number): void
  /** Scrolls a source second into view. */
  show(second: number): void
  /** Whether something at this place of the lanes, pixels, is in view or about to be. */
  isSeen(place: { readonly left: number; readonly width: number }): boolean
}

const timelines = new WeakMap<OpenClip, Timeline>()

/** The timeline of an open clip, shared by lanes, panel and keys. */
export function timelineOf(clip: OpenClip, player: Player): Timeline {
  const known = timelines.get(clip)
  if (known?.player === player) return known
  const made = createTimeline(clip, player)
  timelines.set(clip, made)
  return made
}

const newSeen = (): Seen => ({
  viewWidth: 0,
  scrollLeft: 0,
  follow: true,
  snapping: true,
  snapped: null,
  chosen: new Set<string>(),
  skin: 0,
  scroller: null,
})

/** Scrolls the view to `left` pixels: the value at once, the page when it has its new width. */
function scrollView(seen: Seen, left: number): void {
  seen.scrollLeft = left
  requestAnimationFrame(() => {
    if (seen.scroller !== null) seen.scroller.scrollLeft = seen.scrollLeft
  })
}

function createTimeline(clip: OpenClip, player: Player): Timeline {
  const seen = $state<Seen>(newSeen())
  let perSecond = $state(0)
  let played = $state(false)
  const duration = $derived(clip.view.editor.source.durationSeconds)
  const axis = $derived(played ? playedAxis(keptOf(clip.view.edit.cut)) : sourceAxis(duration))
  const width = $derived(Math.ceil(axis.length * perSecond))

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

  function zoom(next: number, anchorX = x(player.view.seconds) - seen.scrollLeft): void {
    const anchor = anchorX >= 0 && anchorX <= seen.viewWidth ? anchorX : seen.viewWidth / 2
    const place = (seen.scrollLeft + anchor) / Math.max(1e-6, perSecond)
    perSecond = allowed(next)
    scrollTo(place * perSecond - anchor)
    filledAt = null
  }

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
    get perSecond() {
      return perSecond
    },
    get width() {
      return width
    },
    get bounds() {
      return { start: 0, end: duration }
    },
    get played() {
      return played
    },
    setPlayed(next) {
      const centre = secondAtX(seen.scrollLeft + seen.viewWidth / 2)
      played = next
      perSecond = allowed(perSecond)
      scrollTo(x(centre) - seen.viewWidth / 2)
      filledAt = null
    },
    secondUnder(clientX) {
      const left = seen.scroller?.getBoundingClientRect().left ?? 0
      return secondAtX(clientX - left - HEAD_WIDTH + seen.scrollLeft)
    },
    choose(key, extend) {
      const rest = [...seen.chosen].filter((one) => one !== key)
      seen.chosen = new Set(!extend ? [key] : seen.chosen.has(key) ? rest : [...rest, key])
    },
    resize(viewWidth) {
      const filled = fills()
      seen.viewWidth = viewWidth
      if (filled) fit()
      else if (perSecond !== allowed(perSecond)) zoom(perSecond)
    },
    isSeen: ({ left, width }) =>
      left < seen.scrollLeft + seen.viewWidth + 200 && left + width > seen.scrollLeft - 200,
    show(second) {
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
