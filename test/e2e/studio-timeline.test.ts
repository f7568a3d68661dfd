/**
 * The timeline in a real Chromium: a clip is trimmed, split, shortened and extended beyond its extracted range, gets a
 * zoom and a text; all of it is undone and redone, and persists after a reload.
 */
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`timeline tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Tiny',
  clip: { start: 4, end: 11.2 },
  nodes: [{ type: 'smart_zoom', config: { smart_zoom_config: { frequency: 'high' } } }],
}

/** However busy the machine is. */
const IN_TIME = { timeout: 60_000 }

let studio: StudioBrowser
let page: Page
let clipId: string
let first: StudioEditor
/** Paths of files and responses that the page has requested. */
const requested: string[] = []

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  page.on('request', (request) => void requested.push(new URL(request.url()).pathname))
  clipId = await makeClip(studio, page, WANTED)
  await openClip(studio, page, clipId)
  await timeline().waitFor()
  first = await editor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const timeline = (): Locator => page.getByRole('region', { name: 'Timeline' })
const piece = (number: number): Locator => page.getByRole('button', { name: new RegExp(`^Cut ${number},`) })
const saved = () => page.getByText('Saved', { exact: true }).waitFor()

const editor = () => readEditor(studio, clipId)

/** What of the clip can be edited here, as it is saved. */
async function document() {
  const { startTimestamp, endTimestamp, segments, overrides } = await editor()
  return { startTimestamp, endTimestamp, segments, overrides }
}

async function dragBy(from: Locator, x: number, y = 0): Promise<void> {
  // Its track may lie below what is seen of them.
  await from.scrollIntoViewIfNeeded()
  const box = await from.boundingBox()
  if (box === null) throw new Error('it is not seen')
  const left = box.x + box.width / 2
  const top = box.y + box.height / 2
  // Alt: where it is left, and not where it would come to rest.
  await page.keyboard.down('Alt')
  await page.mouse.move(left, top)
  await page.mouse.down()
  await page.mouse.move(left + x / 2, top + y / 2)
  await page.mouse.move(left + x, top + y)
  await page.mouse.up()
  await page.keyboard.up('Alt')
}

/** Sets the playhead to a share of the width of a piece. */
async function pointAt(number: number, share: number): Promise<void> {
  const box = await piece(number).boundingBox()
  const ruler = await page.locator('.row.ruler').boundingBox()
  if (box === null || ruler === null) throw new Error('it is not seen')
  await page.mouse.click(box.x + box.width * share, ruler.y + ruler.height / 2)
}

describe.skipIf(chromium === null)('the timeline', () => {
  it('shows the source around the clip, with a filmstrip and a cut that are made for it', async () => {
    await expect
      .poll(() => requested.filter((path) => /filmstrip-1-0\.jpg|scrub\.mp4/u.test(path)).length, IN_TIME)
      .toBeGreaterThanOrEqual(2)
    expect(await piece(1).getAttribute('aria-label')).toContain('0:04.0 to 0:11.2')
    const wide = async (): Promise<number> => (await piece(1).boundingBox())?.width ?? 0
    const before = await wide()
    await page.setViewportSize({ width: 1600, height: 800 })
    // What has filled the view fills a larger one as well.
    await expect.poll(wide).toBeGreaterThan(before * 1.25)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(wide).toBeCloseTo(before, 0)
    expect(await violations(page)).toEqual([])
    await shot(page, 'timeline')
  })

  it('trims by drag and by keys, splits, and takes a piece out without a gap', async () => {
    await dragBy(page.locator('.piece .edge.end'), 100)
    await saved()
    const longer = (await document()).endTimestamp
    expect(longer).toBeGreaterThan(11.5)
    await piece(1).focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(async () => (await document()).endTimestamp, IN_TIME).toBeCloseTo(longer - 0.1, 3)
    await pointAt(1, 0.5)
    await timeline().getByRole('button', { name: 'Split at playhead', exact: true }).click()
    await pointAt(2, 0.5)
    await page.keyboard.press('s')
    await piece(3).waitFor()
    await piece(2).click()
    await page.keyboard.press('Delete')
    await expect.poll(() => page.locator('.piece').count(), IN_TIME).toBe(2)
    await saved()
    const { segments } = await document()
    expect(segments).toHaveLength(2)
    expect(segments[1]?.startSeconds).toBeGreaterThan((segments[0]?.endSeconds ?? 99) + 0.5)
  })

  it('gets a zoom beside those that were there, and a text that is dragged on both', async () => {
    const automatic = (await editor()).preview.composition.zooms?.length ?? 0
    await pointAt(1, 0.05)
    await timeline().getByRole('button', { name: 'Zoom', exact: true }).click()
    await page.getByRole('heading', { name: 'Zoom', exact: true }).waitFor()
    await saved()
    expect((await document()).overrides.zooms).toHaveLength(automatic + 1)
    // An empty lane is a name, from which the keyboard reaches its panel.
    const none = timeline().getByRole('button', { name: 'Overlays: none. Add' })
    await page.getByRole('tab', { name: 'Transcript', exact: true }).click()
    await none.press('Enter')
    await page.getByRole('tab', { name: 'Layers', exact: true, selected: true }).waitFor()
    await timeline().getByRole('button', { name: 'Text', exact: true }).click()
    await none.waitFor({ state: 'detached' })
    await page.getByLabel('Text', { exact: true }).fill('Look at this')
    const item = timeline().getByRole('button', { name: /^Look at this,/ })
    await saved()
    const before = (await document()).overrides.overlays?.[0]
    await dragBy(item, 60)
    await dragBy(page.getByRole('button', { name: /^Position of the overlay/ }), 0, 40)
    await expect
      .poll(
        async () => ((await document()).overrides.overlays?.[0]?.yPercent ?? 0) - (before?.yPercent ?? 0),
        IN_TIME,
      )
      .toBeGreaterThan(5)
    const { overrides } = await document()
    expect((overrides.overlays?.[0]?.start ?? 0) - (before?.start ?? 0)).toBeGreaterThan(0.3)
    const { layers, zooms } = (await editor()).preview.composition
    expect(layers.find(({ id }) => id === 'overlay:text-1')).toMatchObject({ text: 'Look at this' })
    expect(zooms?.some(({ scale }) => scale === 1.25)).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'timeline-items')
  })

  it('extends beyond the extracted range of the source, which is then cut again', async () => {
    const { range } = (await editor()).source
    await timeline().getByRole('button', { name: 'Zoom out' }).click()
    await timeline().getByRole('button', { name: 'Zoom out' }).click()
    const before = requested.filter((path) => path.endsWith('scrub.mp4')).length
    const wide = await page.locator('.scroll').boundingBox()
    const edge = await page.locator('.piece .edge.end').last().boundingBox()
    await dragBy(
      page.locator('.piece .edge.end').last(),
      (wide?.x ?? 0) + (wide?.width ?? 0) - 40 - (edge?.x ?? 0),
    )
    await expect.poll(async () => (await editor()).source.range.end, IN_TIME).toBeGreaterThan(range.end + 1)
    await expect
      .poll(() => requested.filter((path) => path.endsWith('scrub.mp4')).length, IN_TIME)
      .toBeGreaterThan(before)
    await shot(page, 'timeline-wide')
  })

  it('is undone step by step, done again, and there after a reload', async () => {
    await saved()
    const done = await document()
    const undo = page.getByRole('button', { name: 'Undo' })
    for (let steps = 0; await undo.isEnabled(); steps++) {
      expect(steps).toBeLessThan(30)
      await undo.click()
    }
    const { startTimestamp, endTimestamp, segments, overrides } = first
    await expect.poll(document, IN_TIME).toEqual({ startTimestamp, endTimestamp, segments, overrides })
    const redo = page.getByRole('button', { name: 'Redo' })
    while (await redo.isEnabled()) await redo.click()
    await expect.poll(document, IN_TIME).toEqual(done)
    await page.reload()
    await timeline()
      .getByRole('button', { name: /^Look at this,/ })
      .waitFor()
    await expect.poll(() => page.locator('.piece').count()).toBe(2)
    expect(await document()).toEqual(done)
    expect(studio.complaints).toEqual([])
  })
})
