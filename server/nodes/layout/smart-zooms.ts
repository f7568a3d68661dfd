/** `smart_zoom`: closer looks at moments that deserve them, at the face that speaks. */
import type { Zoom } from '../../contract/composition.ts'
import { rationalToNumber, ticksToSeconds } from '../../contract/time.ts'
import { sourceSize } from '../compose/layout.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { percentOf, speakingFace, type Percent } from './view-at.ts'
import { zoomMoments } from './zoom-moments.ts'

export interface ZoomSettings {
  readonly intensity?: number
  readonly frequency?: 'low' | 'medium' | 'high'
  readonly mode?: 'punch' | 'smooth'
}

/** Assumed position of faces when they were not measured. */
const USUAL: Percent = { xPercent: 50, yPercent: 45 }
/** Closer to the edge the picture would seem to slide away. */
const RIM = 15
const GROW_SECONDS = 0.8
const SHRINK_SECONDS = 0.6

export function smartZooms(settings: ZoomSettings, context: ComposeContext): NodeEdits {
  const { intensity = 1.15, frequency = 'medium', mode = 'punch' } = settings
  if (context.facts.video === null)
    return { warnings: ['smart_zoom found no picture to zoom into: the source has only sound.'] }
  if (intensity <= 1) return {}
  const { frameRate } = context.output
  const frames = (seconds: number): number => Math.round(seconds * rationalToNumber(frameRate))
  const [easeInFrames, easeOutFrames] =
    mode === 'smooth' ? [frames(GROW_SECONDS), frames(SHRINK_SECONDS)] : [0, 0]
  const moments = zoomMoments({
    words: context.words,
    keywords: context.document.keywords,
    sound: context.document.sound ?? null,
    timeMap: context.timeMap,
    frameRate,
    frequency,
    eases: easeOutFrames,
  })
  if (moments.length === 0)
    return { warnings: ['smart_zoom found no moment in this clip that deserves a closer look.'] }
  const zooms = moments.map(({ startFrame, endFrame }): Zoom => ({
    startFrame,
    endFrame,
    scale: intensity,
    ...centreOf(context, startFrame + easeInFrames),
    easeInFrames,
    easeOutFrames,
  }))
  return { zooms }
}

function centreOf(context: ComposeContext, frame: number): Percent {
  const { faces } = context.document
  const layout = context.layout.find((span) => span.startFrame <= frame && frame < span.endFrame)
  const played = context.timeMap.find((span) => span.startFrame <= frame && frame < span.endFrame)
  if (faces === undefined || layout === undefined || played === undefined) return USUAL
  const share = (frame - played.startFrame + 0.5) / (played.endFrame - played.startFrame)
  const second = ticksToSeconds(played.sourceStart + (played.sourceEnd - played.sourceStart) * share)
  const face = speakingFace(faces, second, sourceSize(context))
  const seen = face === null ? null : percentOf(layout, frame, face, context.output)
  if (seen === null) return USUAL
  const inside = (percent: number): number =>
    Math.round(Math.min(100 - RIM, Math.max(RIM, percent)) * 10) / 10
  return { xPercent: inside(seen.xPercent), yPercent: inside(seen.yPercent) }
}
