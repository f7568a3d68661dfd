import { describe, expect, it } from 'vitest'
import { compile } from '../../../test/support/compiled.ts'
import { node } from '../../../test/support/node-values.ts'
import type { ClipFaces, FaceTrack } from '../../contract/clip-measurements.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { LayoutSpan, Pane, Rect } from '../../contract/composition.ts'
import { MIN_LOOK } from './speakers.ts'
import { cropAt as croppedAt } from './view-at.ts'
import { MIN_REST_SECONDS, MAX_ACCELERATION } from './camera-path.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Clips of these tests play 10 to 40 s of a 1920x1080 source at 30 frames a second. */
const FRAMES = 900
const SOURCE = { width: 1920, height: 1080 }
type Place = readonly [x: number, y: number]

/** A face 10 % wide and 18 % high, whose middle is at `place` (shares), seen from `from` to `to`. */
function track(
  id: number,
  place: Place | ((second: number) => Place),
  speaking: FaceTrack['speaking'] = [],
  [from, to]: readonly [number, number] = [5, 45],
  size = 1,
): FaceTrack {
  const points: FaceTrack['points'] = []
  const width = 0.1 * size
  const height = 0.18 * size
  for (let at = from; at <= to; at += 0.2) {
    const [x, y] = typeof place === 'function' ? place(at) : place
    points.push([at, x - width / 2, y - height / 2, width, height])
  }
  return { id, points, speaking }
}

function facesOf(tracks: FaceTrack[], over: Partial<ClipFaces> = {}): ClipFaces {
  return { start: 5, end: 45, shotStarts: [], tracks, screens: [], ...over }
}

function layoutOf(config: Record<string, unknown>, faces?: ClipFaces, document: Partial<ClipDocument> = {}) {
  const { composition, warnings } = compile([node('convert_to_vertical', config)], {
    ...document,
    ...omitUndefined({ faces }),
  })
  return { layout: composition.layout, warnings, composition }
}

function crops(layout: readonly LayoutSpan[]) {
  return layout.filter((span) => span.kind === 'crop')
}
const spanAt = (layout: readonly LayoutSpan[], frame: number): LayoutSpan | undefined =>
  layout.find((span) => span.startFrame <= frame && frame < span.endFrame)

function cropAt(layout: readonly LayoutSpan[], frame: number): Rect {
  const span = spanAt(layout, frame)
  if (span?.kind !== 'crop') throw new Error(`frame ${frame} is no crop`)
  return croppedAt(span, frame)
}

/** Where the crop has a point of the source (shares): 0 to 1 across and down. */
function seenAt(rect: Rect, [x, y]: Place): Place {
  return [(x * SOURCE.width - rect.x) / rect.width, (y * SOURCE.height - rect.y) / rect.height]
}
const paneOf = (panes: readonly Pane[], place: Place): number =>
  panes.findIndex(({ crop }) => {
    const [x, y] = seenAt(crop, place)
    return x > 0.2 && x < 0.8 && y > 0.1 && y < 0.6
  })

const LEFT: Place = [0.25, 0.4]
const RIGHT: Place = [0.75, 0.4]

describe('without measured faces', () => {
  it('holds the middle, and says so only to whom asked for people', () => {
    const plain = layoutOf({})
    expect(plain.layout).toHaveLength(1)
    expect(cropAt(plain.layout, 0)).toMatchObject({ x: (1920 - 607.5) / 2, y: 0, height: 1080 })
    expect(plain.warnings).toEqual([])
    expect(layoutOf({ style: 'style_none' }).warnings).toEqual([])
    for (const config of [{ style: 'style_two' }, { style: 'adaptive' }, { split_view: true }]) {
      const asked = layoutOf(config)
      expect(asked.layout).toEqual(plain.layout)
      expect(asked.warnings).toEqual([expect.stringMatching(/faces of this clip were not measured/)])
    }
  })

  it('splits by force: the left half above the right half', () => {
    const { layout, warnings } = layoutOf({ force_split_view: true })
    const [span] = layout
    if (span?.kind !== 'panes') throw new Error('no panes')
    const [upper, lower] = span.panes
    expect(upper?.rect).toEqual({ x: 0, y: 0, width: 1080, height: 960 })
    expect(lower?.rect).toEqual({ x: 0, y: 960, width: 1080, height: 960 })
    expect((upper?.crop.x ?? 0) + (upper?.crop.width ?? 0)).toBeLessThanOrEqual(960)
    expect(lower?.crop.x).toBeGreaterThanOrEqual(960)
    expect(warnings).toEqual([expect.stringMatching(/two halves/)])
  })

  it('asks for faces where they are looked at', async () => {
    const { neededMeasurements } = await import('../index.ts')
    const needs = (config: Record<string, unknown>) =>
      neededMeasurements([node('convert_to_vertical', config)]).has('faces')
    expect(needs({})).toBe(true)
    expect(needs({ style: 'style_none' })).toBe(false)
    expect(needs({ style: 'style_none', force_split_view: true })).toBe(true)
    expect(needs({ centerVertical: true })).toBe(false)
  })
})

