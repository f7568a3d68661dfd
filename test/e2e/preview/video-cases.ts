/** What preview and export are compared on where there are moving pictures: video layers, and the clip's own picture. */
import type {
  Composition,
  LayoutSpan,
  Transition,
  VideoLayer,
  Zoom,
} from '../../../server/contract/composition.ts'
import type { TransitionName } from '../../../server/contract/transitions/registry.ts'
import { frameToTicks, secondsToTicks } from '../../../server/contract/time.ts'
import { arrangeLayout } from '../../../server/nodes/manual-overrides/arrange-layout.ts'
import { withOpening } from '../../../server/nodes/compose/opening.ts'
import { sampleDocument } from '../../support/sample-document.ts'
import { factsOf } from '../../support/node-values.ts'
import { plain, RATE, spans } from '../../pipeline/render-support.ts'
import { captionLayer } from '../../support/sample-composition.ts'

export interface VideoCase {
  readonly name: string
  readonly composition: Composition
  readonly frames: readonly number[]
}

/**
 * Placeholder of the file that preview-videos.test.ts makes; its pictures are 640x360, 30 a second, for two seconds.
 */
export const TEST_VIDEO = 'e'.repeat(64)

const STILL = { kind: 'none' as const, frames: 0 }
const LAYER: VideoLayer = {
  kind: 'video',
  id: 'video',
  sourceStart: 0,
  loop: false,
  fit: 'fill',
  focusX: 50,
  focusY: 50,
  asset: {
    digest: TEST_VIDEO,
    width: 640,
    height: 360,
    frameRate: RATE,
    duration: secondsToTicks(2),
    hasAudio: false,
    videoStream: 0,
    hdr: false,
    interlaced: false,
    opaque: true,
    colourMatrix: 'bt709',
  },
  // Reference units are three to a pixel at 640x360.
  rect: { x: 300, y: 150, width: 1200, height: 675 },
  background: null,
  opacity: 1,
  startFrame: 5,
  endFrame: 30,
  intro: STILL,
  outro: STILL,
}

/** Keyframes of one property, eased alike. */
const keyed = (property: string, ...points: readonly (readonly [frame: number, value: number])[]) => ({
  property,
  points: points.map(([frame, value]) => ({ frame, value, easing: 'ease_in_out' as const })),
})

function video(name: string, frames: readonly number[], more: Partial<VideoLayer>, durationFrames = 36) {
  const layers = [{ ...LAYER, ...more }, captionLayer('Over it', 15, 2)]
  return { name: `video ${name}`, composition: plain({ durationFrames, layers }), frames }
}

const late = { sourceStart: frameToTicks(50, RATE), startFrame: 0, endFrame: 40 }

