/**
 * A sheet for each page of the studio, at three widths, in both themes: new, with data, with the keyboard's focus, and each
 * dialog that its buttons open. To be looked at.
 *
 *   npm run docs:sheet -- --output FOLDER [--only NAME]...
 */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { pressEach, whenQuiet } from '../e2e/studio/crawl.ts'
import { everyPlace } from '../e2e/studio/places.ts'
import { openStudio, type StudioBrowser } from '../e2e/studio/studio-browser.ts'
import { fillStudio, PASSWORD, type Filled } from './sheet-data.ts'
import { openSheets } from './sheet-pictures.ts'

/** For what is drawn, not written: seeks in a video, waves, strips. */
const DRAWN_MS = 2500
/** A render for reviewers, on a machine that has other work. */
const RENDER_MS = 600_000
/** More of them than a page has before its own first. */
const TABS = 40
/** What is sent to be read, and changes nothing. */
const ONLY_READS = /\/workflow-preview$|\/compose$|\/storage\/plan$/

interface Place {
  readonly sheet: string
  /** Behind `#/`. */
  readonly address: string
}

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: 'studio-sheets' },
    only: { type: 'string', multiple: true, default: [] },
  },
})
const wanted = ({ sheet }: { sheet: string }): boolean =>
  values.only.length === 0 || values.only.includes(sheet)
const folder = resolve(values.output)
const sheets = openSheets(folder)

/** Opens a page of the studio, however it was left. */
async function open(studio: StudioBrowser, page: Page, address: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${studio.appliance.url}/#/${address}`)
  await page.locator('main :is(h1, h2, .editor)').first().waitFor()
}

/** Gives the focus to the first thing of the page that takes it, by the keyboard. */
async function focusFirst(page: Page): Promise<void> {
  const reached = () => page.evaluate(() => document.activeElement?.closest('main') !== null)
  for (let n = 0; n < TABS; n += 1) {
    await page.keyboard.press('Tab')
    if (await reached()) return
  }
}

async function shootNew(studio: StudioBrowser, page: Page, places: readonly Place[]): Promise<void> {
  const quiet = whenQuiet(page)
  for (const { sheet, address } of places) {
    await open(studio, page, address)
    await quiet()
    await sheets.shoot(page, sheet, 'new')
  }
}

/** Whatever is pressed, nothing is changed. */
async function refuseChanges(page: Page): Promise<void> {
  await page.route('**/*', (route) =>
    route.request().method() === 'GET' || ONLY_READS.test(route.request().url())
      ? route.fallback()
      : route.fulfill({ status: 409, json: { error: 'Not while pictures are taken.' } }),
  )
  page.on('dialog', (dialog) => void dialog.dismiss())
}

/** Each place as it is, with the focus, and what its buttons open. */
async function shootFilled(studio: StudioBrowser, page: Page, places: readonly Place[]): Promise<void> {
  // What was pressed before leaves its refusals on a page: tabs are taken on another one.
  const clean = await studio.newPage()
  await Promise.all([page, clean].map(refuseChanges))
  const waitOn = (of: Page): (() => Promise<void>) => {
    const quiet = whenQuiet(of)
    return async () => {
      await of.locator('main').locator('h1, h2').first().waitFor()
      await of.locator('.editor.opening').waitFor({ state: 'detached' })
      await quiet()
    }
  }
  const shown = waitOn(page)
  const cleanShown = waitOn(clean)
  await page.bringToFront()
  for (const { sheet, address } of places) {
    await open(studio, page, address)
    await shown()
    await page.waitForTimeout(DRAWN_MS)
    await sheets.shoot(page, sheet, 'with data')
    await focusFirst(page)
    await sheets.shoot(page, sheet, 'focus')
    // Tabs of a page are pressed there.
    if (address.startsWith('publish/')) continue
    await open(studio, page, address)
    await shown()
    await pressEach(page, shown, async ({ kind, name }) => {
      if (kind === 'button') return
      if (kind === 'dialog') {
        await page.waitForTimeout(DRAWN_MS / 2)
        return await sheets.shoot(page, sheet, `dialog ${name}`)
      }
      // A page that is behind another draws no frames, and what is pressed there is not.
      await clean.bringToFront()
      await open(studio, clean, address)
      await cleanShown()
      await clean.getByRole('tab', { name, exact: true }).first().click()
      await cleanShown()
      await clean.waitForTimeout(DRAWN_MS)
      await sheets.shoot(clean, sheet, `tab ${name}`)
      await page.bringToFront()
    })
  }
  await clean.close()
}

