/**
 * One frame of a clip: a Composition of that frame alone, and a plan that reads only as much of the source as it needs. The
 * code that renders a clip then makes exactly the picture that the clip shows on that frame, without a transition. PURE.
 */
import {
  legsOf,
  sourceFrameOn,
  sourceFrames,
  type CaptionLayer,
  type Composition,
  type CropSpan,
  type Layer,
  type LayoutSpan,
  type Rect,
  type Zoom,
} from '../../../server/contract/composition.ts'
import { movedKeyframes } from '../../../server/contract/keyframes/keyframes.ts'
import { movedBy } from '../../../server/contract/time-map/head.ts'
import { frameToTicks, rationalToNumber, secondsToTicks } from '../../../server/contract/time.ts'
import { insidePicture, hasMovingCrop } from './render-crop.ts'
import { grows } from './render-grow.ts'
import { sectionsOf } from './render-layout.ts'
import { openLater, planTime, sampleAt, type PlannedSpan, type TimePlan } from './render-time.ts'
import { turns } from './render-zoom.ts'

export interface Moment {
  /** One frame long; its sound is meaningless. */
  readonly composition: Composition
  readonly plan: TimePlan
  /** Source time in seconds at which the frame's picture begins. */
  readonly seconds: number
}

const TAIL_SECONDS = 0.5
const MICROSECONDS = 1_000_000

/** `frame` counts as in the composition; a frame that does not play the source becomes the next one that does. */
export function buildMoment(composition: Composition, frame: number): Moment {
  const at = sourceFrameOn(composition, frame)
  const { output, source } = composition
  const { plan, seconds } = planMoment(planTime(composition), at, composition)
  const start = secondsToTicks(seconds)
  // A moment near a cut is of one take alone.
  const { transitions: _joined, ...single } = composition
  const { headFrames: _head, tailFrames: _tail, framing: _framing, zooms = [], ...rest } = single
  const patches = (source.patches ?? []).flatMap((patch) => during(patch, at) ?? [])
  const { patches: _patches, ...picture } = source
  const zoom = zooms.find(({ startFrame, endFrame }) => startFrame <= at && at < endFrame)
  return {
    seconds,
    plan,
    composition: {
      ...rest,
      durationFrames: 1,
      source: { ...picture, ...(patches.length === 0 ? {} : { patches }) },
      timeMap: [
        {
          startFrame: 0,
          endFrame: 1,
          playbackRate: 1,
          sourceStart: start,
          sourceEnd: start + frameToTicks(1, output.frameRate),
        },
      ],
      layout: layoutAt(composition, at),
      ...(zoom === undefined ? {} : { zooms: [zoomAt(zoom, at, sourceFrames(composition).endFrame)] }),
      layers: composition.layers.flatMap((layer) => layerAt(layer, at) ?? []),
    },
  }
}

/** Uses the same grid of frames by which the whole clip is read, from shortly before the picture. */
function planMoment(whole: TimePlan, frame: number, composition: Composition) {
  const rate = composition.output.frameRate
  const perSecond = rationalToNumber(rate)
  const found = spanAt(whole, frame)
  if (found === null) throw new Error(`no span of the clip plays on frame ${frame}`)
  const { window, span } = found
  const since = frame - span.startFrame
  const { playbackRate, sourceFrames: taken } = span
  // Of the source pictures that a frame covers at a higher speed, the last one is shown.
  const picture = playbackRate === 1 ? since : Math.ceil((since + 1) * playbackRate - 1e-6) - 1
  const wanted = span.sourceFrame + Math.min(taken - 1, Math.max(0, picture))
  const samples = sampleAt(1, rate)
  const one = { startFrame: 0, frames: 1, playbackRate: 1, sourceFrames: 1, samples }
  const { seekMicroseconds, spans } = openLater(
    window,
    [{ ...one, sourceFrame: wanted, sourceSample: 0 }],
    composition,
  )
  const [own] = spans.map((one): PlannedSpan => ({ ...one, sourceSample: sampleAt(one.sourceFrame, rate) }))
  if (own === undefined) throw new Error('the window of a moment has no span')
  const lengthSeconds = (own.sourceFrame + 1) / perSecond + TAIL_SECONDS
  return {
    plan: {
      windows: [{ seekMicroseconds, lengthSeconds, spans: [own] }],
      totalSamples: samples,
      headSamples: 0,
      playedSamples: samples,
      natural: true,
    },
    seconds: window.seekMicroseconds / MICROSECONDS + wanted / perSecond,
  }
}

function spanAt({ windows }: TimePlan, frame: number) {
  for (const window of windows) {
    const span = window.spans.find(
      ({ startFrame, frames }) => startFrame <= frame && frame < startFrame + frames,
    )
    if (span !== undefined) return { window, span }
  }
  return null
}

