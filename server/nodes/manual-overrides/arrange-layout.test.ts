import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import { planTime } from '../../../workers/media/arguments/render-time.ts'
import { pictureChains } from '../../../workers/media/arguments/render-picture.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { Composition, LayoutSpan } from '../../contract/composition.ts'
import type { ManualKeyframe, ManualLayout } from '../../contract/manual-overrides/layouts.ts'
import { cropAt, shownParts } from '../layout/view-at.ts'
import { findOverrideProblem } from './index.ts'
import { arrangeLayout, MAX_MOVES, viewAt, viewOfRect, viewRect } from './arrange-layout.ts'

/** Clips of these tests play 10 to 40 s of a 1920x1080 source at 30 frames a second. */
const SOURCE = { width: 1920, height: 1080 }
const ASPECTS = ['9:16', '1:1', '4:5', '16:9'] as const

const faces: ClipFaces = {
  start: 5,
  end: 45,
  shotStarts: [20, 30],
  screens: [],
  tracks: [
    {
      id: 1,
      points: [
        [5, 0.2, 0.2, 0.1, 0.18],
        [19.9, 0.2, 0.2, 0.1, 0.18],
      ],
      speaking: [],
    },
    {
      id: 2,
      points: [
        [20, 0.7, 0.2, 0.1, 0.18],
        [29.9, 0.7, 0.2, 0.1, 0.18],
      ],
      speaking: [],
    },
  ],
}

function laidOut(
  layouts: ManualLayout[],
  document: Partial<ClipDocument> = {},
  facts = factsOf(),
): { layout: LayoutSpan[]; composition: Composition; warnings: string[] } {
  const nodes = [node('convert_to_vertical', { style: 'style_one' })]
  const { composition, warnings } = compile(nodes, { faces, overrides: { layouts }, ...document }, facts)
  return { layout: composition.layout, composition, warnings }
}

const at = (layout: readonly LayoutSpan[], frame: number): LayoutSpan => {
  const span = layout.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  if (span === undefined) throw new Error(`nothing is laid out on frame ${frame}`)
  return span
}
const rectAt = (layout: readonly LayoutSpan[], frame: number) => {
  const span = at(layout, frame)
  if (span.kind !== 'crop') throw new Error(`frame ${frame} is no crop`)
  return cropAt(span, frame)
}
const middle = (layout: readonly LayoutSpan[], frame: number): number => {
  const { x, width } = rectAt(layout, frame)
  return (x + width / 2) / SOURCE.width
}

const crop = (start: number, end: number, keyframes: ManualKeyframe[], eased = false): ManualLayout => ({
  kind: 'crop',
  start,
  end,
  keyframes,
  eased,
})
const key = (second: number, x: number, zoom = 1.5): ManualKeyframe => ({ at: second, x, y: 0.5, zoom })

it('a manual layout takes its frames out of panes that move, which go on where they were', () => {
  const pane = (y: number) => ({ x: 100, y, width: 540, height: 480 })
  const legs = [
    { startFrame: 0, endFrame: 150, crop: pane(300) },
    { startFrame: 150, endFrame: 250, crop: pane(300), cropTo: pane(100) },
    { startFrame: 250, endFrame: 900, crop: pane(100) },
  ]
  const rect = { x: 0, y: 0, width: 1080, height: 960 }
  const resting = { crop: pane(0), rect: { ...rect, y: 960 } }
  const panes = [{ crop: pane(300), rect, legs }, resting]
  const layout: LayoutSpan[] = [{ kind: 'panes', startFrame: 0, endFrame: 900, background: 'blur', panes }]
  const { composition } = laidOut([])
  const context = { ...composition, facts: factsOf(), document: documentOf([]) }
  const whole: ManualLayout = { kind: 'fit', start: 16, end: 17, zoom: 1, background: 'blur' }
  const spans = arrangeLayout([whole], layout, context)
  expect(spans.map(({ kind, startFrame, endFrame }) => [kind, startFrame, endFrame])).toEqual([
    ['panes', 0, 180],
    ['fit', 180, 210],
    ['panes', 210, 900],
  ])
  const upper = (frame: number) => shownParts(at(spans, frame), frame)[0]?.y
  expect([0, 149, 175].map(upper)).toEqual([300, 300, 250])
  expect([210, 230, 250, 899].map(upper)).toEqual([180, 140, 100, 100])
  for (const { startFrame, endFrame, ...span } of spans)
    if (span.kind === 'panes') {
      const own = span.panes[0]?.legs ?? []
      expect([own[0]?.startFrame, own.at(-1)?.endFrame]).toEqual([startFrame, endFrame])
      expect(span.panes[1]).toEqual(resting)
    }
})

