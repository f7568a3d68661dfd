/**
 * Zooms into the laid-out picture. While a zoom changes, every frame is resampled with sub-pixel precision by one `perspective`
 * filter for all zooms (its table is as large as several frames); while it is held, the picture is cropped and scaled, which
 * costs a tenth. PURE.
 */
import { sourceFrames, type Composition, type Rect, type Zoom } from '../../../server/contract/composition.ts'
import { countFrom, decimal, piecewise, type Piece, even } from './colour.ts'

/** Frames `from` to `end`, and an expression for how far the zoom has progressed. */
interface Ease {
  readonly from: number
  readonly end: number
  readonly progress: string
  readonly view: Rect
}

interface Part {
  readonly from: number
  readonly end: number
  /** The part of the picture that fills the output; null: all of it. */
  readonly view: Rect | null
}

/**
 * Chains from `[input]` to `[label]`, both of the output's size and as long as the source is played. `from`: the clip's frame
 * that is the first of the input.
 */
export function zoomChains(composition: Composition, input: string, label: string, from = 0): string[] {
  const { width, height, frameRate } = composition.output
  const { endFrame: frames } = sourceFrames(composition)
  const zooms = (composition.zooms ?? []).flatMap((zoom) => {
    const endFrame = Math.min(zoom.endFrame, frames)
    return endFrame > zoom.startFrame && zoom.scale > 1 ? [{ ...zoom, endFrame }] : []
  })
  const eases = zooms.flatMap((zoom) => easesOf(zoom, composition.output))
  const eased = countFrom(easeFilter(eases, composition.output), from)
  const parts = partsOf(zooms, composition.output, frames).filter(({ end }) => end > from)
  if (parts.length === 1)
    return [`[${input}]${eased}${viewFilter(parts[0]?.view ?? null, width, height)}[${label}]`]
  const taps = parts.map((_, index) => `[zin${index}]`).join('')
  const made = parts.map(
    (part, index) =>
      `[zin${index}]trim=start_frame=${Math.max(0, part.from - from)}:end_frame=${part.end - from},setpts=N,${viewFilter(part.view, width, height)}[zout${index}]`,
  )
  const joined = parts.map((_, index) => `[zout${index}]`).join('')
  const period = `${frameRate.denominator}/${frameRate.numerator}`
  return [
    `[${input}]${eased}split=${parts.length}${taps}`,
    ...made,
    `${joined}concat=n=${parts.length}:v=1,settb=${period},setpts=N[${label}]`,
  ]
}

function viewFilter(view: Rect | null, width: number, height: number): string {
  if (view === null) return 'null'
  return `crop=${view.width}:${view.height}:${view.x}:${view.y},scale=${width}:${height}:flags=bicubic,setsar=1`
}

/** The area that fills the output when the zoom is held. Even, so that held and moving frames join without a step. */
function viewOf(zoom: Zoom, { width, height }: Composition['output']): Rect {
  const w = even(width / zoom.scale)
  const h = even(height / zoom.scale)
  return {
    x: even(((width - w) * zoom.xPercent) / 100, 0),
    y: even(((height - h) * zoom.yPercent) / 100, 0),
    width: w,
    height: h,
  }
}

/** Frames where growing ends and shrinking starts; shrinking is shortened where there is no time for both. */
export function turns(zoom: Zoom): { grown: number; leaves: number } {
  const grown = Math.min(zoom.startFrame + zoom.easeInFrames, zoom.endFrame)
  return { grown, leaves: Math.max(grown, zoom.endFrame - zoom.easeOutFrames) }
}

function easesOf(zoom: Zoom, output: Composition['output']): Ease[] {
  const { grown, leaves } = turns(zoom)
  const view = viewOf(zoom, output)
  const { startFrame, endFrame } = zoom
  const growing = `(in-1-${startFrame})/${Math.max(1, zoom.easeInFrames)}`
  const shrinking = `(${endFrame}-in+1)/${Math.max(1, endFrame - leaves)}`
  return [
    ...(grown > startFrame ? [{ from: startFrame, end: grown, progress: growing, view }] : []),
    ...(endFrame > leaves ? [{ from: leaves, end: endFrame, progress: shrinking, view }] : []),
  ]
}

function easeFilter(eases: readonly Ease[], { width, height }: Composition['output']): string {
  if (eases.length === 0) return ''
  /** An expression from `far` of nothing to all of `share`, by smoothstep. */
  const along = (amount: (view: Rect) => number): string => {
    const pieces = eases.map(({ from, progress, view }): Piece => {
      const way = `st(0\\,clip(${progress}\\,0\\,1))*ld(0)*(3-2*ld(0))`
      return { from, value: `${decimal(amount(view), 4)}*${way}` }
    })
    return piecewise('(in-1)', pieces)
  }
  // `perspective` counts from pixel corners and scalers from pixel centres: they differ by half a pixel's size.
  const inset = (part: number, all: number): number => (part / all - 1) / 2
  const left = along((view) => view.x + inset(view.width, width))
  const right = along((view) => view.x + view.width - width + inset(view.width, width))
  const top = along((view) => view.y + inset(view.height, height))
  const bottom = along((view) => view.y + view.height - height + inset(view.height, height))
  const corners = [
    `x0=${left}:y0=${top}:x1=W+${right}:y1=${top}`,
    `x2=${left}:y2=H+${bottom}:x3=W+${right}:y3=H+${bottom}`,
  ]
  const when = eases.map(({ from, end }) => `between(n\\,${from}\\,${end - 1})`).join('+')
  return `perspective=${corners.join(':')}:interpolation=cubic:sense=source:eval=frame:enable=${when},`
}

/** Divides the clip into parts that are held zoomed in and parts that are not (or are already resampled). */
function partsOf(zooms: readonly Zoom[], output: Composition['output'], frames: number): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const zoom of zooms) {
    const { grown, leaves } = turns(zoom)
    if (leaves <= grown) continue
    if (grown > at) parts.push({ from: at, end: grown, view: null })
    parts.push({ from: grown, end: leaves, view: viewOf(zoom, output) })
    at = leaves
  }
  if (frames > at || parts.length === 0) parts.push({ from: at, end: frames, view: null })
  return parts
}
