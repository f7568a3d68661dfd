/**
 * Hardware encoders and their arguments. If the quality option depends on the driver or the ffmpeg version, an encoder has
 * several variants, the best one first; the first that passes the probe is used. Each quality is set to look like x264 at
 * crf 20. PURE.
 */
import { listArguments } from './input.ts'
import type { Rational } from '../../../server/contract/time.ts'

/** Size and rate of the picture to encode. */
export interface EncodedShape {
  readonly width: number
  readonly height: number
  readonly frameRate: Rational
}

interface WayDefinition {
  /** Name of the encoder in ffmpeg. */
  readonly encoder: string
  /** Name in the configuration. */
  readonly setting: EncoderSetting
  /** Operating systems that have it, with Node's names. */
  readonly platforms: readonly string[]
  /** Devices that are tried in order; absent: the encoder finds its own. */
  readonly devices?: readonly string[]
  readonly globalArguments?: (device: string | null) => readonly string[]
  readonly filters?: string
  /** Pixel format of its input; null: its filters produce it. */
  readonly pixelFormat: 'yuv420p' | 'nv12' | null
  readonly quality: (shape: EncodedShape) => readonly string[]
}

/** Values that can be configured besides `auto` and `software`. */
export const HARDWARE_SETTINGS = ['nvenc', 'videotoolbox', 'qsv', 'vaapi', 'amf', 'mediafoundation'] as const
export type EncoderSetting = (typeof HARDWARE_SETTINGS)[number]

const BITS_PER_PIXEL = 0.14

/** For encoders that take a bit rate and no quality: bits per second, with headroom for complex scenes. */
function byRate({ width, height, frameRate }: EncodedShape): string[] {
  const rate = (width * height * BITS_PER_PIXEL * frameRate.numerator) / frameRate.denominator
  const kilobits = Math.max(500, Math.round(rate / 1000))
  return ['-b:v', `${kilobits}k`, '-maxrate', `${kilobits * 2}k`, '-bufsize', `${kilobits * 4}k`]
}

const HIGH = ['-profile:v', 'high'] as const
const NVENC_RATE = ['-rc', 'vbr', '-cq', '23', '-b:v', '0', '-bf', '2'] as const

/** In the order in which they are tried. */
const ways = {
  nvenc: {
    encoder: 'h264_nvenc',
    setting: 'nvenc',
    platforms: ['linux', 'win32'],
    pixelFormat: 'yuv420p',
    quality: () => ['-preset', 'p5', '-tune', 'hq', ...NVENC_RATE, '-spatial-aq', '1', ...HIGH],
  },
  // Before ffmpeg 4.4 presets were named by words.
  'nvenc-named-presets': {
    encoder: 'h264_nvenc',
    setting: 'nvenc',
    platforms: ['linux', 'win32'],
    pixelFormat: 'yuv420p',
    quality: () => ['-preset', 'slow', ...NVENC_RATE, '-spatial-aq', '1', ...HIGH],
  },
  videotoolbox: {
    encoder: 'h264_videotoolbox',
    setting: 'videotoolbox',
    platforms: ['darwin'],
    pixelFormat: 'nv12',
    quality: () => ['-q:v', '65', '-allow_sw', '0', ...HIGH],
  },
  // Macs with Intel processors do not support a quality.
  'videotoolbox-rate': {
    encoder: 'h264_videotoolbox',
    setting: 'videotoolbox',
    platforms: ['darwin'],
    pixelFormat: 'nv12',
    quality: (shape) => [...byRate(shape), '-allow_sw', '0', ...HIGH],
  },
  qsv: {
    encoder: 'h264_qsv',
    setting: 'qsv',
    platforms: ['linux', 'win32'],
    pixelFormat: 'nv12',
    quality: () => ['-global_quality', '21', '-preset', 'medium', '-look_ahead', '0', '-bf', '2', ...HIGH],
  },
  amf: {
    encoder: 'h264_amf',
    setting: 'amf',
    platforms: ['win32', 'linux'],
    pixelFormat: 'nv12',
    quality: () =>
      listArguments`-usage transcoding -quality quality -rc cqp -qp_i 20 -qp_p 22 -qp_b 24 ${HIGH}`,
  },
  vaapi: {
    encoder: 'h264_vaapi',
    setting: 'vaapi',
    platforms: ['linux'],
    devices: ['/dev/dri/renderD128', '/dev/dri/renderD129', '/dev/dri/renderD130'],
    globalArguments: (device) => ['-vaapi_device', device ?? '/dev/dri/renderD128'],
    filters: 'format=nv12,hwupload',
    pixelFormat: null,
    // Many drivers do not support B-frames and fail if they are requested.
    quality: () => ['-qp', '21', '-bf', '0', ...HIGH],
  },
  mediafoundation: {
    encoder: 'h264_mf',
    setting: 'mediafoundation',
    platforms: ['win32'],
    pixelFormat: 'nv12',
    // This encoder does not know profile names.
    quality: () => ['-rate_control', 'quality', '-quality', '75', '-hw_encoding', '1'],
  },
} satisfies Record<string, WayDefinition>

export type HardwareWay = keyof typeof ways

export const HARDWARE_WAYS: Readonly<Record<HardwareWay, WayDefinition>> = ways

/** An encoder to try, with the device to try it on. */
export interface EncoderCandidate {
  readonly way: HardwareWay
  readonly device: string | null
}

/** What encoders are looked for on. `exists`: which devices are there. */
export interface EncoderMachine {
  readonly platform: string
  /** Names that this ffmpeg lists. */
  readonly encoders: ReadonlySet<string>
  readonly exists: (path: string) => boolean
}

/** The candidates that the configuration allows, this system can have and this ffmpeg was built with, in order. */
export function encoderCandidates(
  setting: 'auto' | EncoderSetting,
  machine: EncoderMachine,
): EncoderCandidate[] {
  return Object.entries<WayDefinition>(HARDWARE_WAYS).flatMap(([name, way]) => {
    const possible =
      (setting === 'auto' || way.setting === setting) &&
      way.platforms.includes(machine.platform) &&
      machine.encoders.has(way.encoder)
    return possible ? devicesOf(way, machine).map((device) => ({ way: name as HardwareWay, device })) : []
  })
}

function devicesOf(way: WayDefinition, { exists }: EncoderMachine): (string | null)[] {
  return way.devices === undefined ? [null] : way.devices.filter((path) => exists(path))
}

/** An encoder that is not tried, and why: it is no candidate. */
export interface AbsentEncoder {
  readonly setting: EncoderSetting
  readonly why: 'not built in' | 'no device' | 'other system'
}

/** The encoders that the configuration allows and that are no candidates; with `auto` only those of this system. */
export function absentEncoders(setting: 'auto' | EncoderSetting, machine: EncoderMachine): AbsentEncoder[] {
  const all: readonly WayDefinition[] = Object.values(HARDWARE_WAYS)
  return HARDWARE_SETTINGS.filter((one) => setting === 'auto' || setting === one).flatMap(
    (one): AbsentEncoder[] => {
      const ways = all.filter((way) => way.setting === one)
      const here = ways.filter(({ platforms }) => platforms.includes(machine.platform))
      if (here.length === 0) return setting === 'auto' ? [] : [{ setting: one, why: 'other system' }]
      const built = here.filter(({ encoder }) => machine.encoders.has(encoder))
      if (built.length === 0) return [{ setting: one, why: 'not built in' }]
      return built.some((way) => devicesOf(way, machine).length > 0)
        ? []
        : [{ setting: one, why: 'no device' }]
    },
  )
}
