import { expect, it } from 'vitest'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import type { AssetState } from '../../contract/asset.ts'
import type { ManualThumbnail, ThumbnailItem } from '../../contract/manual-overrides/thumbnail.ts'
import { SOURCE_FRAME } from '../../contract/composition-pictures.ts'
import {
  compileComposition,
  findOverrideProblem,
  requiredAssets,
  thumbnailDesign,
  thumbnailPlan,
} from '../index.ts'
import { thumbnailShape } from './thumbnail.ts'
import { sentencesOf } from '../../contract/render-remarks.ts'

const URL = 'https://x.test/logo.png'
const picture: AssetState = {
  state: 'ready',
  kind: 'image',
  picture: { digest: 'a'.repeat(64), width: 400, height: 100, opaque: false },
}
const place = { xPercent: 50, yPercent: 25 }
const TEXT: ThumbnailItem = {
  kind: 'text',
  id: 't',
  ...place,
  text: 'Look  here',
  fontFamily: 'Inter',
  fontSize: 120,
  fontWeight: 800,
  upperCase: true,
  align: 'center',
  widthPercent: 90,
  colour: '#ffe600',
  outlineColour: '#000',
  outlineWidth: 8,
  background: '',
}
const CUTOUT: ThumbnailItem = {
  kind: 'cutout',
  id: 'c',
  ...place,
  form: 'ellipse',
  sizePercent: 40,
  ratio: 1,
  fromX: 50,
  fromY: 50,
  fromWidth: 20,
  ringColour: '#ff0000',
  ringWidth: 10,
}
const ITEMS: ThumbnailItem[] = [
  {
    kind: 'shape',
    id: 's',
    ...place,
    form: 'ellipse',
    widthPercent: 50,
    heightPercent: 10,
    radius: 0,
    colour: '#112233',
    colourTo: '',
    opacity: 0.5,
  },
  { kind: 'picture', id: 'p', ...place, url: URL, sizePercent: 50, opacity: 1 },
  CUTOUT,
  TEXT,
]
const design = (over: Partial<ManualThumbnail> = {}): ManualThumbnail => ({
  moment: 20,
  clipLayers: true,
  items: ITEMS,
  ...over,
})
const FACTS = factsOf({ width: 1920, height: 1080 })
const NODES = [node('convert_to_vertical', {}), node('add_title_overlay', {})]
const given = (thumbnail: ManualThumbnail, over: Parameters<typeof documentOf>[1] = {}) => ({
  document: documentOf(NODES, { titleConfig: { text: 'A title' }, overrides: { thumbnail }, ...over }),
  words: [],
  facts: FACTS,
  assets: new Map([[URL, picture]]),
})
function planned(thumbnail: ManualThumbnail, over: Parameters<typeof documentOf>[1] = {}) {
  const input = given(thumbnail, over)
  const { composition } = compileComposition(input)
  const made = thumbnailDesign({ ...input, composition })
  if (made === null) throw new Error('no design')
  return { composition, made, plan: thumbnailPlan(composition, undefined, made) }
}

it('draws its items over the one frame that it names, and over what the clip shows there', () => {
  const { made, plan } = planned(design())
  expect(made.warnings).toEqual([])
  expect(plan.moments).toEqual([{ frame: 300, worth: 1 }])
  const [first, ...rest] = plan.composition.layers
  expect(first).toMatchObject({ kind: 'title', text: 'A title' })
  expect(rest.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'shape thumbnail:s',
    'image thumbnail:p',
    'image thumbnail:c',
    'title thumbnail:t',
  ])
  const [shape, logo, cutout, text] = rest
  expect(shape).toMatchObject({ ellipse: true, colour: '#11223380', rect: { width: 540, height: 192 } })
  expect(logo).toMatchObject({ rect: { x: 270, y: 412.5, width: 540, height: 135 } })
  // A fifth of 1920 across, square, from the middle of the source.
  expect(cutout).toMatchObject({
    asset: { digest: SOURCE_FRAME, width: 1920, height: 1080 },
    ellipse: true,
    part: { x: 768, y: 348, width: 384, height: 384 },
    rect: { width: 432, height: 432 },
    ring: { colour: '#ff0000', width: 10 },
  })
  expect(text).toMatchObject({ text: 'Look here', face: { textCase: 'upper', outline: { width: 8 } } })
  const alone = planned(design({ clipLayers: false })).plan.composition.layers
  expect(alone.map(({ id }) => id)).toEqual(rest.map(({ id }) => id))
})

