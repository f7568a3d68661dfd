/** Which nodes act on a clip: those of its run, with the configurations that editors changed in its document. */
import type { ClipDocument } from '../../contract/clip.ts'
import { DEFAULT_PROFILE } from '../../contract/delivery-config.ts'
import type { JsonObject } from '../declare.ts'
import { isPlainObject, omit, own, type DocumentConfigField } from '../merge.ts'
import { isNodeType, NODE_TYPES, nodeDefinition, type NodeType } from '../registry.ts'

/** Document field and the name it has in the node's config. */
export const DOCUMENT_CONFIGS: Readonly<
  Partial<Record<NodeType, { field: DocumentConfigField; key: string }>>
> = {
  add_subtitles: { field: 'subtitleConfig', key: 'subtitle_config' },
  add_title_overlay: { field: 'titleConfig', key: 'title_config' },
  add_watermark: { field: 'watermarkConfig', key: 'watermark_config' },
  add_music: { field: 'backgroundMusicOption', key: 'background_music_option' },
  clean_sound: { field: 'soundConfig', key: 'sound_config' },
  add_outro: { field: 'endCardOption', key: 'end_card_option' },
  add_motion: { field: 'motionConfig', key: 'motion_config' },
  deliver: { field: 'deliveryConfig', key: 'delivery_config' },
}

/** These show or play a file, and nothing without one. */
const FILES: ReadonlySet<DocumentConfigField> = new Set([
  'watermarkConfig',
  'backgroundMusicOption',
  'endCardOption',
])

export interface ActiveNode {
  readonly type: NodeType
  readonly config: JsonObject
}

/** The part of a document that decides which nodes act. */
export type NodesOfDocument = Pick<ClipDocument, 'nodes' | 'broll' | 'secondVideos' | DocumentConfigField>

/** In the registry's order. A config held by the document acts whether or not the workflow had the node. */
export function activeNodes(document: NodesOfDocument): ActiveNode[] {
  return NODE_TYPES.flatMap((type): ActiveNode[] => {
    const configs = document.nodes
      .filter((node) => node.type === type && node.enabled)
      .map((node) => node.config)
    const ownConfig = DOCUMENT_CONFIGS[type]
    const config = ownConfig === undefined ? undefined : document[ownConfig.field]
    if (ownConfig === undefined || config === undefined) return configs.map((own) => ({ type, config: own }))
    if (config['enabled'] === false) return []
    // An empty configuration remains in the editor after a file was chosen and removed: nothing is requested.
    if (configs.length === 0 && FILES.has(ownConfig.field) && Object.keys(config).length === 0) return []
    const rest = configs.length === 0 ? {} : omit(Object.assign({}, ...configs) as JsonObject, ownConfig.key)
    const normalised = nodeDefinition(type).normalise?.({ ...rest, [ownConfig.key]: config })
    return [{ type, config: normalised ?? { ...rest, [ownConfig.key]: config } }]
  })
}

/** The delivery profile whose file is made of the clip by itself; null: none is. */
export function deliveredProfile({ deliveryConfig }: Pick<ClipDocument, 'deliveryConfig'>): string | null {
  if (deliveryConfig === undefined || deliveryConfig['enabled'] === false) return null
  const profile = own(deliveryConfig, 'profile')
  return typeof profile === 'string' ? profile : DEFAULT_PROFILE
}

/** Types of a run's nodes that this appliance does not know. */
export function unknownNodes(document: ClipDocument): string[] {
  return document.nodes.filter((node) => node.enabled && !isNodeType(node.type)).map((node) => node.type)
}

export function nested(config: JsonObject, key: string): JsonObject | undefined {
  const value = own(config, key)
  return isPlainObject(value) ? value : undefined
}
