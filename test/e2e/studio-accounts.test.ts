/**
 * Accounts of platforms in a real Chromium: an owner enters the studio's app, goes to a stand-in of the platform's page and
 * comes back connected; chooses a page of several; connects by an app password; disconnects. Also beside a desktop window.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwright, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { startPlatformSignIn, type PlatformSignIn } from '../support/platform-sign-in.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { shot, violations } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

let folder: string
let platform: PlatformSignIn
let appliance: Appliance
let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  if (chromium === null) return
  folder = await mkdtemp(join(tmpdir(), 'cutroom-accounts-'))
  platform = await startPlatformSignIn()
  const { url } = platform
  const config = loadConfig({ home: join(folder, 'home'), port: '0' }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const addresses = { youtube: url, facebook: url, bluesky: url }
  appliance = await startAppliance({ ...config, social: { apps: {}, addresses } }, createLogger('error'))
  browser = await playwright.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  await page.goto(appliance.studioUrl)
  await page.getByRole('link', { name: 'Publish', exact: true }).click()
  await page.getByRole('tab', { name: 'Accounts' }).click()
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  await browser.close()
  await appliance.stop()
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

const dialog = () => page.getByRole('dialog')
const connectTo = (name: string) =>
  page.getByRole('list', { name: 'Connect an account' }).getByRole('button', { name })

/** The platform's page, in whichever window it opens: says yes, or no, and sends the browser back. */
async function answerAt(host: string, query: Record<string, string>, on = page): Promise<void> {
  await on.context().route(`https://${host}/**`, async (route) => {
    const asked = new URL(route.request().url())
    const back = new URL(asked.searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.searchParams.get('state') ?? '')
    for (const [name, value] of Object.entries(query)) back.searchParams.set(name, value)
    await route.fulfill({
      contentType: 'text/html',
      body: `<script>location.replace('${back.href}')</script>`,
    })
  })
}

