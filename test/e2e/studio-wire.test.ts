/** What a browser fetches before the studio can be used, in bytes as sent: the budget of the studio. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { ARTIFACTS, openStudio, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip } from './studio/studio-clip.ts'
import {
  EDITOR_BYTES,
  fetchEditor,
  fetchFirstPage,
  FIRST_PAGE_BYTES,
  newSession,
  sumBytes,
  WIRE_CLIP,
  type Fetched,
} from './studio/wire.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`the studio's budget is not measured: ${NO_CHROMIUM}\n`)

let studio: StudioBrowser
let clipId: string
beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  clipId = await makeClip(studio, await studio.newPage(), WIRE_CLIP)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** Sums up, and stores the list next to the pictures. */
async function total(name: string, fetched: readonly Fetched[]): Promise<number> {
  const sum = sumBytes(fetched)
  const lines = fetched.map(({ path, bytes, coding }) => `  ${bytes} ${coding ?? '-'} ${path}`)
  await appendFile(join(ARTIFACTS, 'wire.txt'), `${name}: ${sum} bytes\n${lines.join('\n')}\n`)
  return sum
}

describe.skipIf(chromium === null)('the studio on the wire', () => {
  it('opens its first page with a quarter of a megabyte at most, compressed', async () => {
    const fetched = await fetchFirstPage(studio)
    const scripts = fetched.filter(({ path }) => path.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(1)
    for (const { path, coding, bytes } of scripts)
      if (bytes > 1000) expect([path, coding]).toEqual([path, expect.stringMatching(/^(?:br|gzip)$/)])
    const names = fetched.map(({ path }) => path).join(' ')
    for (const heavy of ['ClipEditor', 'WorkflowEditor', 'Analytics', 'AskPanel', 'Thumbnail', 'api-docs'])
      expect(names).not.toContain(heavy)
    const sum = await total('first page', fetched)
    expect(sum).toBeGreaterThan(20_000)
    expect(sum).toBeLessThanOrEqual(FIRST_PAGE_BYTES)
  })

  it('opens the clip editor with six tenths at most', async () => {
    const fetched = await fetchEditor(studio, clipId)
    const sum = await total('clip editor', fetched)
    expect(fetched.some(({ path }) => path.includes('ClipEditor'))).toBe(true)
    expect(sum).toBeLessThanOrEqual(EDITOR_BYTES)
  })

  it('reports a page that is no longer available, and reloads', async () => {
    const page = await newSession(studio)
    await page.goto(`${studio.appliance.url}/`)
    await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
    // As after an upgrade: the names of the new build are others.
    await page.route('**/assets/Settings-*', (route) => route.fulfill({ status: 404, body: 'no' }))
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('alert').getByText('could not be loaded').waitFor()
    await page.unroute('**/assets/Settings-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await page.context().close()
  })
})
