/**
 * Ten tasks of somebody who has just installed Cutroom, each with its number of actions: a click, a filled field or a key is
 * one. The numbers are asserted, so that a task that becomes longer is noticed, and printed as a table.
 */
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startOidc, type OidcServer } from '../support/oidc.ts'
import { pretendModel, type PretendModel } from '../support/language-model.ts'
import { startPlatformSignIn, type PlatformSignIn } from '../support/platform-sign-in.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { createHand } from './studio/hand.ts'
import { openStudio, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

/** Two minutes of rendering on two idle cores; a busy machine takes three times as long. */
const RENDERED_MS = 600_000
const PASSWORD = 'the heron left before noon'
const hand = createHand()
const table: [task: string, actions: number][] = []

let studio: StudioBrowser
let base: string
let owner: Page
let oidc: OidcServer
let platform: PlatformSignIn
let model: PretendModel
const contexts: BrowserContext[] = []

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const named = new URL(studio.appliance.studioUrl)
  named.hostname = 'localhost'
  base = named.origin
  oidc = await startOidc([`${base}/studio/sign-in/provider/callback`])
  platform = await startPlatformSignIn()
  model = await pretendModel(() => ({ raw: JSON.stringify({ data: [{ id: 'small' }] }) }))
  owner = await studio.newPage()
  await owner.goto(named.href)
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  process.stdout.write(`${table.map(([task, actions]) => `| ${task} | ${actions} |`).join('\n')}\n`)
  for (const context of contexts) await context.close()
  await studio.close()
  await oidc.close()
  await platform.close()
  await model.stop()
})

/** Another person, in a browser of their own. */
async function stranger(address: string): Promise<Page> {
  const browser = studio.context.browser()
  if (browser === null) throw new Error('no browser')
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(address)
  return page
}
const go = (page: Page, name: string) => hand.click(page.getByRole('link', { name, exact: true }).first())
const button = (page: Page, name: string | RegExp) =>
  hand.click(page.getByRole('button', { name, exact: typeof name === 'string' }).first())
const settings = async (page: Page, name: string): Promise<void> => {
  await go(page, 'Settings')
  await hand.click(
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }),
  )
}
/** Ends a task: it took so many actions. */
function took(task: string, actions: number): void {
  const taken = hand.taken()
  table.push([task, taken])
  expect(taken, task).toBe(actions)
}
const dialog = (page = owner) => page.getByRole('dialog')

