/**
 * The studio's preview against the export, pixel by pixel, in a real Chromium, for every kind of layer; widths of text
 * in every bundled font; and that a finished file plays.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas, ImageData, loadImage, type Image } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentencesOf } from '../../server/contract/render-remarks.ts'
import { Layer } from '../../server/contract/composition.ts'
import { fontAlias } from '../../workers/compositor/fonts.ts'
import { registerFonts } from '../../workers/render-support/fonts.ts'
import { GOLDEN_PICTURE } from '../golden/cases.ts'
import { contactSheet } from '../golden/draw.ts'
import { countingSource, LOSSLESS, make, plain, renderForTest, SIZE } from '../pipeline/render-support.ts'
import { captionLayer, sampleComposition } from '../support/sample-composition.ts'
import { findChromium, NO_CHROMIUM, openPreviewPage, type PreviewPage } from './preview/browser.ts'
import { PREVIEW_CASES, type PreviewCase } from './preview/cases.ts'
import { cut, distance, exported, GROUND, pictureOf, type Distance } from './preview/compare.ts'

const ARTIFACTS = join(import.meta.dirname, '..', '.artifacts', 'preview')
const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')
const chromium = findChromium()
if (chromium === null) process.stderr.write(`preview tests are skipped: ${NO_CHROMIUM}\n`)

let open: PreviewPage
let picture: Image

beforeAll(async () => {
  if (chromium === null) return
  open = await openPreviewPage(chromium)
  const bytes = await testPicture()
  open.pictures.set(GOLDEN_PICTURE, bytes)
  picture = await loadImage(bytes)
})
afterAll(() => (chromium === null ? undefined : open.close()))

/** Colours that run into each other, sharp edges, and a see-through corner. */
async function testPicture(): Promise<Buffer> {
  const canvas = createCanvas(300, 150)
  const context = canvas.getContext('2d')
  const colours = context.createLinearGradient(0, 0, 300, 150)
  colours.addColorStop(0, '#ff4539')
  colours.addColorStop(0.5, '#ffd60a')
  colours.addColorStop(1, '#2f6bff')
  context.fillStyle = colours
  context.fillRect(40, 20, 260, 130)
  context.fillStyle = '#111114'
  for (let at = 0; at < 300; at += 20) context.fillRect(at, 60, 10, 30)
  return canvas.encode('png')
}

describe('every kind of layer', () => {
  it('has its cases', () => {
    const kinds = Layer.anyOf.map((schema) => schema.properties.kind.const)
    expect(Object.keys(PREVIEW_CASES).toSorted()).toEqual(kinds.toSorted())
    const drawn = Object.entries(PREVIEW_CASES).filter(([, cases]) => cases.length > 0)
    expect(drawn.map(([kind]) => kind).toSorted()).toEqual(kinds.toSorted())
  })
})

// ffmpeg lays videos over the picture, not the compositor: preview-videos.test.ts compares them with rendered files.
const cases = Object.entries(PREVIEW_CASES).flatMap(([kind, own]) => (kind === 'video' ? [] : own))

/**
 * Within what is painted. Both are Skia, which leaves edges smoothed a little differently: letters start at quarters of a
 * pixel in one and not in the other, and shadows are blurred by other code. That measures 0.994 to 1 in similarity, less
 * than 1.4 % of pixels off by more than 32 of 255, and at most 1.5 in the mean of all channels. Letters one pixel
 * lower measure 0.93, 5 % and 3.5 (the last test here); a word in another colour far more.
 */
const ALIKE = { mean: 0.993, seen: 0.018, difference: 1.8 } as const

function isAlike({ mean, seen, difference }: Distance): boolean {
  return mean >= ALIKE.mean && seen <= ALIKE.seen && difference <= ALIKE.difference
}

const evaluateFrames = (one: PreviewCase) =>
  open.page.evaluate(
    ([composition, frames, ground]) => window.cutroom.drawFrames(composition, frames, ground),
    [one.composition, one.frames, GROUND] as const,
  )

