/** What an editor lays over a clip, as the compositor draws it: where it is, when, and how much shines through. */
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { beforeAll, expect, it } from 'vitest'
import type { AssetState } from '../../server/contract/asset.ts'
import type { ManualOverlay } from '../../server/contract/manual-overrides/overlays.ts'
import { compileComposition } from '../../server/nodes/index.ts'
import { drawFrame, prepare } from '../../workers/compositor/compositor.ts'
import { useExactText } from '../../workers/render-support/exact-text.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { documentOf, factsOf } from '../support/node-values.ts'

const URL = 'https://x.test/red.png'
const DIGEST = 'a'.repeat(64)
const asset: AssetState = {
  state: 'ready',
  kind: 'image',
  picture: { digest: DIGEST, width: 40, height: 20, opaque: true },
}
const common = { opacity: 1, fadeSeconds: 0 }
/** Of a clip from 10 s to 40 s, 30 frames a second. */
const overlays: ManualOverlay[] = [
  {
    kind: 'media',
    id: 'red',
    start: 12,
    end: 14,
    url: URL,
    widthPercent: 50,
    xPercent: 50,
    yPercent: 25,
    ...common,
    opacity: 0.5,
  },
  {
    kind: 'text',
    id: 'text',
    start: 13,
    end: 16,
    text: 'MMMM',
    fontFamily: 'Inter',
    fontSize: 200,
    fontWeight: 900,
    colour: '#ffffff',
    background: '#0000ff',
    xPercent: 50,
    yPercent: 75,
    ...common,
  },
]

let pixel: (frame: number, x: number, y: number) => number[]

beforeAll(async () => {
  const red = createCanvas(40, 20)
  const paint = red.getContext('2d')
  paint.fillStyle = '#ff0000'
  paint.fillRect(0, 0, 40, 20)
  const { composition, warnings } = compileComposition({
    document: documentOf([], { overrides: { overlays } }),
    words: [],
    facts: factsOf({ width: 540, height: 960 }),
    assets: new Map([[URL, asset]]),
  })
  expect([warnings, composition.output.width]).toEqual([[], 540])
  const fonts = await registerFontsFor(composition, join(import.meta.dirname, '..', '..', 'resources'), null)
  const pictures = new Map([[DIGEST, await loadImage(await red.encode('png'))]])
  const prepared = prepare(composition, createCanvas(2, 2).getContext('2d'), fonts, pictures)
  const drawn = new Map<number, Uint8ClampedArray>()
  const draw = (frame: number): Uint8ClampedArray => {
    const canvas = createCanvas(540, 960)
    drawFrame(useExactText(canvas.getContext('2d')), prepared, frame)
    const { data } = canvas.getContext('2d').getImageData(0, 0, 540, 960)
    drawn.set(frame, data)
    return data
  }
  pixel = (frame, x, y) => {
    const at = (y * 540 + x) * 4
    return [...(drawn.get(frame) ?? draw(frame)).subarray(at, at + 4)]
  }
})

it('draws a picture at its place, half transparent, on its frames only', () => {
  const [red, , , alpha] = pixel(60, 270, 240)
  expect(red).toBeGreaterThan(250)
  expect(Math.abs((alpha ?? 0) - 128)).toBeLessThanOrEqual(2)
  // 270 wide and 135 high around its centre.
  expect(pixel(60, 270, 240 + 60)[3]).toBeGreaterThan(100)
  expect([pixel(60, 270, 240 + 75)[3], pixel(60, 270 + 140, 240)[3]]).toEqual([0, 0])
  expect([pixel(59, 270, 240)[3], pixel(120, 270, 240)[3]]).toEqual([0, 0])
})

it('sets a text in its box, in its place', () => {
  const row = Array.from({ length: 260 }, (_, x) => pixel(100, 140 + x, 720))
  const is = (wanted: readonly number[]) => (one: readonly number[]) =>
    wanted.every((channel, at) => Math.abs(channel - (one[at] ?? 0)) < 12)
  expect(row.filter(is([0, 0, 255, 255])).length).toBeGreaterThan(20)
  expect(row.filter(is([255, 255, 255, 255])).length).toBeGreaterThan(20)
  expect([pixel(89, 270, 720)[3], pixel(180, 270, 720)[3]]).toEqual([0, 0])
})
