import { describe, expect, it } from 'vitest'
import type { VideoLayer } from '../../server/contract/composition.ts'
import { frameToTicks, secondsToTicks } from '../../server/contract/time.ts'
import { placeVideo, playingOf, shownFrames, videoMoment } from './video-place.ts'

const RATE = { numerator: 30, denominator: 1 }
const OUTPUT = { width: 1080, height: 1920 }
const STILL = { kind: 'none' as const, frames: 0 }

const layer = (more: Partial<VideoLayer> = {}): VideoLayer => ({
  kind: 'video',
  id: 'v',
  sourceStart: 0,
  loop: false,
  fit: 'fill',
  focusX: 50,
  focusY: 50,
  asset: {
    digest: 'd',
    width: 1600,
    height: 900,
    frameRate: { numerator: 25, denominator: 1 },
    duration: secondsToTicks(2),
    hasAudio: false,
    videoStream: 0,
    hdr: false,
    interlaced: false,
    opaque: true,
  },
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  background: null,
  opacity: 1,
  startFrame: 10,
  endFrame: 200,
  intro: STILL,
  outro: STILL,
  ...more,
})

describe('placeVideo', () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 }
  it('shows all of the video stretched, or whole in the middle', () => {
    expect(placeVideo(layer(), OUTPUT)).toMatchObject({ picture: { width: 1080, height: 1920 }, crop: whole })
    const contained = placeVideo(layer({ fit: 'contain' }), OUTPUT)
    expect(contained).toMatchObject({ picture: { x: 0, y: 656, width: 1080, height: 608 }, crop: whole })
    expect(contained?.box).toEqual(contained?.picture)
    const framed = placeVideo(layer({ fit: 'contain', background: '#000' }), OUTPUT)
    expect(framed).toMatchObject({ box: { x: 0, y: 0, ...OUTPUT }, picture: { y: 656, height: 608 } })
  })

  it.each([
    [0, 0],
    [50, 0.341796875],
    [100, 0.68359375],
  ])('cuts what does not fit away from the focus at %i percent', (focusX, x) => {
    const place = placeVideo(layer({ fit: 'cover', focusX }), OUTPUT)
    expect(place?.crop).toEqual({ x, y: 0, width: 0.31640625, height: 1 })
  })

  it('cuts what is outside the output, and is nothing when all of it is', () => {
    const rect = { x: -540, y: 960, width: 1080, height: 1920 }
    expect(placeVideo(layer({ rect }), OUTPUT)).toEqual({
      box: { x: 0, y: 960, width: 540, height: 960 },
      picture: { x: 0, y: 960, width: 540, height: 960 },
      crop: { x: 0.5, y: 0, width: 0.5, height: 0.5 },
    })
    expect(placeVideo(layer({ rect: { ...rect, x: 1080 } }), OUTPUT)).toBeNull()
    expect(placeVideo(layer({ rect: { ...rect, width: 0 } }), OUTPUT)).toBeNull()
  })

  it('stands on even pixels, two at least, at any size of the output', () => {
    const rect = { x: 1079.7, y: 3.3, width: 9, height: 0.4 }
    expect(placeVideo(layer({ rect }), OUTPUT)?.box).toEqual({ x: 1078, y: 4, width: 2, height: 2 })
    const half = placeVideo(layer({ rect: { x: 301, y: 99, width: 401, height: 203 } }), {
      width: 540,
      height: 960,
    })
    for (const value of Object.values(half?.box ?? {})) expect(value % 2).toBe(0)
  })
})

describe('the moment that is shown', () => {
  it('runs with the clip from the start that was asked for, and stays at the end', () => {
    const late = layer({ sourceStart: secondsToTicks(1) })
    expect([10, 25, 39].map((frame) => videoMoment(late, frame, RATE))).toEqual([
      expect.closeTo(1 + 0.5 / 30),
      expect.closeTo(1 + 15.5 / 30),
      expect.closeTo(1 + 29.5 / 30),
    ])
    expect(videoMoment(late, 150, RATE)).toBeCloseTo(1.999)
    expect(playingOf(layer({ sourceStart: secondsToTicks(9) }), RATE).start).toBeCloseTo(1.96)
  })

  it('goes round from the beginning of the file', () => {
    const round = layer({ loop: true, sourceStart: secondsToTicks(1.5) })
    expect(playingOf(round, RATE).firstFrames).toBe(15)
    expect([24, 25, 84, 85].map((frame) => videoMoment(round, frame, RATE))).toEqual([
      expect.closeTo(1.5 + 14.5 / 30),
      expect.closeTo(0.5 / 30),
      expect.closeTo(59.5 / 30),
      expect.closeTo(0.5 / 30),
    ])
    const nearEnd = layer({ loop: true, sourceStart: frameToTicks(120, RATE) - 1 })
    expect(playingOf(nearEnd, RATE)).toMatchObject({ start: 0, firstFrames: 60 })
  })

  it('is none outside the clip', () => {
    expect(shownFrames({ startFrame: -5, endFrame: 20 }, 10)).toEqual({ startFrame: 0, endFrame: 10 })
    expect(shownFrames({ startFrame: 10, endFrame: 20 }, 10)).toBeNull()
  })
})
