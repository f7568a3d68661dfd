/** A clip without a picture of its own that shows one painted frame. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'

/** Opens the frame: raw yuv420p of the output's size. */
export function groundInput({ output }: Composition, file: string): string[] {
  const { width, height, frameRate } = output
  const rate = `${frameRate.numerator}/${frameRate.denominator}`
  const form = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${width}x${height}`, '-r', rate]
  return ['-protocol_whitelist', 'file,pipe,fd', ...form, '-i', `file:${file}`]
}

/** A chain that ends in `[label]`: the frame of input `input`, shown for the whole clip. */
export function groundChain({ output, durationFrames }: Composition, input: number, label: string): string {
  const { numerator, denominator } = output.frameRate
  const held = `loop=loop=-1:size=1:start=0,trim=end_frame=${durationFrames}`
  return `[${input}:0]${held},settb=${denominator}/${numerator},setpts=N,setsar=1,format=yuv420p[${label}]`
}