describe.skipIf(chromium === null)('preview and export', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    const pictures = new Map([[GOLDEN_PICTURE, picture]])
    const [wanted, shown] = await Promise.all([exported(one.composition, pictures), evaluateFrames(one)])
    expect(shown.warnings).toEqual(sentencesOf(wanted.prepared.warnings))
    for (const [index, frame] of one.frames.entries()) {
      const box = wanted.painted(frame)
      if (box === null) throw new Error(`nothing is painted at frame ${frame}`)
      const here = cut(wanted.frame(frame), box)
      const there = cut(await pictureOf(shown.pictures[index] ?? ''), box)
      const result = distance(here, there)
      if (!isAlike(result)) {
        await mkdir(ARTIFACTS, { recursive: true })
        const sheet = await contactSheet(here, there).encode('png')
        await writeFile(join(ARTIFACTS, `${name.replaceAll(' ', '-')}-${frame}.png`), sheet)
      }
      expect(result.mean, `similarity at frame ${frame}`).toBeGreaterThanOrEqual(ALIKE.mean)
      expect(result.seen, `share of pixels at frame ${frame}`).toBeLessThanOrEqual(ALIKE.seen)
      expect(result.difference, `difference at frame ${frame}`).toBeLessThanOrEqual(ALIKE.difference)
    }
  })

  it('detects letters one pixel lower, and a frame too early', async () => {
    const one = cases.find(({ name }) => name === 'caption preset karaoke')
    const frame = one?.frames[1]
    if (one === undefined || frame === undefined) throw new Error('no such case')
    const wanted = await exported(one.composition, new Map())
    const box = wanted.painted(frame)
    if (box === null) throw new Error('nothing is painted')
    const whole = await pictureOf((await evaluateFrames(one)).pictures[1] ?? '')
    const lower = distance(cut(wanted.frame(frame), box), cut(whole, { ...box, y: box.y - 1 }))
    expect(isAlike(lower)).toBe(false)
    const early = distance(cut(wanted.frame(frame - 8), box), cut(whole, box))
    expect(isAlike(early)).toBe(false)
  })

  it('measures texts alike in every bundled font', async () => {
    const pixels = 100
    const table = await registerFonts(RESOURCES)
    const fonts = table.fonts.map((font) => ({ ...font, texts: TEXTS[font.family] ?? LATIN }))
    const context = createCanvas(2, 2).getContext('2d')
    const composition = sampleComposition({ layers: [captionLayer('any', 10, 1)] })
    const there = await open.page.evaluate(
      ([given, list, size]) => window.cutroom.measureTexts(given, list, size),
      [composition, fonts, pixels] as const,
    )
    for (const [index, { family, weight, style, texts, file }] of fonts.entries()) {
      context.font = `${style} ${weight} ${pixels}px "${fontAlias(family)}"`
      texts.forEach((text, number) => {
        const apart = Math.abs(context.measureText(text).width - (there[index]?.[number] ?? Infinity))
        // A hundredth of a pixel: the widths of a line of 23 letters at 100 px agree to 0.005.
        expect(apart, `${file}: "${text}"`).toBeLessThanOrEqual(0.01)
      })
    }
  })
})

const LATIN = ['Nobody reads the manual', 'AVATAR Toffee, 3.14 km²', 'H', ' ']
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'Noto Sans Arabic': ['لا أحد يقرأ الدليل مرتين'],
  'Noto Sans Hebrew': ['אף אחד לא קורא'],
  'Noto Sans Devanagari': ['कोई भी मैनुअल नहीं पढ़ता'],
  'Noto Sans Thai': ['ไม่มีใครอ่านคู่มือ'],
  Twemoji: ['🔥', '🎉🚲'],
}

describe.skipIf(chromium === null)('a finished file', () => {
  it('plays in Chromium and shows the frames that are in it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'cutroom-plays-'))
    try {
      const source = join(root, 'source.mkv')
      await make([...countingSource(150), ...LOSSLESS, source])
      const composition = plain({
        durationFrames: 90,
        fromFrame: 20,
        layers: [captionLayer('It plays', 45, 2)],
      })
      const { clip } = await renderForTest(composition, source, root)
      open.clip.bytes = await readFile(clip)
      const frame = 75
      const played = await open.page.evaluate(
        (seconds) => window.cutroom.playClip(seconds),
        (frame + 0.5) / 30,
      )
      expect(played.readyState).toBe(4)
      expect([played.videoWidth, played.videoHeight]).toEqual([SIZE.width, SIZE.height])
      expect(played.duration).toBeCloseTo(3, 1)
      expect(played.playedTo).toBeGreaterThan(0.1)
      const select = `select=eq(n\\,${frame}),scale=in_color_matrix=bt709,format=rgba`
      const pixels = await make([
        '-i',
        clip,
        '-vf',
        select,
        '-vsync',
        '0',
        '-frames:v',
        '1',
        '-f',
        'rawvideo',
        '-',
      ])
      const { width, height } = SIZE
      const wanted = createCanvas(width, height)
      const rgba = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, width * height * 4)
      wanted.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0)
      const result = distance(wanted, await pictureOf(played.picture))
      // One grey step, so one frame, is 1.2 here.
      expect(result.difference).toBeLessThan(1)
      expect(result.mean).toBeGreaterThan(0.99)
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
