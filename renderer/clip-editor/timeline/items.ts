/** Lanes with items: reading and writing them. Source seconds. PURE. */
import type { BrollInsert } from '../../../server/contract/clip-broll.ts'
import type { Composition, SoundTrack, TitleLayer } from '../../../server/contract/composition.ts'
import type { ManualOverlay } from '../../../server/contract/manual-overrides/overlays.ts'
import type { ManualZoom } from '../../../server/contract/manual-overrides/zooms.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import type { ClipView } from '../open-clip.svelte.ts'
import type { Placed } from './stretches.ts'
import { automaticZooms } from './automatic-zooms.ts'
import { layers as messages } from '../../messages/timeline.ts'

type Shown = Pick<ClipView, 'edit' | 'editor' | 'preview'>

/** A lane whose items are added, moved and deleted. */
export interface ItemLane<T extends Placed = Placed> {
  /** The current items: manual ones, or else the automatic ones. */
  readonly read: (view: Shown) => readonly T[]
  /** The edit with these items, which makes all items of the lane manual. */
  readonly write: (items: readonly T[]) => Partial<ClipEdit>
  /** Two of them may not overlap. */
  readonly apart: boolean
  readonly isManual: (edit: ClipEdit) => boolean
  /** Back to automatic. */
  readonly reset: Partial<ClipEdit>
  readonly label: (item: T) => string
}

const zooms: ItemLane<ManualZoom> = {
  read: ({ edit, preview }) => edit.zooms ?? automaticZooms(preview.composition),
  write: (items) => ({ zooms: [...items] }),
  apart: true,
  isManual: ({ zooms }) => zooms !== null,
  reset: { zooms: null },
  label: ({ scale }) => messages.zoomBy(Math.round(scale * 100)),
}

const broll: ItemLane<BrollInsert> = {
  read: ({ edit, editor }) => edit.broll ?? editor.broll,
  write: (items) => ({ broll: [...items] }),
  apart: true,
  isManual: ({ broll }) => broll !== null,
  reset: { broll: null },
  label: ({ name }) => name,
}

const overlays: ItemLane<ManualOverlay> = {
  read: ({ edit }) => edit.overlays ?? [],
  write: (items) => ({ overlays: items.length === 0 ? null : [...items] }),
  apart: false,
  isManual: ({ overlays }) => overlays !== null,
  reset: { overlays: null },
  label: (overlay) => (overlay.kind === 'text' ? overlay.text : nameOf(overlay.url ?? '')),
}

/** The headline, as it is shown; null: there is none. */
export function titleOn({ preview }: Pick<ClipView, 'preview'>): TitleLayer | null {
  const layer = preview.composition.layers.find((one) => one.kind === 'title' && one.id === 'title')
  return layer?.kind === 'title' ? layer : null
}

/** Sounds beside the source's own. */
export const tracksOf = ({ preview }: Pick<ClipView, 'preview'>): readonly SoundTrack[] =>
  preview.composition.audio.tracks ?? []

/** A name for an address: its last part, without query parameters that may be secret. */
export function nameOf(url: string): string {
  if (url.startsWith('cutroom-source:')) return messages.fromLibrary
  if (url.startsWith('data:')) return messages.picture
  const last =
    url
      .replace(/[?#].*$/su, '')
      .split('/')
      .at(-1) ?? ''
  return last === '' ? messages.picture : last
}

/** By the name of their lane, which is the name of their part of the edit. */
export const ITEM_LANES = { zooms, broll, overlays } as const
export type ItemLaneName = keyof typeof ITEM_LANES

/** A lane of any kind. */
export const itemLane = (name: ItemLaneName): ItemLane => ITEM_LANES[name] as unknown as ItemLane

/** One thing that is chosen: a piece of the cut by its place, or an item by its lane and id. */
export type Chosen =
  | { readonly lane: 'cut'; readonly index: number }
  | { readonly lane: ItemLaneName; readonly id: string }
  | { readonly lane: 'title' }
  /** The cut in whose left-out part this source second lies. */
  | { readonly lane: 'joins'; readonly at: number }

export const keyOf = (chosen: Chosen): string =>
  chosen.lane === 'cut'
    ? `cut ${chosen.index}`
    : chosen.lane === 'title'
      ? 'title'
      : chosen.lane === 'joins'
        ? `joins ${chosen.at}`
        : `${chosen.lane} ${chosen.id}`

/** The inverse of `keyOf`; null for an invalid key. */
export function chosenOf(key: string): Chosen | null {
  const at = key.indexOf(' ')
  const [lane, rest] = at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)]
  if (lane === 'title') return { lane }
  if (lane === 'cut') return { lane, index: Number(rest) }
  if (lane === 'joins') return { lane, at: Number(rest) }
  return lane === 'zooms' || lane === 'broll' || lane === 'overlays' ? { lane, id: rest } : null
}

/** Height of the output in reference units: the short side has 1080 of them. */
export const referenceHeight = ({ width, height }: Composition['output']): number =>
  (height * 1080) / Math.min(width, height)
