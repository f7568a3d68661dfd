/** Edits on the timeline, each one undo step. */
import type { BrollInsert } from '../../../server/contract/clip-broll.ts'
import type { MotionConfig } from '../../../server/contract/motion-config.ts'
import type { ManualOverlay } from '../../../server/contract/manual-overrides/overlays.ts'
import { join, moveEdge, removePieces, restore, setRate, split } from '../../../server/nodes/editing/cut.ts'
import { keptOf, pieceAt } from '../../../server/contract/time-map/cut.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import { chosenOf, itemLane, ITEM_LANES, keyOf, type Chosen, type ItemLaneName } from './items.ts'
import { freeId, newText, newZoom } from '../../../server/nodes/editing/new-items.ts'
import { joinsOf, motionOf, withJoin } from './motion.ts'
import { insertItem, type Placed } from './stretches.ts'
import type { OpenClip } from '../open-clip.svelte.ts'
import type { Timeline } from './timeline.svelte.ts'
import { panels as messages } from '../../messages/editor.ts'

/** Seconds. */
const NEW_ITEM = 2
const KEY_STEP = 0.1

/** The copied items and their lanes. */
let copied: readonly { readonly lane: ItemLaneName; readonly item: Placed }[] = []

const chosenItems = (timeline: Timeline): Chosen[] =>
  [...timeline.seen.chosen].map(chosenOf).filter((one) => one !== null)

/** The items of a lane that are chosen. */
export function chosenIds(timeline: Timeline, lane: ItemLaneName): string[] {
  return chosenItems(timeline).flatMap((one) => (one.lane === lane && 'id' in one ? [one.id] : []))
}

function setCut(clip: OpenClip, cut: ClipEdit['cut']): void {
  if (cut !== clip.view.edit.cut) clip.change({ cut })
}

/** Splits the segment at the playhead; does nothing at its edges. */
export function splitHere({ clip, player }: Pick<Timeline, 'clip' | 'player'>): void {
  setCut(clip, split(clip.view.edit.cut, player.view.frameStart))
}

/** Deletes the selection as one step; what follows a deleted segment closes the gap. */
export function removeChosen(timeline: Timeline): void {
  const { clip } = timeline
  const { view } = clip
  const chosen = chosenItems(timeline)
  const pieces = chosen.flatMap((one) => (one.lane === 'cut' ? [one.index] : []))
  let next: Partial<ClipEdit> = {}
  const cut = removePieces(view.edit.cut, pieces)
  if (cut !== view.edit.cut) next = { cut }
  for (const name of Object.keys(ITEM_LANES) as ItemLaneName[]) {
    const ids = chosenIds(timeline, name)
    if (ids.length === 0) continue
    const lane = itemLane(name)
    next = { ...next, ...lane.write(lane.read(view).filter(({ id }) => !ids.includes(id))) }
  }
  const joins = chosen.flatMap((one) => (one.lane === 'joins' ? [one.at] : []))
  if (joins.length > 0) next = { ...next, motionConfig: withoutTransitions(view, joins) }
  timeline.seen.chosen = new Set()
  if (Object.keys(next).length === 0) return
  clip.change(next)
  // The focused element is gone.
  timeline.seen.scroller?.focus({ preventScroll: true })
}

/** The configuration in which these cuts have no transition. */
function withoutTransitions({ edit, preview }: OpenClip['view'], joins: readonly number[]): MotionConfig {
  return joinsOf(preview.composition, motionOf(edit))
    .filter(({ at }) => joins.includes(at))
    .reduce((config, join) => withJoin(config, join, { transition: 'none' }), motionOf(edit))
}

/** Joins adjacent segments of the selection; all of them when nothing is selected. */
export function joinPieces({ clip }: Timeline): void {
  setCut(clip, join(clip.view.edit.cut))
}

/** Trims the segment under the playhead to it. */
export function trimToPlayhead({ clip, player, bounds }: Timeline, side: 'start' | 'end'): void {
  const { cut } = clip.view.edit
  const { seconds, frameStart } = player.view
  const index = pieceAt(cut, seconds)
  if (index === -1) return
  clip.change({ cut: moveEdge(cut, { index, side }, frameStart, bounds) })
}

/** Restores what was removed between a segment and the next one. */
export function fillGap({ clip }: Timeline, index: number): void {
  const kept = keptOf(clip.view.edit.cut)
  const one = kept[index]
  const next = kept[index + 1]
  if (one !== undefined && next !== undefined)
    clip.change({ cut: restore(clip.view.edit.cut, one.end, next.start) })
}

export function changeRate({ clip }: Timeline, index: number, rate: number): void {
  setCut(clip, setRate(clip.view.edit.cut, index, rate))
}

/** Adds an item to its lane, shorter where space is short, and selects it. False: no free space. */
function addItem(timeline: Timeline, name: ItemLaneName, item: Placed): boolean {
  const { clip, bounds } = timeline
  const lane = itemLane(name)
  const items = insertItem(lane.read(clip.view), item, { bounds, apart: lane.apart })
  if (items === null) return false
  clip.change(lane.write(items))
  timeline.seen.chosen = new Set([keyOf({ lane: name, id: item.id })])
  return true
}

