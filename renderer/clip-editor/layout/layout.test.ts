import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClipFaces, FaceTrack } from '../../../server/contract/clip-measurements.ts'
import type { Composition, LayoutSpan, TimeSpan } from '../../../server/contract/composition.ts'
import type { ManualLayout } from '../../../server/contract/manual-overrides/layouts.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { chosen, shownAs, spread } from './choices.ts'
import {
  keyframeOn,
  neighbour,
  withKeyframe,
  withoutKeyframe,
  withView,
  type ManualCrop,
} from './keyframes.ts'
import { facesNow, peopleOf, sameScene } from './people.ts'
import { layoutAt, setLayout, stretchesOf, type Stretch } from './stretches.ts'
import { closer, CORNERS, moved, resized } from './window.ts'

const span = (startFrame: number, endFrame: number, second: number): TimeSpan => ({
  startFrame,
  endFrame,
  playbackRate: 1,
  sourceStart: secondsToTicks(second),
  sourceEnd: secondsToTicks(second + (endFrame - startFrame) / 10),
})
/** Ten frames a second; 10 to 14 s and 16 to 20 s are played. */
const timeMap = [span(0, 40, 10), span(40, 80, 16)]
const cut = { startTimestamp: 10, endTimestamp: 20 }
const fit = (start: number, end: number): ManualLayout => ({
  kind: 'fit',
  start,
  end,
  zoom: 1,
  background: 'blur',
})
const track = (id: number, x: number, from: number, to: number, speaking = false): FaceTrack => ({
  id,
  points: [
    [from, x, 0.2, 0.1, 0.2],
    [to, x, 0.2, 0.1, 0.2],
  ],
  speaking: speaking ? [{ start: from, end: to }] : [],
})
const faces: ClipFaces = {
  start: 10,
  end: 20,
  shotStarts: [12, 15, 17],
  screens: [],
  tracks: [
    track(1, 0.1, 10, 11.9, true),
    track(2, 0.7, 10, 11.9),
    track(3, 0.4, 12, 14.9),
    track(4, 0.72, 17, 20),
    track(5, 0.08, 17, 20),
  ],
}

const stretches = (layouts: ManualLayout[] = [], splits: number[] = []): Stretch[] =>
  stretchesOf({ cut, faces, layouts, splits, timeMap })
const bounds = (list: readonly Stretch[]) => list.map(({ start, end }) => [start, end])

describe('stretches', () => {
  it('are the shots that are played, and what was split', () => {
    expect(bounds(stretches())).toEqual([
      [10, 12],
      [12, 15],
      [15, 17],
      [17, 20],
    ])
    expect(stretches()[1]).toMatchObject({ startFrame: 20, endFrame: 40 })
    expect(bounds(stretches([fit(10.5, 12)], [18, 18.01]))).toContainEqual([18, 20])
    expect(bounds(stretches([fit(10.5, 12)]))[0]).toEqual([10, 10.5])
    expect(bounds(stretchesOf({ cut, faces: null, layouts: [], splits: [], timeMap }))).toEqual([[10, 20]])
  })

  it('leave out what is cut away', () => {
    expect(bounds(stretches([], [14.5]))).not.toContainEqual([14.5, 15])
  })

  it('are set one by one, sorted and without overlap', () => {
    const set = setLayout(
      [fit(10, 20)],
      { start: 12, end: 15 },
      { kind: 'fit', start: 0, end: 0, zoom: 2, background: 'blur' },
    )
    expect(set.map(({ start, end }) => [start, end])).toEqual([
      [10, 12],
      [12, 15],
      [15, 20],
    ])
    expect(layoutAt(set, { start: 12, end: 15 })).toMatchObject({ zoom: 2 })
    expect(setLayout(set, { start: 10, end: 20 }, null)).toEqual([])
  })
})

const crop: ManualCrop = {
  kind: 'crop',
  start: 10,
  end: 20,
  eased: false,
  keyframes: [{ at: 11, x: 0.2, y: 0.5, zoom: 1 }],
}

describe('keyframes', () => {
  it('one is the view of the whole stretch; of several, the one that is on changes or a new one is set', () => {
    const view = { x: 0.8, y: 0.5, zoom: 2 }
    expect(withView(crop, 15, 0.1, view).keyframes).toEqual([{ ...view, at: 11 }])
    const two = withKeyframe(crop, 15, 0.1)
    expect(two.keyframes.map(({ at, x }) => [at, x])).toEqual([
      [11, 0.2],
      [15, 0.2],
    ])
    expect(withView(two, 15.04, 0.1, view).keyframes[1]).toEqual({ ...view, at: 15 })
    expect(withView(two, 13, 0.1, view).keyframes.map(({ at }) => at)).toEqual([11, 13, 15])
  })

  it('are found, and taken away but for the last', () => {
    const two = withKeyframe(crop, 15, 0.1)
    expect([keyframeOn(two, 15.04, 0.1), keyframeOn(two, 15.06, 0.1)]).toEqual([1, -1])
    expect(neighbour(two, 13, 0.1, 1)?.at).toBe(15)
    expect(neighbour(two, 11, 0.1, -1)).toBeUndefined()
    expect(withoutKeyframe(withoutKeyframe(two, 0), 0).keyframes.map(({ at }) => at)).toEqual([15])
  })
})

