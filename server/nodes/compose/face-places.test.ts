import { describe, expect, it } from 'vitest'
import type { ClipFaces, FaceTrack } from '../../contract/clip-measurements.ts'
import type { LayoutSpan, Rect, TimeSpan, Zoom } from '../../contract/composition.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { headsAt, meet, shownFaces, sourceFaces, type SeenSource } from './face-places.ts'

/** 100 frames a second, so that a frame is a hundredth of a second: from 10 s on, then from 40 s on. */
const span = (startFrame: number, endFrame: number, from: number, playbackRate = 1): TimeSpan => ({
  startFrame,
  endFrame,
  sourceStart: secondsToTicks(from),
  sourceEnd: secondsToTicks(from + ((endFrame - startFrame) / 100) * playbackRate),
  playbackRate,
})
const WHOLE: Rect = { x: 0, y: 0, width: 1000, height: 500 }
const seenAs = (layout: LayoutSpan[], over: Partial<SeenSource> = {}): SeenSource => ({
  source: { width: 1000, height: 500 },
  output: { width: 1080, height: 1080 },
  timeMap: [span(0, 500, 10), span(500, 1000, 40, 2)],
  layout,
  zooms: [],
  ...over,
})
const crop = (rect: Rect, more: object = {}): LayoutSpan => ({
  kind: 'crop',
  startFrame: 0,
  endFrame: 1000,
  crop: rect,
  ...more,
})
const SQUARE = crop({ x: 200, y: 0, width: 500, height: 500 })

type Point = FaceTrack['points'][number]
const track = (points: Point[], id = 1, speaking: FaceTrack['speaking'] = []): FaceTrack => ({
  id,
  points,
  speaking,
})
const facesOf = (tracks: FaceTrack[], shotStarts: number[] = []): ClipFaces => ({
  start: 0,
  end: 60,
  shotStarts,
  screens: [],
  tracks,
})
/** Where it is, shares of the source: in the square crop it is half as far from the left again. */
const STILL: Point[] = [
  [0, 0.4, 0.5, 0.1, 0.2],
  [60, 0.4, 0.5, 0.1, 0.2],
]
const close = ({ x, y, width, height }: Rect) => ({
  x: expect.closeTo(x, 6) as number,
  y: expect.closeTo(y, 6) as number,
  width: expect.closeTo(width, 6) as number,
  height: expect.closeTo(height, 6) as number,
})
const rect = (x: number, y: number, width: number, height: number) => close({ x, y, width, height })

describe('a head', () => {
  it('is larger than its face, to each side, to the top and a little to the bottom', () => {
    expect(headsAt(facesOf([track(STILL)]), 0, seenAs([crop(WHOLE)]))).toEqual([
      rect(0.385, 0.44, 0.13, 0.28),
    ])
  })

  it('is only where it is in the picture', () => {
    const faces = facesOf([track([[0, 0, 0, 0.1, 0.2]]), track([[0, 0.95, 0.9, 0.1, 0.2]], 2)])
    expect(headsAt(faces, 0, seenAs([crop(WHOLE)], { timeMap: [span(0, 500, 0)] }))).toEqual([
      rect(0, 0, 0.115, 0.22),
      rect(0.935, 0.84, 0.065, 0.16),
    ])
    expect(headsAt(faces, 0, seenAs([SQUARE], { timeMap: [span(0, 500, 0)] }))).toEqual([])
  })

  it('is in no frame that is not laid out, or not played', () => {
    const faces = facesOf([track(STILL)])
    const late = { ...SQUARE, startFrame: 10, endFrame: 20 }
    for (const [frame, count] of [
      [9, 0],
      [10, 1],
      [19, 1],
      [20, 0],
    ] as const)
      expect(headsAt(faces, frame, seenAs([late]))).toHaveLength(count)
    expect(headsAt(faces, 999, seenAs([SQUARE]))).toHaveLength(1)
    expect(headsAt(faces, 1000, seenAs([{ ...SQUARE, endFrame: 2000 }]))).toEqual([])
  })

  it.each([
    ['just before it is found', 8.99, 0],
    ['a second before it is found', 9, 1],
    ['a second after it was seen', 21, 1],
    ['after that', 21.01, 0],
  ])('%s', (_name, second, count) => {
    const point = (at: number): Point => [at, 0.4, 0.4, 0.1, 0.1]
    const faces = facesOf([track([point(10), point(20)])])
    const seen = seenAs([SQUARE], { timeMap: [span(0, 500, second)] })
    expect(headsAt(faces, 0, seen)).toHaveLength(count)
  })
})

