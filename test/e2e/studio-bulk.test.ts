/**
 * Many clips at once in a real Chromium: selected by keys, changed, taken back as one step, drafted, and decided about in
 * Review. What cannot be done of a clip, and what somebody else has changed since, is named.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { node } from '../support/node-values.ts'
import { openSeed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { seedFootageClip } from './studio/footage-clip.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const
const TITLES = ['Ada', 'Bea', 'Cleo', 'Dora', 'Edda', 'Fay']

let studio: StudioBrowser
let page: Page
let runId: string
let ids: string[]

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const seed = openSeed(studio.home)
  ;({ runId, clipIds: ids } = seed.found('https://example.com/talk.mp4', TITLES))
  seed.account('bluesky', 'lindenhof.example')
  seed.close()
  page = await studio.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Clips', exact: true }).click()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** What can be edited of each clip. */
async function editsNow(): Promise<unknown[]> {
  const answers = ids.map(async (id) => {
    const answer = await page.request.get(`${studio.appliance.url}/studio/clips/${id}/editor`)
    const {
      etag: _etag,
      editedBy: _by,
      preview,
      source: _source,
      ...edited
    } = (await answer.json()) as StudioEditor
    return { ...edited, renderKey: preview.renderKey }
  })
  return await Promise.all(answers)
}
const shapes = async () => ((await editsNow()) as StudioEditor[]).map(({ aspectRatio }) => aspectRatio)

async function look(name: string): Promise<void> {
  expect(await violations(page), name).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
    // Both themes were looked at by axe; the widest is kept in dark too.
    for (const colorScheme of width === 1440 ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `bulk-${name}-${width}-${colorScheme}`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const bar = () => page.getByRole('group', { name: 'Actions for the selected clips' })
const toast = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const dialog = () => page.getByRole('dialog')
async function selectAll(): Promise<void> {
  await page.locator('[data-clip]').first().focus()
  await page.keyboard.press('Control+a')
  await bar().getByText('6 selected').waitFor()
}
async function change(by: Readonly<Record<string, string>>): Promise<void> {
  await bar().getByRole('button', { name: 'Change look' }).click()
  for (const [label, option] of Object.entries(by)) await dialog().getByLabel(label).selectOption(option)
  await dialog()
    .getByRole('button', { name: /^Change \d clips$/ })
    .click()
}

describe.skipIf(chromium === null)('many clips', () => {
  it('are selected by keys, changed at once, and all brought back by one undo', async () => {
    await selectAll()
    const before = await editsNow()
    await bar().getByRole('button', { name: 'Change look' }).click()
    await look('dialog')
    await page.keyboard.press('Escape')
    await change({ 'Caption style': 'karaoke', Format: '1:1' })
    await toast('Changed 6 clips.').waitFor()
    await look('changed')
    const after = (await editsNow()) as StudioEditor[]
    expect(after.map(({ subtitleConfig }) => subtitleConfig['styleId'])).toEqual(ids.map(() => 'karaoke'))
    expect(after.map(({ aspectRatio }) => aspectRatio)).toEqual(ids.map(() => '1:1'))
    await toast('Changed 6 clips.').getByRole('button', { name: 'Undo' }).click()
    await toast('6 clips are as they were.').waitFor()
    expect(await editsNow()).toEqual(before)
  })

  it('are brought back by Ctrl+Z but for one that somebody else has changed, which is named', async () => {
    await change({ Format: '1:1' })
    await toast('Changed 6 clips.').waitFor()
    const [first = ''] = ids
    const url = `${studio.appliance.url}/studio/clips/${first}`
    const { etag } = (await (await page.request.get(`${url}/editor`)).json()) as StudioEditor
    const headers = { origin: studio.appliance.url }
    const saved = await page.request.patch(url, { data: { etag, updates: { bio: 'By Bob' } }, headers })
    expect(saved.status()).toBe(200)
    await page.keyboard.press('Control+z')
    await toast('5 clips are as they were. “Ada” was changed since, and stays.').waitFor()
    expect(await shapes()).toEqual(['1:1', ...ids.slice(1).map(() => '9:16')])
  })

  it('say what cannot be done of one of them, and stop where one stops them', async () => {
    await selectAll()
    await change({ Format: '1:1' })
    await bar().getByText('Changed 5 of 6').waitFor()
    await bar().getByText('Ada: The picture is 1:1 already.').waitFor()
    await page.keyboard.press('Control+z')
    await toast('5 clips are as they were.').waitFor()
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/edits', async (route) => {
      await held
      await route.continue()
    })
    await selectAll()
    await change({ 'Caption style': 'pill' })
    await bar().getByRole('button', { name: 'Stop' }).click()
    letGo()
    await toast('Changed 4 clips.').waitFor()
    await page.unroute('**/edits')
    await page.keyboard.press('Control+z')
    await toast('4 clips are as they were.').waitFor()
  })

  it('get a draft each, which one undo deletes', async () => {
    const drafts = async () => {
      const answer = await page.request.get(`${studio.appliance.url}/social/posts`)
      return ((await answer.json()) as { data: unknown[] }).data.length
    }
    await selectAll()
    await bar().getByRole('button', { name: 'Publish' }).click()
    await dialog().getByLabel('lindenhof.example').check()
    await look('publish')
    await dialog().getByRole('button', { name: 'Make 6 drafts' }).click()
    await toast('6 drafts are in Publish.').waitFor()
    expect(await drafts()).toBe(6)
    await toast('6 drafts are in Publish.').getByRole('button', { name: 'Undo' }).click()
    await toast('6 drafts were deleted.').waitFor()
    expect(await drafts()).toBe(0)
  })
})

