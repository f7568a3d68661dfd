/**
 * The studio's frame in a real Chromium, the same on every page: many tabs, an expired session, and an upload that
 * continues while another page is open.
 */
import type { Page, Route } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

let studio: StudioBrowser
let page: Page

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await home()
}, 180_000)
afterAll(async () => {
  if (chromium !== null) await studio.close()
})

const home = () => page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
const go = (room: string) => page.getByRole('link', { name: room, exact: true }).click()

describe.skipIf(chromium === null)('tabs', () => {
  it('may outnumber the browser’s connections: hidden tabs hold none', async () => {
    const hidden: Page[] = []
    for (let count = 0; count < 6; count += 1) {
      const tab = await studio.newPage()
      // A Chromium without a screen takes every tab for one that is looked at.
      await tab.addInitScript(() => {
        let looked = true
        Object.defineProperty(Document.prototype, 'hidden', { get: () => !looked })
        addEventListener('test:leave', () => {
          looked = false
          document.dispatchEvent(new Event('visibilitychange'))
        })
      })
      await tab.goto(`${studio.appliance.url}/`)
      await tab.getByText('No runs yet.').waitFor()
      await tab.evaluate(() => dispatchEvent(new Event('test:leave')))
      hidden.push(tab)
    }
    const seventh = await studio.newPage()
    await seventh.goto(`${studio.appliance.url}/`)
    await seventh.getByText('No runs yet.').waitFor()
    for (const tab of [...hidden, seventh]) await tab.close()
    expect(studio.complaints).toEqual([])
  })

  it('may all be in sight: they share one stream of events', async () => {
    const windows: Page[] = []
    const streams: string[] = []
    for (let count = 0; count < 8; count += 1) {
      const tab = await studio.newPage()
      tab.on('request', (request) => {
        if (request.url().includes('/studio/events')) streams.push(request.url())
      })
      await tab.goto(`${studio.appliance.url}/`)
      await tab.getByText('No runs yet.').waitFor()
      windows.push(tab)
    }
    // The window that this file works in has it.
    expect(streams).toEqual([])
    for (const tab of windows) await tab.close()
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('an upload', () => {
  const MINE = { name: 'mine.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no video') }
  const held = Promise.withResolvers<Route>()

  it('continues on every page, is shown at Home, and asks before it is cancelled', async () => {
    await page.route('**/studio/uploads**', (route) => held.resolve(route))
    await page.locator('input[type=file]').setInputFiles([MINE])
    await page.getByRole('button', { name: 'Make clips' }).click()
    await page.getByText('Uploading mine.mp4').waitFor()
    await go('Clips')
    await expect.poll(() => page.getByText('Uploading mine.mp4').count()).toBe(0)
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await go('Home')
    await page.getByText('Uploading mine.mp4').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
  })

  it('that is refused is reported on the current page, and again at Home', async () => {
    await go('Clips')
    await (await held.promise).fulfill({ status: 507, json: { error: 'The disk is full.' } })
    const why = page.getByRole('alert').filter({ hasText: '“mine.mp4” was not uploaded. The disk is full.' })
    await why.waitFor()
    expect(await violations(page, '.notices')).toEqual([])
    await go('Publish')
    await why.waitFor()
    await go('Home')
    await why.waitFor()
    await go('Clips')
    await expect.poll(() => why.count()).toBe(0)
    await page.unroute('**/studio/uploads**')
    studio.complaints.length = 0
  })
})

describe.skipIf(chromium === null)('a session that has ended', () => {
  const banner = () => page.getByRole('alert').filter({ hasText: 'Sign in again in another tab' })

  it('is reported as such on every page, until the next sign-in', async () => {
    const cookies = await studio.context.cookies()
    await studio.context.clearCookies()
    await go('Publish')
    await banner().waitFor()
    expect(await page.getByText('X-Service-Delegation').count()).toBe(0)
    expect(await violations(page, '.notices')).toEqual([])
    await go('Home')
    await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
    await banner().waitFor()
    expect(await page.getByText('The appliance does not answer').count()).toBe(0)
    await studio.context.addCookies(cookies)
    // As when one comes back from the tab with the link.
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect.poll(() => banner().count()).toBe(0)
    await page.getByText('No runs yet.').or(page.locator('main li')).first().waitFor()
  })

  it('shows the sign-in page, which opens the studio after signing in', async () => {
    const cookies = await studio.context.cookies()
    await studio.context.clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await studio.context.addCookies(cookies)
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await home()
    expect(studio.complaints.filter((text) => !text.includes('401'))).toEqual([])
  })
})