export const VIDEO_CASES: readonly VideoCase[] = [
  video('from a moment on', [20], { sourceStart: frameToTicks(14, RATE) }),
  video('held', [25], late),
  video('looped', [12, 25], { ...late, loop: true }),
  video('covering', [10], { fit: 'cover', focusX: 20, rect: { x: 301, y: 60, width: 500, height: 900 } }),
  video('contained, half opaque', [10], {
    fit: 'contain',
    background: '#20c040',
    rect: { x: 900, y: 100, width: 700, height: 800 },
    opacity: 0.6,
  }),
  video('contained, at the top', [10], {
    fit: 'contain',
    focusY: 0,
    background: '#000000',
    rect: { x: 900, y: 100, width: 700, height: 800 },
  }),
  video('fading', [7, 27], { intro: { kind: 'fade', frames: 6 }, outro: { kind: 'fade', frames: 6 } }),
  video('sliding', [8], { intro: { kind: 'right', frames: 8 } }),
  video('drifting closer', [6, 28], { drift: 0.12 }),
  video('drifting away, covering', [20], {
    drift: 0.12,
    driftTo: 'out',
    fit: 'cover',
    rect: { x: 301, y: 60, width: 500, height: 900 },
  }),
  video('panned, looped, half opaque', [12, 25], {
    ...late,
    loop: true,
    drift: 0.12,
    driftTo: 'right',
    opacity: 0.6,
  }),
  video('panned to the left', [20], { drift: 0.12, driftTo: 'left' }),
  video('growing', [8], { intro: { kind: 'small', frames: 8 } }),
  video('that comes and goes by keyframes', [9, 14, 24], {
    keyframes: [
      {
        property: 'opacity',
        points: [
          { frame: 5, value: 0, easing: 'ease_in' },
          { frame: 15, value: 1, easing: 'linear' },
          { frame: 29, value: 0.2, easing: 'linear' },
        ],
      },
    ],
  }),
  video('moved by keyframes, from beyond the edge', [8, 13, 22], {
    keyframes: [keyed('rect.x', [5, -1000], [25, 700]), keyed('rect.y', [5, 150], [25, 500])],
  }),
  video('made larger by keyframes, looped, and coming', [6, 12, 24], {
    ...late,
    loop: true,
    intro: { kind: 'fade', frames: 10 },
    keyframes: [
      keyed('rect.width', [0, 400], [30, 1700]),
      keyed('rect.height', [0, 225], [30, 956]),
      keyed('opacity', [15, 1], [30, 0.4]),
    ],
  }),
  video('looked at elsewhere by keyframes, drifting', [8, 18, 28], {
    fit: 'cover',
    drift: 0.12,
    rect: { x: 301, y: 60, width: 500, height: 900 },
    keyframes: [keyed('focusX', [5, 0], [28, 100])],
  }),
  video('contained and made wider by keyframes, half opaque', [8, 18, 28], {
    fit: 'contain',
    background: '#20c040',
    opacity: 0.6,
    rect: { x: 500, y: 100, width: 500, height: 800 },
    keyframes: [keyed('rect.width', [5, 500], [28, 1200])],
  }),
]

const TALL = { width: 360, height: 640 }
const FRAMES = { startFrame: 0, endFrame: 30 }
const WHOLE = { x: 0, y: 0, width: 640, height: 360 }
const STRIP = { x: 60, y: 0, width: 202, height: 360 }

function source(
  name: string,
  frames: readonly number[],
  layout: LayoutSpan,
  more: Partial<Composition> = {},
) {
  const composition = plain({ ...TALL, durationFrames: 30, fromFrame: 10 })
  return { name: `source ${name}`, composition: { ...composition, layout: [layout], ...more }, frames }
}

const crop: LayoutSpan = { kind: 'crop', ...FRAMES, crop: STRIP }
const moving: LayoutSpan = { ...crop, cropTo: { ...STRIP, x: 361 } }
const zoom: Zoom = {
  startFrame: 4,
  endFrame: 24,
  scale: 1.5,
  xPercent: 40,
  yPercent: 30,
  easeInFrames: 8,
  easeOutFrames: 8,
}
const halves = [
  { crop: { x: 0, y: 0, width: 320, height: 284 }, rect: { x: 0, y: 0, width: 1080, height: 960 } },
  { crop: { x: 300, y: 76, width: 320, height: 284 }, rect: { x: 0, y: 960, width: 1080, height: 960 } },
]

/** As an editor has laid it out: a crop that moves and comes closer, then two views. */
function manual(): VideoCase {
  const { composition, frames } = source('laid out by hand', [2, 9, 20], crop)
  const facts = factsOf({ width: 640, height: 360, seconds: 2 })
  const context = {
    facts,
    document: sampleDocument(),
    output: composition.output,
    timeMap: composition.timeMap,
  }
  const keyframes = [
    { at: 10.5 / 30, x: 0.2, y: 0.5, zoom: 1 },
    { at: 22.5 / 30, x: 0.7, y: 0.6, zoom: 1.6 },
  ]
  const views = [
    { x: 0.25, y: 0.5, zoom: 1 },
    { x: 0.75, y: 0.5, zoom: 1.5 },
  ]
  const layout = arrangeLayout(
    [
      { kind: 'crop', start: 0, end: 25 / 30, keyframes, eased: true },
      { kind: 'split', start: 25 / 30, end: 2, views },
    ],
    [crop],
    context,
  )
  return { name: 'source laid out by hand', composition: { ...composition, layout }, frames }
}

