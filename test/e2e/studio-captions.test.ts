/**
 * Captions, headline and branding in a real Chromium: styles by speaker, text dragged on the picture by mouse and by keys,
 * a watermark that is seen once it is put in. What is checked is what the appliance would render.
 */
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAPTION_PRESETS } from '../../server/nodes/index.ts'
import { wavOf } from '../support/wav.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio caption tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Upright',
  clip: { start: 4, end: 15.2 },
  nodes: [{ type: 'convert_to_vertical' }, { type: 'add_subtitles' }, { type: 'add_title_overlay' }],
}

/** The panel, and the picture with what is laid over it. */
const EDITED = '.side, .stage'

let studio: StudioBrowser
let page: Page
let clipId: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  // A talk of two people who alternate sentence by sentence.
  clipId = await makeClip(studio, page, WANTED, ['ANN', 'BO'])
  await openClip(studio, page, clipId)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const editor = () => readEditor(studio, clipId)

async function captions() {
  const layer = (await editor()).preview.composition.layers.find(({ kind }) => kind === 'captions')
  if (layer?.kind !== 'captions') throw new Error('no captions')
  const bo = layer.cues[0]
  const ann = layer.cues.find(({ startFrame }) => startFrame > 4.2 * 25)
  return { bo: layer.styles[bo?.style ?? 0], ann: layer.styles[ann?.style ?? 0] }
}

async function headline() {
  const layer = (await editor()).preview.composition.layers.find(({ kind }) => kind === 'title')
  if (layer?.kind !== 'title') throw new Error('no headline')
  return layer
}

const colour = (field: string) => page.locator(`[data-field="${field}"] input[type=color]`)
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click()

/** Where something is on the preview, percent of its size. */
async function placeOnPicture(name: string) {
  const [box, picture] = await Promise.all([
    page.getByRole('button', { name }).boundingBox(),
    page.getByLabel('Preview of the clip').boundingBox(),
  ])
  if (box === null || picture === null) throw new Error(`${name} is not shown`)
  return {
    box,
    picture,
    x: ((box.x + box.width / 2 - picture.x) / picture.width) * 100,
    y: ((box.y + box.height / 2 - picture.y) / picture.height) * 100,
  }
}

