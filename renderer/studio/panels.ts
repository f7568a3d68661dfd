/** What there is beside the picture of a clip. A new panel is a component that takes PanelProps, and a line below. */
import type { Component } from 'svelte'
import CaptionPanel from './CaptionPanel.svelte'
import type { OpenClip } from './open-clip.svelte.ts'
import type { Player } from './player.svelte.ts'
import TitlePanel from './TitlePanel.svelte'
import TranscriptPanel from './TranscriptPanel.svelte'

export interface PanelProps {
  readonly clip: OpenClip
  readonly player: Player
}

export interface Panel {
  /** Stands on its tab. */
  readonly name: string
  readonly panel: Component<PanelProps>
  /** Laid over the picture, with its size, while the panel is open: for what is dragged there. */
  readonly picture?: Component<PanelProps>
}

export const PANELS: readonly Panel[] = [
  { name: 'Transcript', panel: TranscriptPanel },
  { name: 'Captions', panel: CaptionPanel },
  { name: 'Title', panel: TitlePanel },
]
