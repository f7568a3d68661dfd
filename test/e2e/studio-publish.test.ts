/**
 * Publishing and its analytics in a real Chromium: a clip becomes a draft, a person approves it in two steps, it is
 * published, found in the calendar, moved, cancelled; then its counters. Every view is checked by axe in both themes.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSeed, type Seed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const DAY = 86_400_000
/** A face that moves, so that no two moments of it look the same. */
const FILMED = join(import.meta.dirname, '../../../shared/media/moving_face_10s.mp4')
let studio: StudioBrowser
let seed: Seed
let page: Page
let clipId: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  seed = openSeed(studio.home)
  clipId = await seed.clip('Why three times is enough', await readFile(FILMED))
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Publish', exact: true }).click()
}, 180_000)
afterAll(async () => {
  if (chromium === null) return
  seed.close()
  await studio.close()
})

const dialog = () => page.getByRole('dialog')
const tab = (name: string) => page.getByRole('tab', { name }).click()

interface Listed {
  readonly id: string
  readonly status: string
  readonly text: string
  readonly scheduledAt: string | null
  readonly coverSeconds: number | null
}
const posts = async (): Promise<Listed[]> => {
  const answer = await studio.context.request.get(`${studio.appliance.url}/social/posts`)
  return ((await answer.json()) as { data: Listed[] }).data
}
const statusOf = async (text: string): Promise<string | undefined> =>
  (await posts()).find((post) => post.text === text)?.status