describe('a crop by hand', () => {
  it('begins and ends with its stretch, to the frame, and leaves the rest as it was', () => {
    const before = laidOut([]).layout
    const { layout } = laidOut([crop(20, 25, [key(22, 0.5)])])
    expect(middle(layout, 300)).toBeCloseTo(0.5, 2)
    expect(middle(layout, 449)).toBeCloseTo(0.5, 2)
    for (const frame of [0, 299, 450, 599]) expect(rectAt(layout, frame)).toEqual(rectAt(before, frame))
  })

  it('moves evenly from keyframe to keyframe, comes closer on its way, and stays before and after', () => {
    const { layout } = laidOut([crop(20, 30, [key(22, 0.3, 1), key(24, 0.7, 2)])])
    const from = 360
    expect(rectAt(layout, from).width).toBe(607.5)
    expect(middle(layout, from)).toBeCloseTo(0.3, 2)
    expect(middle(layout, from + 30)).toBeCloseTo(0.5, 2)
    expect(rectAt(layout, from + 60).width).toBe(303.75)
    expect(middle(layout, from + 60)).toBeCloseTo(0.7, 2)
    expect(rectAt(layout, 300)).toEqual(rectAt(layout, from))
    expect(rectAt(layout, 599)).toEqual(rectAt(layout, from + 60))
  })

  it('starts and stops gently where it is told to', () => {
    const { layout } = laidOut([crop(20, 30, [key(22, 0.3), key(24, 0.7)], true)])
    const share = (frame: number) => (middle(layout, frame) - 0.3) / 0.4
    expect(share(375)).toBeCloseTo(0.156, 1)
    expect(share(375)).toBeLessThan(0.2)
    expect(share(390)).toBeCloseTo(0.5, 2)
  })

  it('keeps to its place in the source where the clip is cut and played faster', () => {
    const segments = [
      { startSeconds: 10, endSeconds: 13 },
      { startSeconds: 15, endSeconds: 20, playbackRate: 2 },
    ]
    const { layout, composition } = laidOut([crop(20, 30, [key(21, 0.3), key(29, 0.7)])], { segments })
    // 20 to 23 s, then 25 to 30 s at twice the speed.
    expect(composition.durationFrames).toBe(90 + 75)
    for (const [frame, second] of [
      [30, 21],
      [60, 22],
      [90, 25],
      [120, 27],
      [150, 29],
    ] as const)
      expect(middle(layout, frame), `${second} s`).toBeCloseTo(0.3 + (0.4 * (second - 21)) / 8, 1)
  })
})

