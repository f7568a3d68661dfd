/** How the source fills the output over time: crops, whole pictures over their blur, panes. PURE. */
import {
  legsOf,
  type Composition,
  type CropSpan,
  type LayoutSpan,
  type Rect,
} from '../../../server/contract/composition.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { cropFilters, stillCrop } from './render-crop.ts'
import { countFrom, even, overlayFormat, pixelFormat, scaleFilter, toneMap } from './colour.ts'

type FitSpan = Extract<LayoutSpan, { kind: 'fit' }>
type PanesSpan = Extract<LayoutSpan, { kind: 'panes' }>

/** A range of output that one chain can make: consecutive crops that join in size, or one span of another kind. */
interface Section {
  readonly startFrame: number
  readonly endFrame: number
  readonly spans: readonly LayoutSpan[]
}

const period = (rate: Rational): string => `${rate.denominator}/${rate.numerator}`

/**
 * Chains from the cut source in `[input]` to `[label]`: the output's size, yuv420p, BT.709. `from`: the clip's frame that is
 * the first of the input.
 */
export function layoutChains(composition: Composition, input: string, label: string, from = 0): string[] {
  const sections = sectionsOf(composition.layout).filter(({ endFrame }) => endFrame > from)
  const [only] = sections
  const missed = (section: Section): number => Math.max(0, from - section.startFrame)
  if (sections.length === 1 && only !== undefined)
    return sectionChains(composition, only, input, label, { prefix: 'lay', missed: missed(only) })
  const rate = composition.output.frameRate
  const taps = sections.map((_, index) => `lay${index}`)
  const fan = `[${input}]split=${sections.length}${taps.map((tap) => `[${tap}]`).join('')}`
  const made = sections.flatMap((section, index) => [
    `[lay${index}]trim=start_frame=${Math.max(0, section.startFrame - from)}:end_frame=${section.endFrame - from},setpts=N[lay${index}t]`,
    ...sectionChains(composition, section, `lay${index}t`, `lay${index}m`, {
      prefix: `lay${index}s`,
      missed: missed(section),
    }),
  ])
  const parts = sections.map((_, index) => `[lay${index}m]`).join('')
  return [fan, ...made, `${parts}concat=n=${sections.length}:v=1,settb=${period(rate)},setpts=N[${label}]`]
}

/** Sections in order; empty spans are left out. */
export function sectionsOf(layout: readonly LayoutSpan[]): Section[] {
  const sections: Section[] = []
  for (const span of layout) {
    if (span.endFrame <= span.startFrame) continue
    const last = sections.at(-1)
    const before = last?.spans.at(-1)
    if (last !== undefined && before !== undefined && goesOnAs(before, span)) {
      sections[sections.length - 1] = { ...last, endFrame: span.endFrame, spans: [...last.spans, span] }
    } else sections.push({ startFrame: span.startFrame, endFrame: span.endFrame, spans: [span] })
  }
  return sections
}

function goesOnAs(before: LayoutSpan, span: LayoutSpan): boolean {
  if (before.kind !== 'crop' || span.kind !== 'crop') return false
  const end = before.cropTo ?? before.crop
  return end.width === span.crop.width && end.height === span.crop.height
}

function sectionChains(
  composition: Composition,
  section: Section,
  input: string,
  label: string,
  { prefix, missed }: { readonly prefix: string; readonly missed: number },
): string[] {
  const [first] = section.spans
  if (first?.kind === 'panes') return panesChains(composition, first, input, label, { prefix, missed })
  if (first?.kind === 'fit') return fitChains(composition, first, input, label, prefix)
  const crops = section.spans.filter((span): span is CropSpan => span.kind === 'crop')
  return [`[${input}]${countFrom(cropFilters(composition, crops), missed)}[${label}]`]
}

/** The whole rectangle in the middle, over a blurred and darkened copy of itself, or over black. */
function fitChains(composition: Composition, span: FitSpan, input: string, label: string, prefix: string) {
  const { width, height } = composition.output
  const crop = stillCrop(composition, [{ from: 0, crop: span.crop }])
  const scale = Math.min(width / span.crop.width, height / span.crop.height) * span.zoom
  const w = even(span.crop.width * scale)
  const h = even(span.crop.height * scale)
  const shownW = Math.min(w, width)
  const shownH = Math.min(h, height)
  const shift = Math.round(((span.yOffsetPercent ?? 0) / 200) * height) * 2
  const trim = w > width || h > height ? `,crop=${shownW}:${shownH}` : ''
  const front = `${scaleFilter(composition, w, h)}${trim},setsar=1${toneMap(composition)}`
  if (span.background === 'black' || (shownW === width && shownH === height)) {
    const top = Math.max(0, Math.min(height - shownH, even((height - shownH) / 2 + shift, 0)))
    return [`[${input}]${crop}${front},pad=${width}:${height}:(ow-iw)/2:${top}:black[${label}]`]
  }
  return [
    `[${input}]${crop}split[${prefix}b][${prefix}f]`,
    `[${prefix}b]${blurFilters(composition, span.crop)}[${prefix}c]`,
    `[${prefix}f]${front}[${prefix}g]`,
    `[${prefix}c][${prefix}g]overlay=x=(W-w)/2:y=(H-h)/2+${shift}:eval=init:format=${overlayFormat(composition.output)},format=${pixelFormat(composition.output)}[${label}]`,
  ]
}

