/** The shape of one part of the manual overrides. PURE. */
import type { AssetNeed } from '../../contract/asset.ts'
import type { ManualOverrides } from '../../contract/manual-overrides.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { LayoutSpan } from '../../contract/composition.ts'
import type { ComposeContext, ConfigProblem, NodeEdits, PreLayoutContext } from '../declare.ts'
import type { Stretch } from '../../contract/time.ts'

/** What of a document a part may change before anything is compiled. */
export type OverridableDocument = Pick<ClipDocument, 'nodes' | 'broll'>

export interface OverridePart<Name extends keyof ManualOverrides = keyof ManualOverrides> {
  readonly name: Name
  /** Rules that the schema cannot express; the value is already valid by it. */
  readonly check?: (value: NonNullable<ManualOverrides[Name]>) => ConfigProblem | null
  /** Nodes and choices as this part wants them. */
  readonly document?: (
    value: NonNullable<ManualOverrides[Name]>,
    document: OverridableDocument,
  ) => OverridableDocument
  /** Files that `compile` wants to be fetched. */
  readonly assets?: (value: NonNullable<ManualOverrides[Name]>) => readonly AssetNeed[]
  /** Applies manual layouts, before anything is positioned by what is visible where. */
  readonly layout?: (
    value: NonNullable<ManualOverrides[Name]>,
    layout: readonly LayoutSpan[],
    context: PreLayoutContext,
  ) => readonly LayoutSpan[]
  /** What it adds; comes after all nodes. */
  readonly compile?: (value: NonNullable<ManualOverrides[Name]>, context: ComposeContext) => NodeEdits
}

/** Declares a part; the type of its value reaches its functions. */
export const declareOverridePart = <const Name extends keyof ManualOverrides>(
  part: OverridePart<Name>,
): OverridePart<Name> => part

/** The first of `stretches` that has no length, or begins before the one before it has ended. */
export function stretchProblem(name: string, stretches: readonly Stretch[]): ConfigProblem | null {
  for (const [index, { start, end }] of stretches.entries()) {
    if (end <= start) return { path: `${name}.${index}.end`, expected: 'after its start' }
    const before = stretches[index - 1]
    if (before !== undefined && start < before.end)
      return { path: `${name}.${index}.start`, expected: 'not before the end of the one before it' }
  }
  return null
}
