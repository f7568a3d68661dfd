/**
 * One sheet with every page of the studio at three widths, in both themes, new and with data: to be looked at.
 *
 *   npm run docs:sheet -- --output FILE.png
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createCanvas, loadImage, type Image } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { everyPlace, whenQuiet } from '../e2e/studio/crawl.ts'
import { openStudio, type StudioBrowser } from '../e2e/studio/studio-browser.ts'
import { openSeed } from '../support/studio-seed.ts'

const WIDTHS = [1440, 1024, 390] as const
const THEMES = ['light', 'dark'] as const
const HEIGHT = 900
/** A picture on the sheet: as high as these pixels, its width in proportion. */
const CELL_HEIGHT = 300
const GAP = 12
const LABEL = 22

interface Shot {
  readonly row: string
  readonly image: Image
}

/** Pictures of every page, in the order of widths and themes. */
async function shootPages(studio: StudioBrowser, page: Page, state: string, extra: readonly string[]) {
  const quiet = whenQuiet(page)
  const shots: Shot[] = []
  for (const place of [...(await everyPlace()), ...extra]) {
    await page.goto(`${studio.appliance.url}/#/${place}`)
    await page.locator('main :is(h1, h2, .editor)').first().waitFor()
    await quiet()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT })
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        const image = await loadImage(await page.screenshot())
        shots.push({ row: `${place === '' ? 'home' : place}, ${state}`, image })
      }
    }
  }
  return shots
}

/** Runs, clips, an account and posts, and the first workflow's id. */
async function fill(studio: StudioBrowser): Promise<readonly string[]> {
  const seed = openSeed(studio.home)
  const runId = seed.run('https://example.com/A talk about three times.mp4', 'Why three times is enough')
  for (const title of ['Why three times is enough', 'The question nobody puts', 'What the coast taught us']) {
    const clipId = await seed.clip(title, 'x')
    const publishedAt = Date.now() - 3 * 86_400_000
    seed.post({ platform: 'bluesky', text: title, clipId, publishedAt, views: [120, 900, 2400] })
  }
  seed.account('bluesky', 'studio.example')
  seed.close()
  const answer = await studio.context.request.get(`${studio.appliance.url}/studio/workflows`)
  const { workflows } = (await answer.json()) as { workflows: { id: string }[] }
  return [`review/${runId}`, `workflows/${workflows[0]?.id ?? ''}`]
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
  context.font = '16px sans-serif'
  for (const [index, [row, all]] of rows.entries()) {
    const top = GAP + index * step
    context.fillStyle = '#000000'
    context.fillText(row, GAP, top + 16)
    let x = GAP
    for (const shot of all) {
      context.drawImage(shot.image, x, top + LABEL, widthOf(shot), CELL_HEIGHT)
      x += widthOf(shot) + GAP
    }
  }
  await writeFile(file, await canvas.encode('png'))
}

const { values } = parseArgs({ options: { output: { type: 'string', default: 'studio-sheet.png' } } })
const chromium = findChromium()
if (chromium === null) throw new Error(NO_CHROMIUM)
const studio = await openStudio(chromium)
try {
  const page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('navigation').first().waitFor()
  const fresh = await shootPages(studio, page, 'new', [])
  const filled = await shootPages(studio, page, 'with data', await fill(studio))
  const file = resolve(values.output)
  await drawSheet([...fresh, ...filled], file)
  process.stdout.write(`${file}\n`)
} finally {
  await studio.close()
}
