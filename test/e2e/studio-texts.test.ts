/**
 * The texts of a clip in a real Chromium: a proposed title is taken with one click, and a post says on each platform what is
 * proposed for it, or what an editor made of that.
 */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio text tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Texts',
  clip: { start: 0, end: 39.2 },
  nodes: [{ type: 'add_title_overlay' }],
}
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

let studio: StudioBrowser
let page: Page
let clipId: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  clipId = await makeClip(studio, page, WANTED)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** Pictures of the page in both themes and sizes, to look at. */
async function shots(name: string): Promise<void> {
  const before = page.viewportSize()
  for (const size of SIZES)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await shot(page, `${name}-${size.width}-${colorScheme}`)
    }
  if (before !== null) await page.setViewportSize(before)
}

interface Texts {
  readonly platform: string
  readonly title: string | null
  readonly text: string
  readonly firstComment: string | null
}
const read = async (path: string): Promise<Texts[]> => {
  const answer = await studio.context.request.get(`${studio.appliance.url}${path}`)
  return ((await answer.json()) as { data: Texts[] }).data
}

describe.skipIf(chromium === null)('an editor of texts', () => {
  it('takes one of the proposed titles with one click', async () => {
    await openClip(studio, page, clipId)
    const { titles, title } = await readEditor(studio, clipId)
    expect(titles.length).toBeGreaterThan(1)
    expect(titles[0]?.text).toBe(title)
    const other = titles[1]?.text ?? ''
    await page.getByRole('tab', { name: 'Title', exact: true }).click()
    await page.getByText('Proposed titles').click()
    const choice = page.getByRole('list', { name: 'Proposed titles' }).getByRole('button')
    expect(await choice.count()).toBe(titles.length)
    await choice.nth(1).click()
    await expect.poll(async () => (await readEditor(studio, clipId)).title).toBe(other)
    expect(await choice.nth(1).getAttribute('aria-pressed')).toBe('true')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).inputValue())
      .toBe(other)
    expect(await violations(page, '.side')).toEqual([])
    await shots('title-proposals')
  })

  it('sees each platform’s own text, changes one, and saves it alone', async () => {
    const texts = await read(`/clips/${clipId}/post-texts`)
    const of = (platform: string) => texts.find((one) => one.platform === platform)
    await page.goto(`${studio.appliance.url}/#/clips`)
    await page
      .getByRole('link', { name: /^Publish / })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const where = dialog.getByLabel('Publish to')
    const text = dialog.getByLabel('Text', { exact: true })
    await where.selectOption({ label: 'YouTube, as a package' })
    await expect.poll(() => text.inputValue()).toBe(of('youtube')?.text)
    await expect.poll(() => dialog.getByLabel('Title (required)').inputValue()).toBe(of('youtube')?.title)
    await where.selectOption({ label: 'Instagram, as a package' })
    await expect.poll(() => text.inputValue()).toBe(of('instagram')?.text)
    await expect
      .poll(() => dialog.getByLabel('First comment').inputValue())
      .toBe(of('instagram')?.firstComment)
    await text.fill('My own words for Instagram, see https://example.com')
    await dialog.getByText('Links in a text on Instagram cannot be followed.').waitFor()
    expect(await violations(page, 'dialog')).toEqual([])
    await shots('post-texts')
    await where.selectOption({ label: 'Bluesky, as a package' })
    await expect.poll(() => text.inputValue()).toBe(of('bluesky')?.text)
    await where.selectOption({ label: 'Instagram, as a package' })
    expect(await text.inputValue()).toBe('My own words for Instagram, see https://example.com')
    await dialog.getByRole('button', { name: 'Use the proposed text for Instagram' }).click()
    expect(await text.inputValue()).toBe(of('instagram')?.text)
    await text.fill('My own words')
    await dialog.getByRole('button', { name: 'Save draft' }).click()
    await dialog.waitFor({ state: 'detached' })
    const posts = await read('/social/posts')
    expect(posts.map(({ platform, text: saved }) => [platform, saved])).toEqual([
      ['instagram', 'My own words'],
    ])
    expect(studio.complaints).toEqual([])
  })
})
