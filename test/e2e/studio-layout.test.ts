/**
 * The layout of a clip as an editor sets it in a real Chromium: a crop that is dragged and keyframed, a split, one
 * person followed. The result is measured in the pixels of the preview and in the stored composition.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClipFaces, FaceTrack } from '../../server/contract/clip-measurements.ts'
import type { Composition } from '../../server/contract/composition.ts'
import type { StudioClip } from '../../server/contract/studio.ts'
import { make } from '../pipeline/render-support.ts'
import { node } from '../support/node-values.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { ARTIFACTS, openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { seedFootageClip } from './studio/footage-clip.ts'
import { openClip, readEditor } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

/**
 * Red, green and blue next to each other, then yellow, cyan and magenta from second 4 on; light boxes represent faces.
 */
const PICTURE = [
  'color=c=0xc02020:s=1280x720:r=30:d=8',
  'drawbox=427:0:426:720:0x20a020:fill,drawbox=853:0:427:720:0x2020c0:fill',
  "drawbox=0:0:427:720:0xc0c020:fill:enable='gte(t,4)',drawbox=427:0:426:720:0x20c0c0:fill:enable='gte(t,4)'",
  "drawbox=853:0:427:720:0xc020c0:fill:enable='gte(t,4)'",
  'drawbox=150:150:110:150:0xe8c8a8:fill,drawbox=1020:160:110:150:0xd8b090:fill',
  'format=yuv420p',
].join(',')

/** A person who sits still, in shares of 1280x720. */
function track(id: number, x: number, from: number, to: number, speaks: boolean): FaceTrack {
  const at = (second: number) => [second, x / 1280, 155 / 720, 110 / 1280, 150 / 720] as const
  return {
    id,
    points: [[...at(from)], [...at(to)]],
    speaking: speaks ? [{ start: from, end: to }] : [],
  }
}
const FACES: ClipFaces = {
  start: 0,
  end: 8,
  shotStarts: [4],
  screens: [],
  tracks: [
    track(1, 150, 0, 3.9, true),
    track(2, 1020, 0, 3.9, false),
    track(3, 150, 4, 8, false),
    track(4, 1020, 4, 8, true),
  ],
}

/** However busy the machine is. */
const PATIENT = { timeout: 30_000 }

let studio: StudioBrowser
let page: Page
let clip: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const video = join(studio.folder, 'source.mp4')
  await make([
    '-f',
    'lavfi',
    '-i',
    PICTURE,
    '-f',
    'lavfi',
    '-i',
    'anullsrc=r=48000',
    '-t',
    '8',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '15',
    '-c:a',
    'aac',
    '-movflags',
    '+faststart',
    video,
  ])
  clip = await seedFootageClip(studio.home, await readFile(video), {
    durationSeconds: 8,
    document: {
      title: 'Two at a table',
      faces: FACES,
      nodes: [node('convert_to_vertical', { style: 'style_one' })],
    },
  })
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await openClip(studio, page, clip)
}, 120_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

async function pixelsOf(png: Buffer): Promise<Uint8ClampedArray> {
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height).data
}

/** Share of the values that are clearly others. */
function apart(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  expect(a.length).toBe(b.length)
  return a.reduce((count, value, at) => count + (Math.abs(value - (b[at] ?? 0)) > 60 ? 1 : 0), 0) / a.length
}

/** What is of the layout; the rest of the editor has tests of its own. */
const OWN = '.stage, #panel'

const saved = () => page.getByText('Saved', { exact: true }).waitFor()

const editor = () => readEditor(studio, clip)
const composition = async (): Promise<Composition> => (await editor()).preview.composition

/** The colour in the preview, at shares of its width and height: which of red, green and blue are bright. */
const colourAt = (x: number, y: number): Promise<string> =>
  page.getByLabel('Preview of the clip').evaluate(
    (canvas, [across, down]) => {
      const context = (canvas as HTMLCanvasElement).getContext('2d')
      const { width, height } = canvas as HTMLCanvasElement
      const [r = 0, g = 0, b = 0] = context?.getImageData(width * across, height * down, 1, 1).data ?? []
      return `${r > 110 ? 'r' : ''}${g > 110 ? 'g' : ''}${b > 110 ? 'b' : ''}`
    },
    [x, y] as const,
  )
const expectColour = (colour: string, x = 0.5, y = 0.8) =>
  expect.poll(() => colourAt(x, y), PATIENT).toBe(colour)

const grip = (name: RegExp) => page.getByRole('button', { name })
const shotButton = (number: number) => page.getByRole('button', { name: new RegExp(`^Shot ${number},`) })

