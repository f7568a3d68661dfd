/** Whether a clip can be delivered as HDR: what is made with eight bits would be another picture, so it is refused with a sentence. */
import { hdrTransferOf, type HdrTransfer } from '../../contract/colour-matrix.ts'
import { legsOf, type Composition, type CropSpan } from '../../contract/composition.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'

/** Matrices and primaries that HDR has; files without them are read so. */
const MATRICES = ['bt2020nc', 'unknown']
const PRIMARIES = ['bt2020', 'unknown']

/** How the clip's HDR is coded, or why it is not delivered as such: a sentence. PURE. */
export function planHdr(
  video: SourceFacts['video'],
  composition: Composition,
): { readonly hdr: HdrTransfer } | { readonly why: string } {
  const hdr = video === null ? undefined : hdrTransferOf(video.colourTransfer)
  if (video === null || hdr === undefined)
    return { why: 'The source is not HDR, so there is nothing to keep: take a profile without HDR.' }
  if (!MATRICES.includes(video.colourSpace) || !PRIMARIES.includes(video.colourPrimaries))
    return {
      why: `The source is HDR in other colours than BT.2020 (${video.colourPrimaries}, ${video.colourSpace}).`,
    }
  const parts = eightBitParts(composition)
  if (parts.length === 0) return { hdr }
  return {
    why: `The clip has ${parts.join(', ')}, which cannot be made in HDR yet: take them out, or take a profile without HDR.`,
  }
}

/** What of the clip is made by filters that have eight bits, in editors' words. */
function eightBitParts({ source, layout, layers, zooms = [], transitions = [] }: Composition): string[] {
  const crops = layout.flatMap((span): readonly CropSpan[][] =>
    span.kind === 'panes' ? span.panes.map((pane) => legsOf(pane, span)) : [],
  )
  const plain = layout.filter((span): span is CropSpan => span.kind === 'crop')
  return [
    ...(zooms.length === 0 ? [] : ['zooms']),
    ...(transitions.length === 0 ? [] : ['transitions']),
    ...([plain, ...crops].some(hasGrowing) ? ['views that come closer'] : []),
    ...((source.patches ?? []).length === 0 ? [] : ['a logo that is taken out']),
    ...(layers.some(({ kind }) => kind === 'video') ? ['videos laid over it'] : []),
  ]
}

/** Whether a view changes its size while it moves. */
const hasGrowing = (crops: readonly CropSpan[]): boolean =>
  crops.some(
    ({ crop, cropTo }) =>
      cropTo !== undefined && (cropTo.width !== crop.width || cropTo.height !== crop.height),
  )
