/** Video layers of a Composition: their inputs, and the chains that overlay them between the bands. PURE. */
import type { Composition, VideoLayer } from '../../../server/contract/composition.ts'
import { valuesOn } from '../../../server/contract/keyframes/keyframes.ts'
import { frameToTicks, rationalToNumber, type Rational } from '../../../server/contract/time.ts'
import { intersectBox, unionBox, type Box } from '../../compositor/box.ts'
import { BLACK, parseColour } from '../../compositor/colour.ts'
import { placed, stanceOf, type Stance } from '../../compositor/picture-moves.ts'
import { isMoved, placeVideo, playingOf, shownFrames, type VideoPlace } from '../../compositor/video-place.ts'
import { decimal, ffmpegColour, piecewise, toneMapFilters } from './colour.ts'
import { inputGuard, listArguments } from './input.ts'
import { maskSource, withoutRepeats } from './render-masks.ts'
import { movedChains, planMoving, type Moving } from './render-videos-moved.ts'
import { overlayChains, type BandInput } from './render-picture.ts'

/** One reading of a layer's file, through an input of its own. */
interface Pass {
  /** Where reading starts, in seconds; null: at the beginning, repeated endlessly. */
  readonly seek: number | null
  /** How many conformed frames to skip at the beginning, and how many to take. */
  readonly skip: number
  readonly frames: number
}

/** A video layer with its position in time and space. */
interface PlannedVideo {
  readonly layer: VideoLayer
  readonly place: VideoPlace
  readonly startFrame: number
  readonly frames: number
  readonly passes: readonly Pass[]
  /** Where it goes by keyframes; null: nowhere. */
  readonly moving: Moving | null
}

/** Output frames read before the first wanted one, because a picture that began earlier may still be shown. */
const LEAD_FRAMES = 2
/** Seconds read past the end, for slightly late timestamps. */
const TAIL = 0.5
const MICROSECONDS = 1_000_000

const text = (rate: Rational): string => `${rate.numerator}/${rate.denominator}`
const period = (rate: Rational): string => `${rate.denominator}/${rate.numerator}`

function planVideo(layer: VideoLayer, composition: Composition): PlannedVideo {
  const { output, durationFrames } = composition
  const shown = shownFrames(layer, durationFrames)
  const moving = shown === null || !isMoved(layer) ? null : planMoving(layer, composition, shown)
  const place = isMoved(layer) ? moving?.read : placeVideo(layer, output)
  if (place === undefined || place === null || shown === null) throw new Error(`${layer.id} shows nothing`)
  const rate = output.frameRate
  const missed = frameToTicks(shown.startFrame - layer.startFrame, rate)
  const { start, firstFrames } = playingOf({ ...layer, sourceStart: layer.sourceStart + missed }, rate)
  const frames = shown.endFrame - shown.startFrame
  const perSecond = rationalToNumber(rate)
  const lead = LEAD_FRAMES + Math.ceil(perSecond / rationalToNumber(layer.asset.frameRate))
  const seek = Math.max(0, Math.floor((start - lead / perSecond) * MICROSECONDS) / MICROSECONDS)
  const first: Pass = {
    seek,
    skip: Math.round((start - seek) * perSecond),
    frames: Math.min(frames, firstFrames),
  }
  const again: Pass[] = frames > firstFrames ? [{ seek: null, skip: 0, frames: frames - firstFrames }] : []
  return { layer, place, startFrame: shown.startFrame, frames, passes: [first, ...again], moving }
}

/** The `-i` options of all passes of all layers, in the order in which `videoChains` counts them. */
export function videoInputs(
  composition: Composition,
  layers: readonly VideoLayer[],
  fileOf: (digest: string) => string,
): string[] {
  const perSecond = rationalToNumber(composition.output.frameRate)
  return layers.flatMap((layer) =>
    planVideo(layer, composition).passes.flatMap(
      ({ seek, skip, frames }) =>
        // The bundled build fails to repeat a file that it did not read from the beginning.
        listArguments`
          ${inputGuard()} ${seek === null ? ['-stream_loop', '-1'] : ['-ss', decimal(seek)]}
          -t ${decimal((skip + frames) / perSecond + TAIL)} -an -sn -dn -i file:${fileOf(layer.asset.digest)}
        `,
    ),
  )
}

