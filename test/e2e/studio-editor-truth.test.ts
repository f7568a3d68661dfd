/**
 * What the editor shows is so, in a real Chromium: finished files and running renders are found again after a reload, in
 * another window and after a restart of the appliance.
 */
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`tests of the editor are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Tiny',
  clip: { start: 0, end: 23.2 },
  nodes: [{ type: 'add_subtitles' }, { type: 'add_title_overlay' }],
}

let studio: StudioBrowser
let page: Page
let clipId: string
let restarted: ServeProcess | null = null

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  page.setDefaultTimeout(20_000)
  clipId = await makeClip(studio, page, WANTED)
  await openClip(studio, page, clipId)
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  await restarted?.stop()
  await studio.close()
})

const saved = (on = page) => on.getByText('Saved', { exact: true }).waitFor()
const download = (on = page) => on.getByRole('link', { name: 'Download' })
const address = async (on = page) => (await download(on).getAttribute('href')) ?? ''
const isCurrent = (on = page) => on.getByText(/^\s*Rendered\. /u).waitFor()
const isOld = (on = page) => on.getByText(/^\s*Rendered without your last edits\. /u).waitFor()

/** The progress that a window shows, 0 to 1; null: no render goes on. */
const progress = (on: Page) =>
  on.evaluate(
    () =>
      document.querySelector<HTMLProgressElement>('progress[aria-label="Render progress"]')?.value ?? null,
  )

describe.skipIf(chromium === null)('renders', () => {
  it('are offered where the clip is, and are old only while it is another', async () => {
    await isCurrent()
    const first = await address()
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Another headline')
    await isOld()
    expect(await address()).toBe(first)
    await saved()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await isCurrent()
    await saved()
    await page.reload()
    await isCurrent()
    expect(await address()).toBe(first)
  })

  it('go on in every window and after a restart, and never go back', async () => {
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('A third headline')
    await isOld()
    await saved()
    const other = await studio.newPage()
    await openClip(studio, other, clipId)
    await isOld(other)
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await expect.poll(() => progress(other)).toBeGreaterThan(0)
    const before = (await progress(other)) ?? 0
    await page.reload()
    await page.getByRole('progressbar', { name: 'Render progress' }).waitFor()
    expect(await progress(page)).toBeGreaterThanOrEqual(before)
    const { port } = new URL(studio.appliance.url)
    await studio.appliance.stop('SIGKILL')
    restarted = await serve(studio.home, ['--port', port], { CUTROOM_MIN_FREE_BYTES: '0' })
    const seen: number[] = []
    await expect
      .poll(async () => {
        const share = await progress(page)
        if (share !== null) seen.push(share)
        return share
      })
      .toBeNull()
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    await isCurrent()
    await isCurrent(other)
    expect(await address(other)).toBe(await address())
    const answer = await page.request.get(await address())
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'video/mp4'])
  })
})

/** Mean of the preview's pixels, 0 to 255. */
const brightness = (on: Page): Promise<number> =>
  on.getByLabel('Preview of the clip').evaluate((canvas: HTMLCanvasElement) => {
    const small = new OffscreenCanvas(8, 8).getContext('2d')
    if (small === null || canvas.width === 0) return 0
    small.drawImage(canvas, 0, 0, 8, 8)
    return small.getImageData(0, 0, 8, 8).data.reduce((sum, value) => sum + value / 256, 0)
  })

describe.skipIf(chromium === null)('an appliance that is killed and started again', () => {
  it('is found again by editors: the picture, the sound and what was typed', async () => {
    const { port } = new URL(studio.appliance.url)
    const position = page.getByLabel('Position', { exact: true })
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    const opening = await studio.newPage()
    const fonts = opening.waitForRequest(/fonts\.json/)
    await opening.goto(`${studio.appliance.url}/#/clips/${clipId}`, { waitUntil: 'commit' })
    await fonts
    await restarted?.stop('SIGKILL')
    await page.getByRole('textbox', { name: 'Title' }).fill('見出し while it was away')
    await position.fill('100')
    await page.getByRole('tab', { name: 'Layout' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('Not saved', { exact: true }).waitFor()
    await opening.getByRole('alert').first().waitFor()
    restarted = await serve(studio.home, ['--port', port], { CUTROOM_MIN_FREE_BYTES: '0' })
    for (const one of [page, opening]) {
      await expect.poll(() => one.getByRole('alert').count()).toBe(0)
      await expect.poll(() => brightness(one)).toBeGreaterThan(60)
    }
    await page.getByRole('radio', { name: '1:1' }).waitFor()
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(105)
    await saved()
    expect((await readEditor(studio, clipId)).title).toBe('見出し while it was away')
    await opening.getByRole('button', { name: 'Play', exact: true }).click()
    const meter = opening.getByRole('meter', { name: 'Level' })
    await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow'))).toBeGreaterThan(-60)
    await opening.close()
  })
})

