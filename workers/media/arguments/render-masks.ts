/** Pictures of one value each, which change from frame to frame: opacities. Any ffmpeg makes them. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { piecewise } from './colour.ts'

/** Without pieces that are as the one before them. */
export function withoutRepeats<P extends { readonly value: string }>(pieces: readonly P[]): P[] {
  return pieces.filter((piece, index) => index === 0 || pieces[index - 1]?.value !== piece.value)
}

const perFrame = (values: readonly number[]): string =>
  piecewise(
    'N',
    withoutRepeats(values.map((value, from) => ({ from, value: String(Math.round(255 * value)) }))),
  )

/** Pictures of one value each: made small, where an expression for each point costs nothing, and then as large as the output. */
const SMALL = 16

function source({ frameRate }: Composition['output'], frames: number): string {
  const rate = `${frameRate.numerator}/${frameRate.denominator}`
  return `color=c=black:s=${SMALL}x${SMALL}:r=${rate},trim=end_frame=${frames}`
}

/** Grey pictures, each as light as a value from 0 to 1: the opacity of another. */
export function maskSource(output: Composition['output'], values: readonly number[]): string {
  const { width, height } = output
  return `${source(output, values.length)},format=gray,geq=lum=${perFrame(values)},scale=${width}:${height}:flags=neighbor,setsar=1,setpts=N`
}

/** Pictures of one luma without colour, each as opaque as a value from 0 to 1. */
export function alphaSource(
  output: Composition['output'],
  frames: number,
  values: readonly number[],
  luma: number,
): string {
  const { width, height } = output
  const paint = `geq=lum=${luma}:cb=128:cr=128:a=${perFrame(values)}`
  return `${source(output, frames)},format=yuva420p,${paint},scale=${width}:${height}:flags=neighbor,setsar=1`
}