describe('other layouts by hand', () => {
  it('show the whole picture, and several views', () => {
    const { layout, warnings } = laidOut([
      { kind: 'fit', start: 12, end: 14, zoom: 1.2, background: 'black' },
      {
        kind: 'split',
        start: 14,
        end: 16,
        views: [
          { x: 0.25, y: 0.4, zoom: 1 },
          { x: 0.75, y: 0.4, zoom: 2 },
        ],
      },
    ])
    expect(at(layout, 60)).toEqual({
      kind: 'fit',
      startFrame: 60,
      endFrame: 120,
      zoom: 1.2,
      background: 'black',
      crop: { x: 0, y: 0, ...SOURCE },
    })
    expect(at(layout, 120)).toMatchObject({ kind: 'panes', startFrame: 120, endFrame: 180 })
    expect(warnings).toEqual([])
  })

  it('follow one person where that person is seen, with a warning where not', () => {
    const { layout, warnings } = laidOut([{ kind: 'follow', start: 12, end: 25, person: 1, zoom: 2 }])
    expect(middle(layout, 100)).toBeCloseTo(0.25, 2)
    expect(rectAt(layout, 100).width).toBe(303.75)
    expect(middle(layout, 400)).toBeCloseTo(0.75, 2)
    expect(warnings).toEqual([
      'Layout from 0:12 to 0:25: the person to follow is not seen in all of it; the rest is laid out automatically.',
    ])
  })

  it('are nothing where the source has no picture', () => {
    const sound = { ...factsOf(), video: null }
    const layouts = [crop(20, 30, [key(22, 0.3)])]
    expect(laidOut(layouts, {}, sound).layout).toEqual(laidOut([], {}, sound).layout)
  })
})

const share = fc.integer({ min: 0, max: 100 }).map((value) => value / 100)
const zoom = fc.integer({ min: 10, max: 80 }).map((value) => value / 10)
const view = fc.record({ x: share, y: share, zoom })
const keyframes = fc
  .uniqueArray(fc.integer({ min: 50, max: 450 }), { minLength: 1, maxLength: 5 })
  .chain((times) =>
    fc
      .array(view, { minLength: times.length, maxLength: times.length })
      .map((views) =>
        times
          .toSorted((a, b) => a - b)
          .map((time, index) => ({ at: time / 10, ...(views[index] ?? { x: 0, y: 0, zoom: 1 }) })),
      ),
  )
const shown = fc.oneof(
  fc.record({ kind: fc.constant('crop' as const), keyframes, eased: fc.boolean() }),
  fc.record({
    kind: fc.constant('fit' as const),
    zoom,
    background: fc.constantFrom('blur' as const, 'black' as const),
  }),
  fc.record({
    kind: fc.constant('split' as const),
    views: fc.array(view, { minLength: 2, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('follow' as const), person: fc.integer({ min: 1, max: 3 }), zoom }),
)
/** Stretches between random edges, some of which touch, some with odd parts of a frame. */
const layouts = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 800, max: 4300 }), { minLength: 2, maxLength: 7 }),
    fc.array(fc.option(shown), { minLength: 6, maxLength: 6 }),
  )
  .map(([edges, all]): ManualLayout[] =>
    edges
      .map((edge) => edge / 100)
      .toSorted((a, b) => a - b)
      .flatMap((start, index, sorted) => {
        const end = sorted[index + 1]
        const one = all[index]
        return end === undefined || one === null || one === undefined ? [] : [{ ...one, start, end }]
      }),
  )
const segments = fc
  .uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 2, maxLength: 8 })
  .chain((edges) =>
    fc.array(fc.constantFrom(0.5, 1, 1, 1.7, 4), { minLength: 4, maxLength: 4 }).map((rates) =>
      edges
        .toSorted((a, b) => a - b)
        .flatMap((edge, index, sorted) => {
          const end = sorted[index + 1]
          if (index % 2 === 1 || end === undefined) return []
          return [{ startSeconds: edge / 10, endSeconds: end / 10, playbackRate: rates[index >> 1] ?? 1 }]
        }),
    ),
  )