describe.skipIf(chromium === null)('a new user', { timeout: 2 * RENDERED_MS }, () => {
  it('makes clips of the sample, and keeps and renders the best', async () => {
    await button(owner, 'Try the sample')
    await hand.click(owner.getByRole('link', { name: /conversation|sample/i }).first())
    const first = owner.getByRole('list', { name: 'Clips, best first' }).locator('[data-clip]').first()
    await first.waitFor({ timeout: 240_000 })
    await owner.getByText(/clips in Review/).waitFor({ timeout: 240_000 })
    await hand.click(first.getByRole('button', { name: 'Keep' }))
    await button(owner, 'Render 1 kept')
    await first.getByRole('link', { name: 'Download' }).waitFor({ timeout: RENDERED_MS })
    took('Make clips of the sample, keep the best and render it', 4)
  })

  it('corrects a misheard word in the captions', async () => {
    await hand.click(owner.getByRole('link', { name: /^Edit/ }).first())
    const word = owner.getByRole('region', { name: 'Transcript' }).locator('.word').first()
    await hand.doubleClick(word)
    await hand.fill(owner.getByLabel(/^Correct “/u), 'Cutroom')
    await hand.press(owner, 'Enter')
    await owner.getByText('Saved', { exact: true }).waitFor()
    took('Correct a misheard word in the captions', 4)
  })

  it('connects an account of a platform', async () => {
    await go(owner, 'Publish')
    await hand.click(owner.getByRole('tab', { name: 'Accounts' }))
    await hand.click(
      owner.getByRole('list', { name: 'Connect an account' }).getByRole('button', { name: 'Bluesky' }),
    )
    await hand.fill(dialog().getByLabel('Handle'), 'acme.test')
    await hand.fill(dialog().getByLabel('App password'), 'pass-word')
    await hand.fill(dialog().getByLabel('Server (optional)'), platform.url)
    await hand.click(dialog().getByRole('button', { name: 'Connect Bluesky' }))
    await owner.getByText('acme.test is connected.').waitFor()
    took('Connect an account (Bluesky, on a server of its own)', 7)
  })

  it('writes one clip’s posts for two platforms, and approves them', async () => {
    await go(owner, 'Clips')
    await hand.click(owner.getByRole('link', { name: /^Publish / }).first())
    await dialog().getByLabel('Publish to').waitFor()
    await hand.choose(dialog().getByLabel('Publish to'), 'YouTube, as a package')
    await hand.choose(dialog().getByLabel('Add a platform…'), 'TikTok, as a package')
    await hand.click(dialog().getByRole('button', { name: 'Save and approve…' }))
    await hand.click(dialog().getByRole('button', { name: 'Approve 2 posts' }))
    await hand.click(dialog().getByRole('button', { name: 'Done' }))
    took('Post a clip to two platforms, with proposed texts, approved', 7)
  })

  it('makes a workflow of five nodes and more, from a template', async () => {
    await go(owner, 'Workflows')
    await button(owner, 'New workflow')
    await button(owner, /^Use this: .*square/i)
    await hand.choose(owner.getByLabel('Add a node'), 'Apply branding')
    await button(owner, 'Save')
    await owner.getByText('Saved', { exact: true }).first().waitFor()
    const id = decodeURIComponent(owner.url().split('/').at(-1) ?? '')
    const answer = await studio.context.request.get(`${base}/studio/workflows/${id}`)
    const { nodes } = (await answer.json()) as { nodes: { type: string }[] }
    expect(nodes.map(({ type }) => type)).toContain('apply_branding')
    expect(nodes).toHaveLength(5)
    took('Make a branded workflow from a template', 5)
  })

  it('invites an editor, who joins with a password', async () => {
    await settings(owner, 'People')
    await hand.choose(owner.getByRole('combobox', { name: 'Role', exact: true }), 'Editor')
    await button(owner, 'Create invitation')
    const link = await dialog().getByLabel('Invitation link').inputValue()
    await hand.click(dialog().getByRole('button', { name: 'Done' }))
    const ada = await stranger(link)
    await hand.fill(ada.getByLabel('Your name'), 'Ada')
    await hand.fill(ada.getByLabel('Email address'), 'ada@example.com')
    await hand.fill(ada.getByLabel('Password', { exact: true }), PASSWORD)
    await button(ada, 'Join with a password')
    await ada.getByRole('link', { name: 'Publish', exact: true }).waitFor()
    took('Invite an editor, who joins with a password', 9)
  })

  it('lets people sign in by the studio’s own provider', async () => {
    oidc.people['grace'] = { name: 'Grace', groups: ['cutters'] }
    await settings(owner, 'Sign-in provider')
    await hand.fill(owner.getByLabel('Name on the button'), 'Studio login')
    await hand.fill(owner.getByLabel('Issuer'), oidc.issuer)
    await hand.fill(owner.getByLabel('Client ID'), oidc.clientId)
    await hand.fill(owner.getByLabel('Client secret'), oidc.clientSecret)
    await hand.fill(owner.getByLabel('Scopes'), 'openid profile email groups')
    await button(owner, 'Add group')
    await hand.fill(owner.getByLabel('Group 1', { exact: true }), 'cutters')
    await button(owner, 'Save')
    await owner.getByText('Saved. It holds from the next sign-in on.').waitFor()
    const grace = await stranger(base)
    await button(grace, 'Sign in with Studio login')
    await hand.fill(grace.getByLabel('Account'), 'grace')
    await button(grace, 'Continue')
    await grace.getByRole('link', { name: 'Publish', exact: true }).waitFor()
    took('Set up the studio’s own sign-in provider, and sign in by it', 13)
  })

  it('shares a clip, and answers a reviewer’s comment', async () => {
    await go(owner, 'Clips')
    await hand.click(owner.getByRole('checkbox', { name: /^Select / }).first())
    await button(owner, 'Share')
    await hand.click(dialog().getByRole('button', { name: 'Create link' }))
    const address = await dialog().getByLabel('Link').inputValue()
    await hand.click(dialog().getByRole('button', { name: 'Done' }))
    const rita = await stranger(address)
    await rita.locator('video').waitFor({ timeout: RENDERED_MS })
    await hand.fill(rita.getByLabel('Your name'), 'Rita')
    await hand.fill(rita.getByLabel(/^Comment at/), 'Louder here')
    await button(rita, 'Send comment')
    await rita.getByText('1 comment', { exact: true }).waitFor()
    await go(owner, 'Publish')
    await hand.click(owner.getByRole('tab', { name: 'Share links' }))
    const [clip] = await rita.locator('h2').allTextContents()
    await hand.click(owner.getByRole('link', { name: clip ?? 'none' }).first())
    await hand.click(owner.getByRole('tab', { name: 'Feedback' }))
    await button(owner, 'Answer')
    await hand.fill(owner.getByLabel('Answer Rita'), 'It is now')
    await button(owner, 'Send answer')
    await rita.getByText('It is now').waitFor()
    took('Share a clip, comment as a reviewer, and answer', 15)
  })

  it('sets a language model of the studio’s own, and sees that it answers', async () => {
    await settings(owner, 'Language and speech')
    const form = owner.getByRole('region', { name: 'Language model' })
    await hand.fill(form.getByLabel('Address'), model.url)
    await hand.fill(form.getByLabel('Model', { exact: true }), 'small')
    await hand.click(form.getByRole('button', { name: 'Save' }))
    await form.getByText('It answers, and has small.').waitFor()
    took('Set a language model and see that it answers', 5)
  })

  it('makes a backup', async () => {
    await settings(owner, 'Backup')
    await button(owner, 'Create backup')
    await owner
      .getByRole('link', { name: /download/i })
      .first()
      .waitFor()
    took('Make a backup', 3)
  })
})
