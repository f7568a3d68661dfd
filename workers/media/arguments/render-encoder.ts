/** Video encoders, as the arguments they need; hardware ones are in hardware-encoders.ts. PURE. */
import type { Rational } from '../../../server/contract/time.ts'
import { HARDWARE_WAYS, type HardwareWay, type EncodedShape } from './hardware-encoders.ts'

export interface VideoEncoder {
  /** As the manifest names it, and as ffmpeg does. */
  readonly name: string
  /** Come before the inputs: the device that it works on. */
  readonly globalArguments: readonly string[]
  /** Filters that bring the finished picture (yuv420p, BT.709) to where the encoder takes it; empty: none. */
  readonly filters: string
  readonly arguments: readonly string[]
}

export interface SoftwareSettings {
  readonly preset: string
  readonly crf: number
}

/** A way to encode that was tried and works on this machine. */
export interface EncoderChoice {
  readonly way: 'software' | HardwareWay
  /** The device that it works on, where the encoder must be told. */
  readonly device: string | null
  /** The configuration asks for another encoder, which does not work here; a sentence that says why not. */
  readonly complaint?: string
}

export const SOFTWARE: EncoderChoice = { way: 'software', device: null }

/** x264: a key frame at least every two seconds, so that players and platforms can seek. */
export function softwareEncoder(settings: SoftwareSettings, frameRate: Rational): VideoEncoder {
  return {
    name: 'libx264',
    globalArguments: [],
    filters: '',
    arguments: [
      '-c:v',
      'libx264',
      '-preset',
      settings.preset,
      '-crf',
      String(settings.crf),
      '-pix_fmt',
      'yuv420p',
      '-profile:v',
      'high',
      '-g',
      String(keyInterval(frameRate)),
    ],
  }
}

/** The encoder of a choice. Hardware ones have one quality, which is like that of x264 at crf 20. */
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
    arguments: [
      '-c:v',
      way.encoder,
      ...way.quality(shape),
      ...(way.pixelFormat === null ? [] : ['-pix_fmt', way.pixelFormat]),
      // No group of pictures leans on the one before: players start, and platforms cut, at each key frame.
      '-g',
      String(keyInterval(shape.frameRate)),
      '-flags:v',
      '+cgop',
    ],
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
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    ...encoder.globalArguments,
    '-f',
    'lavfi',
    '-i',
    picture,
    ...(encoder.filters === '' ? [] : ['-vf', encoder.filters]),
    '-frames:v',
    '1',
    ...encoder.arguments,
    '-f',
    'h264',
    'pipe:1',
  ]
}

function keyInterval(frameRate: Rational): number {
  return Math.max(1, Math.round((2 * frameRate.numerator) / frameRate.denominator))
}
