/** What a browser fetches before the studio can be used, in bytes as sent: the budget of the studio. */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { ARTIFACTS, openStudio, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`the studio's budget is not measured: ${NO_CHROMIUM}\n`)

const FIRST_PAGE_BYTES = 250_000
const EDITOR_BYTES = 600_000
const WANTED: Wanted = {
  name: 'Upright',
  clip: { start: 4, end: 15.2 },
  nodes: [{ type: 'convert_to_vertical' }, { type: 'add_subtitles' }, { type: 'add_title_overlay' }],
}
/** What the clip is made of, which no studio can make smaller: its video, its frames. */
const FOOTAGE = /^\/(?:media|studio\/footage)\//

let studio: StudioBrowser
let clipId: string
beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  clipId = await makeClip(studio, await studio.newPage(), WANTED)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** A page with a signed-in session and an empty cache. */
async function newSession(): Promise<Page> {
  const context = await studio.context.browser()?.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: await studio.context.storageState(),
  })
  if (context === undefined) throw new Error('no browser')
  return context.newPage()
}

interface Fetched {
  readonly path: string
  readonly coding: string | null
  /** Head and body, as sent. */
  readonly bytes: number
}

/** Opens an address and lists what was fetched until `usable` holds and no request is pending. */
async function fetchedFor(hash: string, usable: (page: Page) => Promise<void>): Promise<Fetched[]> {
  const page = await newSession()
  const session = await page.context().newCDPSession(page)
  const begun = new Map<string, { path: string; coding: string | null }>()
  const fetched: Fetched[] = []
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname, origin } = new URL(response.url)
    if (origin === studio.appliance.url)
      begun.set(requestId, {
        path: pathname,
        coding: response.headers['Content-Encoding'] ?? null,
      })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = begun.get(requestId)
    if (one !== undefined) fetched.push({ ...one, bytes: encodedDataLength })
  })
  await page.goto(`${studio.appliance.url}/${hash}`)
  await usable(page)
  await page.waitForTimeout(1500)
  await page.context().close()
  return fetched
}

/** Sums up what is not footage, and stores the list next to the pictures. */
async function total(name: string, fetched: readonly Fetched[]): Promise<number> {
  const counted = fetched.filter(({ path }) => !FOOTAGE.test(path))
  const sum = counted.reduce((all, { bytes }) => all + bytes, 0)
  const lines = counted.map(({ path, bytes, coding }) => `  ${bytes} ${coding ?? '-'} ${path}`)
  await appendFile(join(ARTIFACTS, 'wire.txt'), `${name}: ${sum} bytes\n${lines.join('\n')}\n`)
  return sum
}

describe.skipIf(chromium === null)('the studio on the wire', () => {
  it('opens its first page with a quarter of a megabyte at most, compressed', async () => {
    const fetched = await fetchedFor('', (page) =>
      page.getByRole('heading', { name: 'Latest clips' }).waitFor(),
    )
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
    const fetched = await fetchedFor(`#/clips/${clipId}`, async (page) => {
      await page.locator('.editor:not(.opening)').waitFor()
      await page
        .getByRole('tabpanel', { name: 'Transcript' })
        .getByText('Opening…')
        .waitFor({ state: 'detached' })
    })
    const sum = await total('clip editor', fetched)
    expect(fetched.some(({ path }) => path.includes('ClipEditor'))).toBe(true)
    expect(sum).toBeLessThanOrEqual(EDITOR_BYTES)
  })

  it('reports a page that is no longer available, and reloads', async () => {
    const page = await newSession()
    await page.goto(`${studio.appliance.url}/`)
    await page.getByRole('heading', { name: 'Latest clips' }).waitFor()
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
