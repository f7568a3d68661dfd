/**
 * Transitions between takes. The picture is divided at them; around each cut what ends goes on behind the cut, and what begins is
 * there before it (`handles` of the plan), and the two are put together frame by frame as the transition's kind says. Only
 * filters that every ffmpeg has, and only fixed numbers: any build makes the same picture. PURE.
 */
import type { Composition, Transition } from '../../../server/contract/composition.ts'
import { transitionFrames } from '../../../server/contract/time-map/transitions.ts'
import { closerView, looksOf, slidTaps, TAPS, type Look } from '../../compositor/transition-looks.ts'
import { heldView } from '../../compositor/held-view.ts'
import { decimal, piecewise } from './colour.ts'
import { alphaSource, maskSource, withoutRepeats } from './render-masks.ts'
import type { PlannedHandle, TimePlan } from './render-time.ts'
import { viewChains } from './render-view.ts'

const handleLabel = ({ transition, side }: Pick<PlannedHandle, 'transition' | 'side'>): string =>
  `t${transition}${side}`

/** Takes the frames of handles out of the window's pictures in `[input]`, each to a label of its own. */
export function handleTaps(handles: readonly PlannedHandle[], input: string): string {
  // Two handles may want the same frame, which then comes once.
  const wanted = handles.flatMap(({ sourceFrame, frames }) =>
    Array.from({ length: frames }, (_, index) => sourceFrame + index),
  )
  const numbers = [...new Set(wanted)].toSorted((a, b) => a - b)
  const taps = handles.map((handle) => `[${handleLabel(handle)}x]`)
  const parts = handles.map((handle) => {
    const { sourceFrame, frames, held, side } = handle
    const first = numbers.indexOf(sourceFrame)
    const hold =
      held === 0
        ? ''
        : side === 'incoming'
          ? `,tpad=start=${held}:start_mode=clone`
          : `,tpad=stop=${held}:stop_mode=clone`
    return `[${handleLabel(handle)}x]trim=start_frame=${first}:end_frame=${first + frames},setpts=N${hold}[${handleLabel(handle)}]`
  })
  const select = rangesOf(numbers).map(([from, to]) => `between(n\\,${from}\\,${to})`)
  return [
    `[${input}]select=${select.join('+')},setpts=N,split=${taps.length}${taps.join('')}`,
    ...parts,
  ].join(';')
}

/** First and last of numbers that follow each other. */
function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

/** The transitions that begin on this frame or later, each with its index. */
export const transitionsFrom = ({ transitions = [] }: Composition, from: number) =>
  transitions
    .map((transition, index) => ({ transition, index }))
    .filter(({ transition }) => transitionFrames(transition).startFrame >= from)

interface Ends {
  readonly input: string
  readonly label: string
  /** The first frame that is made, which lies within no transition. */
  readonly from: number
}

/** Chains from `[input]`, the laid-out picture, to `[label]`, both as long as the source is played. */
export function transitionChains(
  composition: Composition,
  plan: TimePlan,
  { input, label, from: begin }: Ends,
): string[] {
  const { output } = composition
  const { numerator, denominator } = output.frameRate
  // After every `concat`, whose clock differs between versions of ffmpeg.
  const period = `settb=${denominator}/${numerator},setpts=N`
  const pieces: { from: number; end: number; name: string }[] = []
  const joined: string[] = []
  const made: string[] = []
  let at = begin
  for (const { transition, index } of transitionsFrom(composition, begin)) {
    const { startFrame, endFrame } = transitionFrames(transition)
    const { cutFrame } = transition
    if (startFrame > at) {
      pieces.push({ from: at, end: startFrame, name: `take${index}` })
      joined.push(`take${index}`)
    }
    const name = `t${index}`
    const pair = pairChains(composition, plan, index, period)
    if (pair === null) pieces.push({ from: startFrame, end: endFrame, name: `${name}a` })
    else {
      pieces.push({ from: startFrame, end: cutFrame, name: `${name}tail` })
      pieces.push({ from: cutFrame, end: endFrame, name: `${name}head` })
      made.push(...pair)
    }
    made.push(...lookChains(transition, { output, name, period, overlaps: pair !== null }))
    joined.push(`${name}z`)
    at = endFrame
  }
  pieces.push({ from: at, end: -1, name: 'takelast' })
  joined.push('takelast')
  const taps = pieces.map(({ name }) => `[${name}x]`)
  return [
    `[${input}]split=${pieces.length}${taps.join('')}`,
    ...pieces.map(({ from, end, name }) => {
      const until = end === -1 ? '' : `:end_frame=${end - begin}`
      return `[${name}x]trim=start_frame=${from - begin}${until},${period}[${name}]`
    }),
    ...made,
    `${joined.map((name) => `[${name}]`).join('')}concat=n=${joined.length}:v=1,${period}[${label}]`,
  ]
}

/** `[t#a]`, what ends, and `[t#b]`, what begins, over all frames of a transition; null: only one is seen at a time. */
function pairChains(
  composition: Composition,
  plan: TimePlan,
  index: number,
  period: string,
): string[] | null {
  const transition = composition.transitions?.[index]
  const handles = plan.windows
    .flatMap((window) => window.handles ?? [])
    .filter((one) => one.transition === index)
  const outgoing = handles.find(({ side }) => side === 'outgoing')
  const incoming = handles.find(({ side }) => side === 'incoming')
  if (transition === undefined || outgoing === undefined || incoming === undefined) return null
  const name = `t${index}`
  const { cutFrame, frames } = transition
  const laidOut = (handle: PlannedHandle, frame: number): string[] =>
    prefixed(viewChains(heldView(composition, frame, frames / 2), 'in', 'out'), handleLabel(handle), {
      in: handleLabel(handle),
      out: `${handleLabel(handle)}o`,
    })
  return [
    ...laidOut(outgoing, cutFrame - 1),
    ...laidOut(incoming, cutFrame),
    `[${name}tail][${handleLabel(outgoing)}o]concat=n=2:v=1,${period}[${name}a]`,
    `[${handleLabel(incoming)}o][${name}head]concat=n=2:v=1,${period}[${name}b]`,
  ]
}