/** How many inputs a layer needs. */
export function passesOf(layer: VideoLayer, composition: Composition): number {
  return planVideo(layer, composition).passes.length
}

/** Overlays one layer on `[below]`; its passes are the inputs from `firstInput` on. Ends in `[label]`. */
function videoChains(
  composition: Composition,
  layer: VideoLayer,
  given: { readonly firstInput: number; readonly below: string; readonly label: string },
): string[] {
  const planned = planVideo(layer, composition)
  const { firstInput, below, label } = given
  const name = `v${firstInput}`
  const { output } = composition
  const { chains, x, y, still } =
    planned.moving === null
      ? restingChains(planned, composition, name)
      : { ...movedChains(layer, planned.moving, output, name), still: true }
  const when = `settb=${period(output.frameRate)},setpts=N+${planned.startFrame}`
  const how = `eval=${still ? 'init' : 'frame'}:format=yuv420:eof_action=pass`
  return [
    ...passChains(planned, composition, firstInput, name),
    ...chains,
    `[${name}s]${when}[${name}o]`,
    `[${below}][${name}o]overlay=x=${x}:y=${y}:${how}[${label}]`,
  ]
}

/** `[{name}p]` on its background, as it comes and goes; ends in `[{name}s]`, which is overlaid at `x` and `y`. */
function restingChains(planned: PlannedVideo, composition: Composition, name: string) {
  const { layer } = planned
  const moving = movingShape(planned, composition)
  const format = needsAlpha(planned) ? 'yuva420p' : 'yuv420p'
  const painted = layer.background === null ? `${name}p` : `${name}g`
  const dimmed = dimming(planned, composition.output, name)
  const before = `[${painted}]${[`format=${format}`, ...dimmed].join(',')}`
  const chains = [
    ...(layer.background === null ? [] : groundChains(planned, composition, layer.background, name)),
    ...(moving.sizes === null ? [`${before}[${name}s]`] : sizedChains(planned, moving, before, name)),
  ]
  return { chains, x: moving.x, y: moving.y, still: moving.still }
}

/** Reads, conforms, crops, scales and holds; ends in `[{name}p]`, exactly `frames` frames of the picture's size. */
function passChains(
  { layer, place, passes, startFrame, moving }: PlannedVideo,
  composition: Composition,
  firstInput: number,
  name: string,
): string[] {
  const rate = composition.output.frameRate
  const { asset } = layer
  const deinterlace = asset.interlaced ? 'bwdif=mode=send_frame:parity=auto:deint=all,' : ''
  const only = passes.length === 1
  // A moved one drifts with all else that changes of it.
  const moves = moving === null ? driftFilter(layer, place, startFrame) : ''
  const heads = passes.map(({ skip, frames }, index) => {
    const end = only ? `${name}p` : `${name}x${index}`
    const conform = `fps=${text(rate)}:round=near:start_time=0`
    const take = `trim=start_frame=${skip}:end_frame=${skip + frames},setpts=N`
    // The last picture is held if the file ends early.
    const hold = `tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames},settb=${period(rate)},setpts=N`
    const read = `[${firstInput + index}:${asset.videoStream}]${deinterlace}${conform},${take}`
    return `${read},${fitFilters(layer, place)},${hold}${only ? moves : ''}[${end}]`
  })
  if (only) return heads
  const parts = passes.map((_, index) => `[${name}x${index}]`).join('')
  return [...heads, `${parts}concat=n=${passes.length}:v=1,settb=${period(rate)},setpts=N${moves}[${name}p]`]
}

