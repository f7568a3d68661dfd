/** Which files the nodes of a clip, or of a run, need, and which they leave for the library to choose. */
import type { Static } from '@sinclair/typebox'
import type { AssetNeed } from '../../contract/asset.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import { editableConfigs } from '../clip-document.ts'
import { activeNodes, type NodesOfDocument } from '../compose/document-nodes.ts'
import { dropInvalidFields } from '../compose/read-config.ts'
import { listOverrideAssets, applyOverrides } from '../manual-overrides/index.ts'
import { nodeDefinition } from '../registry.ts'
import { addBrainrot, categoryToPick } from '../types/add-brainrot.ts'

/** Every file that a clip's nodes need, each address once: where they want different kinds, as whatever it is. */
export function requiredAssets(given: NodesOfDocument & Pick<ClipDocument, 'overrides'>): AssetNeed[] {
  const document = applyOverrides(given)
  const ofNodes = activeNodes(document).flatMap(({ type, config }) => {
    const definition = nodeDefinition(type)
    const valid = dropInvalidFields(definition.config, config, type, () => undefined)
    return definition.assets?.(valid, document) ?? []
  })
  const needs = [...ofNodes, ...listOverrideAssets(document.overrides)]
  const byAddress = new Map<string, AssetNeed>()
  for (const need of needs) {
    const before = byAddress.get(need.url)
    const kind = before === undefined || before.kind === need.kind ? need.kind : 'media'
    byAddress.set(need.url, { url: need.url, kind })
  }
  return [...byAddress.values()]
}

/** Every file that the clips of a run with these nodes will need, before there are clips. */
export function requiredAssetsOfRun(nodes: readonly ResolvedNode[]): AssetNeed[] {
  // Which of several music tracks a clip gets is not decided yet, so all of them are needed.
  const { backgroundMusicOption: _picked, ...configs } = editableConfigs(nodes, '')
  return requiredAssets({ nodes: [...nodes], ...configs })
}

/** The categories from which these nodes want a second video to be picked, each once; `''`: from any. */
export function listSecondVideoCategories(nodes: readonly ResolvedNode[]): string[] {
  const categories = activeNodes({ nodes: [...nodes] })
    .filter(({ type }) => type === 'add_brainrot')
    .map(({ type, config }) => {
      const valid: Static<typeof addBrainrot.config> = dropInvalidFields(
        addBrainrot.config,
        config,
        type,
        () => undefined,
      )
      return categoryToPick(valid.brainrot_config ?? {})
    })
  return [...new Set(categories.filter((category) => category !== null))]
}
