/**
 * The panels beside the picture of a clip. A new one is a component that takes PanelProps, and an entry below. Its code is
 * fetched when it is first shown.
 */
import { lazyComponent, type LazyComponent } from '../ui/lazy-component.svelte.ts'
import type { PanelProps } from './player.svelte.ts'
import { panels as messages } from '../messages/editor.ts'

export interface Panel {
  /** Label of its tab. */
  readonly name: string
  readonly panel: LazyComponent<PanelProps>
  /** Laid over the picture, with its size, while the panel is open: for what is dragged there. */
  readonly picture?: LazyComponent<PanelProps>
  /** Laid over the whole stage while the panel is open: for what shows more than the picture. */
  readonly stage?: LazyComponent<PanelProps>
}

export const PANELS: readonly Panel[] = [
  { name: messages.transcript, panel: lazyComponent(() => import('./transcript/TranscriptPanel.svelte')) },
  { name: messages.ask, panel: lazyComponent(() => import('./chat/AskPanel.svelte')) },
  {
    name: messages.captions,
    panel: lazyComponent(() => import('./captions/CaptionPanel.svelte')),
    picture: lazyComponent(() => import('./captions/CaptionPicture.svelte')),
  },
  {
    name: messages.title,
    panel: lazyComponent(() => import('./captions/TitlePanel.svelte')),
    picture: lazyComponent(() => import('./captions/TitlePicture.svelte')),
  },
  { name: messages.branding, panel: lazyComponent(() => import('./branding/BrandingPanel.svelte')) },
  {
    name: messages.layout,
    panel: lazyComponent(() => import('./layout/LayoutPanel.svelte')),
    stage: lazyComponent(() => import('./layout/LayoutStage.svelte')),
  },
  {
    name: messages.layers,
    panel: lazyComponent(() => import('./timeline/ItemsPanel.svelte')),
    picture: lazyComponent(() => import('./timeline/ItemsPicture.svelte')),
  },
  {
    name: messages.thumbnail,
    panel: lazyComponent(() => import('./thumbnail/ThumbnailPanel.svelte')),
    stage: lazyComponent(() => import('./thumbnail/ThumbnailStage.svelte')),
  },
]
