/** Finished files as an editor asks for them, in a real Chromium: chosen, made by the appliance, stopped, downloaded. */
import { execFile } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ffprobe from '@ffprobe-installer/ffprobe'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`tests of exports are skipped: ${NO_CHROMIUM}\n`)

const exec = promisify(execFile)
/** However busy the machine is. */
const PATIENT = { timeout: 120_000 }

let studio: StudioBrowser
let page: Page
let clipId: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  page.setDefaultTimeout(30_000)
  const clip = { start: 2, end: 7 }
  clipId = await makeClip(studio, page, { name: 'Tiny', clip, nodes: [{ type: 'add_subtitles' }] })
  await openClip(studio, page, clipId)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const choose = (label: string) => page.getByLabel('What to export').selectOption({ label })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

/** What a click downloads: a copy of the file, and the name that it was given. */
async function downloaded(click: () => Promise<void>): Promise<{ file: string; name: string }> {
  const [download] = await Promise.all([page.waitForEvent('download', PATIENT), click()])
  const name = download.suggestedFilename()
  const file = join(tmpdir(), `cutroom-${process.pid}-${name}`)
  await copyFile(await download.path(), file)
  return { file, name }
}

/** The streams of a file, by ffprobe. */
async function streamsOf(file: string): Promise<Record<string, unknown>[]> {
  const args = ['-v', 'error', '-show_streams', '-of', 'json', file]
  return (JSON.parse((await exec(ffprobe.path, args)).stdout) as { streams: Record<string, unknown>[] })
    .streams
}

describe.skipIf(chromium === null)('export as', { timeout: 300_000 }, () => {
  it('offers every kind of file, without a fault for screen readers, on every screen', async () => {
    await press('Export as…')
    await expect.poll(() => page.locator('dialog optgroup').count()).toBe(6)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await shot(page, `export-empty-${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await violations(page)).toEqual([])
  })

  it('makes the file of a broadcaster, with captions beside it', async () => {
    await choose('Broadcast 1080p25, EBU R 128 (.mxf)')
    await press('Export')
    await page.getByRole('button', { name: /^Download “Broadcast/u }).waitFor(PATIENT)
    await shot(page, 'export-made')
    const film = await downloaded(() => page.getByRole('button', { name: /^Download “Broadcast/u }).click())
    expect(film.name).toMatch(/\.mxf$/u)
    const [video] = (await streamsOf(film.file)).filter((one) => one['codec_type'] === 'video')
    expect(video).toMatchObject({ width: 1920, height: 1080, r_frame_rate: '25/1' })
    expect(Number(video?.['duration'])).toBeCloseTo(5, 1)
    const captions = await downloaded(() =>
      page.getByRole('button', { name: 'Download captions as EBU-TT-D' }).click(),
    )
    expect(await readFile(captions.file, 'utf8')).toContain('urn:ebu:tt:distribution')
  })

  it('is found again after a reload, and says when the clip is another since', async () => {
    await press('Close')
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Another headline')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await press('Export as…')
    await page.getByText('Made before your last edits.').waitFor()
  })

  it('is stopped, and leaves nothing', async () => {
    await choose('Social 4K (.mp4)')
    await press('Export')
    await page.getByRole('button', { name: 'Stop “Social 4K”' }).click(PATIENT)
    await expect.poll(() => page.getByText('Social 4K', { exact: true }).count(), PATIENT).toBe(0)
  })

  it('has timelines and words at once', async () => {
    await choose('CMX 3600 edit decision list (.edl)')
    const edl = await downloaded(() => press('Export'))
    expect(edl.name).toMatch(/\.edl$/u)
    expect(await readFile(edl.file, 'utf8')).toMatch(/^TITLE:/u)
  })
})
