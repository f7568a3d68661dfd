/** Video encoders, as the arguments they need. A new one is one function here; render.ts takes whatever it is given. */
import type { Rational } from '../../../server/contract/time.ts'

export interface VideoEncoder {
  /** As the manifest names it. */
  readonly name: string
  readonly arguments: readonly string[]
}

export interface SoftwareSettings {
  readonly preset: string
  readonly crf: number
}

/** x264: a key frame at least every two seconds, so that players and platforms can seek. */
export function softwareEncoder(settings: SoftwareSettings, frameRate: Rational): VideoEncoder {
  const keyInterval = Math.max(1, Math.round((2 * frameRate.numerator) / frameRate.denominator))
  return {
    name: 'libx264',
    arguments: [
      ...['-c:v', 'libx264', '-preset', settings.preset, '-crf', String(settings.crf)],
      ...['-pix_fmt', 'yuv420p', '-profile:v', 'high', '-g', String(keyInterval)],
    ],
  }
}
