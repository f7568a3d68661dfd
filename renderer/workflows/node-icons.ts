/** The picture of each kind of node. */
import {
  ArrowLeftRight,
  AudioLines,
  Captions,
  Clapperboard,
  Crop,
  Eraser,
  Gamepad2,
  Heading,
  Image,
  Images,
  MessageCircleOff,
  MicOff,
  Music,
  PackageCheck,
  Palette,
  Scissors,
  Stamp,
  ZoomIn,
} from '@lucide/svelte'
import type { Component } from 'svelte'
import type { NodeType } from '../../server/nodes/index.ts'

export const NODE_ICONS: Readonly<Record<NodeType, Component>> = {
  find_clips: Scissors,
  filler_words: MicOff,
  remove_curse_words: MessageCircleOff,
  convert_to_vertical: Crop,
  smart_zoom: ZoomIn,
  remove_watermark: Eraser,
  add_broll: Images,
  add_brainrot: Gamepad2,
  add_audiogram: AudioLines,
  media_overlay: Image,
  apply_branding: Palette,
  add_subtitles: Captions,
  add_title_overlay: Heading,
  add_watermark: Stamp,
  add_music: Music,
  add_outro: Clapperboard,
  add_motion: ArrowLeftRight,
  deliver: PackageCheck,
}
