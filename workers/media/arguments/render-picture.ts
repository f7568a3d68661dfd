/** The picture of a clip as filter chains: conform, cut, look at, join takes, hold, overlays. PURE. */
import { sourceFrames, type Composition } from '../../../server/contract/composition.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { moveSource } from '../../../server/contract/time-map/head.ts'
import { countFrom, decimal, overlayFormat, piecewise } from './colour.ts'
import { heldPictures } from './frames.ts'
import type { SourceWindow, TimePlan } from './render-time.ts'
import { handleTaps, transitionChains, transitionsFrom } from './render-transitions.ts'
import { viewChains } from './render-view.ts'

/** A band that is a separate input of the command. */
export interface BandInput {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Ranges of frames in which it shows something, sorted. */
  readonly shown: readonly { readonly startFrame: number; readonly endFrame: number }[]
  /** The most pictures that come through its pipe. */
  readonly pictures: number
  /** How many of the composition's video layers lie below it; absent: none. */
  readonly videosBelow?: number
  /** Its colours are not multiplied by their alpha; absent: they are. */
  readonly isStraight?: boolean
  /** Its stream begins on this frame of the clip; absent: on the first. */
  readonly from?: number
}

/** Shorter gaps are not worth disabling an overlay for. */
const LONG_GAP_SECONDS = 1
const MAX_RANGES = 24
/** Fractions of a frame with which frames of a changed speed are placed. */
const FINE = 240

const text = (rate: Rational): string => `${rate.numerator}/${rate.denominator}`
const period = (rate: Rational): string => `${rate.denominator}/${rate.numerator}`

/**
 * Chains that end in `[label]`: exactly `durationFrames` frames, the output's size, yuv420p, BT.709. `from`: without so many of
 * the first ones, by a plan of `planFrom`; it plays the source there. `made`: only so many of them are looked at, and
 * the others may be missing. `taken`: filters that bring decoded pictures into memory, with their comma.
 */
export function pictureChains(
  composition: Composition,
  plan: TimePlan,
  label: string,
  {
    from = 0,
    made = composition.durationFrames - from,
    taken = '',
  }: { readonly from?: number; readonly made?: number; readonly taken?: string } = {},
): string[] {
  const { width, height, frameRate } = composition.output
  if (!composition.source.hasVideo) {
    const black = `color=c=black:s=${width}x${height}:r=${text(frameRate)}`
    return [`${black},trim=end_frame=${composition.durationFrames - from},setsar=1,format=yuv420p[${label}]`]
  }
  const { headFrames: head = 0, tailFrames: tail = 0 } = composition
  const laidOut = head + tail === 0 ? label : 'played'
  // The head is black, and the last picture is held for the length of the tail.
  const pads = [
    ...(head === 0 ? [] : [`start=${head}:start_mode=add:color=black`]),
    ...(tail === 0 ? [] : [`stop=${tail}:stop_mode=clone`]),
  ]
  const hold = `[played]tpad=${pads.join(':')},settb=${period(frameRate)},setpts=N[${label}]`
  // Up to there the chains count from the first frame that plays the source.
  const { headFrames: _head, ...moved } = moveSource(composition, -head)
  const played = { ...moved, durationFrames: composition.durationFrames - head }
  const joined = transitionsFrom(played, from).length > 0
  const takes = joined ? 'takes' : laidOut
  // Pictures that are never seen are not scaled. A transition may need later ones than it shows.
  const isCutShort = made < composition.durationFrames - from && !joined
  const cut = isCutShort ? [`[all]trim=end_frame=${Math.max(1, made - head)}[cut]`] : []
  return [
    ...timeChains(played, plan, { head, taken, label: isCutShort ? 'all' : 'cut' }),
    ...cut,
    ...viewChains(played, 'cut', takes, from),
    ...(joined ? transitionChains(played, plan, { input: 'takes', label: laidOut, from }) : []),
    ...(pads.length === 0 ? [] : [hold]),
  ]
}