/** Nothing that axe finds in either theme, nothing wider than the window, and pictures to look at. */
async function look(name: string): Promise<void> {
  expect(await violations(page)).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
    await shot(page, `accounts-${name}-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

describe.skipIf(chromium === null)('an owner', () => {
  it('reads how to begin, enters the studio’s app, and comes back from the platform connected', async () => {
    await page.getByText('No account connected yet.').waitFor()
    await look('empty')
    await connectTo('YouTube').click()
    await expect
      .poll(() => dialog().getByLabel('Redirect address').inputValue())
      .toBe(`${appliance.url}/studio/social/callback`)
    await look('app')
    await dialog().getByLabel('App id').fill('app-1')
    await dialog().getByLabel('App secret').fill('secret-of-the-app')
    await dialog().getByRole('button', { name: 'Save app' }).click()
    await answerAt('accounts.google.com', { code: 'the-code' })
    await dialog().getByRole('button', { name: 'Continue at YouTube' }).click()
    await page.getByText('@acme is connected.').waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: '@acme' })
      .getByText('Connected', { exact: true })
      .waitFor()
    // A reload does not begin it again.
    expect(page.url()).toMatch(/#\/publish\/accounts$/)
    expect(
      platform.requested.find(({ body }) => body.get('code') === 'the-code')?.body.get('client_secret'),
    ).toBe('secret-of-the-app')
  })

  it('is told when the platform said no', async () => {
    await page.context().unrouteAll()
    await answerAt('accounts.google.com', { error: 'access_denied' })
    await page.getByRole('button', { name: 'Reconnect @acme' }).click()
    await dialog().getByRole('button', { name: 'Continue at YouTube' }).click()
    await dialog().getByRole('alert').filter({ hasText: 'YouTube was told no, or said no.' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('chooses one of several pages', async () => {
    await page.context().unrouteAll()
    await answerAt('www.facebook.com', { code: 'pages' })
    await connectTo('Facebook').click()
    await dialog().getByLabel('App id').fill('app-2')
    await dialog().getByLabel('App secret').fill('secret-of-the-app')
    await dialog().getByRole('button', { name: 'Save app' }).click()
    await dialog().getByRole('button', { name: 'Continue at Facebook' }).click()
    await dialog().getByRole('button', { name: 'Acme', exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Other', exact: true }).click()
    await page.getByText('Other is connected.').waitFor()
  })

  it('connects from a desktop window, while the browser beside it goes to the platform', async () => {
    await page.context().unrouteAll()
    await answerAt('www.facebook.com', { code: 'pages' })
    await page.evaluate(() => (document.documentElement.dataset['shell'] = 'desktop'))
    await connectTo('Facebook').click()
    const opened = page.waitForEvent('popup')
    await dialog().getByRole('button', { name: 'Continue at Facebook' }).click()
    await (await opened).waitForURL(/127\.0\.0\.1/)
    await dialog().getByRole('button', { name: 'Acme', exact: true }).click()
    await page.getByText('Acme is connected.').waitFor()
    await page.evaluate(() => delete document.documentElement.dataset['shell'])
  })

  it('connects by an app password, sees every account, and disconnects one', async () => {
    await connectTo('Bluesky').click()
    await dialog().getByLabel('Handle').fill('acme.test')
    await dialog().getByLabel('App password').fill('pass-word')
    await look('password')
    await dialog().getByRole('button', { name: 'Connect Bluesky' }).click()
    await page.getByText('acme.test is connected.').waitFor()
    // As the platforms have left them: one ends soon, one has ended and was refused last.
    const { sqlite } = appliance.services.db
    sqlite
      .prepare('update social_accounts set expires_at = ? where handle = ?')
      .run(Date.UTC(2031, 2, 1, 12), 'Acme')
    sqlite
      .prepare(
        "update social_accounts set state = 'expired', last_error = ?, last_error_at = ? where handle = ?",
      )
      .run('The password was withdrawn.', Date.UTC(2026, 1, 3, 12), 'acme.test')
    await page.reload()
    const account = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    await account('Acme')
      .getByText(/· access ends .*2031/)
      .waitFor()
    await account('Acme').getByText('Connected', { exact: true }).waitFor()
    await account('acme.test').getByText('Expired', { exact: true }).waitFor()
    await account('acme.test').getByText('Bluesky no longer accepts this connection. Reconnect it.').waitFor()
    await account('acme.test')
      .getByText(/2026.*: The password was withdrawn\./)
      .waitFor()
    await look('list')
    await page.getByRole('button', { name: 'Disconnect acme.test' }).click()
    await dialog().getByText('publishes nothing by it any more').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('acme.test is disconnected.').waitFor()
    expect(complaints).toEqual([])
  })

  it('has publishing need two people, and is refused where the post is their own', async () => {
    const rule = async () => {
      const answer = await page.context().request.get(`${appliance.url}/studio/social/approval`)
      return ((await answer.json()) as { separateApproval: boolean }).separateApproval
    }
    const box = page.getByRole('checkbox', { name: 'Publishing needs two people' })
    expect(await box.isChecked()).toBe(false)
    await box.check()
    await page.getByText('From now on two people are needed.').waitFor()
    expect(await rule()).toBe(true)
    await look('two-people')
    await page.reload()
    await expect.poll(() => box.isChecked()).toBe(true)
    await page.getByRole('button', { name: 'New post' }).click()
    await dialog().getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
    await dialog().getByLabel('Text', { exact: true }).fill('Written by the owner')
    await dialog().getByRole('button', { name: 'Save and approve…' }).click()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await dialog().getByRole('alert').filter({ hasText: 'another person' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await box.uncheck()
    await page.getByText('From now on one person is enough.').waitFor()
    expect(await rule()).toBe(false)
    // The refusal alone.
    expect(complaints).toEqual([expect.stringContaining('403')])
  })
})
