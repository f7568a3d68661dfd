/** The audiogram layer: the clip's sound as a moving wave. What is drawn is rounded first, so that equal keys mean equal pictures. */
import type { AudiogramLayer } from '../../../server/contract/composition.ts'
import { decodeWave } from '../../../server/contract/clip-measurements.ts'
import { growBox, inPixels, intersectBox, unionBox, type Box } from '../box.ts'
import type { DrawingContext } from '../canvas.ts'
import { cssColour, type Rgba } from '../colour.ts'
import { traceRounded } from '../paths.ts'
import { follow, passingStrip, spreadingBars, stripHeights, swingingLine, type WaveBar } from '../wave.ts'
import { readColour, type LayoutContext, type PreparedLayer } from './layer.ts'

/** Reference units from one bar to the next, and how much of that the bar takes. */
const PITCH = { bars: 27, mirror: 20 } as const
const FILLED = { bars: 0.6, mirror: 0.5 } as const
const MAX_BARS = 121
const LINE = { step: 11, thickness: 8 } as const
/** Parts of a pixel that places are rounded to. */
const FINE = 8

interface PaintedBar {
  readonly box: Box
  readonly opacity: number
}

interface PaintedCurve {
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly opacity: number
  readonly width: number
}

/** What is seen at one frame. */
interface Picture {
  readonly key: string
  readonly extent: Box | null
  readonly bars: readonly PaintedBar[]
  readonly curves: readonly PaintedCurve[]
}

interface Place {
  readonly rect: Box
  readonly unit: number
}

const NOTHING: Picture = { key: '', extent: null, bars: [], curves: [] }
const fine = (value: number): number => Math.round(value * FINE) / FINE

export function prepareAudiogram(layer: AudiogramLayer, context: LayoutContext): PreparedLayer {
  const { unit, width, height, framesPerSecond } = context
  const place: Place = {
    unit,
    rect: inPixels(layer.rect, unit),
  }
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const nothing = endFrame <= startFrame || layer.rect.width <= 0 || layer.rect.height <= 0
  const colours = {
    wave: readColour(layer.colour, context),
    halo: layer.halo === undefined ? null : readColour(layer.halo.colour, context),
    haloWidth: (layer.halo?.width ?? 0) * unit,
  }
  const pictureOf = painter(layer, place, framesPerSecond)
  const output = { x: 0, y: 0, width, height }
  const pictureAt = remembering((frame: number): Picture => {
    if (nothing || frame < startFrame || frame >= endFrame) return NOTHING
    const made = pictureOf(frame - layer.startFrame)
    const smooth = 1 + colours.haloWidth
    const extent = made.extent === null ? null : intersectBox(growBox(made.extent, smooth), output)
    return { ...made, extent }
  })
  const reach = 1 + colours.haloWidth + LINE.thickness * unit
  return {
    id: layer.id,
    box: nothing ? null : intersectBox(growBox(place.rect, reach), output),
    shown: nothing ? [] : [{ startFrame, endFrame }],
    stateAt: (frame) => pictureAt(frame).key,
    paintedAt: (frame) => pictureAt(frame).extent,
    damage: (from, to) => {
      const before = pictureAt(from)
      const after = pictureAt(to)
      return before.key === after.key ? null : unionBox(before.extent, after.extent)
    },
    draw: (canvas, frame) => paint(canvas, pictureAt(frame), colours),
  }
}

/** Caches the last few pictures: a frame's key, extent and drawing are requested separately. */
function remembering(make: (frame: number) => Picture): (frame: number) => Picture {
  const cache = new Map<number, Picture>()
  return (frame) => {
    const known = cache.get(frame)
    if (known !== undefined) return known
    const made = make(frame)
    if (cache.size >= 4) cache.delete(cache.keys().next().value ?? 0)
    cache.set(frame, made)
    return made
  }
}