/** The slow motion of `driftedPart`, frame by frame with sub-pixel precision; empty where there is none. */
function driftFilter(
  { drift = 0, driftTo, startFrame, endFrame }: VideoLayer,
  { picture: { width, height } }: VideoPlace,
  first: number,
): string {
  if (drift === 0) return ''
  const share = `((in-1+${first - startFrame})/${Math.max(1, endFrame - startFrame)})`
  const size = decimal(drift)
  const grown =
    driftTo === undefined
      ? `(1+${size}*${share})`
      : driftTo === 'out'
        ? `(1+${size}*(1-${share}))`
        : decimal(1 + drift)
  const along = driftTo === 'right' ? share : driftTo === 'left' ? `(1-${share})` : '0.5'
  // `perspective` counts from pixel corners and scalers from pixel centres: they differ by half a pixel's size.
  const inset = `(1/${grown}-1)/2`
  const left = `${width}*(1-1/${grown})*${along}+${inset}`
  const right = `${left}+${width}/${grown}`
  const top = `${height}*(1-1/${grown})/2+${inset}`
  const bottom = `${top}+${height}/${grown}`
  const corners = `x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}`
  return `,perspective=${corners}:interpolation=cubic:sense=source:eval=frame`
}

/** Crops by shares of the decoded picture, so that pixels that are not square need no special case. */
function fitFilters({ asset }: VideoLayer, { crop, picture }: VideoPlace): string {
  const share = (value: number): string => decimal(Math.min(1, value) + 1e-7, 8)
  const whole = crop.width > 0.99999 && crop.height > 0.99999
  const cut = `crop=w=iw*${share(crop.width)}:h=ih*${share(crop.height)}:x=iw*${share(crop.x)}:y=ih*${share(crop.y)},`
  const small = Math.min(asset.width, asset.height) < 720 && Math.max(asset.width, asset.height) < 1280
  const matrix = asset.colourMatrix ?? (small ? 'bt601' : 'bt709')
  const convert = asset.hdr ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`
  const scale = `scale=${picture.width}:${picture.height}:flags=bicubic${convert}:out_range=tv,setsar=1`
  const format = asset.opaque ? 'yuv420p' : 'yuva420p'
  return `${whole ? '' : cut}${scale},${asset.hdr ? toneMapFilters(asset) : `format=${format}`}`
}

/** Puts the picture on its background; ends in `[{name}g]`, with the size of the box. */
function groundChains(
  { place, frames }: PlannedVideo,
  composition: Composition,
  background: string,
  name: string,
): string[] {
  const rate = composition.output.frameRate
  const { box, picture } = place
  const colour = parseColour(background) ?? BLACK
  // Painted in RGB and converted once: filters that paint in YCbCr assume BT.601.
  const paint = `color=c=${ffmpegColour(colour)}:s=16x16:r=${text(rate)},format=rgba,trim=end_frame=1`
  const size = `scale=${box.width}:${box.height}:flags=neighbor:out_color_matrix=bt709:out_range=tv,setsar=1`
  const format = colour.alpha < 1 ? 'yuva420p' : 'yuv420p'
  const repeat = `loop=loop=-1:size=1:start=0,trim=end_frame=${frames},settb=${period(rate)},setpts=N`
  const at = `x=${picture.x - box.x}:y=${picture.y - box.y}:eval=init:format=yuv420`
  return [
    `${paint},${size},format=${format},${repeat}[${name}b]`,
    `[${name}b][${name}p]overlay=${at},setpts=N[${name}g]`,
  ]
}

const FADING = new Set(['fade', 'small', 'large'])

function needsAlpha({ layer }: PlannedVideo): boolean {
  const { asset, background, opacity, intro, outro } = layer
  const seeThrough = background === null ? !asset.opaque : (parseColour(background) ?? BLACK).alpha < 1
  const fades = [intro, outro].some((move) => move.frames > 0 && FADING.has(move.kind))
  return seeThrough || opacity < 1 || fades || isKeyed(layer)
}

const isKeyed = ({ keyframes = [] }: VideoLayer): boolean => keyframes.length > 0

/** An opacity that moves, which then is all of the picture's: keyframes are put on opaque videos alone. */
function movingOpacity(
  { layer, place, startFrame, frames }: PlannedVideo,
  { frameRate }: Composition['output'],
  name: string,
): string[] {
  if (!isKeyed(layer)) return []
  const { width, height } = layer.background === null ? place.picture : place.box
  const values = Array.from({ length: frames }, (_, index) => valuesOn(layer, startFrame + index).opacity)
  const mask = maskSource({ width, height, frameRate }, values)
  return [`setpts=N[${name}k0];${mask}[${name}k1];[${name}k0][${name}k1]alphamerge`, 'setpts=N']
}

/**
 * Applies opacity, then fades. `fade` begins at nothing while this layer begins one step later, so a picture is prepended and
 * removed again. The intro takes precedence over the outro, as in `stanceOf`: on frames that belong to both, only the intro is seen.
 */
function dimming(planned: PlannedVideo, output: Composition['output'], name: string): string[] {
  const { layer, startFrame } = planned
  const { intro, outro, opacity } = layer
  const dim = opacity < 1 ? [`lutyuv=a=val*${decimal(opacity, 5)}`] : movingOpacity(planned, output, name)
  const length = layer.endFrame - layer.startFrame
  // `fade` cannot begin before the first frame: an outro longer than the layer needs additional frames before it.
  const early = FADING.has(outro.kind) ? Math.max(0, outro.frames - length) : 0
  const before = early + 1 + startFrame - layer.startFrame
  const fade = (way: 'in' | 'out', start: number, frames: number): string =>
    `fade=t=${way}:start_frame=${start}:nb_frames=${frames + 1}:alpha=1`
  const comes = FADING.has(intro.kind) && intro.frames > 0 ? [fade('in', early, intro.frames)] : []
  const goes =
    FADING.has(outro.kind) && outro.frames > 0
      ? [fade('out', early + length - outro.frames, outro.frames)]
      : []
  if (comes.length + goes.length === 0) return dim
  const both = goes.length > 0 && intro.frames > 0 && intro.frames + outro.frames > length
  const turn = early + 1 + intro.frames
  const apart = [
    `split[${name}i][${name}u]`,
    `[${name}i]${[...comes, `trim=end_frame=${turn}`, 'setpts=N'].join(',')}[${name}j]`,
    `[${name}u]${[...goes, `trim=start_frame=${turn}`, 'setpts=N'].join(',')}[${name}w]`,
    `[${name}j][${name}w]concat=n=2:v=1,setpts=N`,
  ].join(';')
  const fades = both && intro.frames < length ? [apart] : both ? comes : [...comes, ...goes]
  return [...dim, `tpad=start=${before}:start_mode=clone`, ...fades, `trim=start_frame=${before},setpts=N`]
}

interface MovingShape {
  /** Expressions for the overlay's corner; `still`: they are constant numbers. */
  readonly x: string
  readonly y: string
  readonly still: boolean
  /** Ranges of frames with equal size if the size changes; null: it does not. */
  readonly sizes: readonly SizedRun[] | null
  /** The area on which all of them are painted. */
  readonly canvas: Box
}

/** A range of frames, counted from the layer's first one, in which its box has one size. */
interface SizedRun {
  readonly from: number
  readonly to: number
  readonly box: Box
}

function movingShape(planned: PlannedVideo, composition: Composition): MovingShape {
  const { layer, place, startFrame, frames } = planned
  const { output } = composition
  const stance = (index: number): Stance => stanceOf(layer, startFrame + index, place.box, output)
  const scaled = [layer.intro, layer.outro].some(
    ({ kind, frames: length }) => (kind === 'small' || kind === 'large') && length > 0,
  )
  const runs = scaled ? sizedRuns(place.box, frames, stance) : null
  const all = runs?.map(({ box }) => box).reduce<Box | null>(unionBox, null) ?? place.box
  const canvas = intersectBox(all, { x: 0, y: 0, ...evenSize(output) }) ?? place.box
  const perSecond = rationalToNumber(output.frameRate)
  const along = (axis: 'x' | 'y'): string => {
    const pieces = Array.from({ length: frames }, (_, index) => ({
      from: Number(((startFrame + index - 0.5) / perSecond).toFixed(6)),
      value: decimal(Math.round((canvas[axis] + stance(index)[axis]) / 2) * 2),
    }))
    // By time and half a frame early, because the frame number that overlay sees is one ahead.
    return piecewise('t', withoutRepeats(pieces))
  }
  const x = along('x')
  const y = along('y')
  return { x, y, still: !`${x}${y}`.includes('if('), sizes: runs, canvas }
}

const evenSize = ({ width, height }: { readonly width: number; readonly height: number }) => ({
  width: Math.floor(width / 2) * 2,
  height: Math.floor(height / 2) * 2,
})

function sizedRuns(box: Box, frames: number, stance: (index: number) => Stance): SizedRun[] {
  const runs: SizedRun[] = []
  for (let index = 0; index < frames; index++) {
    const { scale } = stance(index)
    const size = onEven(placed(box, { alpha: 1, scale, x: 0, y: 0 }))
    const last = runs.at(-1)
    const same = last?.box.width === size.width && last.box.height === size.height
    if (last !== undefined && same) runs[runs.length - 1] = { ...last, to: index + 1 }
    else runs.push({ from: index, to: index + 1, box: size })
  }
  return runs
}

function onEven(box: Box): Box {
  const even = (value: number): number => Math.round(value / 2) * 2
  const x = even(box.x)
  const y = even(box.y)
  const width = Math.max(2, even(box.x + box.width) - x)
  return { x, y, width, height: Math.max(2, even(box.y + box.height) - y) }
}

/**
 * Scales every run to its size, puts it on the canvas and concatenates the runs; ends in `[{name}s]`. Not all versions of
 * ffmpeg have a scaler whose size can change from frame to frame.
 */
function sizedChains(planned: PlannedVideo, moving: MovingShape, before: string, name: string): string[] {
  const runs = moving.sizes ?? []
  const { canvas } = moving
  const taps = runs.map((_, index) => `[${name}r${index}]`).join('')
  const made = runs.map(({ from, to, box }, index) => {
    const seen = intersectBox(box, canvas) ?? canvas
    const rest = box.width === planned.place.box.width && box.height === planned.place.box.height
    const filters = [
      `trim=start_frame=${from}:end_frame=${to},setpts=N`,
      ...(rest ? [] : [`scale=${box.width}:${box.height}:flags=bicubic`]),
      `crop=${seen.width}:${seen.height}:${seen.x - box.x}:${seen.y - box.y}`,
      `pad=${canvas.width}:${canvas.height}:${seen.x - canvas.x}:${seen.y - canvas.y}:color=black@0`,
      'setsar=1',
    ]
    return `[${name}r${index}]${filters.join(',')}[${name}m${index}]`
  })
  const parts = runs.map((_, index) => `[${name}m${index}]`).join('')
  return [`${before},split=${runs.length}${taps}`, ...made, `${parts}concat=n=${runs.length}:v=1[${name}s]`]
}

export interface Stack {
  readonly bands: readonly BandInput[]
  /** Band `i` is input `firstBand + i` of the command. */
  readonly firstBand: number
  /** In painting order. */
  readonly videos: readonly VideoLayer[]
  /** The first input of the videos. */
  readonly firstVideo: number
}

/** Overlays the stack on `[input]`; ends in `[label]`. */
export function stackChains(
  composition: Composition,
  { bands, firstBand, videos, firstVideo }: Stack,
  input: string,
  label: string,
): string[] {
  if (videos.length === 0) return overlayChains(composition, bands, firstBand, input, label)
  const chains: string[] = []
  let below = input
  let bandsDone = 0
  let inputsDone = 0
  const layBands = (videosBelow: number): void => {
    const own = bands.slice(bandsDone).filter((band) => (band.videosBelow ?? 0) === videosBelow)
    if (own.length === 0) return
    chains.push(...overlayChains(composition, own, firstBand + bandsDone, below, `q${bandsDone}`))
    below = `q${bandsDone}`
    bandsDone += own.length
  }
  layBands(0)
  videos.forEach((layer, index) => {
    const given = { firstInput: firstVideo + inputsDone, below, label: `p${index}` }
    chains.push(...videoChains(composition, layer, given))
    below = given.label
    inputsDone += passesOf(layer, composition)
    layBands(index + 1)
  })
  return [...chains, `[${below}]null[${label}]`]
}