describe('with faces', () => {
  it('rests on one person, the face in the upper third', () => {
    const { layout, warnings } = layoutOf({}, facesOf([track(0, [0.7, 0.35])]))
    expect(layout).toHaveLength(1)
    const [x, y] = seenAt(cropAt(layout, 0), [0.7, 0.35])
    expect(x).toBeCloseTo(0.5, 1)
    expect(y).toBeGreaterThan(0.25)
    expect(y).toBeLessThan(0.45)
    expect(warnings).toEqual([])
  })

  it('does not move for a head that nods', () => {
    const nods = track(0, (second) => [0.5 + 0.02 * Math.sin(second * 5), 0.4 + 0.02 * Math.cos(second * 7)])
    expect(layoutOf({}, facesOf([nods])).layout).toHaveLength(1)
  })

  it('cuts between two people by who speaks, and never pans from one to the other', () => {
    const faces = facesOf([
      track(0, LEFT, [{ start: 5, end: 20 }, { start: 30, end: 45 }]), // prettier-ignore
      track(1, RIGHT, [{ start: 20, end: 25 }, { start: 25.2, end: 25.4 }, { start: 26, end: 30 }]), // prettier-ignore
    ])
    const { layout } = layoutOf({ style: 'style_one' }, faces)
    expect(crops(layout).every(({ cropTo }) => cropTo === undefined)).toBe(true)
    expect(seenAt(cropAt(layout, 60), LEFT)[0]).toBeCloseTo(0.5, 1)
    expect(seenAt(cropAt(layout, 450), RIGHT)[0]).toBeCloseTo(0.5, 1)
    expect(seenAt(cropAt(layout, 800), LEFT)[0]).toBeCloseTo(0.5, 1)
    expect(layout).toHaveLength(3)
  })

  it('does not cut to somebody who only says "hm"', () => {
    const faces = facesOf([
      track(0, LEFT, [{ start: 5, end: 45 }]),
      track(1, RIGHT, [{ start: 20, end: 20.4 }, { start: 22, end: 22.3 }]), // prettier-ignore
    ])
    expect(layoutOf({ style: 'style_one' }, faces).layout).toHaveLength(1)
  })

  it.each([
    ['style_two', 2],
    ['style_three', 3],
    ['style_four', 4],
    ['adaptive', 4],
  ] as const)('%s shows up to %i of four people', (style, count) => {
    const places: Place[] = [0.1, 0.37, 0.63, 0.9].map((x) => [x, 0.4])
    const speaking = [0, 1, 2, 3].map((at) => [{ start: 5 + at * 10, end: 15 + at * 10 }])
    const faces = facesOf(places.map((place, id) => track(id, place, speaking[id])))
    const { layout } = layoutOf({ style }, faces)
    const [span] = layout
    if (span?.kind !== 'panes') throw new Error('no panes')
    expect(span.panes).toHaveLength(count)
    const shown = places.filter((place) => paneOf(span.panes, place) >= 0)
    expect(shown).toHaveLength(count)
    // Left to right is top to bottom, and nobody is shown twice.
    const order = shown.map((place) => paneOf(span.panes, place))
    expect(order).toEqual(Array.from({ length: count }, (_, index) => index))
  })

  it('splits in two bands of a third each for three', () => {
    const faces = facesOf([0.15, 0.5, 0.85].map((x, id) => track(id, [x, 0.4])))
    const [span] = layoutOf({ style: 'style_three' }, faces).layout
    expect(span?.kind === 'panes' ? span.panes.map(({ rect }) => rect.height) : []).toEqual([640, 640, 640])
  })

  it('split_view allows a split or forbids it', () => {
    const faces = facesOf([
      track(0, LEFT, [{ start: 5, end: 25 }]),
      track(1, RIGHT, [{ start: 25, end: 45 }]),
    ])
    const kind = (config: Record<string, unknown>) => layoutOf(config, faces).layout[0]?.kind
    expect(kind({})).toBe('panes')
    expect(kind({ split_view: false })).toBe('crop')
    expect(kind({ style: 'style_one' })).toBe('crop')
    expect(kind({ style: 'style_one', split_view: true })).toBe('panes')
  })

  it('adaptive stays with the only one who speaks, and takes two who sit close together in one view', () => {
    const only = facesOf([track(0, LEFT, [{ start: 5, end: 45 }]), track(1, RIGHT)])
    expect(seenAt(cropAt(layoutOf({}, only).layout, 400), LEFT)[0]).toBeCloseTo(0.5, 1)
    const close = facesOf([track(0, [0.45, 0.4]), track(1, [0.55, 0.4])])
    const { layout } = layoutOf({}, close)
    const view = cropAt(layout, 400)
    for (const place of [
      [0.4, 0.4],
      [0.6, 0.4],
    ] as const) {
      // prettier-ignore
      expect(seenAt(view, place)[0]).toBeGreaterThanOrEqual(0)
      expect(seenAt(view, place)[0]).toBeLessThanOrEqual(1)
    }
  })

  it('shows a crowd, and a shot without anybody, whole over its blur', () => {
    const crowd = facesOf([0.1, 0.3, 0.5, 0.7, 0.9].map((x, id) => track(id, [x, 0.4])))
    expect(layoutOf({}, crowd).layout[0]).toMatchObject({ kind: 'fit', background: 'blur' })
    const away = facesOf([track(0, LEFT, [], [5, 19.9]), track(1, LEFT, [], [30, 45])], {
      shotStarts: [20, 30],
    })
    const { layout } = layoutOf({}, away)
    expect(layout.map(({ kind }) => kind)).toEqual(['crop', 'fit', 'crop'])
    expect(layout.map(({ startFrame }) => startFrame)).toEqual([0, 300, 600])
  })

  it('takes five who come one after the other for no crowd, and one found again for the same person', () => {
    const inTurn = [0, 1, 2, 3, 4].map((at) =>
      track(at, [0.1 + 0.2 * at, 0.4], [], [5 + 8 * at, 12.9 + 8 * at]),
    )
    expect(layoutOf({}, facesOf(inTurn)).layout.some(({ kind }) => kind === 'fit')).toBe(false)
    const lost = [track(0, LEFT, [], [5, 20]), track(1, LEFT, [], [20.8, 45]), track(2, RIGHT)]
    expect(layoutOf({ style: 'style_three' }, facesOf(lost)).layout).toMatchObject([
      { kind: 'panes', panes: [{}, {}] },
    ])
  })

  it('shows nobody of whom only a part of the face is in the picture', () => {
    const faces = facesOf([track(0, [0.5, 0.4]), track(1, [0.985, 0.4], [{ start: 5, end: 45 }])])
    expect(seenAt(cropAt(layoutOf({ style: 'style_one' }, faces).layout, 60), [0.5, 0.4])[0]).toBeCloseTo(
      0.5,
      1,
    )
  })

  it('shows a screen whole with its speaker beneath; told to ignore it, the speaker', () => {
    const faces = facesOf([track(0, [0.88, 0.84], [{ start: 5, end: 45 }])], {
      screens: [{ start: 5, end: 45, inset: [0.78, 0.7, 0.2, 0.28] }],
    })
    const [span] = layoutOf({}, faces).layout
    if (span?.kind !== 'panes') throw new Error('no panes')
    const [screen, speaker] = span.panes
    expect(screen?.crop).toEqual({ x: 0, y: 0, ...SOURCE })
    expect(screen?.rect).toMatchObject({ x: 0, y: 0, width: 1080, height: 607.5 })
    expect(speaker?.rect).toMatchObject({ y: 607.5, height: 1312.5 })
    expect(speaker?.crop.x).toBeGreaterThanOrEqual(0.78 * 1920 - 1)
    expect(layoutOf({ ignore_content_tiles: true }, faces).layout[0]?.kind).toBe('crop')
    const bare = facesOf([], { screens: [{ start: 5, end: 45, inset: null }] })
    expect(layoutOf({}, bare).layout[0]?.kind).toBe('fit')
  })

  it('force_split_view shows one person and the half where that person is not', () => {
    const [span] = layoutOf({ force_split_view: true }, facesOf([track(0, LEFT)])).layout
    if (span?.kind !== 'panes') throw new Error('no panes')
    expect(paneOf(span.panes, LEFT)).toBe(0)
    expect(span.panes[1]?.crop.x).toBeGreaterThanOrEqual(960)
  })

  it('puts panes side by side in a wide output', () => {
    const faces = facesOf([track(0, LEFT), track(1, RIGHT)])
    const [span] = layoutOf({ aspect_ratio: '16:9', style: 'style_two' }, faces).layout
    if (span?.kind !== 'panes') throw new Error('no panes')
    expect(span.panes.map(({ rect }) => rect)).toEqual([
      { x: 0, y: 0, width: 960, height: 1080 },
      { x: 960, y: 0, width: 960, height: 1080 },
    ])
  })

  it('keeps the same view of a shot across what is cut out of it', () => {
    const segments = [
      { startSeconds: 0, endSeconds: 5 },
      { startSeconds: 7, endSeconds: 12 },
      { startSeconds: 20, endSeconds: 25, playbackRate: 2 },
    ]
    const { layout } = layoutOf({}, facesOf([track(0, LEFT)]), { segments })
    expect(layout).toHaveLength(1)
    expect(layout[0]?.endFrame).toBe(375)
  })
})