/** Does something in the browser of somebody who is not signed in. */
async function asStranger(studio: StudioBrowser, address: string, act: (page: Page) => Promise<void>) {
  const context = await studio.context.browser()?.newContext({ reducedMotion: 'reduce' })
  const page = await context?.newPage()
  if (page === undefined) throw new Error('There is no browser.')
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await whenQuiet(page)()
  await act(page)
  await context?.close()
}

/** What people see who have an invitation, or no account. */
async function shootSignIn(studio: StudioBrowser, { invitation }: Filled): Promise<void> {
  await asStranger(studio, studio.appliance.url, (page) => sheets.shoot(page, 'sign-in', 'signed out'))
  await asStranger(studio, invitation, (page) => sheets.shoot(page, 'sign-in', 'invited'))
}

/** A reviewer's page: behind its password, with its player and comments, and ended. */
async function shootShared(studio: StudioBrowser, { shared, locked, revoked }: Filled): Promise<void> {
  const sheet = 'shared'
  await asStranger(studio, locked, async (page) => {
    await sheets.shoot(page, sheet, 'password')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('Shared by').first().waitFor()
    await sheets.shoot(page, sheet, 'opened')
  })
  await asStranger(studio, revoked, (page) => sheets.shoot(page, sheet, 'revoked'))
  await asStranger(studio, shared, async (page) => {
    await page.locator('video').first().waitFor({ timeout: RENDER_MS })
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    await page.locator('body').click({ position: { x: 5, y: 300 } })
    await page.keyboard.press('Shift+ArrowRight')
    await page.waitForTimeout(DRAWN_MS)
    await sheets.shoot(page, sheet, 'player')
    await page.getByLabel('Your name').fill('Rita Vogel')
    await page.getByLabel('Note (optional)').fill('Only the name.')
    await page.getByRole('button', { name: 'Ask for changes' }).click()
    await page.getByText('Changes asked for by').first().waitFor()
    await sheets.shoot(page, sheet, 'decided')
    await focusFirst(page)
    await sheets.shoot(page, sheet, 'focus')
  })
}

const chromium = findChromium()
if (chromium === null) throw new Error(NO_CHROMIUM)
await mkdir(folder, { recursive: true })
const all = (await everyPlace()).map((address) => ({
  sheet: address === '' ? 'home' : address.replaceAll('/', '-'),
  address,
}))
const studio = await openStudio(chromium, (home) => Promise.resolve({ CUTROOM_WATCH_ROOTS: home }))
try {
  const page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('navigation').first().waitFor()
  await shootNew(studio, page, all.filter(wanted))
  const filled = await fillStudio(studio, page)
  const things = [
    { sheet: 'review', address: `review/${filled.runId}` },
    { sheet: 'clip-editor', address: `clips/${filled.clipId}` },
    { sheet: 'library-item', address: `library/${filled.itemId}` },
    { sheet: 'brand-kit', address: `brands/${filled.kitId}` },
    { sheet: 'workflow', address: `workflows/${filled.workflowId}` },
    { sheet: 'analytics-post', address: `analytics/${filled.postId}` },
  ]
  await shootFilled(studio, page, [...all, ...things].filter(wanted))
  if (wanted({ sheet: 'sign-in' })) await shootSignIn(studio, filled)
  if (wanted({ sheet: 'shared' })) await shootShared(studio, filled)
} finally {
  // Of what was taken, whatever came between.
  for (const file of await sheets.draw(await studio.newPage())) process.stdout.write(`${file}\n`)
  await studio.close()
}
