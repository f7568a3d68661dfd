/** The picture of a clip as filter chains: conform, cut, crop or fit, scale, colour, overlays. PURE. */
import {
  sourceFrames,
  type Composition,
  type LayoutSpan,
  type Rect,
} from '../../../server/contract/composition.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { decimal, piecewise } from './expressions.ts'
import type { SourceWindow, TimePlan } from './render-time.ts'

/** A band that comes as its own input of the command. */
export interface BandInput {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Frames on which it shows something, sorted. */
  readonly shown: readonly { readonly startFrame: number; readonly endFrame: number }[]
  /** No more pictures than this come down its pipe. */
  readonly pictures: number
}

/** Gaps shorter than this are not worth switching an overlay off for. */
const LONG_GAP_SECONDS = 1
const MOST_RANGES = 24
/** Fractions of a frame that a changed speed is placed by. */
const FINE = 240

const text = (rate: Rational): string => `${rate.numerator}/${rate.denominator}`
const period = (rate: Rational): string => `${rate.denominator}/${rate.numerator}`

/** Chains that end in `[label]`: exactly `durationFrames` frames, the output's size, yuv420p, BT.709. */
export function pictureChains(composition: Composition, plan: TimePlan, label: string): string[] {
  const { width, height, frameRate } = composition.output
  if (!composition.source.hasVideo) {
    const black = `color=c=black:s=${width}x${height}:r=${text(frameRate)}`
    return [`${black},trim=end_frame=${composition.durationFrames},setsar=1,format=yuv420p[${label}]`]
  }
  const tail = composition.tailFrames ?? 0
  const laidOut = tail === 0 ? label : 'played'
  // The last picture is held for as long as the tail goes on.
  const hold = `[played]tpad=stop=${tail}:stop_mode=clone,settb=${period(frameRate)},setpts=N[${label}]`
  return [
    ...timeChains(composition, plan, 'cut'),
    ...layoutChains(composition, 'cut', laidOut),
    ...(tail === 0 ? [] : [hold]),
  ]
}

function timeChains(composition: Composition, plan: TimePlan, label: string): string[] {
  const { source, output } = composition
  const rate = output.frameRate
  const deinterlace = source.interlaced ? 'bwdif=mode=send_frame:parity=auto:deint=all,' : ''
  const single = plan.windows.length === 1
  const heads = plan.windows.map((window, index) => {
    const conform = `fps=${text(rate)}:round=near:start_time=0`
    return `[${index}:${source.videoStream}]${deinterlace}${conform},${selection(window)},setpts=N`
  })
  const joined = single
    ? heads.map((head) => `${head}`)
    : [
        ...heads.map((head, index) => `${head}[w${index}]`),
        `${plan.windows.map((_, index) => `[w${index}]`).join('')}concat=n=${plan.windows.length}:v=1,settb=${period(rate)},setpts=N`,
      ]
  const last = joined.at(-1) ?? ''
  const tail = plan.natural ? '' : `,${speed(plan, rate, sourceFrames(composition))}`
  return [...joined.slice(0, -1), `${last}${tail}[${label}]`]
}

/**
 * Keeps the frames of the window's spans, by their numbers in the conformed stream. The last one is held where the
 * source ends a little before its container says so. Nothing here closes the stream before the input ends: ffmpeg
 * would then drop sound that is still on its way.
 */
function selection(window: SourceWindow): string {
  const ranges = window.spans.map(
    (span) => `between(n\\,${span.sourceFrame}\\,${span.sourceFrame + span.sourceFrames - 1})`,
  )
  const frames = window.spans.reduce((sum, span) => sum + span.sourceFrames, 0)
  return `select=${ranges.join('+')},setpts=N,tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames}`
}

/** Moves frames to where a changed speed shows them, then fills or thins to the output rate. */
function speed(plan: TimePlan, rate: Rational, durationFrames: number): string {
  let taken = 0
  const pieces = plan.windows
    .flatMap((window) => window.spans)
    .map((span) => {
      const value = `${FINE * span.startFrame}+(N-${taken})*${decimal(FINE / span.playbackRate)}`
      const piece = { from: taken, value }
      taken += span.sourceFrames
      return piece
    })
  const fine = `settb=${rate.denominator}/${rate.numerator * FINE},setpts=${piecewise('N', pieces)}`
  const fill = `fps=${text(rate)}:round=down:start_time=0,tpad=stop=-1:stop_mode=clone`
  return `${fine},${fill},trim=end_frame=${durationFrames},settb=${period(rate)},setpts=N`
}

