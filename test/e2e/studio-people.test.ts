/**
 * People in a real Chromium: an owner invites an editor, who joins with a password; somebody else comes by the studio's own
 * provider (oidc-provider on this machine), and a passkey is made and used by Chromium's own authenticator.
 */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { homePaths } from '../../server/home.ts'
import { startOidc, type OidcServer } from '../support/oidc.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const PASSWORD = 'the heron left before noon'
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

let studio: StudioBrowser
let oidc: OidcServer
/** The studio by its name: passkeys need one. */
let base: string
let owner: Page
const contexts: BrowserContext[] = []

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const named = new URL(studio.appliance.studioUrl)
  named.hostname = 'localhost'
  base = named.origin
  oidc = await startOidc([`${base}/studio/sign-in/provider/callback`])
  owner = await studio.newPage()
  await owner.goto(named.href)
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  for (const context of contexts) await context.close()
  await studio.close()
  await oidc.close()
})

/** Another browser, in which nobody is signed in. */
async function stranger(path = '/'): Promise<Page> {
  const browser: Browser | null = studio.context.browser()
  if (browser === null) throw new Error('no browser')
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => studio.complaints.push(error.message))
  page.on('console', (message) => {
    const { url } = message.location()
    // The provider's own page is none of ours.
    if (message.type() === 'error' && url.startsWith(base)) studio.complaints.push(`${message.text()} ${url}`)
  })
  await page.goto(new URL(path, base).href)
  return page
}

async function settings(page: Page, name: string): Promise<void> {
  await page.goto(`${base}/#/settings`)
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 2 }).waitFor()
}

