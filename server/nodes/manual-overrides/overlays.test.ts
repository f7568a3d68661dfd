import { expect, it } from 'vitest'
import { documentOf, factsOf } from '../../../test/support/node-values.ts'
import type { AssetState } from '../../contract/asset.ts'
import type { ManualOverrides } from '../../contract/manual-overrides.ts'
import type { BrollInsert } from '../../contract/clip-broll.ts'
import type { ManualOverlay } from '../../contract/manual-overrides/overlays.ts'
import { compileComposition, findOverrideProblem, requiredAssets } from '../index.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const URL = 'https://x.test/sticker.png'
const picture: AssetState = {
  state: 'ready',
  kind: 'image',
  picture: { digest: 'a'.repeat(64), width: 400, height: 100, opaque: false },
}
const common = { xPercent: 50, yPercent: 25, opacity: 0.5, fadeSeconds: 0 }
const sticker: ManualOverlay = {
  kind: 'media',
  id: 's',
  start: 12,
  end: 14,
  url: URL,
  widthPercent: 50,
  ...common,
}
const text: ManualOverlay = {
  kind: 'text',
  id: 't',
  start: 12,
  end: 20,
  text: 'Look  here',
  fontFamily: 'Inter',
  fontSize: 80,
  fontWeight: 700,
  colour: 'yellow',
  background: '',
  ...common,
}

/** 10 to 40 s at 30 frames a second. */
const compiled = (overrides: ManualOverrides, over: Parameters<typeof documentOf>[1] = {}) =>
  inSentences(
    compileComposition({
      document: documentOf([], { overrides, ...over }),
      words: [],
      facts: factsOf({ width: 1080, height: 1920 }),
      assets: new Map([[URL, picture]]),
    }),
  )

it('lays a picture over its stretch, as wide as it is told, in its own shape', () => {
  const { composition, warnings } = compiled({ overlays: [sticker] })
  expect(warnings).toEqual([])
  expect(composition.layers).toEqual([
    {
      kind: 'image',
      id: 'overlay:s',
      asset: picture.picture,
      fit: 'fill',
      background: null,
      opacity: 0.5,
      rect: { x: 270, y: 412.5, width: 540, height: 135 },
      startFrame: 60,
      endFrame: 120,
      intro: { kind: 'none', frames: 0 },
      outro: { kind: 'none', frames: 0 },
    },
  ])
  expect(requiredAssets(documentOf([], { overrides: { overlays: [sticker, text] } }))).toEqual([
    { url: URL, kind: 'media' },
  ])
})

it('fades for half of what is shown at most', () => {
  const [layer] = compiled({ overlays: [{ ...sticker, fadeSeconds: 9 }] }).composition.layers
  expect(layer).toMatchObject({ intro: { kind: 'fade', frames: 30 }, outro: { kind: 'fade', frames: 30 } })
})

it('sets a text in its colour and opacity, the first overlay at the bottom', () => {
  const { layers } = compiled({ overlays: [text, sticker] }).composition
  expect(layers.map(({ id }) => id)).toEqual(['overlay:t', 'overlay:s'])
  expect(layers[0]).toMatchObject({
    kind: 'title',
    text: 'Look here',
    startFrame: 60,
    endFrame: 300,
    xPercent: 50,
    yPercent: 25,
    face: { fontFamily: 'Inter', fontSize: 80, colour: '#ffff0080' },
    backdrop: { fill: 'none' },
  })
  const [boxed] = compiled({ overlays: [{ ...text, background: '#123', opacity: 1 }] }).composition.layers
  expect(boxed).toMatchObject({
    face: { shadow: null, colour: '#ffff00' },
    backdrop: { fill: 'wrap', colour: '#112233', opacity: 1 },
  })
})

it('is not there where nothing of its stretch is played, and says what it could not have', () => {
  expect(compiled({ overlays: [{ ...sticker, start: 41, end: 45 }] }).composition.layers).toEqual([])
  const { composition, warnings } = compiled({ overlays: [{ ...sticker, url: 'https://x.test/gone.png' }] })
  expect(composition.layers).toEqual([])
  expect(warnings).toEqual([expect.stringContaining('https://x.test/gone.png')])
  const [odd] = compiled({ overlays: [{ ...text, colour: 'blurple' }] }).warnings
  expect(odd).toContain('blurple')
})

it('refuses what has no length, and two of one id', () => {
  expect(findOverrideProblem({ overlays: [{ ...text, end: 12 }] })?.path).toBe('overlays.0.end')
  expect(findOverrideProblem({ overlays: [text, text] })?.path).toBe('overlays.1.id')
  expect(findOverrideProblem({ overlays: [text, sticker] })).toBeNull()
})

it('shows b-roll where a person has put it, also in the first seconds and for a moment', () => {
  const insert: BrollInsert = {
    id: 'b',
    start: 10,
    end: 10.5,
    provider: 'library',
    kind: 'image',
    url: URL,
    sourceStart: 0,
    matched: '',
    name: 'Sticker',
    credit: '',
  }
  const shown = (overrides: ManualOverrides, chosen: BrollInsert[]) =>
    compiled(overrides, { broll: { inserts: chosen } }).composition.layers.map((layer) => [
      layer.id,
      'startFrame' in layer ? [layer.startFrame, layer.endFrame] : [],
    ])
  expect(shown({ broll: [insert, { ...insert, id: 'c', start: 39, end: 40 }] }, [])).toEqual([
    ['b', [0, 15]],
    ['c', [870, 900]],
  ])
  expect(shown({}, [insert])).toEqual([])
})
