/**
 * Review in a real Chromium: a video and its subtitles are dropped, the sheet starts them, cards come one by one, are kept
 * and rejected by keys, picked again, rendered and downloaded. User actions are counted, and waiting times printed.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { importWorkflowOf } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`review tests are skipped: ${NO_CHROMIUM}\n`)

const RANGES = [
  { start: 0, end: 7.2 },
  { start: 8, end: 15.2 },
  { start: 16, end: 23.2 },
  { start: 24, end: 31.2 },
]
const WORKFLOW = 'Reviewed'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

let studio: StudioBrowser
let page: Page
let talk: TinyTalk

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  talk = await makeTinyTalk(studio.folder)
  await importWorkflowOf(studio, WORKFLOW, [
    { type: 'find_clips', config: { pinnedTimestamps: RANGES, pinnedTimestampsOnly: true } },
    { type: 'add_subtitles' },
    { type: 'add_title_overlay' },
  ])
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** What a person did, from the dropped file to the downloaded clip. */
const did: string[] = []
const act = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  did.push(what)
  await work()
}

/** Drags files over the page and drops them on a part of it, as from a file manager. */
async function dropFiles(paths: readonly string[], on = 'body'): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), bytes: (await readFile(path)).toString('base64') })),
  )
  const dataTransfer = await page.evaluateHandle((given) => {
    const carried = new DataTransfer()
    for (const { name, bytes } of given)
      carried.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name))
    return carried
  }, files)
  await page.dispatchEvent(on, 'dragover', { dataTransfer })
  await page.dispatchEvent(on, 'drop', { dataTransfer })
}

const cards = () => page.getByRole('list', { name: 'Clips, best first' }).locator('[data-clip]')
const card = (index: number) => cards().nth(index)
const chip = (state: string, count: number) =>
  page.getByRole('button', { name: `${state} ${count}`, exact: true }).waitFor()
/** How far a card has played, 0 to 1. */
const playedWidth = (index: number): Promise<number> =>
  card(index)
    .locator('.at')
    .evaluateAll(([at]) => (at instanceof HTMLElement ? Number.parseFloat(at.style.inlineSize) / 100 : 0))
const sheet = () => page.getByRole('dialog', { name: 'New run' })

