/** Every node type, by name. A new node is one file under types/ and one line here. */
import type { NodeDefinition } from './declare.ts'
import { addAudiogram } from './types/add-audiogram.ts'
import { addBrainrot } from './types/add-brainrot.ts'
import { addBroll } from './types/add-broll.ts'
import { addMotion } from './types/add-motion.ts'
import { addMusic } from './types/add-music.ts'
import { addOutro } from './types/add-outro.ts'
import { addSubtitles } from './types/add-subtitles.ts'
import { addTitleOverlay } from './types/add-title-overlay.ts'
import { addWatermark } from './types/add-watermark.ts'
import { applyBranding } from './types/apply-branding.ts'
import { cleanSound } from './types/clean-sound.ts'
import { convertToVertical } from './types/convert-to-vertical.ts'
import { deliver } from './types/deliver.ts'
import { fillerWords } from './types/filler-words.ts'
import { findClips } from './types/find-clips.ts'
import { mediaOverlay } from './types/media-overlay.ts'
import { removeCurseWords } from './types/remove-curse-words.ts'
import { removeWatermark } from './types/remove-watermark.ts'
import { smartZoom } from './types/smart-zoom.ts'

/** In the order in which they act on a clip where the graph leaves it open. */
const DEFINITIONS = [
  findClips,
  fillerWords,
  removeCurseWords,
  cleanSound,
  convertToVertical,
  smartZoom,
  removeWatermark,
  addBroll,
  addBrainrot,
  addAudiogram,
  mediaOverlay,
  applyBranding,
  addSubtitles,
  addTitleOverlay,
  addWatermark,
  addMusic,
  addOutro,
  addMotion,
  deliver,
] as const

type Definition = (typeof DEFINITIONS)[number]
/** The node types of the public API. */
export type NodeType = Definition['type']
export const NODE_TYPES: readonly NodeType[] = DEFINITIONS.map(({ type }) => type)
export const NODES = Object.fromEntries(
  DEFINITIONS.map((definition) => [definition.type, definition]),
) as unknown as { readonly [Each in Definition as Each['type']]: Each }

export function isNodeType(value: string): value is NodeType {
  return Object.hasOwn(NODES, value)
}

/** A definition without its configuration's static type: callers validate by `config` before `check` or `compile`. */
export function nodeDefinition(type: NodeType): NodeDefinition {
  return NODES[type] as unknown as NodeDefinition
}