/** A stretch of output that one chain can make. */
interface Section {
  readonly startFrame: number
  readonly endFrame: number
  readonly spans: readonly LayoutSpan[]
}

function sectionsOf(layout: readonly LayoutSpan[]): Section[] {
  const sections: Section[] = []
  for (const span of layout) {
    if (span.endFrame <= span.startFrame) continue
    const last = sections.at(-1)
    const before = last?.spans.at(-1)
    const joins =
      before?.kind === 'crop' &&
      span.kind === 'crop' &&
      before.crop.width === span.crop.width &&
      before.crop.height === span.crop.height
    if (last !== undefined && joins) {
      sections[sections.length - 1] = { ...last, endFrame: span.endFrame, spans: [...last.spans, span] }
    } else sections.push({ startFrame: span.startFrame, endFrame: span.endFrame, spans: [span] })
  }
  return sections
}

function layoutChains(composition: Composition, input: string, label: string): string[] {
  const sections = sectionsOf(composition.layout)
  const [only] = sections
  if (sections.length === 1 && only !== undefined) return sectionChains(composition, only, input, label, 's')
  const rate = composition.output.frameRate
  const taps = sections.map((_, index) => `l${index}`)
  const fan = `[${input}]split=${sections.length}${taps.map((tap) => `[${tap}]`).join('')}`
  const made = sections.flatMap((section, index) => [
    `[l${index}]trim=start_frame=${section.startFrame}:end_frame=${section.endFrame},setpts=N[t${index}]`,
    ...sectionChains(composition, section, `t${index}`, `m${index}`, `s${index}`),
  ])
  const parts = sections.map((_, index) => `[m${index}]`).join('')
  return [fan, ...made, `${parts}concat=n=${sections.length}:v=1,settb=${period(rate)},setpts=N[${label}]`]
}

function sectionChains(
  composition: Composition,
  section: Section,
  input: string,
  label: string,
  prefix: string,
): string[] {
  const { width, height } = composition.output
  const [first] = section.spans
  if (first?.kind === 'panes') throw new Error('panes are not laid out yet')
  if (first?.kind === 'fit') return fitChains(composition, first, input, label, prefix)
  const crop = cropFilter(composition, section)
  return [
    `[${input}]${crop}${scaleFilter(composition, width, height)},setsar=1${toneMap(composition)}[${label}]`,
  ]
}

/** Crop by shares of the decoded picture, so that pixels that are not square need no case of their own. */
function cropFilter(composition: Composition, section: Section): string {
  const { source } = composition
  const crops = section.spans.flatMap((span) =>
    span.kind === 'panes' ? [] : [{ from: span.startFrame - section.startFrame, crop: span.crop }],
  )
  const [first] = crops
  if (first === undefined) return ''
  const whole = first.crop.width >= source.width && first.crop.height >= source.height
  if (whole) return ''
  const share = (part: number, all: number): string => decimal(Math.min(1, even(part) / all) + 1e-7, 8)
  const at = (pick: (crop: Rect) => number, all: number): string =>
    piecewise(
      'n',
      dropRepeats(crops.map(({ from, crop }) => ({ from, value: decimal(pick(crop) / all + 1e-7, 8) }))),
    )
  const w = share(first.crop.width, source.width)
  const h = share(first.crop.height, source.height)
  const x = at((crop) => crop.x, source.width)
  const y = at((crop) => crop.y, source.height)
  return `crop=w=iw*${w}:h=ih*${h}:x=iw*(${x}):y=ih*(${y}),`
}

function dropRepeats<P extends { value: string }>(pieces: readonly P[]): P[] {
  return pieces.filter((piece, index) => index === 0 || pieces[index - 1]?.value !== piece.value)
}

function even(value: number, least = 2): number {
  return Math.max(least, Math.round(value / 2) * 2)
}

