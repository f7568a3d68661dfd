import { describe, expect, it } from 'vitest'
import { compile, words } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { CaptionLayer, LayoutSpan, TitleLayer } from '../../contract/composition.ts'
import { compileComposition } from '../index.ts'
import { headsAt, type SeenSource } from './face-places.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { inSentences } from '../../../test/support/sentences.ts'

/** One face for the whole clip; shares of the source picture. */
function facesAt(x: number, y: number, width: number, height: number): ClipFaces {
  const points = Array.from({ length: 81 }, (_, index): [number, number, number, number, number] => [
    5 + index / 2,
    x,
    y,
    width,
    height,
  ])
  return { start: 5, end: 45, shotStarts: [], tracks: [{ id: 0, points, speaking: [] }], screens: [] }
}

function placed(config: { title?: object; subtitle?: object }, faces: ClipFaces | undefined) {
  const nodes = [
    node('convert_to_vertical'),
    node('add_subtitles', { subtitle_config: { ...config.subtitle } }),
    node('add_title_overlay', { title_config: { ...config.title } }),
  ]
  const document = documentOf(nodes, omitUndefined({ faces }))
  const { composition, warnings } = inSentences(compileComposition({ document, words, facts: factsOf() }))
  return {
    title: composition.layers.find((layer): layer is TitleLayer => layer.kind === 'title')?.yPercent,
    captions: composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')?.styles[0]
      ?.yPercent,
    warnings,
  }
}

describe('titles', () => {
  it.each(['avoidFaces', 'positionDynamically'])('move off a face at the top with %s', (setting) => {
    const { title, warnings } = placed({ title: { [setting]: true } }, facesAt(0.4, 0.08, 0.2, 0.3))
    // The head ends at 41 percent; captions stand at 72.
    expect(title).toBeGreaterThan(45)
    expect(title).toBeLessThan(66)
    expect(warnings).toEqual([])
  })

  it('stay where they were wished when no face is there, however many places are free', () => {
    expect(placed({ title: { avoidFaces: true } }, facesAt(0.4, 0.4, 0.2, 0.2)).title).toBe(17)
    expect(placed({ title: { avoidFaces: true, yPosition: 0.3 } }, facesAt(0.4, 0.5, 0.2, 0.2)).title).toBe(
      30,
    )
  })

  it('move by themselves where faces are known, unless they are told not to or where to stand', () => {
    const face = facesAt(0.4, 0.08, 0.2, 0.3)
    expect(placed({}, face).title).toBeGreaterThan(45)
    expect(placed({ title: { avoidFaces: false } }, face).title).toBe(17)
    expect(placed({ title: { yPosition: 0.2 } }, face).title).toBe(20)
  })

  it('take the least bad place when a face fills the picture', () => {
    const { title } = placed(
      { title: { avoidFaces: true }, subtitle: { avoidFaces: false } },
      facesAt(0.3, 0.3, 0.4, 0.7),
    )
    expect(title).toBe(17)
  })

  it('stay, with a warning, when faces were not looked for', () => {
    const { title, warnings } = placed({ title: { avoidFaces: true, positionDynamically: true } }, undefined)
    expect(title).toBe(17)
    expect(warnings).toEqual([
      expect.stringMatching(/titleConfig.positionDynamically: no faces were looked/),
      expect.stringMatching(/titleConfig.avoidFaces: no faces were looked/),
    ])
  })
})

describe('captions', () => {
  it('move off a banner, also of a few seconds, as far as the crop shows it', () => {
    const upright = facesAt(0.45, 0.2, 0.1, 0.15)
    const under = (left: number, end: number): ClipFaces => ({
      ...upright,
      banners: [{ start: 10, end, box: [left, 0.66, 0.3, 0.14] }],
    })
    expect(placed({}, upright).captions).toBe(72)
    for (const end of [45, 16]) {
      const { captions = 0 } = placed({}, under(0.35, end))
      expect(captions < 62 || captions > 82).toBe(true)
    }
    // It is beside the crop.
    expect(placed({}, under(0, 45)).captions).toBe(72)
    expect(placed({ subtitle: { subtitleY: 72 } }, under(0.35, 45)).captions).toBe(72)
  })

  it('move off a face that is low in the picture', () => {
    const { captions, warnings } = placed({ subtitle: { avoidFaces: true } }, facesAt(0.4, 0.62, 0.2, 0.2))
    expect(captions).toBeLessThan(55)
    expect(warnings).toEqual([])
  })

  it('and the title keeps off them', () => {
    const face = facesAt(0.35, 0.62, 0.3, 0.3)
    const { captions, title } = placed(
      { subtitle: { avoidFaces: true }, title: { avoidFaces: true, yPosition: 0.48 } },
      face,
    )
    expect(captions).toBe(48)
    expect(Math.abs((title ?? 0) - 48)).toBeGreaterThanOrEqual(9)
  })

  it('keep clear of the controls of a platform wherever they go', () => {
    // A head from the top to the middle: low is free, and the platform covers the lowest 22 percent.
    const head = facesAt(0.3, 0.1, 0.4, 0.5)
    const { captions } = placed({ subtitle: { avoidFaces: true, safeZone: 'tiktok', subtitleY: 40 } }, head)
    expect(captions).toBeGreaterThan(65)
    expect(captions).toBeLessThan(74)
  })

  it('move by themselves where faces are known, unless they are told not to or where to stand', () => {
    const face = facesAt(0.4, 0.62, 0.2, 0.2)
    expect(placed({}, face).captions).toBeLessThan(55)
    expect(placed({ subtitle: { avoidFaces: false } }, face).captions).toBe(72)
    expect(placed({ subtitle: { subtitleY: 70 } }, face).captions).toBe(70)
  })
})

