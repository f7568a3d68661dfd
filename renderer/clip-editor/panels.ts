/** What there is beside the picture of a clip. A new panel is a component that takes PanelProps, and a line below. */
import type { Component } from 'svelte'
import AskPanel from './chat/AskPanel.svelte'
import BrandingPanel from './branding/BrandingPanel.svelte'
import CaptionPanel from './captions/CaptionPanel.svelte'
import CaptionPicture from './captions/CaptionPicture.svelte'
import TitlePanel from './captions/TitlePanel.svelte'
import TitlePicture from './captions/TitlePicture.svelte'
import LayoutPanel from './layout/LayoutPanel.svelte'
import LayoutStage from './layout/LayoutStage.svelte'
import type { OpenClip } from './open-clip.svelte.ts'
import type { Player } from './player.svelte.ts'
import ItemsPanel from './timeline/ItemsPanel.svelte'
import ItemsPicture from './timeline/ItemsPicture.svelte'
import ThumbnailPanel from './thumbnail/ThumbnailPanel.svelte'
import ThumbnailStage from './thumbnail/ThumbnailStage.svelte'
import TranscriptPanel from './transcript/TranscriptPanel.svelte'

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
  /** Laid over all the room that the picture has while the panel is open: for what shows more than the picture. */
  readonly stage?: Component<PanelProps>
}

export const PANELS: readonly Panel[] = [
  { name: 'Transcript', panel: TranscriptPanel },
  { name: 'Ask', panel: AskPanel },
  { name: 'Captions', panel: CaptionPanel, picture: CaptionPicture },
  { name: 'Title', panel: TitlePanel, picture: TitlePicture },
  { name: 'Branding', panel: BrandingPanel },
  { name: 'Layout', panel: LayoutPanel, stage: LayoutStage },
  { name: 'Items', panel: ItemsPanel, picture: ItemsPicture },
  { name: 'Thumbnail', panel: ThumbnailPanel, stage: ThumbnailStage },
]