/** Drags something by so many shares of the source's width. */
async function drag(name: RegExp, share: number): Promise<void> {
  const stage = await page.getByLabel('The whole source picture').boundingBox()
  const box = await grip(name).boundingBox()
  if (stage === null || box === null) throw new Error('nothing to drag')
  const x = box.x + box.width / 2
  const y = box.y + box.height * 0.8
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (share * stage.width) / 2, y, { steps: 3 })
  await page.mouse.move(x + share * stage.width, y, { steps: 3 })
  await page.mouse.up()
}

describe.skipIf(chromium === null)('the layout of a clip', () => {
  it('lists its shots and what each is shown as', async () => {
    await page.getByRole('tab', { name: 'Layout' }).click()
    await expect
      .poll(() => page.getByRole('list', { name: 'Shots' }).getByRole('button').count(), PATIENT)
      .toBe(2)
    await page.getByRole('button', { name: 'Person A · speaking: follow' }).waitFor()
    await expectColour('r')
    await shot(page, 'layout')
    expect(await violations(page, OWN)).toEqual([])
  })

  it('is cropped by a drag, which can be undone', async () => {
    await drag(/^Visible area:/, 0.65)
    await expectColour('b')
    await expect.poll(() => shotButton(1).getAttribute('aria-label'), PATIENT).toContain('Free crop')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectColour('r')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expectColour('b')
    await saved()
    const { layout } = await composition()
    expect(layout[0]).toMatchObject({ kind: 'crop', startFrame: 0, endFrame: 120 })
  })

  it('moves from keyframe to keyframe, all of it by keys', async () => {
    await page.getByLabel('Position', { exact: true }).fill('0')
    await grip(/^Crop:/).focus()
    await page.keyboard.press('k')
    await page.getByLabel('Position', { exact: true }).fill('90')
    await grip(/^Crop:/).focus()
    await page.keyboard.press('k')
    for (let step = 0; step < 14; step++) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await page.getByRole('button', { name: 'Delete keyframe', exact: true }).waitFor()
    await expectColour('r')
    await page.getByLabel('Position', { exact: true }).fill('0')
    await expectColour('b')
    await page.getByLabel('Position', { exact: true }).fill('45')
    await expectColour('g')
    await saved()
    const { layout } = await composition()
    const moving = layout.find((span) => span.kind === 'crop' && span.cropTo !== undefined)
    expect(moving).toMatchObject({ startFrame: 0, endFrame: 90, eased: true })
    if (moving?.kind !== 'crop' || moving.cropTo === undefined) throw new Error('nothing moves')
    expect(moving.cropTo.width).toBeLessThan(moving.crop.width)
    await page.getByRole('button', { name: 'Next keyframe' }).click()
    await expect.poll(() => page.getByLabel('Position', { exact: true }).inputValue(), PATIENT).toBe('90')
    await shot(page, 'layout-keyframes')
    expect(await violations(page, OWN)).toEqual([])
  })

  it('is split, with another person in each view', async () => {
    await shotButton(2).click()
    await expect.poll(() => page.getByLabel('Position', { exact: true }).inputValue(), PATIENT).toBe('120')
    await page.getByLabel('Split', { exact: true }).check()
    await expectColour('rg', 0.5, 0.45)
    await expectColour('rb', 0.5, 0.95)
    await page.getByRole('button', { name: 'In pane 1: person B' }).click()
    await expectColour('rb', 0.5, 0.45)
    await saved()
    const { layout } = await composition()
    expect(layout.at(-1)).toMatchObject({ kind: 'panes', startFrame: 120, endFrame: 240 })
    await shot(page, 'layout-split')
    expect(await violations(page, OWN)).toEqual([])
  })

  it('follows the person that is clicked, also in similar shots', async () => {
    await page.getByLabel('Automatic', { exact: true }).check()
    await page.getByRole('button', { name: 'Person A: follow' }).click()
    await expectColour('rg')
    await page.getByRole('button', { name: 'Use for the whole clip' }).click()
    await saved()
    const { overrides } = await editor()
    expect(overrides.layouts).toMatchObject([
      { kind: 'follow', start: 0, end: 4, person: 1 },
      { kind: 'follow', start: 4, end: 8, person: 3 },
    ])
    await page.getByLabel('Whole picture', { exact: true }).check()
    await page.getByLabel('Result').check()
    await expectColour('gb')
    await shot(page, 'layout-result')
    await saved()
  })

  it('is there after a reload, and beside the edits of another window', async () => {
    const other = await studio.newPage()
    await other.goto(page.url())
    await other.getByRole('tab', { name: 'Layout' }).click()
    await other.getByRole('button', { name: /^Shot 2,.*Whole picture/ }).click()
    await other.getByLabel('Split', { exact: true }).check()
    await other.getByText('Saved', { exact: true }).waitFor()
    await expect.poll(async () => (await editor()).overrides.layouts?.at(-1)?.kind, PATIENT).toBe('split')
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).first().fill('Named here')
    await expect.poll(async () => (await editor()).title, PATIENT).toBe('Named here')
    expect((await editor()).overrides.layouts?.at(-1)?.kind).toBe('split')
    await other.close()
    await page.reload()
    await page.getByRole('tab', { name: 'Layout' }).click()
    await page.getByRole('button', { name: /^Shot 2,.*Split in 2/ }).waitFor()
    expect(studio.complaints.filter((text) => !text.includes('412'))).toEqual([])
  })

  it('has a thumbnail that is designed: a frame, a ready design, a text that keys move, other sizes', async () => {
    await page.getByRole('tab', { name: 'Thumbnail' }).click()
    const thumbnail = async () => (await editor()).overrides.thumbnail
    const canvas = page.getByLabel('Preview of the thumbnail')
    /** The colour at shares of the picture, as three digits. */
    const drawn = (x: number, y: number): Promise<string> =>
      canvas.evaluate(
        (one, [across, down]) => {
          const { width, height } = one as HTMLCanvasElement
          const context = (one as HTMLCanvasElement).getContext('2d')
          const data = context?.getImageData(width * across, height * down, 1, 1).data ?? []
          return [...data]
            .slice(0, 3)
            .map((value) => (value > 110 ? '1' : '0'))
            .join('')
        },
        [x, y] as const,
      )
    await page
      .getByRole('button', { name: /^Frame at/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Sticker', exact: true }).click()
    await page
      .getByRole('button', { name: /^Frame at/ })
      .last()
      .click()
    await expect.poll(async () => ((await thumbnail())?.moment ?? 0) > 4, PATIENT).toBe(true)
    await shot(page, 'thumbnail')
    expect(await violations(page, OWN)).toEqual([])
    await page.getByRole('button', { name: 'Cut-out', exact: true }).click()
    const grip = page.getByRole('button', { name: /^Cut-out of a person: arrow keys/ })
    await grip.focus()
    for (let step = 0; step < 5; step++) await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => (await thumbnail())?.items.at(-1)?.yPercent, PATIENT).toBe(70)
    // The shape of what is looked at is another, and the design is laid out in it.
    await page.getByLabel('1280 × 720').check()
    await expect.poll(() => canvas.evaluate((one) => (one as HTMLCanvasElement).width), PATIENT).toBe(1280)
    // The left face is cut out, without the yellow next to it; the right part of the clip stays visible.
    await expect.poll(() => drawn(0.5, 0.57), PATIENT).toBe('111')
    expect(await drawn(0.64, 0.57)).not.toBe('110')
    await shot(page, 'thumbnail-wide')
    await page.evaluate(() => document.documentElement.style.setProperty('color-scheme', 'dark'))
    expect(await violations(page, OWN)).toEqual([])
    await shot(page, 'thumbnail-dark')
    await saved()
    const seen = await canvas.evaluate(
      (one) => (one as HTMLCanvasElement).toDataURL('image/png').split(',')[1] ?? '',
    )
    const download = page.waitForEvent('download', PATIENT)
    await page.getByRole('button', { name: 'Download PNG' }).click()
    const file = await readFile(await (await download).path())
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([1280, 720])
    // The outline was found in the page and on the appliance, each in its own pixels of the same frame.
    expect(apart(await pixelsOf(Buffer.from(seen, 'base64')), await pixelsOf(file))).toBeLessThan(0.02)
    await writeFile(join(ARTIFACTS, 'thumbnail-1280x720.png'), file)
    // It is the clip's thumbnail by then, or soon.
    const remaining = async (): Promise<string> => {
      const path = `${studio.appliance.url}/studio/clips/${clip}`
      const answer = await studio.context.request.get(path)
      return ((await answer.json()) as StudioClip).thumbnailURL ?? ''
    }
    await expect.poll(remaining, PATIENT).not.toBe('')
    // Taken at a time without a person, it reports that.
    await page.getByRole('slider', { name: 'Crop X' }).fill('50')
    await page.getByRole('slider', { name: 'Crop width' }).fill('10')
    await page.getByText('Nobody stands out clearly enough', { exact: false }).waitFor(PATIENT)
    await page.getByRole('button', { name: 'Use automatic thumbnail' }).click()
    await saved()
    await expect.poll(thumbnail, PATIENT).toBeUndefined()
  })
})