describe.skipIf(chromium === null)('an editor publishes', () => {
  it('reads how to begin while there is nothing', async () => {
    await page.goto(`${studio.appliance.url}/#/analytics`)
    await page.getByText('Publish a clip to see its figures here within the hour.').waitFor()
    await page.goto(`${studio.appliance.url}/#/publish`)
    await page.getByRole('heading', { name: 'Publish' }).waitFor()
    expect(await violations(page)).toEqual([])
    await tab('Posts')
    await page.getByText('No posts yet.').waitFor()
    await tab('Accounts')
    await page.getByText('No account connected yet.').waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('drafts a post of a clip, with the length that its platform takes', async () => {
    await page.getByRole('link', { name: 'Clips', exact: true }).click()
    await page.getByRole('link', { name: 'Publish Why three times is enough' }).click()
    await dialog().getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
    await expect.poll(() => dialog().getByLabel('Clip', { exact: true }).inputValue()).toBe(clipId)
    await dialog()
      .getByLabel('Text', { exact: true })
      .fill('👩‍👩‍👧'.repeat(299) + 'ab')
    await dialog().getByText('301 of 300 characters: 1 too many').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await dialog().getByLabel('Text', { exact: true }).fill('Goes out at once')
    await dialog().getByText('16 of 300 characters').waitFor()
    await shot(page, 'publish-form')
    // A key that was meant for something else takes no text away.
    const requested: string[] = []
    page.once('dialog', (requests) => {
      requested.push(requests.message())
      void requests.dismiss()
    })
    await page.keyboard.press('Escape')
    await expect.poll(() => requested).toEqual(['Close without saving what you wrote?'])
    expect(await dialog().getByLabel('Text', { exact: true }).inputValue()).toBe('Goes out at once')
    await dialog().getByRole('button', { name: 'Save and approve…' }).click()
    await dialog().getByText('Publish to a package on this appliance, now.').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'publish-approval')
    // Declined: nothing is published.
    await dialog().getByRole('button', { name: 'Decline' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await statusOf('Goes out at once')).toBe('draft')
  })

  it('approves it, and sees it published', async () => {
    await tab('Posts')
    const row = page.getByRole('listitem').filter({ hasText: 'Goes out at once' })
    await row.getByRole('button', { name: 'Approve' }).click()
    // It was approved but not published: what is prepared again can be approved again.
    await page.route(/:publish$/u, (route) => route.abort(), { times: 1 })
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await dialog().getByRole('alert').waitFor()
    await dialog().getByRole('button', { name: 'Reload' }).click()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await dialog().getByText('The package is written.').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await row.getByText('Published', { exact: true }).waitFor()
    await row.getByText(/exports\/post-/).waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'publish-posts')
  })

  it('sees the message of a refusal', async () => {
    await page.getByRole('button', { name: 'New post' }).click()
    await dialog().getByLabel('Publish to').selectOption({ label: 'TikTok, as a package' })
    await dialog().getByLabel('Text', { exact: true }).fill('Without a video')
    await dialog().getByRole('button', { name: 'Save and approve…' }).click()
    await dialog().getByRole('alert').filter({ hasText: 'TikTok takes posts with a video only.' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    const row = page.getByRole('listitem').filter({ hasText: 'Without a video' })
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await statusOf('Without a video')).toBeUndefined()
    studio.complaints.length = 0
  })

  it('writes one clip’s posts for three platforms, each with its own words and time, and approves them together', async () => {
    await page.getByRole('link', { name: 'Clips', exact: true }).click()
    await page.getByRole('link', { name: 'Publish Why three times is enough' }).click()
    const where = dialog().getByLabel('Publish to')
    const also = dialog().getByLabel('Add a platform…')
    await where.selectOption({ label: 'Bluesky, as a package' })
    await also.selectOption({ label: 'TikTok, as a package' })
    await also.selectOption({ label: 'YouTube, as a package' })
    const tabs = dialog().getByRole('tab')
    await expect.poll(() => tabs.count()).toBe(3)
    const text = dialog().getByLabel('Text', { exact: true })
    await dialog().getByLabel('Title (required)').fill('For YouTube')
    await text.fill('The long text')
    // A cover of its own.
    const cover = async (platform: string, seconds: string): Promise<void> => {
      await dialog().getByLabel(`Choose the cover for ${platform}`).check()
      await dialog().getByRole('slider', { name: 'Cover at 0:01.0' }).fill(seconds)
      await dialog().getByText(`Cover at 0:0${seconds}.0`).waitFor()
    }
    await cover('YouTube', '3')
    // Another time for YouTube alone.
    await dialog().getByLabel('Another time for YouTube').check()
    await dialog()
      .getByRole('group', { name: 'When on YouTube' })
      .getByLabel('Day and time')
      .fill('2027-03-01T09:30')
    // By keys to the first tab, which has words of its own; too many of them are shown at the tab.
    await tabs.last().focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => tabs.first().getAttribute('aria-selected')).toBe('true')
    await text.fill('x'.repeat(301))
    await tabs.nth(1).click()
    expect(await text.inputValue()).not.toContain('xxx')
    await tabs.first().getByText('too long').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Save 3 drafts' }).isDisabled()).toBe(true)
    await text.fill('The short text of TikTok')
    await cover('TikTok', '2')
    await tabs.first().click()
    await text.fill('The short text of Bluesky')
    await cover('Bluesky', '7')
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await shot(page, 'publish-several-390')
    await page.setViewportSize({ width: 1280, height: 800 })
    await shot(page, 'publish-several')
    await dialog().getByRole('button', { name: 'Save and approve…' }).click()
    await dialog().getByRole('button', { name: 'Approve 3 posts' }).waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'publish-approve-several')
    await dialog().getByRole('button', { name: 'Approve 3 posts' }).click()
    await dialog().getByRole('button', { name: 'Done' }).click()
    for (const name of ['Bluesky', 'TikTok'])
      await expect.poll(() => statusOf(`The short text of ${name}`)).toBe('success')
    const covers = Object.fromEntries((await posts()).map((post) => [post.text, post.coverSeconds]))
    expect(covers).toMatchObject({
      'The long text': 3,
      'The short text of TikTok': 2,
      'The short text of Bluesky': 7,
    })
    // Each package has the picture of its moment.
    const pictureOf = async (name: string): Promise<string> => {
      const id = (await posts()).find((post) => post.text === `The short text of ${name}`)?.id ?? ''
      const file = await readFile(join(studio.home, 'exports', `post-${id}`, 'thumbnail.jpg'))
      expect(file.subarray(0, 2).toString('hex')).toBe('ffd8')
      return file.toString('base64')
    }
    expect(await pictureOf('TikTok')).not.toBe(await pictureOf('Bluesky'))
    const [later] = (await posts()).filter((post) => post.text === 'The long text')
    expect(later?.status).toBe('scheduled')
    expect(new Date(later?.scheduledAt ?? 0).getFullYear()).toBe(2027)
    await page.getByRole('tab', { name: 'Posts' }).click()
  })

  it('plans one on the calendar, moves the draft by its keys, and approves it', async () => {
    await tab('Calendar')
    await page.getByLabel(/^View/).selectOption('week')
    await page.getByRole('button', { name: 'Next' }).click()
    await page
      .getByRole('button', { name: /^New post on/ })
      .first()
      .click()
    await dialog().getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
    await dialog().getByLabel('Text', { exact: true }).fill('For later')
    await dialog().getByRole('button', { name: 'Save draft' }).click()
    const entry = page.getByRole('button', { name: /For later/ })
    await entry.waitFor()
    const before = (await posts()).find(({ text }) => text === 'For later')?.scheduledAt ?? ''
    await entry.focus()
    await page.keyboard.press('Alt+ArrowRight')
    const moved = async () => (await posts()).find(({ text }) => text === 'For later')?.scheduledAt ?? ''
    await expect.poll(async () => Date.parse(await moved()) - Date.parse(before)).toBe(DAY)
    await expect.poll(() => page.locator('td').nth(1).getByText('For later').count()).toBe(1)
    const focused = () => entry.evaluate((one) => one === document.activeElement)
    await expect.poll(focused).toBe(true)
    // Out of the week that is shown, and back: the calendar and the focus go along.
    for (const [keys, days] of [
      ['Alt+ArrowDown', 8],
      ['Alt+ArrowUp', 1],
    ] as const) {
      await page.keyboard.press(keys)
      await expect.poll(async () => Date.parse(await moved()) - Date.parse(before)).toBe(days * DAY)
      await expect.poll(() => page.locator('td').nth(1).getByText('For later').count()).toBe(1)
      await expect.poll(focused).toBe(true)
    }
    await entry.click()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await dialog().getByRole('button', { name: 'Approve and schedule' }).click()
    await dialog()
      .getByText(/Scheduled for/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await entry.getByText('Scheduled').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'publish-week')
  })

  it('drags it to another day, is warned that the approval ends, and approves again', async () => {
    const entry = page.getByRole('button', { name: /For later/ })
    await entry.dragTo(page.locator('td').nth(4))
    await dialog().getByText('Moving it withdraws the approval').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await statusOf('For later')).toBe('scheduled')
    await dialog().getByRole('button', { name: 'Move and approve…' }).click()
    await dialog().getByText('Publish to a package on this appliance, at').waitFor()
    const states = (await posts()).filter(({ text }) => text === 'For later').map(({ status }) => status)
    expect(states).toEqual(['draft'])
    await dialog().getByRole('button', { name: 'Approve and schedule' }).click()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.locator('td').nth(4).getByText('For later').count()).toBe(1)
    await entry.getByText('Scheduled').waitFor()
  })

  it('cancels it by the same two steps', async () => {
    await page.getByRole('button', { name: /For later/ }).click()
    await dialog().getByRole('button', { name: 'Cancel post' }).click()
    await dialog().getByRole('button', { name: 'Approve and stop' }).click()
    await dialog().getByText('Cancelled.').waitFor()
    await dialog().getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /For later/ }).waitFor({ state: 'detached' })
    const states = (await posts()).filter(({ text }) => text === 'For later').map(({ status }) => status)
    expect(states).toEqual(['cancelled'])
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('an agent requests an approval from a person', () => {
  it('who sees it at once, reads what it is for, and decides', async () => {
    await page.getByRole('button', { name: 'New post', exact: true }).click()
    await dialog().getByLabel('Publish to').selectOption({ label: 'Bluesky, as a package' })
    await dialog().getByLabel('Text', { exact: true }).fill('An agent wants this')
    await dialog().getByRole('button', { name: 'Save draft' }).click()
    await dialog().waitFor({ state: 'detached' })
    seed.ask((await posts()).find(({ text }) => text === 'An agent wants this')?.id ?? '')
    await page.getByText('asks for approval').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Review' }).click()
    await dialog().getByText('An agent wants this').waitFor()
    await dialog().getByRole('button', { name: 'Approve' }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.getByText('asks for approval').waitFor({ state: 'detached' })
    // The agent's own call is what publishes it.
    expect(await statusOf('An agent wants this')).toBe('draft')
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('an editor reads the analytics', () => {
  it('as sums, by day, by platform, by post and by clip', async () => {
    seed.account('bluesky', 'studio.example')
    for (const [index, platform] of (['bluesky', 'youtube', 'tiktok'] as const).entries())
      seed.post({
        platform,
        text: `Went out on ${platform}`,
        clipId: index === 2 ? null : clipId,
        publishedAt: Date.now() - (index + 2) * DAY,
        views: [500, 1000, 1600 * (index + 1)],
      })
    await page.getByRole('link', { name: 'Analytics', exact: true }).click()
    const total = (name: string) => page.locator('.totals div').filter({ hasText: name }).locator('dd')
    await expect.poll(async () => (await total('Views').textContent())?.trim()).toMatch(/^9.?600$/)
    await page.getByRole('img', { name: /Views gained by all posts/ }).waitFor()
    await page.getByText('Show as a table').first().click()
    const gained = await page.locator('figure td').allTextContents()
    expect(gained.reduce((sum, text) => sum + Number(text.replaceAll(/\D/g, '')), 0)).toBe(9600)
    const drawn = await page
      .locator('canvas')
      .first()
      .evaluate((canvas: HTMLCanvasElement) => {
        const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
          0,
          0,
          canvas.width,
          canvas.height,
        )
        return data.some((value) => value !== 0)
      })
    expect(drawn).toBe(true)
    const best = page.getByRole('region', { name: 'Best clips' })
    await best.getByRole('link', { name: 'Why three times is enough' }).waitFor()
    expect(await best.getByRole('listitem').allTextContents()).toEqual([
      expect.stringMatching(/4.?800 views ·\s+5 posts/),
    ])
    await page.getByText('Nothing is learned yet').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'analytics')
  })

  it('sorts posts by a counter, and looks at one over time', async () => {
    const first = () => page.locator('tbody th .link').first().textContent()
    await page.getByRole('button', { name: 'Views' }).click()
    await expect.poll(first).toBe('Went out on tiktok')
    await page.getByRole('button', { name: 'Went out on tiktok' }).last().click()
    await dialog().getByRole('img', { name: 'Views since it was published' }).waitFor()
    await dialog().getByText('Metrics from TikTok').waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'analytics-post')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(studio.complaints).toEqual([])
  })

  it('scrolls the clips, closes a filter by keys and by a click outside, and deletes one by keys', async () => {
    await seed.clip('Stays', 'a')
    await seed.clip('Goes', 'b')
    await page.evaluate(() => scrollTo(0, 300))
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Clips', exact: true }).click()
    await page.locator('ul.grid li').nth(2).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    const filter = page.locator('details').filter({ has: page.getByText('Status', { exact: true }) })
    const open = () => filter.evaluate((one: HTMLDetailsElement) => one.open)
    await filter.locator('summary').click()
    await filter.getByRole('checkbox').first().focus()
    await page.keyboard.press('Escape')
    await expect.poll(open).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Status')
    await filter.locator('summary').click()
    await page.getByRole('heading', { name: 'Clips', exact: true }).click()
    await expect.poll(open).toBe(false)
    await page.locator('[data-clip]').filter({ hasText: 'Goes' }).first().focus()
    await page.keyboard.press('Delete')
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(() => page.locator('ul.grid li').count()).toBe(2)
    const isClip = () => page.evaluate(() => document.activeElement?.hasAttribute('data-clip'))
    await expect.poll(isClip).toBe(true)
    expect(studio.complaints).toEqual([])
  })

  it('on a narrow window too: nothing is wider than it', async () => {
    for (const width of [400, 820]) {
      // High enough that the bar at its foot covers nothing that axe measures.
      await page.setViewportSize({ width, height: 4000 })
      for (const room of ['publish', 'publish/posts', 'publish/accounts', 'analytics']) {
        await page.goto(`${studio.appliance.url}/#/${room}`)
        await page.locator(room === 'analytics' ? '.totals' : '[role=tabpanel]').waitFor()
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
        await expect.poll(wide, { message: `${room} at ${width}` }).toBe(width)
        expect(await violations(page)).toEqual([])
      }
    }
    expect(studio.complaints).toEqual([])
  })
})
