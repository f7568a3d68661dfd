/** The lanes of the timeline, from top to bottom. A new one is a component that takes LaneProps, and a line below. */
import type { Component } from 'svelte'
import type { ClipView } from '../open-clip.svelte.ts'
import Cut from './Cut.svelte'
import Filmstrip from './Filmstrip.svelte'
import { openItems, openMusic, openTitle } from './edits.ts'
import { itemLane, titleOn, tracksOf, type ItemLaneName } from './items.ts'
import Joins from './Joins.svelte'
import { joinsOf, motionOf } from './motion.ts'
import Music from './Music.svelte'
import Ruler from './Ruler.svelte'
import Title from './Title.svelte'
import Waveform from './Waveform.svelte'
import Words from './Words.svelte'
import Items from './Items.svelte'
import type { LaneProps } from './timeline.svelte.ts'
import { tracks as messages } from '../../messages/timeline.ts'

export interface Lane {
  /** Label at its left. */
  readonly name: string
  readonly lane: Component<LaneProps>
  /** The part of the manual overrides that holds its items, which can be reset to automatic. */
  readonly part?: ItemLaneName | undefined
  /** A lane without this is always shown; others are listed by name while they are empty. */
  readonly mayBeEmpty?: {
    readonly isEmpty: (view: ClipView) => boolean
    /** Opens the panel in which something is put on it. */
    readonly open: () => void
  }
  /** A press on it moves the playhead, which then follows the pointer. */
  readonly scrubs?: true
}

const itemsOf = (part: ItemLaneName): Pick<Lane, 'part' | 'mayBeEmpty'> => ({
  part,
  mayBeEmpty: { isEmpty: (view) => itemLane(part).read(view).length === 0, open: openItems },
})

const LANES: readonly Lane[] = [
  { name: '', lane: Ruler, scrubs: true },
  { name: messages.cut, lane: Cut },
  {
    name: messages.transitions,
    lane: Joins,
    mayBeEmpty: {
      isEmpty: ({ preview, edit }) =>
        joinsOf(preview.composition, motionOf(edit)).length === 0 && motionOf(edit).sounds === undefined,
      open: openItems,
    },
  },
  { name: messages.video, lane: Filmstrip },
  { name: messages.audio, lane: Waveform },
  { name: messages.words, lane: Words },
  { name: messages.zooms, lane: Items, ...itemsOf('zooms') },
  { name: messages.overlays, lane: Items, ...itemsOf('overlays') },
  { name: 'B-roll', lane: Items, ...itemsOf('broll') },
  {
    name: messages.title,
    lane: Title,
    mayBeEmpty: { isEmpty: (view) => titleOn(view) === null, open: openTitle },
  },
  {
    name: messages.music,
    lane: Music,
    mayBeEmpty: { isEmpty: (view) => tracksOf(view).length === 0, open: openMusic },
  },
]

/** Lanes with items, and empty ones. */
export function lanesOf(view: ClipView): { readonly used: readonly Lane[]; readonly empty: readonly Lane[] } {
  const isEmpty = ({ mayBeEmpty }: Lane): boolean => mayBeEmpty?.isEmpty(view) === true
  return { used: LANES.filter((lane) => !isEmpty(lane)), empty: LANES.filter(isEmpty) }
}
