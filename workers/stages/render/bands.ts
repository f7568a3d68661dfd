/** Draws a band and streams it to ffmpeg: one picture per state, redrawn only where it changed. */
import type { Writable } from 'node:stream'
import { createCanvas } from '@napi-rs/canvas'
import type { HdrTransfer } from '../../../server/contract/colour-matrix.ts'
import type { Rect } from '../../../server/contract/composition.ts'
import type { Rational } from '../../../server/contract/time.ts'
import { damageBetween, drawBand, paintedAt, stateAt, type Band } from '../../compositor/compositor.ts'
import { PLAIN_BLENDING, type Blending } from '../../media/arguments/dialect.ts'
import { writeWhole } from '../../media/pipes.ts'
import { useExactText } from '../../render-support/exact-text.ts'
import { bytesOf, transparentHdrPicture, writeHdrRegion } from './pure/yuva-hdr.ts'
import { transparentPicture, writeRegion } from './pure/yuva.ts'

export interface BandStatistics {
  pictures: number
  bytes: number
  drawMilliseconds: number
}

/** Maximum number of pictures that `feedBand` sends: one per state, the first one, and the empty one at the end. */
export function countPictures(band: Band): number {
  let count = 2
  for (const { startFrame, endFrame } of band.shown) {
    let state = ''
    for (let frame = startFrame; frame <= endFrame; frame++) {
      const next = stateAt(band, frame)
      if (next !== state) count += 1
      state = next
    }
  }
  return count
}

/**
 * Writes the whole band, or what is left of it from frame `from` on, and ends the pipe. Backpressure limits it to one picture
 * ahead of ffmpeg. `blending`: from the dialect of this ffmpeg. `hdr`: the picture below is HDR. Returns without an error when the
 * reader is gone; whoever started ffmpeg reports why.
 */
export async function feedBand(
  pipe: Writable,
  band: Band,
  frameRate: Rational,
  statistics: BandStatistics,
  {
    blending = PLAIN_BLENDING,
    hdr,
  }: { readonly blending?: Blending; readonly hdr?: HdrTransfer | undefined } = {},
  from = 0,
): Promise<void> {
  const { width, height } = band.box
  const canvas = createCanvas(width, height)
  const context = useExactText(canvas.getContext('2d'))
  const picture = openPicture(width, height, blending, hdr)
  const end = band.shown.at(-1)?.endFrame ?? 0

  const send = async (frame: number): Promise<boolean> => {
    statistics.pictures += 1
    statistics.bytes += picture.bytes.length
    const head = bandPictureHeader(frame - from, picture.bytes.length)
    return (await writeWhole(pipe, head)) && (await writeWhole(pipe, picture.bytes))
  }
  const redraw = (frame: number): boolean => {
    const region = frame === from ? paintedAt(band, from) : damageBetween(band, frame - 1, frame)
    if (region === null) return false
    const started = performance.now()
    drawBand(context, band, frame, region)
    const drawn = context.getImageData(region.x, region.y, region.width, region.height)
    picture.write(drawn.data, region)
    statistics.drawMilliseconds += performance.now() - started
    return true
  }

  let open = await writeWhole(pipe, bandStreamHeader(width, height, frameRate, hdr !== undefined))
  redraw(from)
  // The first picture is always at 0, because ffmpeg counts a stream's time from its first picture.
  open &&= await send(from)
  let state = stateAt(band, from)
  // One past the end: the picture after the last one is empty, so that nothing stays visible.
  for (let frame = from + 1; open && frame <= end; frame++) {
    const next = stateAt(band, frame)
    if (next === state) continue
    state = next
    if (redraw(frame)) open = await send(frame)
  }
  if (open) await new Promise<void>((resolve) => pipe.end(resolve))
}

/** A picture to draw regions into, and its bytes as ffmpeg takes them. */
function openPicture(width: number, height: number, blending: Blending, hdr: HdrTransfer | undefined) {
  if (hdr === undefined) {
    const picture = transparentPicture(width, height, blending)
    const write = (rgba: Uint8ClampedArray, region: Rect) => writeRegion(picture, rgba, region, blending)
    return { bytes: picture.bytes, write }
  }
  const picture = transparentHdrPicture(width, height, hdr)
  return {
    bytes: bytesOf(picture),
    write: (rgba: Uint8ClampedArray, region: Rect) => writeHdrRegion(picture, rgba, region),
  }
}

