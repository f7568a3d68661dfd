/** Lays out a clip again in another shape, for a thumbnail. PURE. */
import type { Composition } from '../../contract/composition.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import { applyOverrides } from '../manual-overrides/index.ts'
import { aspectName, outputShape } from '../settings.ts'
import { compileComposition, type Compiled, type CompileInput } from './compile-composition.ts'

type Size = Pick<Composition['output'], 'width' | 'height'>

/** The clip as it would be in this size; null: in its own. Throws as compileComposition does. */
export function thumbnailShape(input: CompileInput, size: Size | null): Compiled {
  if (size === null) return compileComposition(input)
  const { document, facts } = input
  const set = applyOverrides(document)
  const wanted = aspectName(size.width, size.height)
  const own = outputShape(set.nodes, facts)
  const compiled = compileComposition(
    own.aspectRatio === wanted
      ? input
      : { ...input, document: { ...document, ...converted(document, set.nodes, wanted) } },
  )
  const { output } = compiled.composition
  return { ...compiled, composition: { ...compiled.composition, output: { ...output, ...size } } }
}

/** The document's nodes and parts with the one that gives a clip its shape turned to this one. */
function converted(
  { overrides }: CompileInput['document'],
  nodes: readonly ResolvedNode[],
  aspectRatio: string,
): Pick<CompileInput['document'], 'nodes' | 'overrides'> {
  const type = 'convert_to_vertical'
  const before = nodes.findLast((node) => node.type === type && node.enabled)
  const own: ResolvedNode = {
    id: before?.id ?? 'thumbnail-shape',
    type,
    enabled: true,
    config: { ...before?.config, enabled: true, aspect_ratio: aspectRatio },
  }
  // Manual overrides are in `nodes` already, and must not be applied again.
  const { nodes: _set, ...rest } = overrides ?? {}
  return {
    nodes: [...nodes.filter((node) => node.type !== type), own],
    ...(overrides === undefined ? {} : { overrides: rest }),
  }
}
