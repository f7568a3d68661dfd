/**
 * The panels beside the picture of a clip. A new one is a component that takes PanelProps, and an entry below. Its code is
 * fetched when it is first shown.
 */
import type { Component } from 'svelte'
import {
  AudioWaveform,
  Captions,
  Heading,
  Image,
  Layers,
  LayoutTemplate,
  MessageCircle,
  MessageSquare,
  ScrollText,
  Stamp,
} from '@lucide/svelte'
import { lazyComponent, type LazyComponent } from '../ui/lazy-component.svelte.ts'
import type { PanelProps } from './player.svelte.ts'
import { panels as messages } from '../messages/editor.ts'

export interface Panel {
  /** Label of its tab. */
  readonly name: string
  readonly icon: Component<{ size?: number }>
  readonly panel: LazyComponent<PanelProps>
  /** Laid over the picture, with its size, while the panel is open: for what is dragged there. */
  readonly picture?: LazyComponent<PanelProps>
  /** Laid over the whole stage while the panel is open: for what shows more than the picture. */
  readonly stage?: LazyComponent<PanelProps>
}

export const PANELS: readonly Panel[] = [
  {
    name: messages.transcript,
    icon: ScrollText,
    panel: lazyComponent(() => import('./transcript/TranscriptPanel.svelte')),
  },
  { name: messages.ask, icon: MessageSquare, panel: lazyComponent(() => import('./chat/AskPanel.svelte')) },
  {
    name: messages.captions,
    icon: Captions,
    panel: lazyComponent(() => import('./captions/CaptionPanel.svelte')),
    picture: lazyComponent(() => import('./captions/CaptionPicture.svelte')),
  },
  {
    name: messages.title,
    icon: Heading,
    panel: lazyComponent(() => import('./captions/TitlePanel.svelte')),
    picture: lazyComponent(() => import('./captions/TitlePicture.svelte')),
  },
  {
    name: messages.branding,
    icon: Stamp,
    panel: lazyComponent(() => import('./branding/BrandingPanel.svelte')),
  },
  {
    name: messages.sound,
    icon: AudioWaveform,
    panel: lazyComponent(() => import('./sound/SoundPanel.svelte')),
  },
  {
    name: messages.layout,
    icon: LayoutTemplate,
    panel: lazyComponent(() => import('./layout/LayoutPanel.svelte')),
    stage: lazyComponent(() => import('./layout/LayoutStage.svelte')),
  },
  {
    name: messages.layers,
    icon: Layers,
    panel: lazyComponent(() => import('./timeline/ItemsPanel.svelte')),
    picture: lazyComponent(() => import('./timeline/ItemsPicture.svelte')),
  },
  {
    name: messages.thumbnail,
    icon: Image,
    panel: lazyComponent(() => import('./thumbnail/ThumbnailPanel.svelte')),
    stage: lazyComponent(() => import('./thumbnail/ThumbnailStage.svelte')),
  },
  {
    name: messages.feedback,
    icon: MessageCircle,
    panel: lazyComponent(() => import('./feedback/FeedbackPanel.svelte')),
  },
]