describe('people', () => {
  it('are named from left to right, and speak when they do', () => {
    const people = peopleOf(faces, { start: 10, end: 12 })
    expect(people.map(({ id, name }) => [id, name])).toEqual([
      [1, 'A'],
      [2, 'B'],
    ])
    expect(facesNow(faces, people, 11).map(({ name, speaks }) => [name, speaks])).toEqual([
      ['A', true],
      ['B', false],
    ])
  })

  it('make shots alike, in which whoever sits there is followed', () => {
    const shots = stretches()
    const everybody = shots.map((one) => peopleOf(faces, one))
    const [first = [], second = [], , last = []] = everybody
    expect([sameScene(first, last), sameScene(first, second)]).toEqual([true, false])
    const set: ManualLayout = { kind: 'follow', start: 10, end: 12, person: 2, zoom: 1.5 }
    const others = shots.map((stretch, index) => ({ stretch, people: everybody[index] ?? [] }))
    expect(spread([], { set, people: first }, others)).toEqual([
      { kind: 'follow', start: 10, end: 12, person: 2, zoom: 1.5 },
      { kind: 'follow', start: 17, end: 20, person: 4, zoom: 1.5 },
    ])
  })

  it('keyframes of a spread crop keep their distance from the start', () => {
    const [first, , , last] = stretches()
    if (first === undefined || last === undefined) throw new Error('no shots')
    const [made] = spread([], { set: { ...crop, end: 12 }, people: [] }, [{ stretch: last, people: [] }])
    expect(made).toMatchObject({ start: 17, end: 20, keyframes: [{ at: 18 }] })
  })
})

const source = { width: 1920, height: 1080 }
const composition = {
  source,
  output: { width: 1080, height: 1920 },
  layout: [{ kind: 'crop', startFrame: 0, endFrame: 80, crop: { x: 400, y: 0, width: 607.5, height: 1080 } }],
} as unknown as Pick<Composition, 'source' | 'output' | 'layout'>

describe('choices', () => {
  it('begin with what is shown, and with who is seen', () => {
    const [stretch] = stretches()
    if (stretch === undefined) throw new Error('no shots')
    const given = { people: peopleOf(faces, stretch), composition, frame: 3, second: 10.35 }
    expect(chosen('crop', stretch, given)).toMatchObject({
      keyframes: [{ at: 10.35, x: (400 + 607.5 / 2) / 1920, y: 0.5, zoom: 1 }],
    })
    expect(chosen('follow', stretch, given)).toMatchObject({ person: 1, start: 10, end: 12 })
    const split = chosen('split', stretch, given)
    expect(split?.kind === 'split' && split.views.map(({ x }) => x.toFixed(2))).toEqual(['0.15', '0.75'])
    expect(chosen('auto', stretch, given)).toBeNull()
  })

  it('are said in words', () => {
    const people = peopleOf(faces, { start: 10, end: 12 })
    expect(shownAs(null, people, composition.layout)).toBe('Automatic: follows the speaker')
    expect(shownAs(null, [], composition.layout)).toBe('Automatic: part of the picture')
    const mixed = [...composition.layout, { kind: 'fit' } as LayoutSpan]
    expect(shownAs(null, people, mixed)).toBe('Automatic: several layouts')
    const follow: ManualLayout = { kind: 'follow', start: 10, end: 12, person: 2, zoom: 1 }
    expect([shownAs(follow, people, []), shownAs(follow, [], [])]).toEqual([
      'Person B',
      'One person, not seen here',
    ])
    expect(shownAs(withKeyframe(crop, 15, 0.1), people, [])).toBe('Free crop, 2 keyframes')
  })
})

describe('the window', () => {
  const number = fc.integer({ min: -3000, max: 3000 })
  it('stays inside the picture in its shape, wherever it is dragged', () => {
    fc.assert(
      fc.property(
        number,
        number,
        fc.constantFrom(...CORNERS),
        fc.integer({ min: 1, max: 40 }),
        (x, y, corner, step) => {
          const start = { x: 500, y: 200, width: 337.5, height: 600 }
          const results = [
            moved(start, { x, y }, source),
            resized(start, corner, { x, y }, source),
            closer(moved(start, { x, y }, source), step / 10, source),
          ]
          for (const rect of results) {
            expect(rect.width / rect.height).toBeCloseTo(9 / 16, 6)
            expect(Math.min(rect.x, rect.y)).toBeGreaterThanOrEqual(-1e-6)
            expect(rect.x + rect.width).toBeLessThanOrEqual(source.width + 1e-6)
            expect(rect.y + rect.height).toBeLessThanOrEqual(source.height + 1e-6)
            expect(rect.width).toBeGreaterThanOrEqual(607.5 / 8 - 1e-6)
          }
        },
      ),
    )
  })

  it('keeps the opposite corner where it is', () => {
    const start = { x: 500, y: 200, width: 337.5, height: 600 }
    const rect = resized(start, 'nw', { x: 600, y: 500 }, source)
    expect([rect.x + rect.width, rect.y + rect.height]).toEqual([837.5, 800])
    expect(rect.width).toBeCloseTo(237.5)
  })
})
