/** Video encoders, as the arguments they need; hardware ones are in hardware-encoders.ts. PURE. */
import type { CardChoice } from './card-reading.ts'
import { listArguments } from './input.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { HARDWARE_WAYS, type HardwareWay, type EncodedShape } from './hardware-encoders.ts'

export interface VideoEncoder {
  /** Name in the manifest and in ffmpeg. */
  readonly name: string
  /** Options before the inputs, for the device that it runs on. */
  readonly globalArguments: readonly string[]
  /** Filters that convert the finished picture (yuv420p, BT.709) to the encoder's input; empty: none. */
  readonly filters: string
  readonly arguments: readonly string[]
}

export interface SoftwareSettings {
  readonly preset: string
  readonly crf: number
}

/** An encoder that was tried and works on this machine. */
export interface EncoderChoice {
  readonly way: 'software' | HardwareWay
  /** The device, if the encoder needs one to be named. */
  readonly device: string | null
  /** The graphics card that decodes before it; absent: none does. */
  readonly card?: CardChoice
  /** Set if the configured encoder does not work here: a sentence that says why. */
  readonly complaint?: string
}

export const SOFTWARE: EncoderChoice = { way: 'software', device: null }

/** x264: a key frame at least every two seconds, so that players and platforms can seek. */
export function softwareEncoder(settings: SoftwareSettings, frameRate: Rational): VideoEncoder {
  return {
    name: 'libx264',
    globalArguments: [],
    filters: '',
    arguments: listArguments`
      -c:v libx264 -preset ${settings.preset} -crf ${settings.crf} -pix_fmt yuv420p -profile:v high
      -g ${keyInterval(frameRate)}
    `,
  }
}

/** The encoder of a choice. Hardware encoders have a fixed quality that looks like x264 at crf 20. */
export function videoEncoder(
  choice: EncoderChoice,
  settings: SoftwareSettings,
  shape: EncodedShape,
): VideoEncoder {
  if (choice.way === 'software') return softwareEncoder(settings, shape.frameRate)
  const way = HARDWARE_WAYS[choice.way]
  return {
    name: way.encoder,
    globalArguments: way.globalArguments?.(choice.device) ?? [],
    filters: way.filters ?? '',
    // Closed groups of pictures: players can start, and platforms can cut, at each keyframe. The last `-flags:v` of a command
    // counts, so it repeats the one of all outputs.
    arguments: listArguments`
      -c:v ${way.encoder} ${way.quality(shape)} ${way.pixelFormat === null ? [] : ['-pix_fmt', way.pixelFormat]}
      -g ${keyInterval(shape.frameRate)} -flags:v +bitexact+cgop
    `,
  }
}

/**
 * Encodes one grey picture by a way, with the very arguments of a render, and writes it to stdout: a driver that refuses
 * any of them does not get to refuse a clip.
 */
export function encoderProbeArguments(way: HardwareWay, device: string | null): string[] {
  const shape = { width: 640, height: 360, frameRate: { numerator: 30, denominator: 1 } }
  const encoder = videoEncoder({ way, device }, { preset: '', crf: 0 }, shape)
  const picture = `color=c=gray:s=${shape.width}x${shape.height}:r=30:d=1,format=yuv420p`
  return listArguments`
    -hide_banner -nostdin -loglevel error ${encoder.globalArguments} -f lavfi -i ${picture}
    ${encoder.filters === '' ? [] : ['-vf', encoder.filters]} -frames:v 1 ${encoder.arguments}
    -f h264 pipe:1
  `
}

function keyInterval(frameRate: Rational): number {
  return Math.max(1, Math.round((2 * frameRate.numerator) / frameRate.denominator))
}