function timeChains(
  composition: Composition,
  plan: TimePlan,
  { head, taken, label }: { readonly head: number; readonly taken: string; readonly label: string },
): string[] {
  const { source, output } = composition
  const rate = output.frameRate
  const deinterlace = source.interlaced ? 'bwdif=mode=send_frame:parity=auto:deint=all,' : ''
  const single = plan.windows.length === 1
  const heads = plan.windows.map((window, index) => {
    const read = `[${index}:${source.videoStream}]${taken}${deinterlace}${conformed(window, rate)}`
    const selected = `${selection(window)},setpts=N`
    if (window.handles === undefined) return `${read},${selected}`
    return `${read},split[played${index}][beside${index}];${handleTaps(window.handles, `beside${index}`)};[played${index}]${selected}`
  })
  const joined = single
    ? heads.map((head) => `${head}`)
    : [
        ...heads.map((head, index) => `${head}[w${index}]`),
        `${plan.windows.map((_, index) => `[w${index}]`).join('')}concat=n=${plan.windows.length}:v=1,settb=${period(rate)},setpts=N`,
      ]
  const last = joined.at(-1) ?? ''
  const tail = plan.natural ? '' : `,${speed(plan, rate, head, sourceFrames(composition).endFrame)}`
  return [...joined.slice(0, -1), `${last}${tail}[${label}]`]
}

/** Converts to the output's rate, from the time that was sought to the end of the window. */
function conformed(window: SourceWindow, rate: Rational): string {
  return `${heldPictures(text(rate))},trim=end=${decimal(window.lengthSeconds)}`
}

/**
 * Selects the frames of the window's spans by their numbers in the conformed stream. The last one is held where the source
 * ends slightly before its container says. No filter here ends the stream before its input ends, because ffmpeg would then
 * drop sound that is still in transit.
 */
function selection(window: SourceWindow): string {
  const ranges = window.spans.map(
    (span) => `between(n\\,${span.sourceFrame}\\,${span.sourceFrame + span.sourceFrames - 1})`,
  )
  const frames = window.spans.reduce((sum, span) => sum + span.sourceFrames, 0)
  return `select=${ranges.join('+')},setpts=N,tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames}`
}

/** Moves frames to the times at which a changed speed shows them, then repeats or drops to the output rate. */
function speed(plan: TimePlan, rate: Rational, head: number, durationFrames: number): string {
  let taken = 0
  const pieces = plan.windows
    .flatMap((window) => window.spans)
    .map((span) => {
      const value = `${FINE * (span.startFrame - head)}+(N-${taken})*${decimal(FINE / span.playbackRate)}`
      const piece = { from: taken, value }
      taken += span.sourceFrames
      return piece
    })
  const fine = `settb=${rate.denominator}/${rate.numerator * FINE},setpts=${piecewise('N', pieces)}`
  const fill = `fps=${text(rate)}:round=down:start_time=0,tpad=stop=-1:stop_mode=clone`
  return `${fine},${fill},trim=end_frame=${durationFrames},settb=${period(rate)},setpts=N`
}

/** The filters, with their comma, that hold the last of so many frames to the end. Nothing where all of them are made. */
export function holdFilters({ durationFrames, output }: Composition, made: number): string {
  const rest = durationFrames - made
  const hold = `tpad=stop=${rest}:stop_mode=clone,settb=${period(output.frameRate)},setpts=N,`
  return rest <= 0 ? '' : `trim=end_frame=${made},${hold}`
}

/** Overlays the bands on `[input]`; band `i` is input `firstBandInput + i` of the command. */
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
    const own = firstBandInput + index
    const out = index === bands.length - 1 ? label : `o${own}`
    const alpha = band.isStraight === true ? 'straight' : 'premultiplied'
    const place = `x=${band.x}:y=${band.y}:eval=init:format=${overlayFormat(composition.output)}:alpha=${alpha}:eof_action=pass`
    const chains = [
      `[${own}:0]settb=${period(rate)}[b${own}]`,
      `[${below}][b${own}]overlay=${place}${whenShown(band, composition.output)}[${out}]`,
    ]
    below = out
    return chains
  })
}

/**
 * Disables the overlay where a band shows nothing for long. ffmpeg evaluates this expression for the frames of both inputs, and
 * the last evaluation counts: the arrival of a band's next picture must not disable the overlay for the current frame. A
 * band's picture is recognised by its size, or by its small number if the band is as large as the output.
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
  if (ranges.length > MAX_RANGES) return ''
  const tests = ranges.map((range) => `between(n\\,${range.startFrame}\\,${range.endFrame - 1})`)
  return `:enable=${[...tests.map((test) => countFrom(test, band.from ?? 0)), ...pictures].join('+')}`
}