it('has faces measured only for texts that ask for it', async () => {
  const { neededMeasurements } = await import('../index.ts')
  const needed = (title: object, subtitle: object) =>
    neededMeasurements([
      node('add_title_overlay', { title_config: { ...title } }),
      node('add_subtitles', { subtitle_config: { ...subtitle } }),
    ]).has('faces')
  expect(needed({}, {})).toBe(false)
  expect(needed({ avoidFaces: true }, {})).toBe(true)
  expect(needed({ positionDynamically: true }, {})).toBe(true)
  expect(needed({}, { speakerStyles: { '1': { avoidFaces: true } } })).toBe(true)
})

describe('headsAt', () => {
  const base = compile([node('convert_to_vertical')]).composition
  const seen = (over: Partial<SeenSource>): SeenSource => ({
    source: { width: 1920, height: 1080 },
    output: { width: 1080, height: 1920 },
    timeMap: base.timeMap,
    layout: base.layout,
    zooms: [],
    ...over,
  })
  const face = facesAt(0.475, 0.5, 0.05, 0.1)
  const middle = (layout: LayoutSpan, zooms: SeenSource['zooms'] = []) => {
    const [head] = headsAt(face, 60, seen({ layout: [layout], zooms }))
    return head === undefined
      ? null
      : [head.x + head.width / 2, head.width].map((value) => Math.round(value * 1000))
  }
  const span = { startFrame: 0, endFrame: 100 }
  const crop = { x: 656.25, y: 0, width: 607.5, height: 1080 }

  it.each<[string, LayoutSpan, number[] | null]>([
    ['a crop', { kind: 'crop', ...span, crop }, [500, 205]],
    ['a crop that has moved', { kind: 'crop', ...span, crop, cropTo: { ...crop, x: 756.25 } }, [401, 205]],
    ['a crop beside it', { kind: 'crop', ...span, crop: { ...crop, x: 1312.5 } }, null],
    [
      'a whole picture',
      { kind: 'fit', ...span, crop: { x: 0, y: 0, width: 1920, height: 1080 }, zoom: 1, background: 'blur' },
      [500, 65],
    ],
    [
      'a pane',
      {
        kind: 'panes',
        ...span,
        background: 'black',
        panes: [
          {
            crop: { x: 480, y: 0, width: 960, height: 1080 },
            rect: { x: 0, y: 960, width: 540, height: 960 },
          },
        ],
      },
      [250, 65],
    ],
  ])('%s', (_name, layout, expected) => {
    expect(middle(layout)).toEqual(expected)
  })

  it('grows with a zoom, about the point that stays', () => {
    const zoom = { ...span, scale: 2, xPercent: 25, yPercent: 50, easeInFrames: 0, easeOutFrames: 0 }
    expect(
      middle(
        {
          kind: 'fit',
          ...span,
          crop: { x: 0, y: 0, width: 1920, height: 1080 },
          zoom: 1,
          background: 'blur',
        },
        [zoom],
      ),
    ).toEqual([750, 130])
  })

  it('knows no face where none was seen', () => {
    const gone = facesAt(0.475, 0.5, 0.05, 0.1)
    const track = gone.tracks[0]
    if (track === undefined) throw new Error('no track')
    const early = { ...gone, tracks: [{ ...track, points: track.points.filter(([at]) => at < 10.5) }] }
    expect(headsAt(early, 0, seen({}))).toHaveLength(1)
    expect(headsAt(early, 60, seen({}))).toHaveLength(0)
  })
})