/** The frame's layout span, and after it a moving one if the frame's own is still but is joined to moving ones. */
function layoutAt({ layout, source }: Composition, frame: number): LayoutSpan[] {
  const section = sectionsOf(layout).find(
    ({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame,
  )
  const span = section?.spans.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  if (section === undefined || span === undefined) return layout.slice(0, 1)
  const one = { startFrame: 0, endFrame: 1 }
  if (span.kind === 'fit') return [{ ...span, ...one }]
  if (span.kind === 'panes') {
    const panes = span.panes.map((pane) => {
      const legs = cropsAt(legsOf(pane, span), frame, source).map(({ kind: _kind, ...leg }) => leg)
      return pane.legs === undefined ? pane : { ...pane, crop: legs[0]?.crop ?? pane.crop, legs }
    })
    return [{ ...span, ...one, panes }]
  }
  return cropsAt(
    section.spans.filter((entry): entry is CropSpan => entry.kind === 'crop'),
    frame,
    source,
  )
}

/** The crop that is on in a frame, as the first, and after it a moving one if it is joined to such. */
function cropsAt(crops: readonly CropSpan[], frame: number, source: Composition['source']): CropSpan[] {
  const span = crops.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  if (span === undefined) return crops.slice(0, 1)
  const one = { kind: 'crop', startFrame: 0, endFrame: 1 } as const
  if (grows(crops)) {
    const crop = rectAt(span, frame)
    const closer = { ...crop, width: crop.width * 0.99, height: crop.height * 0.99 }
    return [
      { ...one, crop },
      { ...one, startFrame: 1, endFrame: 2, crop, cropTo: closer },
    ]
  }
  if (hasMovingCrop([span]))
    return [{ ...one, crop: cropAt(span, frame, source), cropTo: cropAt(span, frame + 1, source) }]
  const own: CropSpan = { ...one, crop: span.crop }
  const mover = crops.find((entry) => hasMovingCrop([entry]))
  return mover === undefined ? [own] : [own, { ...mover, startFrame: 1, endFrame: 2 }]
}

/** The rectangle of one frame of crops of several sizes, which are resampled everywhere. */
function rectAt({ crop, cropTo = crop, eased, startFrame, endFrame }: CropSpan, frame: number): Rect {
  const time = (frame - startFrame) / (endFrame - startFrame)
  const way = eased === true ? time * time * (3 - 2 * time) : time
  const along = (pick: (rect: Rect) => number): number => pick(crop) + (pick(cropTo) - pick(crop)) * way
  return {
    x: along(({ x }) => x),
    y: along(({ y }) => y),
    width: along(({ width }) => width),
    height: along(({ height }) => height),
  }
}

function cropAt(span: CropSpan, frame: number, source: Composition['source']): Rect {
  const { eased, startFrame, endFrame } = span
  const crop = insidePicture(span.crop, source)
  const cropTo = insidePicture(span.cropTo ?? span.crop, source)
  const time = (frame - startFrame) / (endFrame - startFrame)
  const way = eased === true ? time * time * (3 - 2 * time) : time
  return { ...crop, x: crop.x + (cropTo.x - crop.x) * way, y: crop.y + (cropTo.y - crop.y) * way }
}

/** A zoom whose first frame has progressed as far as this one has on that frame. */
function zoomAt(zoom: Zoom, frame: number, frames: number): Zoom {
  const clipped = { ...zoom, endFrame: Math.min(zoom.endFrame, frames) }
  const { grown, leaves } = turns(clipped)
  const one = { ...zoom, startFrame: 0, endFrame: 1, easeInFrames: 0, easeOutFrames: 0 }
  if (frame < grown) return { ...one, startFrame: zoom.startFrame - frame, easeInFrames: zoom.easeInFrames }
  // On the way out it has progressed as far as on the way in with the same share left.
  if (frame > leaves)
    return { ...one, startFrame: frame - clipped.endFrame, easeInFrames: clipped.endFrame - leaves }
  return one
}

/** The part from that frame on, as if it were the first; null if nothing is shown on that frame. */
function during<Shown extends Parameters<typeof movedBy>[0]>(shown: Shown, frame: number): Shown | null {
  if (frame < shown.startFrame || shown.endFrame <= frame) return null
  return movedBy(shown, -frame)
}

function layerAt(layer: Layer, frame: number): Layer | null {
  return layer.kind === 'captions' ? captionsAt(layer, frame) : during(layer, frame)
}

function captionsAt(layer: CaptionLayer, frame: number): CaptionLayer | null {
  const cues = layer.cues.flatMap((cue) => {
    const shown = during(cue, frame)
    const words = cue.words.map((word) => ({
      ...word,
      startFrame: word.startFrame - frame,
      endFrame: word.endFrame - frame,
    }))
    return shown === null ? [] : [{ ...shown, words }]
  })
  return cues.length === 0 ? null : { ...layer, cues, ...movedKeyframes(layer.keyframes, -frame) }
}
