/**
 * Transitions, keyframes and sound effects in a real Chromium: chosen at a cut with the mouse and by keys, set at the
 * playhead, seen on the timeline, undone, and there after a reload.
 */
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`motion tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = { name: 'Tiny', clip: { start: 4, end: 11.2 }, nodes: [] }
/** However busy the machine is. */
const IN_TIME = { timeout: 60_000 }

let studio: StudioBrowser
let page: Page
let clipId: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  clipId = await makeClip(studio, page, WANTED)
  await openClip(studio, page, clipId)
  await timeline().waitFor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const timeline = (): Locator => page.getByRole('region', { name: 'Timeline' })
const piece = (number: number): Locator => page.getByRole('button', { name: new RegExp(`^Cut ${number},`) })
const join = (): Locator => timeline().getByRole('button', { name: /^Transition at/u })
const saved = () => page.getByText('Saved', { exact: true }).waitFor()
const motion = async () => (await readEditor(studio, clipId)).motionConfig
const composition = async () => (await readEditor(studio, clipId)).preview.composition

/** Sets the playhead to a share of the width of a piece. */
async function pointAt(number: number, share: number): Promise<void> {
  const box = await piece(number).boundingBox()
  const ruler = await page.locator('.row.ruler').boundingBox()
  if (box === null || ruler === null) throw new Error('it is not seen')
  await page.mouse.click(box.x + box.width * share, ruler.y + ruler.height / 2)
}

describe.skipIf(chromium === null)('a transition', () => {
  it('is chosen at a cut', async () => {
    for (const [number, share] of [
      [1, 0.4],
      [2, 0.3],
    ] as const) {
      await pointAt(number, share)
      await page.keyboard.press('s')
      await piece(number + 1).waitFor()
    }
    await piece(2).click()
    await page.keyboard.press('Delete')
    await join().waitFor()
    expect(await join().getAttribute('aria-label')).toMatch(/: None$/u)
    await join().click()
    await page.getByLabel('Transition', { exact: true }).selectOption('Whip')
    await expect.poll(async () => (await motion())['cuts'], IN_TIME).toMatchObject([{ transition: 'whip' }])
    expect((await composition()).transitions).toMatchObject([{ kind: 'whip', frames: 10 }])
    expect(await join().getAttribute('aria-label')).toMatch(/: Whip$/u)
    await page.getByText(/^Shown for 0\.40 s/u).waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'motion-transition')
  })

  it('is undone and done again, and taken away by a key', async () => {
    await timeline().locator('[data-tracks]').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => join().getAttribute('aria-label'), IN_TIME).toMatch(/: None$/u)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => join().getAttribute('aria-label'), IN_TIME).toMatch(/: Whip$/u)
    await join().focus()
    await page.keyboard.press('Delete')
    await expect.poll(async () => (await motion())['cuts'], IN_TIME).toMatchObject([{ transition: 'none' }])
    await join().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use the clip’s transition' }).click()
    await expect.poll(async () => (await motion())['cuts'], IN_TIME).toEqual([])
  })
})

describe.skipIf(chromium === null)('keyframes', () => {
  it('are set at the playhead, seen on the timeline, and move the layer', async () => {
    await pointAt(1, 0.1)
    await timeline().getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByRole('button', { name: 'Set keyframe at playhead' }).click()
    await page.getByRole('spinbutton', { name: /^Opacity at/u }).fill('0')
    await page.keyboard.press('Tab')
    await pointAt(1, 0.5)
    await page.getByRole('button', { name: 'Set keyframe at playhead' }).click()
    await expect.poll(() => page.locator('.keyframe').count(), IN_TIME).toBe(2)
    await page.getByRole('spinbutton', { name: /^Opacity at/u }).last().fill('1') // prettier-ignore
    await page.keyboard.press('Tab')
    await saved()
    const [layer] = (await composition()).layers.filter(({ id }) => id.startsWith('overlay:'))
    expect(layer?.keyframes).toMatchObject([
      { property: 'opacity', points: [{ value: 0, easing: 'ease_in_out' }, { value: 1 }] },
    ])
    expect(await violations(page)).toEqual([])
    await shot(page, 'motion-keyframes')
    await page.getByRole('combobox', { name: /^Easing/u }).first().selectOption('Custom curve') // prettier-ignore
    const curve = page.getByRole('group', { name: /^Curve after/u })
    await curve.getByLabel('Y 1').fill('2')
    await page.keyboard.press('Tab')
    await expect
      .poll(async () => (await motion())['keyframes'], IN_TIME)
      .toMatchObject([{ points: [{ curve: { x1: 0.25, y1: 2, x2: 0.25, y2: 1 } }, {}] }])
    await saved()
    const [curved] = (await composition()).layers.filter(({ id }) => id.startsWith('overlay:'))
    const points = curved?.keyframes?.[0]?.points ?? []
    // More points than were set, and none beyond the bounds of an opacity.
    expect(points.length).toBeGreaterThan(3)
    expect(points.map(({ value }) => value).filter((value) => value < 0 || value > 1)).toEqual([])
    await curve.scrollIntoViewIfNeeded()
    expect(await violations(page)).toEqual([])
    await shot(page, 'motion-curve')
    await page.getByRole('button', { name: /^Delete the keyframe at/u }).first().click() // prettier-ignore
    await expect.poll(() => page.locator('.keyframe').count(), IN_TIME).toBe(1)
  })
})

describe.skipIf(chromium === null)('a sound effect', () => {
  it('is added at the playhead, and there after a reload', async () => {
    await timeline().locator('[data-tracks]').focus()
    await page.keyboard.press('Escape')
    await page.getByLabel('Sound', { exact: true }).selectOption('Pop')
    await page.getByRole('button', { name: 'Add at playhead' }).click()
    await expect.poll(async () => (await motion())['sounds'], IN_TIME).toMatchObject([{ sound: 'pop' }])
    await saved()
    await page.reload()
    await timeline().waitFor()
    expect((await motion())['sounds']).toHaveLength(1)
  })
})