function scaleFilter(composition: Composition, width: number, height: number): string {
  const matrix = sourceMatrix(composition)
  // Without a change of matrix swscale stays in one step and takes the tags as they are.
  const convert =
    matrix === 'bt709' || composition.source.hdr ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`
  return `scale=${width}:${height}:flags=bicubic${convert}:out_range=tv`
}

/** What the source's YCbCr means when nothing says so: small pictures are BT.601, others BT.709. */
function sourceMatrix(composition: Composition): string {
  const { colourMatrix, width, height } = composition.source
  if (colourMatrix !== undefined) return colourMatrix
  return Math.min(width, height) < 720 && Math.max(width, height) < 1280 ? 'bt601' : 'bt709'
}

function toneMap(composition: Composition): string {
  if (!composition.source.hdr) return ',format=yuv420p'
  const linear = 'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709'
  return `,${linear},tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p`
}

/** The whole rectangle in the middle, over a blurred and darkened copy of itself, or over black. */
function fitChains(
  composition: Composition,
  span: Extract<LayoutSpan, { kind: 'fit' }>,
  input: string,
  label: string,
  prefix: string,
): string[] {
  const { width, height } = composition.output
  const section = { startFrame: span.startFrame, endFrame: span.endFrame, spans: [span] }
  const crop = cropFilter(composition, section)
  const scale = Math.min(width / span.crop.width, height / span.crop.height) * span.zoom
  const [w, h] = [even(span.crop.width * scale), even(span.crop.height * scale)]
  const [shownW, shownH] = [Math.min(w, width), Math.min(h, height)]
  const shift = Math.round(((span.yOffsetPercent ?? 0) / 200) * height) * 2
  const trim = w > width || h > height ? `,crop=${shownW}:${shownH}` : ''
  const front = `${scaleFilter(composition, w, h)}${trim},setsar=1${toneMap(composition)}`
  if (span.background === 'black' || (shownW === width && shownH === height)) {
    const top = Math.max(0, Math.min(height - shownH, even((height - shownH) / 2 + shift, 0)))
    return [`[${input}]${crop}${front},pad=${width}:${height}:(ow-iw)/2:${top}:black[${label}]`]
  }
  // Blurring an eighth of the size is the same to the eye and costs a sixty-fourth.
  const [smallW, smallH] = [even(width / 8), even(height / 8)]
  const cover = Math.max(smallW / span.crop.width, smallH / span.crop.height)
  const [coverW, coverH] = [even(span.crop.width * cover + 1), even(span.crop.height * cover + 1)]
  const blur = `crop=${smallW}:${smallH},boxblur=6:3,lutyuv=y=(val-16)*0.7+16,scale=${width}:${height}:flags=bicubic`
  return [
    `[${input}]${crop}split[${prefix}b][${prefix}f]`,
    `[${prefix}b]${scaleFilter(composition, coverW, coverH)},setsar=1${toneMap(composition)},${blur},setsar=1[${prefix}c]`,
    `[${prefix}f]${front}[${prefix}g]`,
    `[${prefix}c][${prefix}g]overlay=x=(W-w)/2:y=(H-h)/2+${shift}:eval=init:format=yuv420,format=yuv420p[${label}]`,
  ]
}

/** Lays the bands over `[input]`; band `i` is input `firstBandInput + i` of the command. */
export function overlayChains(
  composition: Composition,
  bands: readonly BandInput[],
  firstBandInput: number,
  input: string,
  label: string,
): string[] {
  const rate = composition.output.frameRate
  if (bands.length === 0) return [`[${input}]null[${label}]`]
  let below = input
  return bands.flatMap((band, index) => {
    const out = index === bands.length - 1 ? label : `o${index}`
    const place = `x=${band.x}:y=${band.y}:eval=init:format=yuv420:alpha=premultiplied:eof_action=pass`
    const chains = [
      `[${firstBandInput + index}:0]settb=${period(rate)}[b${index}]`,
      `[${below}][b${index}]overlay=${place}${whenShown(band, composition.output)}[${out}]`,
    ]
    below = out
    return chains
  })
}

/**
 * Where a band shows nothing for long, ffmpeg need not blend it. ffmpeg evaluates this for the frames of both inputs, and
 * the last evaluation counts: the arrival of a band's next picture must not switch the overlay off for the frame at hand.
 * A band's picture is told by its size; of a band as large as the output, by its number, which is small.
 */
function whenShown(band: BandInput, output: Composition['output']): string {
  const rate = output.frameRate
  const smaller = [
    ...(band.width < output.width ? [`lt(w\\,${output.width})`] : []),
    ...(band.height < output.height ? [`lt(h\\,${output.height})`] : []),
  ]
  const pictures = smaller.length > 0 ? smaller : [`lt(n\\,${band.pictures})`]
  const gap = (LONG_GAP_SECONDS * rate.numerator) / rate.denominator
  const ranges: { startFrame: number; endFrame: number }[] = []
  for (const range of band.shown) {
    const last = ranges.at(-1)
    if (last !== undefined && range.startFrame - last.endFrame < gap) last.endFrame = range.endFrame
    else ranges.push({ ...range })
  }
  if (ranges.length > MOST_RANGES) return ''
  const tests = ranges.map((range) => `between(n\\,${range.startFrame}\\,${range.endFrame - 1})`)
  return `:enable=${[...tests, ...pictures].join('+')}`
}
