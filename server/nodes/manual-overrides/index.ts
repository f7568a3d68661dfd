/**
 * Applies what editors set in the studio, part by part, on top of what nodes decide. PURE; may use the rest of
 * server/nodes. A new part is a file here, a line below, and its schema in server/contract/manual-overrides.
 */
import type { AssetNeed } from '../../contract/asset.ts'
import type { ManualOverrides } from '../../contract/manual-overrides.ts'
import type { LayoutSpan } from '../../contract/composition.ts'
import type { ComposeContext, ConfigProblem, NodeEdits, PreLayoutContext } from '../declare.ts'
import { manualBroll } from './broll.ts'
import type { OverridableDocument, OverridePart } from './declare.ts'
import { manualLayouts } from './layouts.ts'
import { manualNodes } from './nodes.ts'
import { manualOverlays } from './overlays.ts'
import { manualSpeakers } from './speakers.ts'
import { manualThumbnail } from './thumbnail.ts'
import { manualZooms } from './zooms.ts'

/** In the order in which they act. */
const PARTS = {
  nodes: manualNodes,
  broll: manualBroll,
  layouts: manualLayouts,
  zooms: manualZooms,
  overlays: manualOverlays,
  speakers: manualSpeakers,
  thumbnail: manualThumbnail,
} as const satisfies { readonly [Name in keyof Required<ManualOverrides>]: OverridePart<Name> }

interface SetPart {
  readonly part: OverridePart
  readonly value: never
}

/** The parts that are set. What `value` is, its part knows. */
function setParts(overrides: ManualOverrides | undefined): SetPart[] {
  return Object.values(PARTS).flatMap((part) => {
    const value = overrides?.[part.name]
    return value === undefined ? [] : [{ part: part as OverridePart, value: value as never }]
  })
}

/** The first problem in the overrides that their schemas cannot express; null when there is none. */
export function findOverrideProblem(overrides: ManualOverrides): ConfigProblem | null {
  for (const { part, value } of setParts(overrides)) {
    const problem = part.check?.(value) ?? null
    if (problem !== null) return problem
  }
  return null
}

/** The document with the nodes and choices that its editor has set. */
export function applyOverrides<
  D extends OverridableDocument & { readonly overrides?: ManualOverrides | undefined },
>(document: D): D {
  return setParts(document.overrides).reduce<D>(
    (before, { part, value }) =>
      part.document === undefined ? before : { ...before, ...part.document(value, before) },
    document,
  )
}

export function listOverrideAssets(overrides: ManualOverrides | undefined): AssetNeed[] {
  return setParts(overrides).flatMap(({ part, value }) => part.assets?.(value) ?? [])
}

/** The layout with the ranges that an editor laid out. */
export function overriddenLayout(
  layout: readonly LayoutSpan[],
  context: PreLayoutContext,
): readonly LayoutSpan[] {
  if (context.facts.video === null) return layout
  return setParts(context.document.overrides).reduce(
    (before, { part, value }) => part.layout?.(value, before, context) ?? before,
    layout,
  )
}

/** What comes after all nodes. */
export function compileOverrides(context: ComposeContext): NodeEdits[] {
  return setParts(context.document.overrides).flatMap(({ part, value }) => {
    const edits = part.compile?.(value, context)
    return edits === undefined ? [] : [edits]
  })
}
