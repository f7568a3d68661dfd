/** How each delivery profile is encoded and wrapped: encoders that can make it, filters before them, file forms. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { PreviewDelivery, VideoDelivery } from '../../../server/contract/profiles/profile.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { even } from './colour.ts'
import { listArguments } from './input.ts'
import { AAC, type FileForm } from './render.ts'
import type { VideoEncoder } from './render-encoder.ts'

type Output = Composition['output']
/** The best first. Each is an encoder of ffmpeg with its options, as they are for this many frames a second. */
type Ways = readonly {
  readonly encoder: string
  readonly options: (perSecond: number) => readonly string[]
}[]

/** A key frame at least every two seconds. */
const twoSeconds = (perSecond: number): string[] => ['-g', String(Math.max(1, Math.round(2 * perSecond)))]

const WAYS: Readonly<Record<VideoDelivery['codec'], Ways>> = {
  h264: [
    {
      encoder: 'libx264',
      options: (rate) => listArguments`-preset veryfast -crf 20 -profile:v high ${twoSeconds(rate)}`,
    },
  ],
  'h264-intra': [
    {
      encoder: 'libx264',
      options: () => listArguments`-preset veryfast -crf 12 -profile:v high422 -g 1 -bf 0`,
    },
  ],
  hevc: [
    {
      encoder: 'libx265',
      // Apple's players open HEVC by this tag alone.
      options: (rate) =>
        listArguments`-preset fast -crf 23 ${twoSeconds(rate)} -x265-params log-level=error -tag:v hvc1`,
    },
  ],
  av1: [
    { encoder: 'libsvtav1', options: (rate) => listArguments`-preset 8 -crf 32 ${twoSeconds(rate)}` },
    {
      encoder: 'libaom-av1',
      options: (rate) => listArguments`-cpu-used 8 -row-mt 1 -crf 30 -b:v 0 ${twoSeconds(rate)}`,
    },
  ],
  // As XDCAM HD422: a constant rate in a buffer of its level, closed groups of half a second, precise DC.
  mpeg2: [
    {
      encoder: 'mpeg2video',
      options: (rate) => listArguments`
        -profile:v 0 -level:v 2 -b:v 50M -minrate 50M -maxrate 50M -bufsize 17825792 -rc_init_occupancy 17825792
        -g ${rate > 26 ? 15 : 12} -bf 2 -dc 10 -intra_vlc 1 -non_linear_quant 1 -qmin 1 -qmax 12
        -sc_threshold 1000000000
      `,
    },
  ],
  'prores-hq': [{ encoder: 'prores_ks', options: () => listArguments`-profile:v hq -vendor apl0` }],
  'dnxhr-hq': [{ encoder: 'dnxhd', options: () => listArguments`-profile:v dnxhr_hq` }],
}

const CONTAINERS: Readonly<Record<VideoDelivery['container'], readonly string[]>> = {
  mp4: ['-movflags', '+faststart', '-f', 'mp4'],
  mov: ['-movflags', '+faststart+write_colr', '-f', 'mov'],
  mxf: ['-f', 'mxf'],
}

/** 24 bits at 48 kHz. */
export const PCM = ['-c:a', 'pcm_s24le', '-ar', '48000'] as const
const SOUNDS: Readonly<Record<VideoDelivery['sound'], readonly string[]>> = {
  aac: AAC,
  pcm24: [...PCM, '-ac', '2'],
}

/** Later flags replace earlier ones, so these stand behind all others and repeat them. */
const INTERLACED = ['-flags:v', '+bitexact+ildct+ilme'] as const

/** Frames a second of the file. */
export function deliveredRate({ frameRate }: Output, { scan }: Pick<VideoDelivery, 'scan'>): Rational {
  return scan === 'progressive' ? frameRate : { ...frameRate, denominator: frameRate.denominator * 2 }
}

export const filmForm = (output: Output, delivery: VideoDelivery): FileForm => ({
  frameRate: deliveredRate(output, delivery),
  sound: SOUNDS[delivery.sound],
  container: [...(delivery.scan === 'progressive' ? [] : INTERLACED), ...CONTAINERS[delivery.container]],
})

/** Encoders that can make this film, the best first. */
export function filmEncoders(output: Output, delivery: VideoDelivery): VideoEncoder[] {
  const rate = deliveredRate(output, delivery)
  return WAYS[delivery.codec].map(({ encoder, options }) => ({
    name: encoder,
    globalArguments: [],
    filters: filmFilters(output, delivery),
    arguments: [
      '-c:v',
      encoder,
      ...options(rate.numerator / rate.denominator),
      '-pix_fmt',
      delivery.pixelFormat,
    ],
  }))
}

/** From the finished picture (BT.709 with eight bits, or HDR with ten) to the encoder's input. */
function filmFilters(output: Output, { frame, scan, pixelFormat }: VideoDelivery): string {
  const fitted = frame === null ? [] : fitInto(output, frame)
  // Before it is woven: of 4:2:0 each field would have the colour of both.
  const sampled = pixelFormat === 'yuv420p' ? [] : [`format=${pixelFormat}`]
  // The low pass keeps fine lines from flickering, as cameras do.
  const woven = scan === 'progressive' ? [] : ['interlace=scan=tff:lowpass=1', 'setfield=mode=tff']
  return [...fitted, ...sampled, ...woven].join(',')
}

function fitInto(output: Output, frame: { readonly width: number; readonly height: number }): string[] {
  const scale = Math.min(frame.width / output.width, frame.height / output.height)
  const width = even(output.width * scale)
  const height = even(output.height * scale)
  const isSize = width === output.width && height === output.height
  const fills = width === frame.width && height === frame.height
  return [
    ...(isSize ? [] : [`scale=${width}:${height}:flags=lanczos`]),
    ...(fills ? [] : [`pad=${frame.width}:${frame.height}:(ow-iw)/2:(oh-ih)/2`]),
    'setsar=1',
  ]
}

/** Straight alpha with ten bits of colour and sixteen of transparency. */
export const PRORES_4444 = listArguments`
  -c:v prores_ks -profile:v 4444 -vendor apl0 -alpha_bits 16 -pix_fmt yuva444p10le
`
export const MOV = CONTAINERS.mov

/** Filters and encoder of a preview. Each GIF frame has its own palette, so that nothing waits for the last frame. */
export function previewForm(output: Output, { codec, longSide, framesPerSecond }: PreviewDelivery) {
  const scale = Math.min(1, longSide / Math.max(output.width, output.height))
  const size = `scale=${even(output.width * scale)}:${even(output.height * scale)}:flags=lanczos`
  const small = `fps=${framesPerSecond},${size}`
  if (codec === 'webp')
    return {
      chains: [`[drawn]${small}[video]`],
      arguments: listArguments`-c:v libwebp_anim -lossless 0 -q:v 70 -loop 0 -pix_fmt yuv420p -f webp`,
    }
  return {
    chains: [
      `[drawn]${small},split[seen][counted]`,
      '[counted]palettegen=stats_mode=single[palette]',
      '[seen][palette]paletteuse=new=1:dither=sierra2_4a[video]',
    ],
    arguments: listArguments`-c:v gif -loop 0 -f gif`,
  }
}