describe('framing as properties', () => {
  /** A small generator of numbers from 0 to 1: the same ones for the same seed. */
  function numbers(seed: number): () => number {
    let state = seed * 2_654_435_761 + 1
    return () => {
      state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
      return state / 2 ** 32
    }
  }

  /** People who walk, jump, come and go, and speak in turns, over several shots. */
  function someFaces(random: () => number): ClipFaces {
    const shotStarts = Array.from({ length: Math.floor(random() * 4) }, () => 6 + random() * 38).toSorted(
      (a, b) => a - b,
    )
    const edges = [5, ...shotStarts, 45]
    let id = 0
    const tracks = edges.slice(0, -1).flatMap((start, shot) => {
      const end = edges[shot + 1] ?? 45
      return Array.from({ length: Math.floor(random() * 6) }, () => {
        const x = random()
        const y = 0.2 + random() * 0.6
        const speed = random() * 1.5
        const phase = random() * 6
        const wander = random() < 0.5 ? random() * 0.4 : 0
        const from = start + random() * 2
        const speaking = Array.from({ length: Math.floor(random() * 4) }, () => {
          const at = start + random() * (end - start)
          return { start: at, end: at + random() * 6 }
        })
        const place = (second: number): Place => [x + wander * Math.sin(second * speed + phase), y]
        return track(
          (id += 1),
          place,
          speaking,
          [from, Math.max(from, end - random() * 3)],
          0.4 + random() * 1.5,
        )
      })
    })
    const screens = random() < 0.3 ? [{ start: 5 + random() * 20, end: 30 + random() * 15, inset: null }] : []
    return { start: 5, end: 45, shotStarts, tracks, screens }
  }

  const STYLES = [undefined, 'style_one', 'style_two', 'style_three', 'style_four', 'style_none', 'adaptive']
  const SHAPES = ['9:16', '1:1', '4:5', '16:9', '21:9', '2:3']

  it.each(Array.from({ length: 60 }, (_, seed) => seed))('seed %i', (seed) => {
    const random = numbers(seed)
    const faces = someFaces(random)
    const style = STYLES[seed % STYLES.length]
    const shape = SHAPES[seed % SHAPES.length]
    const config = {
      aspect_ratio: shape,
      ...omitUndefined({ style }),
      ...(random() < 0.2 ? { force_split_view: true } : {}),
    }
    const { layout, composition } = layoutOf(config, faces)
    expect(layoutOf(config, faces).layout).toEqual(layout)
    expectWhole(layout)
    expectInside(layout, composition.output)
    expectCalm(layout, new Set(faces.shotStarts.map((second) => Math.ceil((second - 10) * 30))))
  })

  it('follows somebody who walks, at rest for a second between moves, gently', () => {
    const walks = track(0, (second) => [0.2 + Math.max(0, Math.min(0.5, (second - 15) * 0.05)), 0.4])
    const { layout } = layoutOf({ style: 'style_one' }, facesOf([walks]))
    expectCalm(layout, new Set())
    expect(crops(layout).some(({ cropTo }) => cropTo !== undefined)).toBe(true)
    for (let frame = 0; frame < FRAMES; frame += 10) {
      const place: Place = [0.2 + Math.max(0, Math.min(0.5, (frame / 30 - 5) * 0.05)), 0.4]
      const [x] = seenAt(cropAt(layout, frame), place)
      expect(Math.abs(x - 0.5), `frame ${frame}`).toBeLessThan(0.35)
    }
  })

  it('moves less often in a long clip, however much somebody walks: a command line takes only so much', () => {
    const restless = track(0, (second) => [0.5 + 0.3 * Math.sin(second * 0.9), 0.4], [], [5, 500])
    const faces = facesOf([restless], { end: 500 })
    const { layout } = layoutOf({ style: 'style_one' }, faces, { endTimestamp: 490 })
    expect(crops(layout).filter(({ cropTo }) => cropTo !== undefined).length).toBeLessThanOrEqual(80)
    expectGentle(layout)
  })

  /** Spans without gap over all frames. */
  function expectWhole(layout: readonly LayoutSpan[]): void {
    let at = 0
    for (const span of layout) {
      expect(span.startFrame).toBe(at)
      expect(span.endFrame).toBeGreaterThan(at)
      at = span.endFrame
    }
    expect(at).toBe(FRAMES)
  }

  function expectInside(layout: readonly LayoutSpan[], output: { width: number; height: number }): void {
    const unit = Math.min(output.width, output.height) / 1080
    for (const span of layout) {
      const views: { crop: Rect; shape?: number }[] =
        span.kind === 'panes'
          ? span.panes.map(({ crop, rect }) => ({ crop, shape: rect.width / rect.height }))
          : span.kind === 'crop'
            ? [span.crop, span.cropTo ?? span.crop].map((crop) => ({
                crop,
                shape: output.width / output.height,
              }))
            : [{ crop: span.crop }]
      for (const { crop, shape } of views) {
        expect(crop.x).toBeGreaterThanOrEqual(0)
        expect(crop.y).toBeGreaterThanOrEqual(0)
        expect(crop.x + crop.width).toBeLessThanOrEqual(SOURCE.width + 0.01)
        expect(crop.y + crop.height).toBeLessThanOrEqual(SOURCE.height + 0.01)
        if (shape !== undefined) expect(crop.width / crop.height / shape).toBeCloseTo(1, 2)
      }
      if (span.kind === 'panes') {
        for (const { rect } of span.panes) {
          expect(rect.x + rect.width).toBeLessThanOrEqual(output.width / unit + 0.01)
          expect(rect.y + rect.height).toBeLessThanOrEqual(output.height / unit + 0.01)
        }
      }
    }
  }

  /**
   * Own cuts leave each picture a second; moves are a rest of a second apart and no faster than they may be. `shots`:
   * frames at which the source cuts by itself.
   */
  function expectCalm(layout: readonly LayoutSpan[], shots: ReadonlySet<number>): void {
    let since = 0
    layout.forEach((span, index) => {
      const before = layout[index - 1]
      if (before === undefined) return
      const own = ![-1, 0, 1].some((off) => shots.has(span.startFrame + off))
      const goes =
        before.kind === 'crop' && span.kind === 'crop' && samePlace(before.cropTo ?? before.crop, span.crop)
      if (goes) return
      if (own)
        expect(span.startFrame - since, `cut at ${span.startFrame}`).toBeGreaterThanOrEqual(MIN_LOOK * 30)
      since = span.startFrame
    })
    expectRests(layout)
    expectGentle(layout)
  }

  function expectRests(layout: readonly LayoutSpan[]): void {
    layout.forEach((span, index) => {
      const before = layout[index - 1]
      const after = layout[index + 1]
      const moves = (one: LayoutSpan | undefined): boolean => one?.kind === 'crop' && one.cropTo !== undefined
      if (moves(span) || !(moves(before) && moves(after))) return
      expect(span.endFrame - span.startFrame).toBeGreaterThanOrEqual(MIN_REST_SECONDS * 30)
    })
  }

  function expectGentle(layout: readonly LayoutSpan[]): void {
    for (const { crop, cropTo = crop, eased, startFrame, endFrame } of crops(layout)) {
      const far = Math.max(
        Math.abs(cropTo.x - crop.x) / crop.width,
        Math.abs(cropTo.y - crop.y) / crop.height,
      )
      if (far === 0) continue
      expect(eased).toBe(true)
      // The steepest change of speed of a smoothstep is at its ends: 6 ways per time squared.
      expect((6 * far) / ((endFrame - startFrame) / 30) ** 2).toBeLessThan(MAX_ACCELERATION * 1.1)
    }
  }

  function samePlace(a: Rect, b: Rect): boolean {
    return Math.abs(a.x - b.x) < 0.01 && Math.abs(a.y - b.y) < 0.01 && a.width === b.width
  }
})
