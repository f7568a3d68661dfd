/** The lanes of the timeline, from top to bottom. A new one is a component that takes LaneProps, and a line below. */
import type { Component } from 'svelte'
import Broll from './Broll.svelte'
import Cut from './Cut.svelte'
import Filmstrip from './Filmstrip.svelte'
import type { ItemLaneName } from './items.ts'
import Music from './Music.svelte'
import Overlays from './Overlays.svelte'
import Ruler from './Ruler.svelte'
import type { Scrub } from './scrub.svelte.ts'
import type { Timeline } from './timeline.svelte.ts'
import Title from './Title.svelte'
import Waveform from './Waveform.svelte'
import Words from './Words.svelte'
import Zooms from './Zooms.svelte'

export interface LaneProps {
  readonly timeline: Timeline
  readonly scrub: Scrub
}

export interface Lane {
  /** Stands at its left. */
  readonly name: string
  readonly lane: Component<LaneProps>
  /** Its items are a part of what is set by hand, and can be left to the nodes again. */
  readonly part?: ItemLaneName
  /** Pressing on it moves the playhead at once, as far as the pointer goes. */
  readonly scrubs?: true
}

export const LANES: readonly Lane[] = [
  { name: '', lane: Ruler, scrubs: true },
  { name: 'Cut', lane: Cut },
  { name: 'Picture', lane: Filmstrip },
  { name: 'Sound', lane: Waveform },
  { name: 'Words', lane: Words },
  { name: 'Zooms', lane: Zooms, part: 'zooms' },
  { name: 'Overlays', lane: Overlays, part: 'overlays' },
  { name: 'B-roll', lane: Broll, part: 'broll' },
  { name: 'Title', lane: Title },
  { name: 'Music', lane: Music },
]