function expectSound({ layout, output, durationFrames, source }: Composition): void {
  let end = 0
  for (const span of layout) {
    expect(span.startFrame).toBe(end)
    expect(span.endFrame).toBeGreaterThan(span.startFrame)
    end = span.endFrame
    const shape = output.width / output.height
    const views =
      span.kind === 'panes'
        ? span.panes.map(({ crop: rect, rect: { width, height } }) => ({ rect, shape: width / height }))
        : span.kind === 'fit'
          ? [{ rect: span.crop, shape: source.width / source.height }]
          : [span.crop, ...(span.cropTo === undefined ? [] : [span.cropTo])].map((rect) => ({ rect, shape }))
    for (const { rect, shape: wanted } of views) {
      expect(rect.width / rect.height).toBeCloseTo(wanted, 6)
      expect(Math.min(rect.x, rect.y)).toBeGreaterThanOrEqual(0)
      expect(rect.x + rect.width).toBeLessThanOrEqual(source.width + 1e-6)
      expect(rect.y + rect.height).toBeLessThanOrEqual(source.height + 1e-6)
    }
  }
  expect(end).toBe(durationFrames)
}

describe('layouts by hand as properties', () => {
  it('cover every frame once, inside the source, in the right shape, whatever was cut and set', () => {
    fc.assert(
      fc.property(layouts, segments, fc.constantFrom(...ASPECTS), (made, cut, aspect) => {
        const sized = node('convert_to_vertical', { style: 'adaptive', aspect_ratio: aspect })
        const document = { faces, overrides: { layouts: made }, segments: cut }
        expectSound(compile([sized], document).composition)
      }),
      { numRuns: 120 },
    )
  })

  it('never have more moves than a command line takes', () => {
    const walks: ClipFaces = {
      ...faces,
      shotStarts: [],
      tracks: [
        {
          id: 1,
          speaking: [],
          points: Array.from({ length: 400 }, (_, step) => {
            const x = 0.05 + 0.8 * Math.abs(((step / 12) % 2) - 1)
            return [5 + step / 10, x, 0.2, 0.06, 0.1]
          }),
        },
      ],
    }
    const moving = Array.from({ length: 60 }, (_, index) =>
      key(10 + index / 2, index % 2 === 0 ? 0.2 : 0.8, index % 2 === 0 ? 1 : 3),
    )
    const { composition } = laidOut(
      [crop(10, 30, moving, true), { kind: 'follow', start: 30, end: 40, person: 1, zoom: 6 }],
      { faces: walks },
    )
    const moves = composition.layout.filter((span) => span.kind === 'crop' && span.cropTo !== undefined)
    expect(moves.length).toBeLessThanOrEqual(MAX_MOVES)
    const graph = pictureChains(composition, planTime(composition), 'out').join(';')
    expect(graph.length).toBeLessThan(100_000)
  })

  it('a view and its rectangle mean the same', () => {
    fc.assert(
      fc.property(view, fc.constantFrom(9 / 16, 1, 0.8, 16 / 9), (given, shape) => {
        const rect = viewRect(given, SOURCE, shape)
        const again = viewRect(viewOfRect(rect, SOURCE, shape), SOURCE, shape)
        expect(Math.abs(again.x - rect.x)).toBeLessThanOrEqual(2)
        expect(again.width).toBeCloseTo(rect.width, 6)
      }),
    )
    expect(viewAt([key(1, 0.2), key(3, 0.6)], false, 2).x).toBeCloseTo(0.4)
  })
})

describe('what is refused', () => {
  it('says where', () => {
    const layout = (keys: ManualKeyframe[]) => findOverrideProblem({ layouts: [crop(10, 20, keys)] })
    expect(layout([key(12, 0.1), key(11, 0.2)])?.path).toBe('layouts.0.keyframes.1.at')
    expect(layout(Array.from({ length: 61 }, (_, index) => key(10 + index / 10, 0.5)))?.path).toBe(
      'layouts.0.keyframes',
    )
    expect(
      findOverrideProblem({ layouts: [crop(10, 20, [key(12, 0.1)]), crop(19, 22, [key(19, 0.1)])] })?.path,
    ).toBe('layouts.1.start')
  })
})