/** Pictures of the page in both themes and all sizes, to look at. */
async function shots(name: string): Promise<void> {
  for (const size of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await shot(page, `${name}-${size.width}-${colorScheme}`)
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe.skipIf(chromium === null)('a dropped file', () => {
  it('starts nothing before the button of the sheet, and subtitles alone are explained', async () => {
    await dropFiles([talk.captions])
    await page
      .getByRole('alert')
      .filter({
        hasText: '“talk.srt” is a subtitle file. Add it together with its video, or drop it on a run.',
      })
      .waitFor()
    await act('drop', () => dropFiles([talk.video, talk.captions]))
    await sheet().getByText('Words from “talk.srt”').waitFor()
    expect(await page.getByText('No runs yet.').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await shots('review-sheet')
    await sheet().getByLabel('Workflow').selectOption({ label: WORKFLOW })
    await act('make clips', () => sheet().getByRole('button', { name: 'Make clips' }).click())
    await page.getByRole('heading', { name: 'talk.mp4' }).waitFor()
  })

  it('becomes a wall of cards, one by one, that are there again after a reload', async () => {
    const began = performance.now()
    await cards().first().waitFor({ timeout: 120_000 })
    const firstMs = performance.now() - began
    const seen = new Set([await cards().count()])
    while (!(await page.getByText(`${RANGES.length} clips in Review`).isVisible())) {
      seen.add(await cards().count())
      if (performance.now() - began > 150_000) throw new Error('the run is not finished')
    }
    const allMs = performance.now() - began
    process.stderr.write(
      `review: first card after ${Math.round(firstMs)} ms, all ${RANGES.length} after ${Math.round(allMs)} ms; counts seen: ${[...seen].join(', ')}\n`,
    )
    expect(await cards().count()).toBe(RANGES.length)
    await page.reload()
    await cards().nth(3).waitFor()
    await page.getByText('Why do most small studios').first().waitFor()
    expect(await violations(page)).toEqual([])
    await shots('review')
  })

  it('is decided by keys alone, and undone', async () => {
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    await page.keyboard.press('k')
    await chip('Kept', 1)
    // What one looks at next is the next undecided card.
    await page.keyboard.press('x')
    await chip('Rejected', 1)
    await page.keyboard.press('k')
    await chip('Kept', 2)
    await page.keyboard.press('u')
    await chip('Kept', 1)
    await page.keyboard.press('Control+z')
    await chip('Rejected', 0)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await chip('Kept', 1)
    expect(studio.complaints).toEqual([])
  })

  it('plays a card with sound by Space, another one silently under the pointer, one at a time', async () => {
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    await page.keyboard.press('Space')
    await card(0)
      .getByRole('button', { name: /^Pause/ })
      .waitFor()
    await expect.poll(() => playedWidth(0), { timeout: 20_000 }).toBeGreaterThan(0.05)
    await page.keyboard.press('Space')
    await card(0).getByRole('button', { name: /^Play/ }).waitFor()
    const box = await card(1).locator('.picture').boundingBox()
    if (box === null) throw new Error('the card is not in view')
    await page.mouse.move(box.x + 20, box.y + 20)
    await page.mouse.move(box.x + 30, box.y + 30)
    await expect.poll(() => playedWidth(1), { timeout: 20_000 }).toBeGreaterThan(0.05)
    expect(await page.locator('canvas.played.drawn').count()).toBe(1)
    await page.mouse.move(2, 2)
    await expect.poll(() => page.locator('canvas.played.drawn').count()).toBe(0)
    expect(studio.complaints).toEqual([])
  })

  it('makes a clip of dragged words, merges two, and shortens one by its words', async () => {
    const words = page.getByRole('region', { name: 'Transcript of the source' })
    const line = words.getByText('footage you already have')
    const box = await line.boundingBox()
    if (box === null) throw new Error('the transcript is not in view')
    await page.mouse.move(box.x + 4, box.y + box.height - 26)
    await page.mouse.down()
    await page.mouse.move(box.x + 120, box.y + box.height - 8, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: /^Make clip 0:3\d to 0:/ }).click()
    await page.getByText(`${RANGES.length + 1} clips in Review`).waitFor({ timeout: 60_000 })
    await card(1).getByRole('checkbox').check()
    await card(2).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Merge 2 clips' }).click()
    await page.getByText(`${RANGES.length + 2} clips in Review`).waitFor({ timeout: 60_000 })
    await chip('Rejected', 2)
    await card(0).getByRole('button', { name: 'Shorten' }).click()
    const edges = page.getByRole('dialog', { name: /^Shorten/ })
    const length = await edges.getByText(/^Length/).textContent()
    await edges.getByRole('button', { name: 'Later' }).first().click()
    await expect.poll(() => edges.getByText(/^Length/).textContent()).not.toBe(length)
    expect(await violations(page)).toEqual([])
    await edges.getByRole('button', { name: 'Save' }).click()
    await edges.waitFor({ state: 'detached' })
    expect(studio.complaints).toEqual([])
  })

  it('is picked again with a prompt, from what was analysed', async () => {
    await page.keyboard.press('Escape')
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    await page.keyboard.press('r')
    await page.keyboard.type('the secret about editing')
    await page.getByLabel('Shortest, seconds').fill('4')
    await page.getByLabel('Longest, seconds').fill('9')
    await page.keyboard.press('Enter')
    await page
      .getByText('Re-pick 1')
      .or(page.getByText('Everything that was found is in Review already.'))
      .or(page.locator('header .problem'))
      .first()
      .waitFor({ timeout: 60_000 })
    expect(await page.locator('header .problem').allTextContents()).toEqual([])
  })

  it('is rendered where it is kept, and downloaded where the file is', async () => {
    await page.getByRole('button', { name: 'Render 1 kept' }).click()
    await page.reload()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor({ timeout: 120_000 })
    const download = page.waitForEvent('download')
    await link.click()
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/)
    expect(await violations(page)).toEqual([])
    await shots('review-rendered')
    expect(studio.complaints).toEqual([])
  })
})
