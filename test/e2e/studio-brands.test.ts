/** Brand kits in a real Chromium: made as a new user makes one, seen while it is set, chosen in a workflow, given to many clips and taken back. */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrandKits } from '../../server/contract/branding.ts'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { openSeed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

let studio: StudioBrowser
let page: Page
let ids: string[]

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const seed = openSeed(studio.home)
  ;({ clipIds: ids } = seed.found('https://example.com/talk.mp4', ['Ada', 'Bea', 'Cleo']))
  seed.close()
  page = await studio.newPage()
  page.setDefaultTimeout(30_000)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Library', exact: true }).click()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

async function look(name: string): Promise<void> {
  expect(await violations(page), name).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
    await shot(page, `brands-${name}-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}
const read = async <T>(path: string): Promise<T> =>
  (await (await page.request.get(`${studio.appliance.url}${path}`)).json()) as T
const kits = async () => (await read<BrandKits>('/studio/brand-kits')).kits
const overrides = () =>
  Promise.all(ids.map(async (id) => (await read<StudioEditor>(`/studio/clips/${id}/editor`)).overrides))
const shown = () => page.locator('canvas[data-shown]').getAttribute('data-shown')

describe.skipIf(chromium === null)('a brand kit', () => {
  it('is made in two steps, from a page that says what it is for', async () => {
    await page.getByRole('link', { name: 'Brand kits' }).click()
    await page.getByText('No brand kits yet.').waitFor()
    await look('empty')
    await page.getByRole('button', { name: 'New brand kit' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Lindenhof')
    await page.getByRole('dialog').getByRole('button', { name: 'New brand kit' }).click()
    await page.getByRole('region', { name: 'What the brand sets' }).waitFor()
    expect((await kits()).map(({ name }) => name)).toEqual(['Lindenhof'])
  })

  it('is shown on a clip while it is set, and is still there after a reload', async () => {
    await expect.poll(shown, { timeout: 30_000 }).not.toBe('')
    const ofClip = await shown()
    // The clips here have no words.
    await page.getByLabel('Shown on').selectOption('The sample')
    await expect.poll(shown, { timeout: 30_000 }).not.toBe(ofClip)
    const before = await shown()
    await page.getByText('Names of speakers where they first speak').click()
    await page.getByLabel('Seconds that a name is shown').fill('3')
    await page.getByLabel('Colour of texts', { exact: true }).fill('#00ff88')
    await page.keyboard.press('Tab')
    await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor()
    await expect.poll(shown, { timeout: 30_000 }).not.toBe(before)
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'Not saved' }).waitFor()
    await look('kit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    expect((await kits())[0]?.look).toEqual({
      text_color: '#00ff88',
      lower_third: { seconds: 3 },
    })
  })

  it('is given to many clips at once, and taken back by one undo', async () => {
    const before = await overrides()
    await page.getByRole('link', { name: 'Clips', exact: true }).click()
    await page.locator('[data-clip]').first().focus()
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Change look' }).click()
    await page.getByRole('dialog').getByLabel('Brand kit').selectOption('Lindenhof')
    await page.getByRole('button', { name: 'Change 3 clips' }).click()
    const toast = page.getByRole('status').filter({ hasText: 'Changed 3 clips.' })
    await toast.waitFor()
    const lower_third = { seconds: 3, fontColor: '#00ff88' }
    const branded = (await overrides()).map(({ nodes }) => nodes?.['apply_branding']?.config)
    expect(branded).toEqual(ids.map(() => ({ lower_third })))
    await toast.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 clips are as they were.').waitFor()
    expect(await overrides()).toEqual(before)
  })

  it('is chosen by its name in a workflow, and kept for it', async () => {
    const nodes = [{ id: 'b', type: 'apply_branding', config: {} }]
    const answer = await page.request.post(`${studio.appliance.url}/studio/workflows`, {
      data: { file: { name: 'Weekly', description: '', nodes, edges: [] } },
      headers: { origin: studio.appliance.url },
    })
    const { workflowId } = (await answer.json()) as { workflowId: string }
    await page.goto(`${studio.appliance.url}/#/workflows/${workflowId}`)
    await page.getByLabel('Edit a node').selectOption('Apply branding')
    await page.getByLabel('Brand kit', { exact: true }).selectOption('Lindenhof')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    await page.goto(`${studio.appliance.url}/#/brands`)
    await page.getByText('Applied by 1 workflow').waitFor()
    await look('list')
    await page.getByRole('link', { name: 'Lindenhof' }).click()
    await page.getByRole('link', { name: 'Weekly' }).waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alert').getByText('It is applied by “Weekly”.').waitFor()
    expect(studio.complaints.filter((text) => !text.includes('409'))).toEqual([])
  })
})