/** From a frame of the layer to what is seen of the wave. */
function painter(layer: AudiogramLayer, place: Place, framesPerSecond: number): (frame: number) => Picture {
  const levels = decodeWave(layer.levels)
  const frames = Math.max(
    0,
    Math.min(Math.ceil(levels.length * layer.framesPerLevel), layer.endFrame - layer.startFrame),
  )
  const heights = Float64Array.from(
    { length: frames },
    (_, frame) => levels[Math.floor(frame / layer.framesPerLevel)] ?? 0,
  )
  const followed = follow(heights, framesPerSecond)
  const { width } = layer.rect
  switch (layer.style) {
    case 'bars': {
      const count = Math.min(MAX_BARS, Math.max(1, 2 * Math.floor((width / PITCH.bars - 1) / 2) + 1))
      return (frame) =>
        barPicture(spreadingBars(followed, frame, count, framesPerSecond), 'bars', count, place)
    }
    case 'mirror': {
      const strip = stripHeights(heights, framesPerSecond)
      const count = Math.min(MAX_BARS, Math.max(1, Math.floor(width / PITCH.mirror)))
      return (frame) => barPicture(passingStrip(strip, frame, count, framesPerSecond), 'mirror', count, place)
    }
    case 'line': {
      const count = Math.max(8, Math.round(width / LINE.step))
      return (frame) => linePicture(swingingLine(followed, frame, count, framesPerSecond), place)
    }
  }
}

function barPicture(bars: readonly WaveBar[], style: 'bars' | 'mirror', count: number, { rect }: Place) {
  const pitch = rect.width / count
  const thick = pitch * FILLED[style]
  const middle = rect.x + rect.width / 2
  const painted = bars
    .map(({ x, height, opacity }): PaintedBar => {
      // In silence a bar is a dot.
      const tall = fine(Math.max(thick, Math.min(1, height) * rect.height))
      const top = style === 'bars' ? rect.y + rect.height - tall : rect.y + (rect.height - tall) / 2
      const box = { x: fine(middle + x * pitch - thick / 2), y: top, width: thick, height: tall }
      return { box, opacity: Math.round(opacity * 50) / 50 }
    })
    .filter(({ opacity }) => opacity > 0)
  const key = painted.map(({ box, opacity }) => `${box.x} ${box.height} ${opacity}`).join(';')
  const extent = painted.reduce<Box | null>((whole, { box }) => unionBox(whole, box), null)
  return { key, extent, bars: painted, curves: [] }
}

function linePicture(strands: ReturnType<typeof swingingLine>, { rect, unit }: Place): Picture {
  const thickness = LINE.thickness * unit
  const middle = rect.y + rect.height / 2
  // The stroke itself stays inside the rectangle.
  const reach = Math.max(0, (rect.height - thickness) / 2)
  const curves = strands.map(({ points, opacity, thickness: share }): PaintedCurve => ({
    points: points.map((value, index) => [
      rect.x + (rect.width * index) / (points.length - 1),
      fine(middle + value * reach),
    ]),
    opacity,
    width: thickness * share,
  }))
  const heights = curves.flatMap(({ points }) => points.map(([, y]) => y))
  const top = Math.min(...heights)
  const bottom = Math.max(...heights)
  const extent = growBox({ x: rect.x, y: top, width: rect.width, height: bottom - top }, thickness / 2)
  return { key: heights.join(' '), extent, bars: [], curves }
}

interface Colours {
  readonly wave: Rgba
  readonly halo: Rgba | null
  readonly haloWidth: number
}

function paint(canvas: DrawingContext, picture: Picture, { wave, halo, haloWidth }: Colours): void {
  if (halo !== null && haloWidth > 0) {
    for (const { box, opacity } of picture.bars) fillBar(canvas, growBox(box, haloWidth), halo, opacity)
    for (const { points, width, opacity } of picture.curves)
      strokeCurve(canvas, points, width + 2 * haloWidth, cssColour(halo, opacity))
  }
  for (const { box, opacity } of picture.bars) fillBar(canvas, box, wave, opacity)
  for (const { points, width, opacity } of picture.curves)
    strokeCurve(canvas, points, width, cssColour(wave, opacity))
}

function fillBar(canvas: DrawingContext, box: Box, colour: Rgba, opacity: number): void {
  canvas.fillStyle = cssColour(colour, opacity)
  canvas.beginPath()
  traceRounded(canvas, box, box.width / 2)
  canvas.fill()
}

/** Through the middles between the points, each point pulling the curve towards it: no corner anywhere. */
function strokeCurve(canvas: DrawingContext, points: PaintedCurve['points'], width: number, colour: string) {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return
  canvas.strokeStyle = colour
  canvas.lineWidth = width
  canvas.lineCap = 'round'
  canvas.lineJoin = 'round'
  canvas.beginPath()
  canvas.moveTo(first[0], first[1])
  points.forEach(([x, y], index) => {
    const next = points[index + 1]
    if (next !== undefined && index > 0) canvas.quadraticCurveTo(x, y, (x + next[0]) / 2, (y + next[1]) / 2)
  })
  canvas.lineTo(last[0], last[1])
  canvas.stroke()
}
