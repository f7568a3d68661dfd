/**
 * Converts drawn pixels to what is laid over an HDR picture: planar YUVA 4:2:0 with ten bits, BT.2020, HLG or PQ, limited range,
 * straight alpha. What is drawn is ordinary video (BT.709 on a screen of gamma 2.4), whose white is shown with 203 nits, the
 * reference white of graphics in HDR (BT.2408): three quarters of HLG's range, 58 hundredths of PQ's.
 */
import type { HdrTransfer } from '../../../../server/contract/colour-matrix.ts'
import type { Rect } from '../../../../server/contract/composition.ts'

const REFERENCE_NITS = 203
/** The screen that HLG is graded for; its system gamma is 1.2. */
const HLG_NITS = 1000
const HLG_GAMMA = 1.2
const PQ_NITS = 10_000

const BLACK = 64
const NO_COLOUR = 512
const MOST = 1023

type HdrPicture = ReturnType<typeof transparentHdrPicture>

/** One picture of a band of even size; planes follow each other as in rawvideo `yuva420p10le`. */
export function transparentHdrPicture(width: number, height: number, transfer: HdrTransfer) {
  const samples = new Uint16Array((width * height * 5) / 2)
  samples.fill(BLACK, 0, width * height)
  samples.fill(NO_COLOUR, width * height, (width * height * 3) / 2)
  return { width, height, samples, convert: rememberColours(transfer) }
}

/** The bytes of the picture, lowest first, as all machines that we run on have them. */
export const bytesOf = ({ samples }: HdrPicture): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)

/** Writes a region with even edges from tightly packed RGBA with straight alpha, as getImageData returns it. */
export function writeHdrRegion(
  picture: HdrPicture,
  rgba: Uint8Array | Uint8ClampedArray,
  region: Rect,
): void {
  const { width, samples, convert } = picture
  const pixels = width * picture.height
  const alphaAt = (pixels * 3) / 2
  for (let row = 0; row < region.height; row += 2) {
    for (let column = 0; column < region.width; column += 2) {
      let u = 0
      let v = 0
      let alphas = 0
      for (let corner = 0; corner < 4; corner++) {
        const x = column + (corner & 1)
        const y = row + (corner >> 1)
        const from = (y * region.width + x) * 4
        const alpha = rgba[from + 3] as number
        const at = (region.y + y) * width + region.x + x
        samples[alphaAt + at] = Math.round((alpha * MOST) / 255)
        if (alpha === 0) {
          samples[at] = BLACK
          continue
        }
        const [luma, cb, cr] = convert(
          rgba[from] as number,
          rgba[from + 1] as number,
          rgba[from + 2] as number,
        )
        samples[at] = luma
        u += alpha * cb
        v += alpha * cr
        alphas += alpha
      }
      // ffmpeg blends chroma by the mean alpha of four pixels, so it is the mean of their colours by alpha.
      const chroma = pixels + ((region.y + row) / 2) * (width / 2) + (region.x + column) / 2
      samples[chroma] = alphas === 0 ? NO_COLOUR : Math.round(u / alphas)
      samples[chroma + pixels / 4] = alphas === 0 ? NO_COLOUR : Math.round(v / alphas)
    }
  }
}

type Sample = readonly [luma: number, cb: number, cr: number]

/** What is drawn has few colours; a photo has many, and the table does not grow with it. */
const REMEMBERED = 1 << 12

function rememberColours(transfer: HdrTransfer): (red: number, green: number, blue: number) => Sample {
  const keys = new Int32Array(REMEMBERED).fill(-1)
  const values: Sample[] = []
  return (red, green, blue) => {
    const key = (red << 16) | (green << 8) | blue
    const at = Math.imul(key, 0x9e3779b1) >>> 20
    if (keys[at] !== key) {
      keys[at] = key
      values[at] = hdrSample(red, green, blue, transfer)
    }
    return values[at] as Sample
  }
}

const LIGHT = Float64Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.4)

/** A colour of ordinary video, 0 to 255, as ten bits of HDR. Chroma with fractions, because it is averaged. */
export function hdrSample(red: number, green: number, blue: number, transfer: HdrTransfer): Sample {
  const r = LIGHT[red] as number
  const g = LIGHT[green] as number
  const b = LIGHT[blue] as number
  // BT.709 to BT.2020 (BT.2087), in shares of reference white.
  const light = [
    0.6274 * r + 0.3293 * g + 0.0433 * b,
    0.0691 * r + 0.9195 * g + 0.0114 * b,
    0.0164 * r + 0.088 * g + 0.8956 * b,
  ] as const
  const [R, G, B] = transfer === 'pq' ? codedPq(light) : codedHlg(light)
  const luma = 0.2627 * R + 0.678 * G + 0.0593 * B
  return [
    Math.round(BLACK + 876 * luma),
    NO_COLOUR + (896 * (B - luma)) / 1.8814,
    NO_COLOUR + (896 * (R - luma)) / 1.4746,
  ]
}

type Light = readonly [number, number, number]

function codedPq(light: Light): Light {
  const coded = (share: number): number => {
    const power = ((share * REFERENCE_NITS) / PQ_NITS) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375
  }
  return [coded(light[0]), coded(light[1]), coded(light[2])]
}

function codedHlg(light: Light): Light {
  const luminance = 0.2627 * light[0] + 0.678 * light[1] + 0.0593 * light[2]
  if (luminance <= 0) return [0, 0, 0]
  const share = REFERENCE_NITS / HLG_NITS
  // From the light of the screen back to that of the scene.
  const gain = share * (luminance * share) ** (1 / HLG_GAMMA - 1)
  const coded = (value: number): number => {
    const scene = value * gain
    return scene <= 1 / 12
      ? Math.sqrt(3 * scene)
      : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073
  }
  return [coded(light[0]), coded(light[1]), coded(light[2])]
}