describe('the place of a face', () => {
  const placesIn = (layout: LayoutSpan, frame = 0, zooms: Zoom[] = []) =>
    shownFaces(facesOf([track(STILL)]), frame, seenAs([layout], { zooms }))[0]?.places

  it('in a crop is measured in it', () => {
    expect(placesIn(SQUARE)).toEqual([rect(0.4, 0.5, 0.2, 0.2)])
    expect(placesIn(crop({ x: 0, y: 250, width: 250, height: 250 }))).toEqual([rect(1.6, 0, 0.4, 0.4)])
  })

  it('in a crop that moves is where that has come to', () => {
    const moving = crop(
      { x: 0, y: 0, width: 500, height: 500 },
      { cropTo: { x: 400, y: 0, width: 500, height: 500 } },
    )
    expect(placesIn(moving, 500)).toEqual([rect(0.4, 0.5, 0.2, 0.2)])
  })

  it.each<[number, number | undefined, Rect]>([
    // Twice as wide as high: it fills the width and half of the height.
    [1, undefined, { x: 0.4, y: 0.5, width: 0.1, height: 0.1 }],
    [2, undefined, { x: 0.3, y: 0.5, width: 0.2, height: 0.2 }],
    [1, 25, { x: 0.4, y: 0.75, width: 0.1, height: 0.1 }],
  ])('in a whole picture at zoom %d, moved by %s', (zoom, yOffsetPercent, expected) => {
    const fit = { kind: 'fit', startFrame: 0, endFrame: 1000, crop: WHOLE, zoom, background: 'blur' } as const
    expect(placesIn(yOffsetPercent === undefined ? fit : { ...fit, yOffsetPercent })).toEqual([
      close(expected),
    ])
  })

  it('in panes is in each that shows some of it, as far as it does', () => {
    const panes: LayoutSpan = {
      kind: 'panes',
      startFrame: 0,
      endFrame: 1000,
      background: 'black',
      panes: [
        { crop: { x: 0, y: 0, width: 500, height: 500 }, rect: { x: 0, y: 0, width: 540, height: 540 } },
        {
          crop: { x: 450, y: 250, width: 500, height: 250 },
          rect: { x: 540, y: 270, width: 540, height: 270 },
        },
        { crop: { x: 600, y: 0, width: 400, height: 400 }, rect: { x: 0, y: 540, width: 540, height: 540 } },
      ],
    }
    expect(placesIn(panes)).toEqual([rect(0.4, 0.25, 0.1, 0.1), rect(0.5, 0.25, 0.05, 0.1)])
  })

  it('is that at the height of a zoom, about the point that stays', () => {
    const zoom = (startFrame: number, endFrame: number): Zoom => ({
      startFrame,
      endFrame,
      scale: 3,
      xPercent: 20,
      yPercent: 40,
      easeInFrames: 5,
      easeOutFrames: 5,
    })
    expect(placesIn(SQUARE, 100, [zoom(100, 110)])).toEqual([rect(0.8, 0.7, 0.6, 0.6)])
    expect(placesIn(SQUARE, 109, [zoom(100, 110)])).toEqual([rect(0.8, 0.7, 0.6, 0.6)])
    for (const frame of [99, 110])
      expect(placesIn(SQUARE, frame, [zoom(100, 110)])).toEqual([rect(0.4, 0.5, 0.2, 0.2)])
  })

  it('may be outside of the picture', () => {
    expect(placesIn(crop({ x: 600, y: 0, width: 400, height: 400 }))).toEqual([rect(-0.5, 0.625, 0.25, 0.25)])
  })
})