/** To about 0.4 of the light; PQ codes it in steps of its own. */
const DARKENED = { sdr: '(val-16)*0.7+16', hlg: '(val-64)*0.7+64', pq: '(val-64)*0.85+64' } as const

/** The picture in the shape of `crop`, filling the output, blurred and darkened. */
function blurFilters(composition: Composition, crop: Pick<Rect, 'width' | 'height'>): string {
  const { width, height, hdr } = composition.output
  // Blurring at an eighth of the size looks the same and costs a sixty-fourth.
  const smallW = even(width / 8)
  const smallH = even(height / 8)
  const cover = Math.max(smallW / crop.width, smallH / crop.height)
  const coverW = even(crop.width * cover + 1)
  const coverH = even(crop.height * cover + 1)
  // At most half of the chroma plane's height or width, which are half of the picture's.
  const radius = Math.min(6, Math.floor(Math.min(smallW, smallH) / 4))
  const blur = `crop=${smallW}:${smallH},boxblur=${radius}:3,lutyuv=y=${DARKENED[hdr ?? 'sdr']},scale=${width}:${height}:flags=bicubic`
  return `${scaleFilter(composition, coverW, coverH)},setsar=1${toneMap(composition)},${blur},setsar=1`
}

/** Several views of the source, each cropped and scaled separately and then placed. */
function panesChains(
  composition: Composition,
  span: PanesSpan,
  input: string,
  label: string,
  { prefix, missed }: { readonly prefix: string; readonly missed: number },
): string[] {
  const { width, height } = composition.output
  const panes = span.panes.map((pane) => ({
    legs: legsOf(pane, span),
    place: pixelsOf(pane.rect, composition.output),
  }))
  const covered = panes.reduce((sum, { place }) => sum + place.width * place.height, 0)
  const blurred = span.background === 'blur' && covered < width * height
  const taps = [...panes.map((_, index) => `${prefix}p${index}`), ...(blurred ? [`${prefix}b`] : [])]
  const views = panes.map(({ legs, place }, index) => {
    const { width: wide, height: high } = place
    const output = { ...composition.output, width: wide, height: high }
    const view = countFrom(cropFilters({ ...composition, output }, legs), missed)
    const [first] = panes
    const ground =
      index === 0 && !blurred && first !== undefined
        ? `,pad=${width}:${height}:${place.x}:${place.y}:black`
        : ''
    return `[${prefix}p${index}]${view}${ground}[${prefix}v${index}]`
  })
  const ground = blurred ? `${prefix}g` : `${prefix}v0`
  const above = panes
    .map(({ place }, index) => ({ place, view: `${prefix}v${index}` }))
    .slice(blurred ? 0 : 1)
  const laid = above.map(({ place, view }, index) => {
    const below = index === 0 ? ground : `${prefix}o${index - 1}`
    const place_ = `x=${place.x}:y=${place.y}:eval=init:format=${overlayFormat(composition.output)}`
    return `[${below}][${view}]overlay=${place_}[${prefix}o${index}]`
  })
  const top = above.length === 0 ? ground : `${prefix}o${above.length - 1}`
  return [
    `[${input}]split=${taps.length}${taps.map((tap) => `[${tap}]`).join('')}`,
    ...views,
    ...(blurred ? [`[${prefix}b]${blurFilters(composition, composition.source)}[${prefix}g]`] : []),
    ...laid,
    `[${top}]format=${pixelFormat(composition.output)}[${label}]`,
  ]
}

/** Reference units to output pixels, edge by edge, so that panes that touch still do. Even, inside the output. */
function pixelsOf(rect: Rect, output: Composition['output']): Rect {
  const unit = Math.min(output.width, output.height) / 1080
  const edge = (value: number, most: number): number => Math.min(even(value * unit, 0), most)
  const x = edge(rect.x, output.width - 2)
  const y = edge(rect.y, output.height - 2)
  return {
    x,
    y,
    width: Math.max(2, edge(rect.x + rect.width, output.width) - x),
    height: Math.max(2, edge(rect.y + rect.height, output.height) - y),
  }
}