const here = ({ player }: Timeline, start = player.view.frameStart): { start: number; end: number } => ({
  start,
  end: start + NEW_ITEM,
})

const itemsOf = ({ clip }: Timeline, lane: ItemLaneName): readonly Placed[] => itemLane(lane).read(clip.view)

const newId = (timeline: Timeline, lane: ItemLaneName, name: string): string =>
  freeId(name, itemsOf(timeline, lane))

export function addZoom(timeline: Timeline): boolean {
  return addItem(timeline, 'zooms', newZoom(itemsOf(timeline, 'zooms'), here(timeline)))
}

export function addText(timeline: Timeline): boolean {
  return addItem(timeline, 'overlays', newText(itemsOf(timeline, 'overlays'), here(timeline)))
}

/** A picture or a video that was picked. */
export interface Picked {
  readonly url: string
  readonly kind: 'image' | 'video'
  readonly name: string
}

/** `at`: second of the source; the playhead unless it is given. */
export function addMedia(timeline: Timeline, { url }: Picked, at?: number): boolean {
  const overlay: ManualOverlay = {
    kind: 'media',
    id: newId(timeline, 'overlays', 'picture'),
    ...here(timeline, at),
    url,
    widthPercent: 40,
    xPercent: 50,
    yPercent: 30,
    opacity: 1,
    fadeSeconds: 0,
  }
  return addItem(timeline, 'overlays', overlay)
}

/** `at`: second of the source; the playhead unless it is given. */
export function addBroll(timeline: Timeline, { url, kind, name }: Picked, at?: number): boolean {
  const insert: BrollInsert = {
    id: newId(timeline, 'broll', 'broll'),
    ...here(timeline, at),
    provider: 'library',
    kind,
    url,
    sourceStart: 0,
    matched: '',
    name,
    credit: '',
  }
  return addItem(timeline, 'broll', insert)
}

/** Copies the selected zooms, b-roll and overlays; returns how many. */
export function copyChosen(timeline: Timeline): number {
  const { view } = timeline.clip
  const found = chosenItems(timeline).flatMap((one) => {
    if (!('id' in one)) return []
    const item = itemLane(one.lane)
      .read(view)
      .find(({ id }) => id === one.id)
    return item === undefined ? [] : [{ lane: one.lane, item }]
  })
  if (found.length > 0) copied = found
  return found.length
}

/** Pastes at the playhead with the same distances, as one step. */
export function paste(timeline: Timeline): void {
  const { clip, player, bounds } = timeline
  const first = Math.min(...copied.map(({ item }) => item.start))
  let edit: Partial<ClipEdit> = {}
  const keys = new Set<string>()
  for (const { lane: name, item } of copied) {
    const lane = itemLane(name)
    const before = lane.read({ ...clip.view, edit: { ...clip.view.edit, ...edit } })
    const moved = player.view.frameStart - first
    const placed = {
      ...item,
      id: freeId(item.id.replace(/-\d+$/u, ''), before),
      start: item.start + moved,
      end: item.end + moved,
    }
    const items = insertItem(before, placed, { bounds, apart: lane.apart })
    if (items === null) continue
    edit = { ...edit, ...lane.write(items) }
    keys.add(keyOf({ lane: name, id: placed.id }))
  }
  if (keys.size === 0) return
  clip.change(edit)
  timeline.seen.chosen = keys
}

/** Changes one item, a member that is undefined to none; with the same `drag` it continues the last step. */
export function changeItem(
  { clip }: Timeline,
  name: ItemLaneName,
  id: string,
  change: Readonly<Record<string, unknown>>,
  drag?: symbol,
): void {
  const lane = itemLane(name)
  const items = lane
    .read(clip.view)
    .map((item) => (item.id === id ? omitUndefined({ ...item, ...change }) : item))
  clip.change(lane.write(items), drag)
}

/** What an arrow key moves: the focused item, with Shift its end, with Ctrl its start. */
export function arrowOf(
  event: KeyboardEvent,
): { readonly what: 'all' | 'start' | 'end'; readonly by: number } | null {
  const way = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
  if (way === 0 || event.altKey) return null
  const what = event.ctrlKey || event.metaKey ? 'start' : event.shiftKey ? 'end' : 'all'
  return { what, by: way * KEY_STEP }
}

const openPanel = (name: string): void => document.getElementById(`tab-${name}`)?.click()

/** Opens the Layers panel. */
export const openItems = (): void => openPanel(messages.layers)

/** Opens the Title panel. */
export const openTitle = (): void => openPanel(messages.title)

/** Opens the Branding panel at the music's volume, or at the choice of its file where there is none. */
export function openMusic(): void {
  openPanel(messages.branding)
  // Once the panel is there.
  requestAnimationFrame(() => {
    const music = document.getElementById('branding-music')
    music?.scrollIntoView({ block: 'start' })
    const find = (what: string) => music?.querySelector<HTMLElement>(what)
    const control = find('input[type=range]') ?? find('button')
    control?.focus({ preventScroll: true })
  })
}
