/**
 * The stream that carries a band's pictures to ffmpeg: Matroska with one uncompressed video track and one picture per STATE, not
 * per frame. Each picture has the number of the frame at which it appears; ffmpeg's overlay repeats it until the next one. A minute
 * of captions is then some hundred pictures instead of 1800.
 *
 * Only what a demuxer needs is written: header, track, and one cluster of known size per picture, so that the stream can go through
 * a pipe. The clock ticks once per output frame.
 */
import type { Rational } from '../../../../server/contract/time.ts'

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
/** ffmpeg's code for planar 8-bit YUVA 4:2:0 in uncompressed video. */
const YUVA420P = [0x59, 0x34, 0x0b, 0x08]
const VIDEO_TRACK = 1
const KEY_FRAME = 0x80

type Bytes = readonly number[]

/** The beginning of the stream; write it once, before the first picture. */
export function bandStreamHeader(width: number, height: number, frameRate: Rational): Uint8Array {
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
    ...element(ID.colourSpace, YUVA420P),
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