const ID = {
  header: [0x1a, 0x45, 0xdf, 0xa3],
  docType: [0x42, 0x82],
  docTypeVersion: [0x42, 0x87],
  docTypeReadVersion: [0x42, 0x85],
  segment: [0x18, 0x53, 0x80, 0x67],
  info: [0x15, 0x49, 0xa9, 0x66],
  timestampScale: [0x2a, 0xd7, 0xb1],
  muxingApp: [0x4d, 0x80],
  writingApp: [0x57, 0x41],
  tracks: [0x16, 0x54, 0xae, 0x6b],
  trackEntry: [0xae],
  trackNumber: [0xd7],
  trackUid: [0x73, 0xc5],
  trackType: [0x83],
  flagLacing: [0x9c],
  codecId: [0x86],
  video: [0xe0],
  pixelWidth: [0xb0],
  pixelHeight: [0xba],
  colourSpace: [0x2e, 0xb5, 0x24],
  cluster: [0x1f, 0x43, 0xb6, 0x75],
  timestamp: [0xe7],
  simpleBlock: [0xa3],
} as const
/** Unknown size: the segment continues to the end of the stream. */
const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
/** ffmpeg's codes for planar YUVA 4:2:0 in uncompressed video, with 8 and with 10 bits. */
const YUVA420P = [0x59, 0x34, 0x0b, 0x08]
const YUVA420P10 = [0x59, 0x34, 0x0b, 0x0a]
const VIDEO_TRACK = 1
const KEY_FRAME = 0x80

type Bytes = readonly number[]

/** The beginning of the stream; write it once, before the first picture. */
export function bandStreamHeader(
  width: number,
  height: number,
  frameRate: Rational,
  isDeep = false,
): Uint8Array {
  const header = element(ID.header, [
    ...element(ID.docType, ascii('matroska')),
    ...element(ID.docTypeVersion, [4]),
    ...element(ID.docTypeReadVersion, [2]),
  ])
  const info = element(ID.info, [
    ...element(ID.timestampScale, unsigned(frameNanoseconds(frameRate))),
    ...element(ID.muxingApp, ascii('cutroom')),
    ...element(ID.writingApp, ascii('cutroom')),
  ])
  const video = element(ID.video, [
    ...element(ID.pixelWidth, unsigned(width)),
    ...element(ID.pixelHeight, unsigned(height)),
    ...element(ID.colourSpace, isDeep ? YUVA420P10 : YUVA420P),
  ])
  const track = element(ID.trackEntry, [
    ...element(ID.trackNumber, [VIDEO_TRACK]),
    ...element(ID.trackUid, [VIDEO_TRACK]),
    ...element(ID.trackType, [VIDEO_TRACK]),
    ...element(ID.flagLacing, [0]),
    ...element(ID.codecId, ascii('V_UNCOMPRESSED')),
    ...video,
  ])
  return Uint8Array.from([...header, ...ID.segment, ...UNKNOWN_SIZE, ...info, ...element(ID.tracks, track)])
}

/** The bytes before a picture of `pictureBytes` that is shown from output frame `frame` on. */
export function bandPictureHeader(frame: number, pictureBytes: number): Uint8Array {
  const timestamp = element(ID.timestamp, unsigned(frame))
  // Track number, 16-bit time relative to the cluster, flags.
  const block = [0x80 | VIDEO_TRACK, 0, 0, KEY_FRAME]
  const blockHead = [...ID.simpleBlock, ...size(block.length + pictureBytes), ...block]
  const content = timestamp.length + blockHead.length + pictureBytes
  return Uint8Array.from([...ID.cluster, ...size(content), ...timestamp, ...blockHead])
}

/** The length of a frame in whole nanoseconds; ffmpeg's `settb` rounds to the exact frame rate. */
export function frameNanoseconds(rate: Rational): number {
  return Math.floor((1_000_000_000 * rate.denominator) / rate.numerator)
}

function element(id: Bytes, content: Bytes): number[] {
  return [...id, ...size(content.length), ...content]
}

/** Always eight bytes long, which fits sizes up to 2^53. */
function size(value: number): number[] {
  const bytes = unsigned(value)
  return [0x01, ...Array.from({ length: 7 - bytes.length }, () => 0), ...bytes]
}

function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256)
  return bytes
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