/** The same chains with labels of their own. */
function prefixed(
  chains: readonly string[],
  prefix: string,
  ends: Readonly<Record<string, string>>,
): string[] {
  return chains.map((chain) =>
    chain.replaceAll(/\[([a-z]\w*)\]/gu, (_, label: string) => `[${ends[label] ?? `${prefix}${label}`}]`),
  )
}

interface Place {
  readonly output: Composition['output']
  readonly name: string
  readonly period: string
  readonly overlaps: boolean
}

/** From `[t#a]` (and `[t#b]` if both are seen) to `[t#z]`. */
function lookChains(transition: Transition, { output, name, period, overlaps }: Place): string[] {
  const looks = looksOf(transition)
  const chains: string[] = []
  let seen = `${name}a`
  if (overlaps) {
    chains.push(...togetherChains(transition, looks, { output, name }))
    seen = `${name}both`
  }
  const washes = looks.map(({ wash = 0 }) => wash)
  if (washes.every((wash) => wash === 0)) return [...chains, `[${seen}]${period}[${name}z]`]
  const luma = transition.colour === 'white' ? 235 : 16
  return [
    ...chains,
    `${alphaSource(output, looks.length, washes, luma)}[${name}w]`,
    `[${seen}]${period}[${name}s];[${name}w]${period}[${name}v]`,
    `[${name}s][${name}v]overlay=eval=init:format=yuv420,format=yuv420p,${period}[${name}z]`,
  ]
}

function togetherChains(
  transition: Transition,
  looks: readonly Look[],
  { output, name }: Pick<Place, 'output' | 'name'>,
): string[] {
  if (looks.some(({ slide }) => slide !== undefined)) return slideChains(transition, { output, name })
  const scales = (['outgoingScale', 'incomingScale'] as const).map((which) =>
    looks.map((look) => look[which] ?? 1),
  )
  const [outgoing = [], incoming = []] = scales
  const mixes = looks.map(({ mix }) => mix)
  return [
    `[${name}a]${closer(outgoing, output)}format=yuv420p[${name}p]`,
    `[${name}b]${closer(incoming, output)}format=yuva420p[${name}q]`,
    `${maskSource(output, mixes)}[${name}m]`,
    `[${name}q][${name}m]alphamerge,setpts=N[${name}r]`,
    `[${name}p][${name}r]overlay=eval=init:format=yuv420,format=yuv420p[${name}both]`,
  ]
}

/** Both side by side, of which a view as wide as the output is taken; several a frame, where the shutter is open for longer. */
function slideChains(transition: Transition, { output, name }: Pick<Place, 'output' | 'name'>): string[] {
  const { width, height } = output
  const taps = slidTaps(transition, width)
  const names = taps.map((_, tap) => `${name}c${tap}`)
  const crops = taps.map((lefts, tap) => {
    const x = piecewise('n', withoutRepeats(lefts.map((left, from) => ({ from, value: String(left) }))))
    return `[${name}u${tap}]crop=${width}:${height}:${x}:0[${names[tap] ?? ''}]`
  })
  const strip = `[${name}a][${name}b]hstack`
  if (taps.length === 1) return [`${strip}[${name}u0]`, ...crops, `[${name}c0]null[${name}both]`]
  // Pairs of equal weight: of 4 taps each counts a quarter.
  const average = (left: string, right: string, to: string): string =>
    `[${left}][${right}]blend=all_mode=average[${to}]`
  const fan = `${strip},split=${TAPS}${taps.map((_, tap) => `[${name}u${tap}]`).join('')}`
  return [
    fan,
    ...crops,
    average(`${name}c0`, `${name}c1`, `${name}d0`),
    average(`${name}c2`, `${name}c3`, `${name}d1`),
    average(`${name}d0`, `${name}d1`, `${name}both`),
  ]
}

/** A closer look around the middle, resampled frame by frame; ends with a comma. */
function closer(scales: readonly number[], { width, height }: Composition['output']): string {
  if (scales.every((scale) => scale === 1)) return ''
  const along = (value: (scale: number) => number): string =>
    piecewise(
      'in',
      withoutRepeats(scales.map((scale, index) => ({ from: index + 1, value: decimal(value(scale), 3) }))),
    )
  // `perspective` counts from pixel corners and scalers from pixel centres: they differ by half a pixel's size.
  const corner = (all: number, end: 0 | 1) => (scale: number) => {
    const view = closerView(all, scale)
    return view.from + end * view.length + (view.length / all - 1) / 2
  }
  const left = along(corner(width, 0))
  const right = along(corner(width, 1))
  const top = along(corner(height, 0))
  const bottom = along(corner(height, 1))
  const corners = `x0=${left}:y0=${top}:x1=${right}:y1=${top}:x2=${left}:y2=${bottom}:x3=${right}:y3=${bottom}`
  return `perspective=${corners}:interpolation=cubic:sense=source:eval=frame,`
}
