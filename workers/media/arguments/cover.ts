/** PURE: arguments of ffmpeg that take one picture of a finished clip, as platforms take it for a cover. */
import { inputGuard, listArguments } from './input.ts'

export interface CoverPlan {
  readonly input: string
  readonly output: string
  readonly seconds: number
}

/** Platforms take two megabytes of JPEG at most: at this quality a tall picture has half of one. */
export function coverArguments({ input, output, seconds }: CoverPlan): string[] {
  return listArguments`
    -hide_banner -nostdin -y ${inputGuard()} -ss ${seconds} -i file:${input} -map 0:v:0 -frames:v 1
    -q:v 3 -update 1 -f image2 ${output}
  `
}
