/**
 * `npm run docs:pictures`: makes the pictures of docs/guide-editors.md again, with a real Chromium and a real appliance
 * that cuts the bundled sample. Writes to docs/images/, or to the given folder; takes some minutes.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { openStudio, type StudioBrowser } from '../e2e/studio/studio-browser.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** Eleven of them are less than the megabyte that test/docs/guide-editors.test.ts allows for all. */
const MAX_BYTES = 90_000
const QUALITIES = [85, 78, 70, 62, 54]
/** A run of the whole sample, on a machine that has other work. */
const RUN_MS = 900_000
/** For pictures that are drawn, not written: seeks in a video, waves, strips. */
const DRAWN_MS = 2500

const folder = process.argv[2] ?? join(ROOT, 'docs', 'images')

/** As WebP, at the highest quality that is small enough. Throws when none is. */
async function keep(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(DRAWN_MS)
  // Playwright's own screenshots are PNG or JPEG; https://chromedevtools.github.io/devtools-protocol/tot/Page/
  const session = await page.context().newCDPSession(page)
  try {
    for (const quality of QUALITIES) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
      const bytes = Buffer.from(data, 'base64')
      if (bytes.length > MAX_BYTES) continue
      await writeFile(join(folder, `editors-${name}.webp`), bytes)
      process.stderr.write(
        `editors-${name}.webp: ${Math.round(bytes.length / 1000)} kB at quality ${quality}\n`,
      )
      return
    }
  } finally {
    await session.detach()
  }
  throw new Error(`The picture ${name} is larger than ${MAX_BYTES} bytes at any quality.`)
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

/** From nothing to finished clips. */
async function fromDropToClips(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
  await keep(page, 'start')
  await page.getByRole('button', { name: 'Try the sample' }).click()
  await page.getByRole('progressbar').first().waitFor()
  await page.waitForTimeout(DRAWN_MS * 2)
  await keep(page, 'running')
  await page.getByRole('heading', { name: 'Waiting for you' }).waitFor({ timeout: RUN_MS })
  await page.getByRole('link', { name: /^The sample/ }).click()
  await page.locator('[data-clip] canvas.still.drawn').nth(1).waitFor()
  await keep(page, 'review')
  await page.getByRole('link', { name: 'Clips', exact: true }).click()
  await page.locator('main li a').first().waitFor()
  await page
    .getByRole('button', { name: /: why .* has this score$/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('meter').first().waitFor()
  await keep(page, 'score')
  await page.keyboard.press('Escape')
}

/** Each panel of the clip editor, with something done in it. */
async function throughTheEditor(page: Page): Promise<void> {
  await page.locator('main li a').first().click()
  const words = page.getByRole('region', { name: 'Transcript' }).locator('.word')
  await words.nth(30).waitFor()
  const first = await words.evaluateAll((all) => all.findIndex((one) => !one.classList.contains('cut')))
  await words.nth(first + 3).click()
  await words.nth(first + 6).click({ modifiers: ['Shift'] })
  await keep(page, 'transcript')
  await page.keyboard.press('Escape')
  await tab(page, 'Ask')
  await page.getByLabel('What to change').fill('make the captions yellow and bigger')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'What changed' }).waitFor()
  await saved(page)
  await keep(page, 'ask')
  await tab(page, 'Captions')
  await keep(page, 'captions')
  await tab(page, 'Title')
  await keep(page, 'title')
  await tab(page, 'Layout')
  await page.getByRole('list', { name: 'Shots' }).getByRole('button').first().waitFor()
  await keep(page, 'layout')
  await tab(page, 'Thumbnail')
  await page.getByRole('button', { name: 'Headline', exact: true }).click()
  await saved(page)
  await keep(page, 'thumbnail')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Zoom', exact: true }).click()
  await page.getByRole('heading', { name: 'Zoom', exact: true }).waitFor()
  await saved(page)
  await keep(page, 'timeline')
}

/** The clip becomes a post. */
async function post(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Publish this clip', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
  await dialog.getByLabel('Text', { exact: true }).fill('Three rules that we learned the hard way.')
  await keep(page, 'post')
}

async function main(studio: StudioBrowser): Promise<void> {
  const page = await studio.newPage()
  page.setDefaultTimeout(120_000)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(studio.appliance.studioUrl)
  await fromDropToClips(page)
  await throughTheEditor(page)
  await post(page)
  if (studio.complaints.length > 0)
    process.stderr.write(`pages complained: ${studio.complaints.join('\n')}\n`)
}

const chromium = findChromium()
if (chromium === null) {
  process.stderr.write(`The pictures cannot be made: ${NO_CHROMIUM}\n`)
  process.exit(1)
}
await mkdir(folder, { recursive: true })
const studio = await openStudio(chromium)
try {
  await main(studio)
} finally {
  await studio.close()
}
