/**
 * Search by meaning in a real Chromium: a talk is put in, indexed in the background by a (tiny) model, and found by a word
 * that nobody says; the passage leads to its moment in the clip and in the source.
 */
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchIndexState } from '../../server/contract/settings.ts'
import { makeTinyEmbedder } from '../support/tiny-embedder.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

/** Nobody says "success" or "laundry" in the tiny talk. */
const WON = [
  'success',
  'million',
  'people',
  'changed',
  'everything',
  'team',
  'today',
  'footage',
  'start',
  'clip',
]
const OTHER = ['laundry', 'soap']

let studio: StudioBrowser
let page: Page
let clipId = ''
beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium, async (folder) => ({
    CUTROOM_MODELS: await makeTinyEmbedder(join(folder, 'models'), [WON, OTHER]),
  }))
  page = await studio.newPage()
  const wanted = { name: 'One clip', clip: { start: 16, end: 40 }, nodes: [] }
  clipId = await makeClip(studio, page, wanted)
}, 240_000)
afterAll(async () => {
  if (chromium !== null) await studio.close()
})

const indexState = async (): Promise<SearchIndexState> =>
  (await (
    await studio.context.request.get(`${studio.appliance.url}/studio/search-index`)
  ).json()) as SearchIndexState

describe.skipIf(chromium === null)('search by meaning', () => {
  it('indexes what came in by itself, and shows it among the settings', { timeout: 120_000 }, async () => {
    await expect
      .poll(indexState, { timeout: 90_000 })
      .toMatchObject({ runs: 1, indexed: 1, model: 'tiny-test' })
    await page.goto(`${studio.appliance.url}/#/settings/storage`)
    await page.getByRole('heading', { name: 'Search by meaning' }).waitFor()
    await page.getByText('1 of 1 transcripts are indexed.').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'search-index')
  })

  it('finds what is said in other words, and leads to its moment', { timeout: 120_000 }, async () => {
    await page.goto(`${studio.appliance.url}/#/clips`)
    const field = page.getByRole('searchbox', { name: 'Search clips' })
    await field.fill('laundry')
    await page.getByText('No transcript has this.').waitFor()
    await field.fill('success')
    const passage = page.getByRole('listitem').filter({ hasText: 'two million people' }).first()
    await passage.getByText('By meaning').waitFor()
    for (const width of [1440, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await shot(page, `search-${width}-${colorScheme}`)
      }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    // At 390 px the bar at the bottom covers what is scrolled to its edge.
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await violations(page)).toEqual([])
    await passage.getByRole('button', { name: /^Play the source/ }).click()
    const video = page.locator('dialog video')
    const at = () => video.evaluate((one) => (one as HTMLVideoElement).currentTime)
    await expect.poll(at, { timeout: 20_000 }).toBeGreaterThan(10)
    await page.getByRole('button', { name: 'Close' }).click()
    const link = passage.getByRole('link', { name: /^Open / })
    const [, second = ''] = /#\/clips\/[^/]+\/([\d.]+)$/.exec((await link.getAttribute('href')) ?? '') ?? []
    expect(Number(second)).toBeGreaterThan(10)
    await link.click()
    await page.waitForURL(`**/#/clips/${clipId}/${second}`)
    await page.getByRole('button', { name: 'Play' }).first().waitFor()
  })

  it('marks the words that are spoken, and says that they were found by words too', async () => {
    await page.goto(`${studio.appliance.url}/#/clips`)
    await page.getByRole('searchbox', { name: 'Search clips' }).fill('million')
    await page.locator('mark', { hasText: 'million' }).first().waitFor()
    await page.getByText('By words').first().waitFor()
    await page.getByText('By meaning').first().waitFor()
    expect(studio.complaints).toEqual([])
  })
})