it('cuts a person out by the faces of its moment: who is in its box is meant, the others are not', () => {
  const item: ThumbnailItem = {
    ...CUTOUT,
    form: 'person',
    fromX: 25,
    fromY: 40,
    fromWidth: 30,
    outlineBias: -0.5,
  }
  const face = (id: number, x: number, from: number, to: number) => ({
    id,
    speaking: [],
    points: [from, to].map((at): [number, number, number, number, number] => [at, x, 0.3, 0.1, 0.2]),
  })
  const faces = {
    start: 0,
    end: 60,
    shotStarts: [30],
    screens: [],
    tracks: [face(1, 0.2, 0, 29.9), face(2, 0.7, 0, 29.9), face(3, 0.25, 30, 60)],
  }
  const { plan } = planned(design({ items: [item], clipLayers: false }), { faces })
  expect(plan.composition.layers).toMatchObject([
    {
      kind: 'image',
      asset: { digest: SOURCE_FRAME },
      ellipse: true,
      ring: { width: 10 },
      person: {
        faces: [{ x: 384, y: 324, width: 192, height: 216 }],
        others: [{ x: 1344, y: 324, width: 192, height: 216 }],
        bias: -0.5,
      },
    },
  ])
  // Without faces it is looked for by its box alone, and a plain form says nothing of people.
  const plain = planned(design({ items: [item, { ...CUTOUT, id: 'd' }], clipLayers: false })).plan
  const [alone, round] = plain.composition.layers
  expect(alone).toMatchObject({ person: { faces: [], others: [] } })
  expect(round).not.toHaveProperty('person')
})

it('is no part of the clip itself: the composition that is rendered is the same without it', () => {
  const { composition } = planned(design())
  const { overrides: _hand, ...plain } = given(design()).document
  expect(composition).toEqual(compileComposition({ ...given(design()), document: plain }).composition)
  expect(JSON.stringify(composition)).not.toContain(SOURCE_FRAME)
  expect(requiredAssets(given(design()).document)).toEqual([{ url: URL, kind: 'image' }])
})

it('is taken from the nearest frame that is played where its moment was cut out, and says so', () => {
  const cut = { segments: [{ startSeconds: 0, endSeconds: 5 }] }
  const { made } = planned(design(), cut)
  expect(made.frame).toBe(149)
  expect(sentencesOf(made.warnings)).toEqual([expect.stringContaining('20.0 s, is not played any more')])
  expect(planned(design({ moment: 10 })).made.frame).toBe(0)
})

it('is laid out anew for another shape, with what is round as large and as round', () => {
  const input = given(design())
  for (const [size, shape] of [
    [{ width: 1280, height: 720 }, 16 / 9],
    [{ width: 1080, height: 1080 }, 1],
  ] as const) {
    const { composition } = thumbnailShape(input, size)
    expect(composition.output).toMatchObject(size)
    const [span] = composition.layout
    if (span?.kind !== 'crop') throw new Error('not cropped')
    expect(span.crop.width / span.crop.height).toBeCloseTo(shape, 1)
    const made = thumbnailDesign({ ...input, composition })
    const cutout = made?.layers.find(({ id }) => id === 'thumbnail:c')
    expect(cutout).toMatchObject({ rect: { width: 432, height: 432 } })
  }
  expect(thumbnailShape(input, null)).toEqual(compileComposition(input))
})

it('leaves out what cannot be had, and refuses two items of one id', () => {
  const { composition } = compileComposition(given(design()))
  const { document } = given(design())
  const made = thumbnailDesign({ composition, document, assets: new Map() })
  expect(made?.layers).toHaveLength(3)
  expect(sentencesOf(made?.warnings ?? [])).toEqual([expect.stringContaining('A picture of the thumbnail')])
  const heard = { ...composition, source: { ...composition.source, hasVideo: false } }
  expect(thumbnailDesign({ composition: heard, document, assets: new Map() })?.layers).toHaveLength(2)
  expect(findOverrideProblem({ thumbnail: design({ items: [TEXT, TEXT] }) })?.path).toBe(
    'thumbnail.items.1.id',
  )
})
