/**
 * A video that keyframes move over the picture: where it is, how large, and what of it is seen change from frame to frame,
 * between pixels too. `perspective` of every ffmpeg samples the picture, and a mask of its edges beside it, by the places
 * that the preview draws it at. PURE.
 */
import type { Composition, VideoLayer } from '../../../server/contract/composition.ts'
import { straightKnots } from '../../../server/contract/keyframes/straight-lines.ts'
import { unionBox, type Box } from '../../compositor/box.ts'
import { BLACK, parseColour } from '../../compositor/colour.ts'
import { placeMoved, reachOf, type MovedPlace, type VideoPlace } from '../../compositor/video-place.ts'
import { decimal, even, ffmpegColour, piecewise } from './colour.ts'
import { maskSource } from './render-masks.ts'

/** A mask is black for so many pixels around its inside, so that nothing is seen beyond that. */
const MARGIN = 2
/** Of a line between frames a place may be off by so many pixels. */
const CLOSE = 0.02
/** No picture is read larger than this for the sake of one that is seen close. */
const MOST_PIXELS = 4096

export interface Moving {
  /** The layer on each of its frames. */
  readonly places: readonly MovedPlace[]
  /** What of the output it covers, in all. */
  readonly reach: Box
  /** What is read of its file: `crop` in `picture.width` by `picture.height` pixels, at least as large as the reach. */
  readonly read: VideoPlace
}

/** Null: nothing of it is ever seen. */
export function planMoving(
  layer: VideoLayer,
  { output }: Composition,
  shown: { readonly startFrame: number; readonly endFrame: number },
): Moving | null {
  const places = Array.from({ length: shown.endFrame - shown.startFrame }, (_, index) =>
    placeMoved(layer, shown.startFrame + index, output),
  )
  const reach = reachOf(places, output)
  if (reach === null) return null
  const all = places.map(({ crop }) => crop).reduce<Box | null>(unionBox, null) ?? {
    x: 0,
    y: 0,
    width: 1,
    height: 1,
  }
  const crop = { ...all, width: Math.min(1 - all.x, all.width), height: Math.min(1 - all.y, all.height) }
  /** As dense as it is ever seen, but no denser than the file is. */
  const dense = (side: 'width' | 'height'): number => {
    const wanted = Math.max(...places.map((place) => (place.picture[side] * crop[side]) / place.crop[side]))
    return even(Math.max(reach[side], Math.min(wanted, layer.asset[side] * crop[side], MOST_PIXELS)))
  }
  const picture = { x: reach.x, y: reach.y, width: dense('width'), height: dense('height') }
  return { places, reach, read: { box: reach, picture, crop } }
}

/** Samples `[{name}p]` on each frame, and masks it; ends in `[{name}s]`, which is overlaid at `x` and `y`. */
export function movedChains(
  layer: VideoLayer,
  moving: Moving,
  output: Composition['output'],
  name: string,
): { readonly chains: readonly string[]; readonly x: string; readonly y: string } {
  const { x, y } = moving.reach
  return { chains: sampledChains(layer, moving, output, name), x: decimal(x), y: decimal(y) }
}

interface Sampled extends Moving {
  readonly layer: VideoLayer
  /** Of what is sampled. */
  readonly size: Composition['output']
  readonly name: string
}

function sampledChains(
  layer: VideoLayer,
  moving: Moving,
  { frameRate }: Composition['output'],
  name: string,
): string[] {
  const { places, reach, read } = moving
  const { width, height } = read.picture
  const size = { width, height, frameRate }
  const sampled: Sampled = { ...moving, layer, size, name }
  const cut = `crop=${reach.width}:${reach.height}:0:0,setsar=1`
  const alphas = maskSource(
    size,
    places.map(({ alpha }) => alpha),
  )
  return [
    ...pictureChains(sampled),
    ...(layer.background === null
      ? [`[${name}h]null[${name}g]`, `[${name}k]null[${name}m]`]
      : groundChains(sampled, layer.background)),
    `${alphas}[${name}a]`,
    `[${name}m][${name}a]blend=all_mode=multiply[${name}o]`,
    `[${name}g][${name}o]alphamerge,${cut}[${name}s]`,
  ]
}

/** The picture where it is on each frame, `[{name}h]`, and what of that is seen, `[{name}k]`. */
function pictureChains({ layer, places, reach, read, size, name }: Sampled): string[] {
  const samples = places.map(({ picture, crop }) => ({ to: picture, from: within(crop, read.crop, size) }))
  const head = `[${name}p]${sampling(samples, size, reach)},setpts=N`
  const edges = edgesOf({ places, reach, size }, 'picture')
  if (layer.asset.opaque) return [`${head}[${name}h]`, `${edges}[${name}k]`]
  return [
    `${head},split[${name}h][${name}h0]`,
    `[${name}h0]alphaextract[${name}k0]`,
    `${edges}[${name}k1]`,
    `[${name}k0][${name}k1]blend=all_mode=multiply[${name}k]`,
  ]
}

