/** PURE: the stages of one clip: finished render, extended cut, thumbnail, transcript files. */
import type { ClipFaces } from '../../../contract/clip-faces.ts'
import type { Composition } from '../../../contract/composition.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../../../contract/time.ts'
import { thumbnailPlan, type ThumbnailDesign } from '../../../nodes/index.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import { STAGES, type Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import type { PlannedInput, StageInvocation } from './plan-draft.ts'
import type { PlannedClip } from './plan-input.ts'

/** How finished clips are encoded. */
export const DELIVERY_ENCODER = { preset: 'veryfast', crf: 20 } as const

/** Kept on both sides of a clip, so that it can be made longer later. */
export const PADDING_SECONDS = 10

/** The extended range of a clip: padding on both sides, inside the source. Seconds. */
export function extendedRange(
  clip: { readonly start: number; readonly end: number },
  facts: SourceFacts,
): { start: number; end: number } {
  return {
    start: Math.max(0, clip.start - PADDING_SECONDS),
    end: Math.min(ticksToSeconds(facts.duration), clip.end + PADDING_SECONDS),
  }
}

interface ClipContext {
  readonly source: PlannedInput
  readonly probeKey: string
  readonly transcript: PlannedInput | null
}

/** Place of a clip's stage in the plan. */
export const clipSlot = (
  ordinal: number,
  stage: 'render' | 'cut' | 'thumbnail' | 'transcript-file',
): string => `clip:${ordinal}:${stage}`

/** A clip's stages, the longest first; none waits for another. */
export function clipStages(clip: PlannedClip, context: ClipContext): StageInvocation[] {
  const { source, transcript } = context
  const slot = (stage: Parameters<typeof clipSlot>[1]) => clipSlot(clip.ordinal, stage)
  const cut: ParamsOf<Stages['cut']> = {
    start: secondsToTicks(clip.extended.start),
    end: secondsToTicks(clip.extended.end),
  }
  const words: ParamsOf<Stages['transcript-file']> = {
    extendedStart: clip.extended.start,
    extendedEnd: clip.extended.end,
    start: clip.start,
    end: clip.end,
    ...(clip.cuts === undefined || clip.cuts.length === 0 ? {} : { cuts: [...clip.cuts] }),
  }
  const probe: PlannedInput = {
    reference: { kind: 'artefact', stage: 'probe', key: context.probeKey },
    identity: context.probeKey,
  }
  return [
    { slot: slot('render'), stage: 'render', params: renderParams(clip.composition), inputs: { source } },
    { slot: slot('cut'), stage: 'cut', params: cut, inputs: { source, probe } },
    {
      slot: slot('thumbnail'),
      stage: 'thumbnail',
      params: thumbnailParams(clip.composition, clip.faces),
      inputs: { source },
    },
    ...(transcript === null
      ? []
      : [
          {
            slot: slot('transcript-file'),
            stage: 'transcript-file' as const,
            params: words,
            inputs: { transcript },
          },
        ]),
  ]
}

/** The same for a run and for POST /render, so that an unedited clip is a cache hit. */
export function renderParams(composition: Composition): ParamsOf<Stages['render']> {
  return { composition, encoder: { ...DELIVERY_ENCODER } }
}

/** The same for a run and for what takes a thumbnail again. */
export function thumbnailParams(
  composition: Composition,
  faces?: ClipFaces,
  design?: ThumbnailDesign | null,
): ParamsOf<Stages['thumbnail']> {
  return thumbnailPlan(composition, faces, design)
}

/** Names what a composition renders to: it changes with the composition, the renderer and the encoder settings. */
export function renderKeyOf(composition: Composition): string {
  return digestOf({ render: STAGES.render.version, params: renderParams(composition) })
}

/** A missing thumbnail can be lived with: the render leaves one as well. */
export function thumbnailFallback(invocation: StageInvocation): string | undefined {
  return invocation.stage === 'thumbnail'
    ? 'No thumbnail could be taken from the source; the one from the render is used.'
    : undefined
}
