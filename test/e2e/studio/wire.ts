/** What a browser fetches before a page of the studio can be used, in bytes as sent. */
import type { Page } from 'playwright'
import type { StudioBrowser } from './studio-browser.ts'
import type { Wanted } from './studio-clip.ts'

/** The budget, in bytes. */
export const FIRST_PAGE_BYTES = 250_000
export const EDITOR_BYTES = 600_000
/** The clip whose editor is opened. */
export const WIRE_CLIP: Wanted = {
  name: 'Upright',
  clip: { start: 4, end: 8 },
  nodes: [{ type: 'convert_to_vertical' }, { type: 'add_subtitles' }, { type: 'add_title_overlay' }],
}
/** What the clip is made of, which no studio can make smaller: its video, its frames. */
const FOOTAGE = /^\/(?:media|studio\/footage)\//

export interface Fetched {
  readonly path: string
  /** `Content-Encoding`; null: as it is. */
  readonly coding: string | null
  /** Head and body, as sent. */
  readonly bytes: number
}

/** A page with a signed-in session and an empty cache. */
export async function newSession(studio: StudioBrowser): Promise<Page> {
  const context = await studio.context.browser()?.newContext({
    viewport: { width: 1280, height: 800 },
    storageState: await studio.context.storageState(),
  })
  if (context === undefined) throw new Error('no browser')
  return context.newPage()
}

/** Opens an address with an empty cache; what is fetched, footage left out, until `usable` and no request is pending. */
async function fetchedFor(
  studio: StudioBrowser,
  hash: string,
  usable: (page: Page) => Promise<void>,
): Promise<Fetched[]> {
  const page = await newSession(studio)
  const session = await page.context().newCDPSession(page)
  const begun = new Map<string, { path: string; coding: string | null }>()
  const fetched: Fetched[] = []
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname, origin } = new URL(response.url)
    const coding = response.headers['Content-Encoding'] ?? null
    if (origin === studio.appliance.url) begun.set(requestId, { path: pathname, coding })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = begun.get(requestId)
    if (one !== undefined) fetched.push({ ...one, bytes: encodedDataLength })
  })
  await page.goto(`${studio.appliance.url}/${hash}`)
  await usable(page)
  await page.waitForTimeout(1500)
  await page.context().close()
  return fetched.filter(({ path }) => !FOOTAGE.test(path))
}

export const fetchFirstPage = (studio: StudioBrowser): Promise<Fetched[]> =>
  fetchedFor(studio, '', (page) =>
    page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor(),
  )

export const fetchEditor = (studio: StudioBrowser, clipId: string): Promise<Fetched[]> =>
  fetchedFor(studio, `#/clips/${clipId}`, async (page) => {
    await page.locator('.editor:not(.opening)').waitFor()
    const transcript = page.getByRole('tabpanel', { name: 'Transcript' })
    await transcript.getByText('Opening…').waitFor({ state: 'detached' })
  })

export const sumBytes = (fetched: readonly Fetched[]): number =>
  fetched.reduce((sum, { bytes }) => sum + bytes, 0)
