/** Every node type, by name. A new node is one file under types/ and one line here; the compiler checks both. */
import type { NodeDefinition } from './declare.ts'
import { addAudiogram } from './types/add-audiogram.ts'
import { addBrainrot } from './types/add-brainrot.ts'
import { addBroll } from './types/add-broll.ts'
import { addMusic } from './types/add-music.ts'
import { addOutro } from './types/add-outro.ts'
import { addSubtitles } from './types/add-subtitles.ts'
import { addTitleOverlay } from './types/add-title-overlay.ts'
import { addWatermark } from './types/add-watermark.ts'
import { applyBranding } from './types/apply-branding.ts'
import { convertToVertical } from './types/convert-to-vertical.ts'
import { fillerWords } from './types/filler-words.ts'
import { findClips } from './types/find-clips.ts'
import { mediaOverlay } from './types/media-overlay.ts'
import { removeCurseWords } from './types/remove-curse-words.ts'
import { removeWatermark } from './types/remove-watermark.ts'
import { smartZoom } from './types/smart-zoom.ts'

/** The node types of the public API, in the order in which they act on a clip where the graph leaves it open. */
export const NODE_TYPES = [
  'find_clips',
  'filler_words',
  'remove_curse_words',
  'convert_to_vertical',
  'smart_zoom',
  'remove_watermark',
  'add_broll',
  'add_brainrot',
  'add_audiogram',
  'media_overlay',
  'apply_branding',
  'add_subtitles',
  'add_title_overlay',
  'add_watermark',
  'add_music',
  'add_outro',
] as const
export type NodeType = (typeof NODE_TYPES)[number]

export const NODES = {
  find_clips: findClips,
  filler_words: fillerWords,
  remove_curse_words: removeCurseWords,
  convert_to_vertical: convertToVertical,
  smart_zoom: smartZoom,
  remove_watermark: removeWatermark,
  add_broll: addBroll,
  add_brainrot: addBrainrot,
  add_audiogram: addAudiogram,
  media_overlay: mediaOverlay,
  apply_branding: applyBranding,
  add_subtitles: addSubtitles,
  add_title_overlay: addTitleOverlay,
  add_watermark: addWatermark,
  add_music: addMusic,
  add_outro: addOutro,
} as const satisfies { readonly [Type in NodeType]: { readonly type: Type } }

export function isNodeType(value: string): value is NodeType {
  return Object.hasOwn(NODES, value)
}

/** A definition without its configuration's static type: callers validate by `config` before `check` or `compile`. */
export function nodeDefinition(type: NodeType): NodeDefinition {
  return NODES[type] as unknown as NodeDefinition
}