/** Nothing that axe finds in either theme, nothing wider than the window, and pictures to look at (in the dark one). */
async function look(page: Page, name: string): Promise<void> {
  expect(await violations(page)).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${name} at ${width}`,
    ).toBeLessThanOrEqual(0)
    await shot(page, `people-${name}-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const dialog = (page: Page) => page.getByRole('dialog')
const home = (page: Page) => page.getByRole('heading', { name: 'A long video in, finished clips out' })

/** An authenticator in the device, whose user touches it at once. */
async function authenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

describe.skipIf(chromium === null)('people', () => {
  let editor: Page

  it('are invited by a link, join with a password, and come back with it', async () => {
    await settings(owner, 'People')
    await owner.getByRole('combobox', { name: 'Role', exact: true }).selectOption('editor')
    await owner.getByLabel('Email address (optional)').fill('Ada@Example.com')
    await owner.getByRole('button', { name: 'Create invitation' }).click()
    const link = await dialog(owner).getByLabel('Invitation link').inputValue()
    await dialog(owner).getByRole('button', { name: 'Done' }).click()
    await owner.getByRole('row', { name: /ada@example.com/ }).waitFor()
    await look(owner, 'list')

    editor = await stranger(link)
    await editor.getByText('Owner has invited you as an editor.').waitFor()
    await look(editor, 'welcome')
    await editor.getByLabel('Your name').fill('Ada')
    await editor.getByLabel('Password', { exact: true }).fill('passwordpassword')
    await editor.getByRole('button', { name: 'Join with a password' }).click()
    await editor.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
    await editor.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await editor.getByRole('button', { name: 'Join with a password' }).click()
    await home(editor).waitFor()

    const again = await stranger()
    await again.getByRole('heading', { name: 'Sign in' }).waitFor()
    await look(again, 'sign-in')
    await again.getByLabel('Email address').fill('ada@example.com')
    await again.getByLabel('Password', { exact: true }).fill('another password of hers')
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByRole('alert').filter({ hasText: 'The email address or the password' }).waitFor()
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await again.keyboard.press('Enter')
    await home(again).waitFor()
    const used = await stranger(link)
    await used.getByRole('alert').filter({ hasText: 'This invitation does not work any more' }).waitFor()
    await owner.getByRole('button', { name: 'Create invitation' }).click()
    const late = await dialog(owner).getByLabel('Invitation link').inputValue()
    await dialog(owner).getByRole('button', { name: 'Done' }).click()
    const db = openDatabase(homePaths(studio.home).database)
    db.sqlite.exec('update invitations set expires_at = 1')
    db.close()
    await used.goto('about:blank')
    await used.goto(late)
    await used.getByRole('alert').filter({ hasText: 'This invitation does not work any more' }).waitFor()
  })

  it('see where they are signed in, and end it', async () => {
    const other = contexts.at(-2)?.pages()[0]
    if (other === undefined) throw new Error('no second window')
    await settings(editor, 'Your account')
    await editor.getByText('this window').waitFor()
    await look(editor, 'account')
    await editor.getByRole('button', { name: /^Sign out .* on / }).click()
    await editor.getByText('1 other window is signed out.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByLabel('Email address').fill('ada@example.com')
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.keyboard.press('Enter')
    await home(other).waitFor()
    await editor.reload()
    await editor.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await editor.getByText('1 other window is signed out.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('make a passkey and sign in with it', async () => {
    await authenticator(editor)
    await editor.getByLabel('Name of the passkey').fill('Laptop')
    await editor.getByRole('button', { name: 'Add passkey' }).click()
    await editor.getByText('The passkey “Laptop” is added.').waitFor()
    await editor.getByRole('button', { name: 'Sign out here' }).click()
    await editor.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await home(editor).waitFor()
    await settings(editor, 'Your account')
    await editor.getByText('For localhost, last used').waitFor()
    await editor.getByText('by passkey').waitFor()
    await editor.getByRole('button', { name: 'Remove Laptop' }).click()
    await dialog(editor).getByRole('button', { name: 'Remove' }).click()
    await editor.getByText('No passkeys yet.').waitFor()

    // Somebody else joins with one, and no password.
    await settings(owner, 'People')
    await owner.getByRole('button', { name: 'Create invitation' }).click()
    const link = await dialog(owner).getByLabel('Invitation link').inputValue()
    await dialog(owner).getByRole('button', { name: 'Done' }).click()
    const joining = await stranger(link)
    await authenticator(joining)
    await joining.getByLabel('Your name').fill('Bea')
    await joining.getByRole('button', { name: 'Join with a passkey' }).click()
    await home(joining).waitFor()
    await settings(joining, 'Your account')
    await joining.getByText('You have no password yet.').waitFor()
    await joining.getByText('For localhost, not used yet').waitFor()
    const numbers = await stranger(studio.appliance.url)
    await numbers.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await numbers.getByRole('alert').filter({ hasText: 'Passkeys need a host name' }).waitFor()
  })

  it('come by the studio’s own provider, with the role of their groups', async () => {
    oidc.people['grace'] = { name: 'Grace', groups: ['cutters'] }
    oidc.people['mal'] = { name: 'Mal', groups: ['others'] }
    await settings(owner, 'Sign-in provider')
    expect(await owner.getByLabel('Redirect address').inputValue()).toBe(
      `${base}/studio/sign-in/provider/callback`,
    )
    await owner.getByLabel('Name on the button').fill('Studio login')
    await owner.getByLabel('Issuer').fill(oidc.issuer)
    await owner.getByLabel('Client ID').fill(oidc.clientId)
    await owner.getByLabel('Client secret').fill(oidc.clientSecret)
    await owner.getByLabel('Scopes').fill('openid profile email groups')
    await owner.getByRole('button', { name: 'Add group' }).click()
    await owner.getByLabel('Group 1', { exact: true }).fill('cutters')
    await owner.getByRole('button', { name: 'Save' }).click()
    await owner.getByText('Saved. It holds from the next sign-in on.').waitFor()
    await owner.getByRole('button', { name: 'Test', exact: true }).click()
    await owner.getByText(`${oidc.issuer} answers.`).waitFor()
    await look(owner, 'provider')

    const signIn = async (account: string): Promise<Page> => {
      const page = await stranger()
      await page.getByRole('button', { name: 'Sign in with Studio login' }).click()
      await page.getByLabel('Account').fill(account)
      await page.getByRole('button', { name: 'Continue' }).click()
      return page
    }
    const grace = await signIn('grace')
    await home(grace).waitFor()
    await settings(grace, 'Your account')
    await grace.getByText('Signed in as Grace, editor').waitFor()
    const mal = await signIn('mal')
    await mal.getByRole('alert').filter({ hasText: 'none of your groups may use this studio' }).waitFor()
    await look(mal, 'refused')
    // A desktop window: another browser goes to the provider, and this window goes on by itself.
    const desktop = await stranger()
    await desktop.evaluate(() => (document.documentElement.dataset['shell'] = 'desktop'))
    const opened = desktop.waitForEvent('popup')
    await desktop.getByRole('button', { name: 'Sign in with Studio login' }).click()
    const beside = await opened
    await desktop.getByText('This window goes on by itself.').waitFor()
    await beside.getByLabel('Account').fill('grace')
    await beside.getByRole('button', { name: 'Continue' }).click()
    await beside.getByText('go back to the Cutroom window').waitFor()
    await home(desktop).waitFor()
    await settings(owner, 'People')
    await owner.getByRole('row', { name: /Grace/ }).getByText('Signs in by provider').waitFor()
    expect(studio.complaints.filter((text) => !/\b40[13]\b/.test(text))).toEqual([])
  })
})