describe.skipIf(chromium === null)('renders of many clips', () => {
  it('are taken back by Ctrl+Z while they go on, and named', async () => {
    const filmed = await readFile(join(import.meta.dirname, '../../../shared/media/moving_face_10s.mp4'))
    const document = { nodes: [node('convert_to_vertical')] }
    for (const title of ['Face one', 'Face two'])
      await seedFootageClip(studio.home, filmed, { durationSeconds: 9, document: { ...document, title } })
    await page.reload()
    for (const title of ['Face one', 'Face two'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    const operations: string[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('/render-jobs')) return
      void response.json().then(({ data }: { data: { id: string } }) => operations.push(data.id))
    })
    await bar().getByRole('button', { name: 'Render', exact: true }).click()
    await bar().getByText('Rendered 0 of 2').waitFor()
    await expect.poll(() => operations.length).toBe(2)
    await page.keyboard.press('Control+z')
    for (const title of ['Face one', 'Face two'])
      await bar().getByText(`${title}: The render was cancelled.`).waitFor()
    const stateOf = async (id: string): Promise<string> => {
      const answer = await page.request.get(`${studio.appliance.url}/operations/${id}`)
      return ((await answer.json()) as { data: { state: string } }).data.state
    }
    for (const id of operations) await expect.poll(() => stateOf(id)).toBe('cancelled')
    await page.keyboard.press('Escape')
  })
})

describe.skipIf(chromium === null)('many clips of a run', () => {
  const card = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })

  it('are decided about and changed in Review, and undone in their order', async () => {
    await page.goto(`${studio.appliance.url}/#/review/${runId}`)
    await card('Bea').getByLabel('Select Bea').click()
    await card('Edda')
      .getByLabel('Select Edda')
      .click({ modifiers: ['Shift'] })
    await bar().getByText('4 selected').waitFor()
    await bar().getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('button', { name: 'Kept 4' }).waitFor()
    await change({ 'Caption style': 'pill' })
    await toast('Changed 4 clips.').waitFor()
    await look('review')
    await page.keyboard.press('Control+z')
    await toast('4 clips are as they were.').waitFor()
    await page.getByRole('button', { name: 'Kept 4' }).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Kept 0' }).waitFor()
    await page.keyboard.press('Control+a')
    await bar().getByText('6 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar().waitFor({ state: 'detached' })
    expect(studio.complaints).toEqual([])
  })
})
