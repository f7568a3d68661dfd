/** PURE: the stages of one clip: finished render, extended cut, thumbnail, transcript files. */
import type { ClipFaces } from '../../../contract/clip-measurements.ts'
import type { Composition } from '../../../contract/composition.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { rangesOfSpans } from '../../../contract/time-map/spans.ts'
import { secondsToTicks, ticksToSeconds } from '../../../contract/time.ts'
import { thumbnailPlan, type ThumbnailDesign } from '../../../nodes/index.ts'
import { digestOf } from '../../../../workers/artefacts.ts'
import { STAGES, type Stages } from '../../../../workers/stages/catalog.ts'
import type { ParamsOf } from '../../../../workers/stages/declare.ts'
import type { PlanContext, PlannedClip, PlannedSource } from './plan-input.ts'
import { artefactInput, planStage, type PlannedInput } from './plan-draft.ts'

/** How finished clips are encoded. */
export const DELIVERY_ENCODER = { preset: 'veryfast', crf: 20 } as const

/** Stored on both sides of a clip, so that it can be made longer later. */
export const PADDING_SECONDS = 10

/** The extended range of a clip: padding on both sides, inside the source. Seconds. */
export function extendedRange(
  clip: { start: number; end: number },
  facts: SourceFacts,
): { start: number; end: number } {
  return {
    start: Math.max(0, clip.start - PADDING_SECONDS),
    end: Math.min(ticksToSeconds(facts.duration), clip.end + PADDING_SECONDS),
  }
}

/** The slot of a clip's stage in the plan. */
export const clipSlot = (
  ordinal: number,
  stage: 'faces' | 'active-speaker' | 'render' | 'cut' | 'thumbnail' | 'transcript-file',
): string => `clip:${ordinal}:${stage}`

/** The render leaves a still, so a run does not fail without the designed thumbnail. */
const NO_THUMBNAIL = 'No thumbnail could be taken from the source; the one from the render is used.'

/** The stages of a clip from its composition on, the longest first. */
export function stagesOfClip(
  { snapshot }: Pick<PlanContext, 'snapshot'>,
  hasWords: boolean,
): ('render' | 'cut' | 'thumbnail' | 'transcript-file')[] {
  const render = snapshot.endsAt === 'found' ? [] : ['render' as const]
  return [...render, 'cut', 'thumbnail', ...(hasWords ? ['transcript-file' as const] : [])]
}

/** Adds the stages of one clip; none waits for another. */
export function planClip(
  context: PlanContext,
  clip: PlannedClip,
  source: PlannedSource,
  transcript: PlannedInput | null,
): void {
  const { ordinal, composition, extended } = clip
  if (context.snapshot.endsAt !== 'found')
    planStage(context, {
      slot: clipSlot(ordinal, 'render'),
      stage: 'render',
      params: renderParams(composition),
      inputs: { source: source.input },
    })
  planStage(context, {
    slot: clipSlot(ordinal, 'cut'),
    stage: 'cut',
    params: { start: secondsToTicks(extended.start), end: secondsToTicks(extended.end) },
    inputs: { source: source.input, probe: artefactInput('probe', source.probe.key) },
  })
  planStage(
    context,
    {
      slot: clipSlot(ordinal, 'thumbnail'),
      stage: 'thumbnail',
      params: thumbnailParams(composition, clip.faces),
      inputs: { source: source.input },
    },
    NO_THUMBNAIL,
  )
  if (transcript === null) return
  planStage(context, {
    slot: clipSlot(ordinal, 'transcript-file'),
    stage: 'transcript-file',
    params: {
      extendedStart: extended.start,
      extendedEnd: extended.end,
      played: rangesOfSpans(composition.timeMap).map(({ start, end }) => ({ start, end })),
      ...(clip.speakers === undefined ? {} : { speakers: [...clip.speakers] }),
    },
    inputs: { transcript },
  })
}

/** The same for a run and for POST /render, so that an unedited clip is a cache hit. */
export function renderParams(composition: Composition): ParamsOf<Stages['render']> {
  return { composition, encoder: { ...DELIVERY_ENCODER } }
}

/** The same for a run and for a thumbnail that is taken again after an edit. */
export function thumbnailParams(
  composition: Composition,
  faces?: ClipFaces,
  design?: ThumbnailDesign | null,
): ParamsOf<Stages['thumbnail']> {
  return thumbnailPlan(composition, faces, design)
}

/** Identifies the file that a composition renders to: changes with the composition, the renderer and the encoder settings. */
export function renderKeyOf(composition: Composition): string {
  return digestOf({ render: STAGES.render.version, params: renderParams(composition) })
}