/** White where the box, or the picture in it, is on each frame, and black around it. */
function edgesOf({ places, reach, size }: Pick<Sampled, 'places' | 'reach' | 'size'>, of: 'box' | 'picture') {
  const { width, height, frameRate } = size
  const inner = { x: MARGIN, y: MARGIN, width: width - 2 * MARGIN, height: height - 2 * MARGIN }
  const samples = places.map((place) => ({ to: place[of], from: inner }))
  const last = (length: number): number => length - MARGIN - 1
  // Painted once: an expression for each point costs. `pad` has no black of its own for masks, but that of the screen.
  const inside = `255*between(X\\,${MARGIN}\\,${last(width)})*between(Y\\,${MARGIN}\\,${last(height)})`
  const rate = `${frameRate.numerator}/${frameRate.denominator}`
  const paint = `color=c=black:s=${width}x${height}:r=${rate},trim=end_frame=1,format=gray,geq=lum=${inside}`
  const again = `loop=loop=-1:size=1:start=0,trim=end_frame=${places.length},setsar=1,setpts=N`
  return `${paint},${again},${sampling(samples, size, reach)},setpts=N`
}

/** The picture on its background, `[{name}g]`, and what of both is seen, `[{name}m]`. */
function groundChains({ places, reach, size, name }: Sampled, background: string): string[] {
  const colour = parseColour(background) ?? BLACK
  const { alpha } = colour
  const rate = `${size.frameRate.numerator}/${size.frameRate.denominator}`
  // Painted in RGB and converted once: filters that paint in YCbCr assume BT.601.
  const paint = `color=c=${ffmpegColour({ ...colour, alpha: 1 })}:s=16x16:r=${rate},format=rgb24,trim=end_frame=${places.length}`
  const large = `scale=${size.width}:${size.height}:flags=neighbor:out_color_matrix=bt709:out_range=tv`
  const edges = edgesOf({ places, reach, size }, 'box')
  const level = (value: number): string =>
    maskSource(
      size,
      places.map(() => value),
    )
  const seen =
    alpha === 1
      ? [`${edges}[${name}m]`, `[${name}k]null[${name}k2]`]
      : [
          // The ground's own share, and where the picture is the rest of it.
          `[${name}k]split[${name}k2][${name}k3]`,
          `${edges}[${name}e]`,
          `${level(alpha)}[${name}e1]`,
          `${level(1 - alpha)}[${name}e2]`,
          `[${name}e][${name}e1]blend=all_mode=multiply[${name}m1]`,
          `[${name}k3][${name}e2]blend=all_mode=multiply[${name}m2]`,
          `[${name}m1][${name}m2]blend=all_mode=addition[${name}m]`,
        ]
  return [
    ...seen,
    `${paint},${large},setsar=1,format=yuv420p,setpts=N[${name}b]`,
    `[${name}h][${name}k2]alphamerge[${name}i]`,
    `[${name}b][${name}i]overlay=x=0:y=0:eval=init:format=yuv420,setpts=N[${name}g]`,
  ]
}

/** Where a part of the whole lies in the pixels that were read of another part. */
function within(
  part: Box,
  read: Box,
  { width, height }: { readonly width: number; readonly height: number },
): Box {
  const across = width / read.width
  const down = height / read.height
  return {
    x: (part.x - read.x) * across,
    y: (part.y - read.y) * down,
    width: part.width * across,
    height: part.height * down,
  }
}

/** A part of a picture, and where in the output it is to be. */
interface Sample {
  readonly from: Box
  readonly to: Box
}

/** The filter that samples a picture of this size so on each frame, counted from the output's point `at`. */
function sampling(
  samples: readonly Sample[],
  { width, height }: { readonly width: number; readonly height: number },
  at: { readonly x: number; readonly y: number },
): string {
  const along = (start: 'x' | 'y', side: 'width' | 'height', length: number): [string, string] => {
    const ends = samples.map(({ from, to }) => {
      const step = from[side] / to[side]
      // `perspective` counts from pixel corners and scalers from pixel centres: they differ by half a pixel's size.
      const first = from[start] + (at[start] - to[start]) * step + (step - 1) / 2
      return [first, first + step * length] as const
    })
    return [series(ends.map(([first]) => first)), series(ends.map(([, last]) => last))]
  }
  const [left, right] = along('x', 'width', width)
  const [top, bottom] = along('y', 'height', height)
  const corners = `x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}`
  return `perspective=${corners}:interpolation=cubic:sense=source:eval=frame`
}

/** Values of all frames as an expression: straight lines between as few of them as are close enough. */
function series(values: readonly number[]): string {
  const knots = straightKnots(0, values.length - 1, (frame) => values[frame] ?? 0, CLOSE)
  const pieces = knots.map((from, index) => {
    const next = knots[index + 1]
    const value = values[from] ?? 0
    if (next === undefined) return { from, value: decimal(value) }
    const slope = ((values[next] ?? 0) - value) / (next - from)
    return {
      from,
      value: slope === 0 ? decimal(value) : `(${decimal(value)}+${decimal(slope, 9)}*(in-1-${from}))`,
    }
  })
  // Frames are counted from 1.
  return piecewise('(in-1)', pieces)
}
