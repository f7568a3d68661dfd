/**
 * A sheet for each page of the studio, at three widths, in both themes, new and with data: to be looked at. The data is a
 * real run of the bundled sample, its clips posted.
 *
 *   npm run docs:sheet -- --output FOLDER [--only NAME]
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import type { StudioClip, StudioListedRun } from '../../server/contract/studio.ts'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { whenQuiet } from '../e2e/studio/crawl.ts'
import { everyPlace } from '../e2e/studio/places.ts'
import { openStudio, type StudioBrowser } from '../e2e/studio/studio-browser.ts'
import { openSeed } from '../support/studio-seed.ts'

const WIDTHS = [1440, 1024, 390] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 900
/** A picture on the sheet: as high as these pixels, its width in proportion. */
const CELL_HEIGHT = 600
const GAP = 16
const LABEL = 28
/** A run of the whole sample, on a machine that has other work. */
const RUN_MS = 300_000
/** For what is drawn, not written: seeks in a video, waves, strips. */
const DRAWN_MS = 2500

interface Shot {
  /** The sheet that it is on. */
  readonly sheet: string
  readonly row: string
  readonly image: Image
}
interface Place {
  readonly sheet: string
  /** Behind `#/`. */
  readonly address: string
}

/** Pictures of the page as it is, in the order of widths and themes. */
async function shootEach(page: Page, sheet: string, row: string): Promise<Shot[]> {
  const shots: Shot[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(100)
      shots.push({ sheet, row, image: await loadImage(await page.screenshot()) })
    }
  }
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT })
  return shots
}

async function shootPlaces(studio: StudioBrowser, page: Page, row: string, places: readonly Place[]) {
  const quiet = whenQuiet(page)
  const shots: Shot[] = []
  for (const { sheet, address } of places) {
    await page.goto(`${studio.appliance.url}/#/${address}`)
    await page.locator('main :is(h1, h2, .editor)').first().waitFor()
    await quiet()
    if (row !== 'new') await page.waitForTimeout(DRAWN_MS)
    shots.push(...(await shootEach(page, sheet, row)))
  }
  return shots
}

const read = async <T>(studio: StudioBrowser, path: string): Promise<T> =>
  (await (await studio.context.request.get(`${studio.appliance.url}${path}`)).json()) as T

/** Cuts the sample and posts its clips; the pages that are about something of it. */
async function fill(studio: StudioBrowser, page: Page): Promise<readonly Place[]> {
  await page.goto(`${studio.appliance.url}/#/`)
  await page.getByRole('button', { name: 'Try the sample' }).click()
  await page.getByRole('heading', { name: 'Waiting for you' }).waitFor({ timeout: RUN_MS })
  const { runs } = await read<{ runs: StudioListedRun[] }>(studio, '/studio/runs')
  const { clips } = await read<{ clips: StudioClip[] }>(studio, '/studio/clips')
  const { workflows } = await read<{ workflows: { id: string }[] }>(studio, '/studio/workflows')
  const seed = openSeed(studio.home)
  seed.account('bluesky', 'studio.example')
  for (const [index, { id, title }] of clips.entries()) {
    const publishedAt = Date.now() - (index + 1) * 3 * 86_400_000
    const views = [120, 900, 2400].map((seen) => Math.round(seen / (index + 1)))
    seed.post({ platform: 'bluesky', text: title, clipId: id, publishedAt, views })
  }
  seed.close()
  return [
    { sheet: 'review', address: `review/${runs[0]?.id ?? ''}` },
    { sheet: 'clip-editor', address: `clips/${clips[0]?.id ?? ''}` },
    { sheet: 'workflow', address: `workflows/${workflows[0]?.id ?? ''}` },
  ]
}

/** The page of people who are not signed in. */
async function shootSignIn(studio: StudioBrowser): Promise<Shot[]> {
  const context = await studio.context.browser()?.newContext({ reducedMotion: 'reduce' })
  const page = await context?.newPage()
  if (page === undefined) throw new Error('There is no browser.')
  await page.goto(studio.appliance.url)
  await page.locator('h1').first().waitFor()
  const shots = await shootEach(page, 'sign-in', 'new')
  await context?.close()
  return shots
}

async function drawSheet(shots: readonly Shot[], file: string): Promise<void> {
  const rows = [...Map.groupBy(shots, ({ row }) => row)]
  const widthOf = ({ image }: Shot): number => Math.round((image.width * CELL_HEIGHT) / image.height)
  const rowWidth = (all: readonly Shot[]): number => all.reduce((sum, shot) => sum + widthOf(shot) + GAP, GAP)
  const step = CELL_HEIGHT + LABEL + GAP
  const canvas = createCanvas(Math.max(...rows.map(([, all]) => rowWidth(all))), rows.length * step + GAP)
  const context = canvas.getContext('2d')
  context.fillStyle = '#808080'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.font = '20px sans-serif'
  for (const [index, [row, all]] of rows.entries()) {
    const top = GAP + index * step
    context.fillStyle = '#000000'
    context.fillText(row, GAP, top + 20)
    let x = GAP
    for (const shot of all) {
      context.drawImage(shot.image, x, top + LABEL, widthOf(shot), CELL_HEIGHT)
      x += widthOf(shot) + GAP
    }
  }
  await writeFile(file, await canvas.encode('png'))
}

const { values } = parseArgs({
  options: { output: { type: 'string', default: 'studio-sheets' }, only: { type: 'string' } },
})
const chromium = findChromium()
if (chromium === null) throw new Error(NO_CHROMIUM)
const folder = resolve(values.output)
await mkdir(folder, { recursive: true })
const wanted = ({ sheet }: Place): boolean => values.only === undefined || sheet === values.only
const all = (await everyPlace()).map((address) => ({
  sheet: address === '' ? 'home' : address.replaceAll('/', '-'),
  address,
}))
const studio = await openStudio(chromium)
try {
  const page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('navigation').first().waitFor()
  const fresh = await shootPlaces(studio, page, 'new', all.filter(wanted))
  const filled = [...all, ...(await fill(studio, page))].filter(wanted)
  const shots = [...fresh, ...(await shootPlaces(studio, page, 'with data', filled))]
  if (wanted({ sheet: 'sign-in', address: '' })) shots.push(...(await shootSignIn(studio)))
  for (const [sheet, ofPage] of Map.groupBy(shots, (shot) => shot.sheet)) {
    const file = join(folder, `${sheet}.png`)
    await drawSheet(ofPage, file)
    process.stdout.write(`${file}\n`)
  }
} finally {
  await studio.close()
}
