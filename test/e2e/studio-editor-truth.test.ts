/**
 * What the editor shows is so, in a real Chromium: finished files and running renders are found again after a reload, in
 * another window and after a restart of the appliance.
 */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve, type ServeProcess } from '../support/appliance-process.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, type Wanted } from './studio/studio-clip.ts'

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
