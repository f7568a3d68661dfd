/**
 * What editors set by hand in the studio, part by part, over what nodes decide. PURE; may use the rest of server/nodes. A
 * new part is a file here, a line below, and its schema in server/contract/hand.
 */
import type { AssetNeed } from '../../contract/asset.ts'
import type { ClipHand } from '../../contract/clip-hand.ts'
import type { LayoutSpan } from '../../contract/composition.ts'
import type { ComposeContext, ConfigProblem, NodeEdits } from '../declare.ts'
import { handBroll } from './broll.ts'
import type { HandDocument, HandPart } from './declare.ts'
import { handLayouts } from './layouts.ts'
import { handNodes } from './nodes.ts'
import { handOverlays } from './overlays.ts'
import { handSpeakers } from './speakers.ts'
import { handThumbnail } from './thumbnail.ts'
import { handZooms } from './zooms.ts'

/** In the order in which they act. */
const PARTS = {
  nodes: handNodes,
  broll: handBroll,
  layouts: handLayouts,
  zooms: handZooms,
  overlays: handOverlays,
  speakers: handSpeakers,
  thumbnail: handThumbnail,
} as const satisfies { readonly [Name in keyof Required<ClipHand>]: HandPart<Name> }

interface SetPart {
  readonly part: HandPart
  readonly value: never
}

/** The parts that are set. What `value` is, its part knows. */
function setParts(hand: ClipHand | undefined): SetPart[] {
  return Object.values(PARTS).flatMap((part) => {
    const value = hand?.[part.name]
    return value === undefined ? [] : [{ part: part as HandPart, value: value as never }]
  })
}

/** What is wrong with a hand's parts that their schemas cannot say. */
export function handProblem(hand: ClipHand): ConfigProblem | null {
  for (const { part, value } of setParts(hand)) {
    const problem = part.check?.(value) ?? null
    if (problem !== null) return problem
  }
  return null
}

/** The document with the nodes and choices that its editor has set. */
export function withHand<D extends HandDocument & { readonly hand?: ClipHand | undefined }>(document: D): D {
  return setParts(document.hand).reduce<D>(
    (before, { part, value }) =>
      part.document === undefined ? before : { ...before, ...part.document(value, before) },
    document,
  )
}

export function handAssets(hand: ClipHand | undefined): AssetNeed[] {
  return setParts(hand).flatMap(({ part, value }) => part.assets?.(value) ?? [])
}

/** The layout with the stretches that were laid out by hand. */
export function handLayout(
  layout: readonly LayoutSpan[],
  context: Omit<ComposeContext, 'layout'>,
): readonly LayoutSpan[] {
  if (context.facts.video === null) return layout
  return setParts(context.document.hand).reduce(
    (before, { part, value }) => part.layout?.(value, before, context) ?? before,
    layout,
  )
}

/** What comes after all nodes. */
export function handEdits(context: ComposeContext): NodeEdits[] {
  return setParts(context.document.hand).flatMap(({ part, value }) => {
    const edits = part.compile?.(value, context)
    return edits === undefined ? [] : [edits]
  })
}