/** Colours that run into each other, wider than high. */
function picture(): Buffer {
  const canvas = createCanvas(480, 240)
  const context = canvas.getContext('2d')
  const colours = context.createLinearGradient(0, 0, 480, 240)
  colours.addColorStop(0, '#ff4539')
  colours.addColorStop(1, '#2f6bff')
  context.fillStyle = colours
  context.fillRect(0, 0, 480, 240)
  return canvas.toBuffer('image/png')
}

describe.skipIf(chromium === null)('what is chosen', () => {
  it('opens its settings, which are in the clip that is saved', async () => {
    await page.getByRole('tab', { name: 'Layers' }).click()
    await page.getByRole('button', { name: 'B-roll', exact: true }).click()
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'sea.png', mimeType: 'image/png', buffer: picture() })
    const item = page.locator('[data-item^="broll"] .body')
    await item.waitFor()
    await page.getByRole('tab', { name: 'Title' }).click()
    await item.click()
    await page.getByLabel('Fit', { exact: true }).selectOption({ label: 'Whole, with bars' })
    await page.getByLabel('Motion').selectOption({ label: 'Pan left' })
    await page.getByLabel('Y (%)').fill('0')
    await page.getByLabel('Opacity').fill('0.5')
    await page.getByLabel('Length (s)').fill('3.5')
    await page.keyboard.press('Tab')
    await saved()
    const [insert] = (await readEditor(studio, clipId)).overrides.broll ?? []
    expect(insert).toMatchObject({ fit: 'contain', motion: 'pan_left', yPercent: 0, opacity: 0.5 })
    expect((insert?.end ?? 0) - (insert?.start ?? 0)).toBeCloseTo(3.5, 3)
    const layer = async () => {
      const { composition } = (await readEditor(studio, clipId)).preview
      return composition.layers.find(({ id }) => id === insert?.id)
    }
    // Its file is fetched first.
    await expect
      .poll(layer)
      .toMatchObject({ kind: 'image', fit: 'contain', focusY: 0, driftTo: 'left', opacity: 0.5 })
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    expect(await violations(page)).toEqual([])
    await shot(page, 'placement')
  })

  it('gives the clip another shape, and shows what a platform covers', async () => {
    await page.getByRole('tab', { name: 'Layout' }).click()
    await page.getByLabel('Safe zone').selectOption({ label: 'TikTok' })
    await page.getByRole('img', { name: 'What TikTok covers' }).waitFor()
    for (const ratio of ['1:1', '4:5', '16:9', '9:16']) {
      await page.getByRole('radio', { name: ratio }).check()
      const [across = 1, up = 1] = ratio.split(':').map(Number)
      const shape = () =>
        page
          .locator('canvas[aria-label="Preview of the clip"]')
          .evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.height)
      await expect.poll(shape).toBeCloseTo(across / up, 2)
      await saved()
      expect((await readEditor(studio, clipId)).aspectRatio).toBe(ratio)
      await shot(page, `format-${across}-${up}`)
    }
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Safe zone').selectOption({ label: 'None' })
  })
})

describe.skipIf(chromium === null)('two people', () => {
  it('are told who changed the same, see both, and decide once', async () => {
    const invited = await cutroom([
      'people',
      'invite',
      'Ana',
      '--role',
      'editor',
      '--home',
      studio.home,
      '--json',
    ])
    expect(invited.code, invited.stderr).toBe(0)
    const { link } = JSON.parse(invited.stdout) as { link: string }
    const theirs = await studio.context.browser()?.newContext({ viewport: { width: 1280, height: 800 } })
    const ana = await theirs?.newPage()
    if (ana === undefined) throw new Error('there is no second window')
    ana.setDefaultTimeout(20_000)
    await ana.goto(`${studio.appliance.url}${new URL(link).pathname}${new URL(link).search}`)
    await openClip(studio, ana, clipId)
    await ana.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('tab', { name: 'Title' }).click()
    await ana.getByRole('textbox', { name: 'Title' }).fill('Her headline')
    await saved(ana)
    await page.getByRole('textbox', { name: 'Title' }).fill('My headline')
    await page.getByText('Changed by Ana: review').waitFor()
    const both = page.getByRole('region', { name: 'What both changed' })
    await both.getByText('Title: My headline').waitFor()
    await both.getByText('Title: Her headline').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'conflict')
    await both.getByRole('button', { name: 'Use theirs: the title' }).click()
    await saved()
    await page.reload()
    await page.getByRole('heading', { name: 'Her headline' }).waitFor()
    await saved()
    expect(await both.count()).toBe(0)
    await theirs?.close()
  })
})
