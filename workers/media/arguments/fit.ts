/** PURE: arguments of ffmpeg that make a finished clip fit the limits of a platform: fewer bytes, fewer pixels. */
import { inputGuard, listArguments } from './input.ts'

export interface FitPlan {
  readonly input: string
  readonly output: string
  /** Even numbers of pixels. */
  readonly width: number
  readonly height: number
  /** Bit rate of the picture, kilobits per second. */
  readonly videoKilobits: number
}

export const FIT_AUDIO_KILOBITS = 128

export function fitArguments({ input, output, width, height, videoKilobits }: FitPlan): string[] {
  return listArguments`
    -hide_banner -nostdin -y ${inputGuard()} -i file:${input} -map 0:v:0 -map 0:a:0?
    -vf scale=${width}:${height}:flags=lanczos -c:v libx264 -preset veryfast -b:v ${videoKilobits}k
    -maxrate ${videoKilobits}k -bufsize ${videoKilobits * 2}k -pix_fmt yuv420p -c:a aac
    -b:a ${FIT_AUDIO_KILOBITS}k -ar 48000 -movflags +faststart -f mp4 ${output}
  `
}