describe.skipIf(chromium === null)('captions in the studio', () => {
  it('are offered as samples, each drawn in its own way once it is seen', async () => {
    await tab('Captions')
    const samples = page.locator('[aria-label="Captions"] label:has(canvas)')
    await expect.poll(() => samples.count()).toBe(CAPTION_PRESETS.length)
    const pictures = new Set<string>()
    for (let at = 0; at < CAPTION_PRESETS.length; at++) {
      await samples.nth(at).scrollIntoViewIfNeeded()
      await samples.nth(at).locator('canvas[data-drawn]').waitFor()
      const [inked, picture] = await samples
        .nth(at)
        .locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => {
          const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
          return [pixels.some((value) => value > 0), canvas.toDataURL()] as const
        })
      expect(inked, CAPTION_PRESETS[at]?.id).toBe(true)
      pictures.add(picture)
    }
    expect(pictures.size).toBe(CAPTION_PRESETS.length)
    expect(await violations(page, EDITED)).toEqual([])
    await shot(page, 'captions-samples')
  })

  it('take a preset and a colour for everyone, and go back to the preset’s', async () => {
    await page.getByLabel('Full box').check()
    await colour('fontColor').fill('#00ff88')
    await expect.poll(async () => (await captions()).bo?.face.colour).toBe('#00ff88')
    expect((await captions()).ann?.backdrop.fill).toBe('block')
    await page.locator('[data-field="fontColor"]').getByRole('button').click()
    await expect.poll(async () => (await captions()).ann?.face.colour).toBe('#ffffff')
    expect((await editor()).subtitleConfig).not.toHaveProperty('fontColor')
  })

  it('have a style by speaker, the first included', async () => {
    // They are called what the words call them, and follow a rename at once.
    await tab('Transcript')
    await page.getByRole('button', { name: 'Rename Ann' }).click()
    await page.getByLabel('Name of Ann').fill('Anna')
    await page.getByLabel('Name of Ann').press('Enter')
    await tab('Captions')
    await page.getByRole('radio', { name: 'Anna', exact: true }).check()
    await colour('fontColor').fill('#ffee00')
    await expect.poll(async () => (await captions()).ann?.face.colour).toBe('#ffee00')
    expect((await captions()).bo?.face.colour).toBe('#ffffff')
    await page.getByRole('radio', { name: 'Bo', exact: true }).check()
    await page.getByLabel('Neon').check()
    await expect.poll(async () => (await captions()).bo?.face.shadow?.colour).toBe('#c04bff')
    expect((await captions()).ann?.backdrop.fill).toBe('block')
    expect(await violations(page, EDITED)).toEqual([])
  })

  it('are dragged on the picture, caught by its middle, and moved by keys', async () => {
    await page.getByRole('radio', { name: 'Everyone', exact: true }).check()
    const { box, picture, x, y } = await placeOnPicture('Captions on the picture')
    const style = (await captions()).bo
    expect(Math.abs(x - (style?.xPercent ?? 0))).toBeLessThan(1)
    expect(Math.abs(y - (style?.yPercent ?? 0))).toBeLessThan(1)
    const fromX = box.x + box.width / 2
    const fromY = box.y + box.height / 2
    await page.mouse.move(fromX, fromY)
    await page.mouse.down()
    await page.mouse.move(fromX + 2, fromY - picture.height * 0.1, { steps: 4 })
    await page.mouse.move(fromX + 1, picture.y + picture.height * 0.505, { steps: 4 })
    await shot(page, 'captions-dragged')
    await expect.poll(() => page.locator('.guides .line').count()).toBe(2)
    await page.mouse.up()
    await expect
      .poll(async () => (await editor()).subtitleConfig)
      .toMatchObject({ subtitleX: 50, subtitleY: 50 })
    const after = await captions()
    expect([after.ann, after.bo].map((one) => [one?.xPercent, one?.yPercent])).toEqual([
      [50, 50],
      [50, 50],
    ])
    await expect
      .poll(async () => Math.abs((await placeOnPicture('Captions on the picture')).y - 50))
      .toBeLessThan(1)
    await page.getByRole('button', { name: 'Captions on the picture' }).focus()
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => (await editor()).subtitleConfig['subtitleY']).toBe(44)
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('the headline in the studio', () => {
  it('takes a look and colours, and is moved by keys', async () => {
    await tab('Title')
    await page.getByRole('radio', { name: 'Card', exact: true }).check()
    await page.getByRole('radio', { name: 'Blue' }).check()
    await expect.poll(async () => (await headline()).backdrop.colour).toBe('#1d4ed8')
    const before = await placeOnPicture('Headline on the picture')
    await page.getByRole('button', { name: 'Headline on the picture' }).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect
      .poll(async () => Math.round(((await headline()).yPercent - before.y) * 10) / 10)
      .toBeGreaterThan(4)
    expect((await headline()).yPercent - before.y).toBeLessThan(6)
    expect(await violations(page, EDITED)).toEqual([])
    await shot(page, 'title')
  })
})

describe.skipIf(chromium === null)('branding in the studio', () => {
  it('puts a picture in as the watermark, which is seen without a render', async () => {
    await tab('Branding')
    const logo = createCanvas(200, 80)
    const context = logo.getContext('2d')
    context.fillStyle = '#ff2d9b'
    context.fillRect(0, 0, 200, 80)
    await page
      .locator('input[data-for="the watermark"]')
      .setInputFiles([{ name: 'logo.png', mimeType: 'image/png', buffer: logo.toBuffer('image/png') }])
    await page.getByText('In the clip').waitFor()
    await page.getByRole('radio', { name: 'Bottom left' }).check()
    /** The colour in the middle of where the watermark is to be: 16 percent wide, 4 percent of the width away. */
    const seen = () =>
      page.getByLabel('Preview of the clip').evaluate((canvas: HTMLCanvasElement) => {
        const { width, height } = canvas
        const pixel = canvas.getContext('2d')?.getImageData(width * 0.12, height - width * 0.06, 1, 1).data
        return [...(pixel ?? [])].slice(0, 3)
      })
    await expect.poll(seen).toEqual([255, 45, 155])
    expect(await violations(page, EDITED)).toEqual([])
    await shot(page, 'branding')
  })

  it('puts music in, which is a lane from which its volume is reached', async () => {
    await page
      .locator('input[data-for="the music"]')
      .setInputFiles([{ name: 'tune.wav', mimeType: 'audio/wav', buffer: wavOf([[0, 3]], 3) }])
    const lane = page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: /^Music, 30 %,/ })
    await lane.waitFor()
    await tab('Transcript')
    await lane.press('Enter')
    const volume = page.getByRole('region', { name: 'Music' }).getByRole('slider', { name: 'Volume' })
    await expect.poll(() => volume.evaluate((range) => range === document.activeElement)).toBe(true)
    await volume.press('End')
    await page.getByRole('button', { name: /^Music, 100 %,/ }).waitFor()
    await expect.poll(async () => (await editor()).backgroundMusicOption['volume']).toBe(1)
    // With empty lanes hidden, the panels have enough space.
    const panel = await page.getByRole('tabpanel').boundingBox()
    expect(panel?.height).toBeGreaterThan(300)
    expect(await violations(page)).toEqual([])
    expect(studio.complaints).toEqual([])
  })
})