describe('the people of a frame', () => {
  const speaking = [{ start: 10.5, end: 11 }]
  it.each([
    [49, false],
    [50, true],
    [99, true],
    [100, false],
  ])('speak on frame %d: %s', (frame, speaks) => {
    const one = track(STILL, 7, speaking)
    expect(shownFaces(facesOf([one]), frame, seenAs([SQUARE]))).toEqual([
      { track: one, places: [rect(0.4, 0.5, 0.2, 0.2)], speaks },
    ])
  })

  it('are those of its shot, found in it', () => {
    const at = (from: number, to: number, id: number) =>
      track(
        [
          [from, 0.4, 0.4, 0.1, 0.1],
          [to, 0.4, 0.4, 0.1, 0.1],
        ],
        id,
      )
    // Times of faces are rounded: one that is found a breath before its shot belongs to it.
    const faces = facesOf(
      [at(9, 10.99, 1), at(10.9995, 12.99, 2), at(12.9995, 14, 3), at(12, 12.2, 4)],
      [11, 13],
    )
    const ids = (frame: number) => shownFaces(faces, frame, seenAs([SQUARE])).map(({ track: { id } }) => id)
    expect([0, 99, 100, 199, 250, 299, 300, 390].map(ids)).toEqual([
      [1],
      [1],
      // The fourth is found a second later: just soon enough.
      [2, 4],
      [2, 4],
      [2, 4],
      [2, 4],
      [3],
      [3],
    ])
  })

  it('are none where nothing is laid out or played, and a face without a place is nobody', () => {
    const faces = facesOf([track(STILL), track([], 2)])
    const ids = (frame: number, layout: LayoutSpan) =>
      shownFaces(faces, frame, seenAs([layout])).map(({ track: { id } }) => id)
    expect(ids(20, { ...SQUARE, startFrame: 20, endFrame: 30 })).toEqual([1])
    expect(ids(19, { ...SQUARE, startFrame: 20, endFrame: 30 })).toEqual([])
    expect(ids(30, { ...SQUARE, startFrame: 20, endFrame: 30 })).toEqual([])
    expect(ids(1000, { ...SQUARE, endFrame: 2000 })).toEqual([])
  })

  it('are where they are at the source second that is shown, in pixels of the source', () => {
    const walking = facesOf([
      track([
        [10, 0.1, 0.2, 0.1, 0.2],
        [50, 0.5, 0.6, 0.1, 0.2],
      ]),
    ])
    const { source, timeMap } = seenAs([])
    expect(sourceFaces(walking, 0, { source, timeMap })).toEqual([rect(100, 100, 100, 100)])
    expect(sourceFaces(walking, 200, { source, timeMap })).toEqual([rect(120, 110, 100, 100)])
    // Two seconds after 40 s, for it is played twice as fast.
    expect(sourceFaces(walking, 600, { source, timeMap })).toEqual([rect(420, 260, 100, 100)])
    expect(sourceFaces(walking, 1000, { source, timeMap })).toEqual([])
  })
})

describe('two rectangles share', () => {
  const square = { x: 0, y: 0, width: 10, height: 10 }
  it.each<[string, Rect, Rect | null]>([
    ['a corner', { x: 6, y: 8, width: 10, height: 10 }, { x: 6, y: 8, width: 4, height: 2 }],
    ['all of the smaller', { x: 2, y: 3, width: 4, height: 5 }, { x: 2, y: 3, width: 4, height: 5 }],
    ['the other corner', { x: -6, y: -8, width: 10, height: 10 }, { x: 0, y: 0, width: 4, height: 2 }],
    ['nothing beside', { x: 10, y: 0, width: 4, height: 4 }, null],
    ['nothing below', { x: 0, y: 10, width: 4, height: 4 }, null],
    ['nothing far away', { x: 20, y: 20, width: 4, height: 4 }, null],
  ])('%s', (_name, other, expected) => {
    expect(meet(square, other)).toEqual(expected)
  })
})