/** A logo in the middle, one over the seam of two colours, one in a corner, and one that is there for a while. */
const patches = [
  { rect: { x: 210, y: 190, width: 90, height: 60 }, ...FRAMES },
  { rect: { x: 311, y: 121, width: 61, height: 83 }, ...FRAMES },
  { rect: { x: 540, y: 300, width: 100, height: 60 }, ...FRAMES },
  { rect: { x: 60, y: 0, width: 120, height: 50 }, startFrame: 5, endFrame: 12 },
]
/** Pixel by pixel, as wide as the source. */
const wide = plain({ durationFrames: 30, fromFrame: 10 })

function patched({ name, composition, frames }: VideoCase): VideoCase {
  const without = { ...composition, source: { ...composition.source, patches } }
  return { name: `${name} without its logos`, composition: without, frames }
}

/** Five frames of a video before a picture that moves, is looked at closer and loses its logos for a while. */
function opened(): VideoCase {
  const { composition } = patched(source('before', [], moving, { zooms: [zoom] }))
  const { rect: _rect, ...shown } = LAYER
  const rect = { x: 0, y: 0, width: 1080, height: 1920 }
  const layer = { ...shown, rect, startFrame: 0, endFrame: 5, fit: 'contain' as const, background: '#000000' }
  const layers = [...composition.layers, captionLayer('After it', 15, 2)]
  return {
    name: 'source after an intro',
    composition: withOpening({ ...composition, layers }, { frames: 5, layers: [layer], tracks: [] }, 0),
    frames: [0, 4, 5, 10, 17, 32],
  }
}

/** Two takes that become one another, of a moving crop, under a zoom and without a logo. */
function joined(
  kind: TransitionName,
  frames: readonly number[],
  colour: Transition['colour'] = 'black',
): VideoCase {
  const { composition } = patched(source('joined', [], moving, { zooms: [{ ...zoom, endFrame: 18 }] }))
  const transitions = [{ kind, cutFrame: 15, frames: 12, colour, soundMs: 0 }]
  const timeMap = spans([
    [3, 15],
    [36, 15],
  ])
  return { name: `source joined by ${kind}`, composition: { ...composition, timeMap, transitions }, frames }
}

export const SOURCE_CASES: readonly VideoCase[] = [
  joined('cross_fade', [8, 11, 14, 15, 18, 22]),
  joined('whip', [11, 14, 15, 18]),
  joined('zoom', [11, 14, 15, 18]),
  joined('dip', [10, 14, 19], 'white'),
  opened(),
  patched({ name: 'source', composition: wide, frames: [4, 5, 11, 12] }),
  patched(source('looked at closer on its way', [12], moving, { zooms: [zoom] })),
  patched(source('held to the end', [27], moving, { tailFrames: 8, timeMap: spans([[10, 22]]) })),
  source('cropped', [17], crop),
  source('crop that moves gently', [20], { ...moving, eased: true }),
  source('crop that comes closer as it goes', [4, 15, 27], {
    ...crop,
    crop: STRIP,
    eased: true,
    cropTo: { x: 340, y: 96, width: 112.5, height: 200 },
  }),
  manual(),
  source('fitted over its blur', [9], { kind: 'fit', ...FRAMES, crop: WHOLE, zoom: 1.3, background: 'blur' }),
  source('fitted over black', [9], {
    kind: 'fit',
    ...FRAMES,
    crop: WHOLE,
    zoom: 1,
    background: 'black',
    yOffsetPercent: -12,
  }),
  source('panes', [9], { kind: 'panes', ...FRAMES, panes: halves, background: 'black' }),
  source('panes over blur', [9], {
    kind: 'panes',
    ...FRAMES,
    background: 'blur',
    panes: [{ crop: WHOLE, rect: { x: 90, y: 300, width: 900, height: 506 } }],
  }),
  source('looked at closer', [6, 12, 20], crop, { zooms: [zoom] }),
  source('cut, faster and slower', [3, 14, 27], crop, {
    timeMap: spans([
      [3, 10],
      [20, 7, 2],
      [40, 13, 0.5],
    ]),
  }),
  source('held to the end, moving', [15, 28], moving, { tailFrames: 8, timeMap: spans([[10, 22]]) }),
]
