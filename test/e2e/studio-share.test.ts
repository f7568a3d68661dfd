/**
 * Review with others in two real browsers: an editor shares a clip, a reviewer without an account stops at a frame and
 * comments, the studio sees it at once, answers; the reviewer asks for changes, then approves what was changed.
 */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const
const PASSWORD = 'heron at noon'

let studio: StudioBrowser
let editor: Page
let outside: BrowserContext
let reviewer: Page
let clipId: string
let address: string
const complaints: string[] = []

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  editor = await studio.newPage()
  clipId = await makeClip(studio, editor, {
    name: 'Shared',
    clip: { start: 4, end: 9 },
    nodes: [{ type: 'add_subtitles' }],
  })
  const browser: Browser | null = studio.context.browser()
  if (browser === null) throw new Error('no browser')
  outside = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
  reviewer = await outside.newPage()
  reviewer.setDefaultTimeout(30_000)
  reviewer.on('pageerror', (error) => complaints.push(error.message))
}, 240_000)
afterAll(async () => {
  if (chromium === null) return
  await outside.close()
  await studio.close()
})

async function look(page: Page, name: string): Promise<void> {
  expect(await violations(page)).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
    await shot(page, `share-${name}-${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
const dialog = () => editor.getByRole('dialog')
/** The frame that the reviewer sees, by the clock of the file. */
const seconds = () => reviewer.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime)

describe.skipIf(chromium === null)('a clip that is shared', () => {
  it('has a link with a password, made in the library', async () => {
    await editor.goto(`${studio.appliance.url}/#/clips`)
    await editor.getByRole('button', { name: 'Select all' }).click()
    await editor.getByRole('button', { name: 'Share', exact: true }).click()
    await dialog().getByText('Only this machine reaches Cutroom').waitFor()
    await dialog().getByLabel('Title').fill('For the client')
    await dialog().getByLabel('Password (optional)').fill(PASSWORD)
    await dialog().getByLabel('Watermark', { exact: true }).check()
    expect(await dialog().getByLabel('Text of the watermark').inputValue()).toBe(
      'For review · For the client',
    )
    expect(await violations(editor)).toEqual([])
    await shot(editor, 'share-dialog')
    await dialog().getByRole('button', { name: 'Create link' }).click()
    address = await dialog().getByLabel('Link').inputValue()
    expect(address).toMatch(/\/shared#[\w-]+\.[\w-]{40,}$/)
    await dialog().getByRole('button', { name: 'Done' }).click()
  })

  it('is opened by the password, rendered, and stepped through by frames', async () => {
    const asked: string[] = []
    reviewer.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`))
    await reviewer.goto(address)
    await reviewer.getByLabel('Password').fill('not this one')
    await reviewer.getByRole('button', { name: 'Open' }).click()
    await reviewer.getByRole('alert').filter({ hasText: 'The password is not right.' }).waitFor()
    await look(reviewer, 'password')
    await reviewer.getByLabel('Password').fill(PASSWORD)
    await reviewer.getByRole('button', { name: 'Open' }).click()
    await reviewer.getByText('Shared by Owner.').waitFor()
    await reviewer.locator('video').waitFor({ timeout: 120_000 })
    await expect
      .poll(() => reviewer.locator('video').evaluate((video: HTMLVideoElement) => video.readyState))
      .toBeGreaterThanOrEqual(2)
    // The token is in no address that is requested, and of the studio nothing is loaded.
    const token = address.split('.').at(-1) ?? ''
    expect(asked.filter((one) => one.split(' ')[0]?.includes(token))).toEqual([])
    expect(asked.filter((one) => /\/studio\/|index-/.test(one))).toEqual([])
    await shot(reviewer, 'share-watermark')
    // The clip's own file was not rendered, and does not go out.
    const shown = await reviewer.locator('video').getAttribute('src')
    expect(shown).toMatch(/^\/shared\/media\//)
    await reviewer.locator('body').click({ position: { x: 5, y: 300 } })
    for (let n = 0; n < 10; n += 1) await reviewer.keyboard.press('ArrowRight')
    await reviewer.keyboard.press('Shift+ArrowRight')
    await reviewer.keyboard.press('ArrowLeft')
    // Nine frames and a second.
    await expect.poll(() => reviewer.locator('output').textContent()).toBe('0:01:09')
  })

  it('is commented on at that frame, which the studio sees by itself and answers', async () => {
    await openClip(studio, editor, clipId)
    await editor.getByRole('tab', { name: 'Feedback' }).click()
    await editor.getByText('Nobody has commented on this clip yet.').waitFor()
    await reviewer.getByLabel('Comment at 0:01:09').fill('The name is misspelt here')
    await reviewer.getByRole('button', { name: 'Send comment' }).click()
    await reviewer.getByRole('alert').filter({ hasText: 'Enter your name first.' }).waitFor()
    await reviewer.getByLabel('Your name').fill('Rita')
    await reviewer.getByRole('button', { name: 'Send comment' }).click()
    await reviewer.getByText('1 comment', { exact: true }).waitFor()
    const at = await seconds()
    await editor.getByText('The name is misspelt here').waitFor()
    expect(await violations(editor)).toEqual([])
    await editor.getByRole('button', { name: /^At / }).click()
    await editor.getByText('0:01.3 / 0:05.0').waitFor()
    await editor.getByRole('button', { name: 'Answer', exact: true }).click()
    await editor.getByLabel('Answer Rita').fill('Corrected')
    await editor.getByRole('button', { name: 'Send answer' }).click()
    await reviewer.getByText('Corrected').waitFor()
    // Another frame, and back by the comment's.
    await reviewer.getByRole('button', { name: 'Forward one frame' }).click()
    await reviewer.getByRole('button', { name: 'Show frame 0:01:09' }).click()
    await expect.poll(seconds).toBeCloseTo(at, 1)
    await look(reviewer, 'review')
    await shot(editor, 'share-feedback')
  })

  it('has changes asked for, is changed, and is approved as it is then', async () => {
    await reviewer.getByLabel('Note (optional)').fill('Only the name')
    await reviewer.getByRole('button', { name: 'Ask for changes' }).click()
    await reviewer.getByText('Changes asked for by Rita').waitFor()
    await editor.getByText('Changes asked for by Rita').waitFor()
    await editor.getByRole('button', { name: 'Mark as done' }).click()
    await editor.getByRole('button', { name: 'Reopen' }).waitFor()
    const changed = await studio.context.request.post(`${studio.appliance.url}/update-clip`, {
      data: { companyId: 'local', clipId, segments: [{ startSeconds: 0, endSeconds: 3 }] },
      headers: { origin: studio.appliance.url },
    })
    expect(changed.status(), await changed.text()).toBe(200)
    await reviewer.getByText('The clip has changed since.').waitFor({ timeout: 60_000 })
    await reviewer.locator('video').waitFor({ timeout: 120_000 })
    await reviewer.getByRole('button', { name: 'Approve' }).click()
    await reviewer.getByText('Approved by Rita').waitFor()
    await editor.goto(`${studio.appliance.url}/#/publish/shared`)
    await editor.getByText('1 comment · 1 approved').waitFor()
    await editor.getByText('watermark “For review · For the client”').waitFor()
    await look(editor, 'links')
  })

  it('loses its watermark when that is taken off', async () => {
    const marked = await reviewer.locator('video').getAttribute('src')
    await editor.getByRole('button', { name: 'Watermark of “For the client”' }).click()
    await dialog().getByLabel('Text of the watermark').fill('')
    expect(await violations(editor)).toEqual([])
    await shot(editor, 'share-watermark-change')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await editor.getByText('watermark “For review · For the client”').waitFor({ state: 'detached' })
    await expect
      .poll(() => reviewer.locator('video').getAttribute('src', { timeout: 120_000 }), { timeout: 120_000 })
      .not.toBe(marked)
    await shot(reviewer, 'share-no-watermark')
  })

  it('can have every address of its files ended', async () => {
    await openClip(studio, editor, clipId)
    const path = `${studio.appliance.url}/clip?companyId=local&clipId=${clipId}`
    const addressNow = async (): Promise<string> => {
      const answer = await studio.context.request.get(path)
      expect(answer.status(), await answer.text()).toBe(200)
      const found = /"([^"]*\/media\/[^"]*)"/.exec(await answer.text())?.[1]
      if (found === undefined) throw new Error('the clip has no address')
      return new URL(found, studio.appliance.url).href
    }
    const before = await addressNow()
    expect((await fetch(before)).status).toBe(200)
    await editor.getByRole('tab', { name: 'Feedback' }).click()
    await editor.getByRole('button', { name: 'Revoke file addresses' }).click()
    await dialog().getByText('stops working at once and for good').waitFor()
    expect(await violations(editor)).toEqual([])
    const again = editor.waitForEvent('load')
    await dialog().getByRole('button', { name: 'Revoke file addresses' }).click()
    await again
    expect((await fetch(before)).status).toBe(404)
    expect((await fetch(await addressNow())).status).toBe(200)
    await editor.goto(`${studio.appliance.url}/#/publish/shared`)
  })

  it('closes at once when it is revoked', async () => {
    await editor.getByRole('button', { name: 'Revoke “For the client”' }).click()
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await editor.getByText('Revoked').waitFor()
    await reviewer.getByText('This link does not open anything any more.').waitFor()
    await reviewer.reload()
    await reviewer.getByText('This link does not open anything any more.').waitFor()
    expect([studio.complaints, complaints]).toEqual([[], []])
  })
})
