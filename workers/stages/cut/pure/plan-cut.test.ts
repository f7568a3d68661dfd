import { describe, expect, it } from 'vitest'
import type { SourceFacts, VideoFacts } from '../../../../server/contract/source-facts.ts'
import { canCopy, cutPicture, cutStarts } from '../stage.ts'

const video: VideoFacts = {
  streamIndex: 0,
  codec: 'h264',
  pixelFormat: 'yuv420p',
  codedWidth: 1280,
  codedHeight: 720,
  width: 1280,
  height: 720,
  rotation: 0,
  variableFrameRate: false,
  interlaced: false,
  hdr: false,
  sampleAspectRatio: { numerator: 1, denominator: 1 },
  frameRate: { numerator: 25, denominator: 1 },
  colourPrimaries: 'bt709',
  colourTransfer: 'bt709',
  colourSpace: 'bt709',
  colourRange: 'tv',
  bitsPerSample: 8,
  startTime: 0,
}
const audio: NonNullable<SourceFacts['audio']> = {
  streamIndex: 1,
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  layout: 'stereo',
  language: 'und',
  startTime: 0,
}
const facts = (picture: Partial<VideoFacts> | null, more: Partial<SourceFacts> = {}): SourceFacts => ({
  container: 'mp4',
  duration: 0,
  bytes: 1,
  audio,
  audioStreams: 1,
  captions: [],
  chapters: [],
  warnings: [],
  video: picture === null ? null : { ...video, ...picture },
  ...more,
})

describe('whether streams are copied', () => {
  it.each([
    ['plain H.264 and AAC', facts({}), true],
    ['without sound', facts({}, { audio: null }), true],
    ['Matroska', facts({}, { container: 'matroska' }), true],
    ['a transport stream', facts({}, { container: 'mpegts' }), false],
    ['HEVC', facts({ codec: 'hevc' }), false],
    ['ten bits', facts({ pixelFormat: 'yuv420p10le', bitsPerSample: 10 }), false],
    ['4:2:2', facts({ pixelFormat: 'yuv422p' }), false],
    ['interlaced', facts({ interlaced: true }), false],
    ['PCM sound', facts({}, { audio: { ...audio, codec: 'pcm_s16le' } }), false],
    ['sound only', facts(null), false],
  ])('%s: %#', (_name, source, expected) => {
    expect(canCopy(source)).toBe(expected)
  })
})

describe('where a cut starts', () => {
  const frames = [0, 1, 2, 3, 4].map((time) => ({ time, keyFrame: time % 2 === 0 }))
  it('takes the key frame and the frame at or before the start, in any order, with rounding forgiven', () => {
    expect(cutStarts(frames.toReversed(), 3.4)).toEqual({ keyFrame: 2, frame: 3 })
    expect(cutStarts(frames, 1.9998)).toEqual({ keyFrame: 2, frame: 2 })
    expect(cutStarts(frames, 1.99)).toEqual({ keyFrame: 0, frame: 1 })
  })
  it('finds none before the first frame, and nothing that is too far back', () => {
    expect(cutStarts(frames, -1)).toEqual({ keyFrame: null, frame: null })
    expect(cutStarts([{ time: 0, keyFrame: true }], 13)).toEqual({ keyFrame: null, frame: null })
  })
})

describe('the encoded picture', () => {
  it('fits 1920 on its long side, in even numbers, at 30 frames a second at most', () => {
    const size = (picture: Partial<VideoFacts>) => {
      const made = cutPicture(facts(picture))
      return made === null ? null : `${made.width}x${made.height} ${made.rate}`
    }
    expect(size({ width: 3840, height: 2160 })).toBe('1920x1080 25/1')
    expect(size({ width: 1080, height: 2341 })).toBe('886x1920 25/1')
    expect(size({ width: 641, height: 361 })).toBe('642x362 25/1')
    expect(size({ frameRate: { numerator: 60_000, denominator: 1001 } })).toBe('1280x720 60000/2002')
    expect(size({ frameRate: { numerator: 30, denominator: 1 } })).toBe('1280x720 30/1')
    expect(size({ frameRate: { numerator: 50, denominator: 1 } })).toBe('1280x720 50/2')
    expect(size({ frameRate: { numerator: 1, denominator: 15 } })).toBe('1280x720 359/15')
    expect(cutPicture(facts(null))).toBeNull()
  })
})
