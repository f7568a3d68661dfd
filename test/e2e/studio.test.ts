/**
 * The studio in a real Chromium, as an editor uses it: a file is uploaded, a clip is cut by its words, restyled, saved,
 * rendered and downloaded. Every page is checked by axe in both themes.
 */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioEditor } from '../../server/contract/studio-editor.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { firstPaint, layoutShift, looks } from './studio/page-layout.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import {
  captionedTalk,
  importWorkflow,
  onlyClip,
  openClip,
  putIn,
  readEditor,
  type Wanted,
} from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Tiny',
  clip: { start: 4, end: 11.2 },
  nodes: [{ type: 'add_subtitles' }],
}

let studio: StudioBrowser
let video: string
let page: Page

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  video = await captionedTalk(studio.folder)
  await importWorkflow(studio, WANTED)
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const words = () => page.getByRole('region', { name: 'Transcript' }).locator('.word')
const saved = () => page.getByText('Saved', { exact: true }).waitFor()

describe.skipIf(chromium === null)('an editor', () => {
  it('is signed in by the link, and offered the sample while there is nothing', async () => {
    await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
    await page.getByRole('button', { name: 'Try the sample' }).waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'home-empty')
  })

  it('drops a file, beside the box, and sees the clip come out', async () => {
    await putIn(page, WANTED, video, 'nav[aria-label=Pages]')
    await page.locator('main h3 a').first().waitFor()
    expect(await violations(page)).toEqual([])
    await shot(page, 'home')
  })

  it('finds it in the grid by a word of its title', async () => {
    await page.getByRole('link', { name: 'Clips', exact: true }).click()
    await page.locator('main li a').first().waitFor()
    await page.locator('main li a').first().hover()
    await page.locator('main li video').waitFor()
    await page.getByRole('button', { name: /why .* has this score$/ }).click()
    await page.getByRole('dialog').getByRole('meter').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Search clips').fill('zebra')
    await page.getByText('No clips match these filters.').waitFor()
    await page.getByLabel('Search clips').fill('')
    await page.locator('main li a').first().waitFor()
    await page.locator('main li a').first().focus()
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog', { name: /^Delete “/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/)
    await page.getByText('Downloaded 1 of 1').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Select none' }).click()
    expect(await violations(page)).toEqual([])
    await shot(page, 'clips')
  })

  it('cuts words out of it, undoes that, and cuts them again', async () => {
    await page.locator('main li a').first().click()
    await words().nth(30).waitFor()
    const length = page.locator('.controls .time')
    await expect.poll(() => length.textContent()).toMatch(/\/ 0:07\.2/)
    const first = await words().evaluateAll((all) => all.findIndex((one) => !one.classList.contains('cut')))
    await words()
      .nth(first + 2)
      .click()
    await words()
      .nth(first + 4)
      .click({ modifiers: ['Shift'] })
    await page.keyboard.press('Delete')
    await expect.poll(() => length.textContent()).not.toMatch(/\/ 0:07\.2/)
    const shortened = await length.textContent()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => length.textContent()).toMatch(/\/ 0:07\.2/)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => length.textContent()).toBe(shortened)
    await saved()
    expect(await violations(page)).toEqual([])
    await shot(page, 'editor')
  })

  it('corrects a word by a double click, and undoes that after a reload', async () => {
    const first = await words().evaluateAll((all) => all.findIndex((one) => !one.classList.contains('cut')))
    const spoken = await words().nth(first).textContent()
    await words().nth(first).dblclick()
    await page.getByLabel(`Correct “${spoken}”`).fill('Wherefore')
    await page.keyboard.press('Enter')
    await expect.poll(() => words().nth(first).textContent()).toBe('Wherefore')
    await saved()
    await page.reload()
    await expect.poll(() => words().nth(first).textContent()).toBe('Wherefore')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => words().nth(first).textContent()).toBe(spoken)
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(() => words().nth(first).textContent()).toBe('Wherefore')
    await saved()
    expect(studio.complaints).toEqual([])
  })

  it('restyles the captions, and sees it at once', async () => {
    const before = await page.locator('canvas').first().screenshot()
    await page.getByRole('tab', { name: 'Captions' }).click()
    await page.getByLabel('Full box').check()
    await saved()
    await expect
      .poll(async () => before.equals(await page.locator('canvas').first().screenshot()))
      .toBe(false)
    expect(await violations(page)).toEqual([])
    await shot(page, 'captions')
  })

  it('loses nothing by a reload, nor while the appliance is unreachable', async () => {
    await page.reload()
    await page.getByRole('tab', { name: 'Captions' }).click()
    await expect.poll(() => page.getByLabel('Full box').isChecked()).toBe(true)
    await studio.context.setOffline(true)
    await page.getByLabel('Neon').check()
    await page.getByText('The appliance does not answer.').waitFor()
    await page.close()
    // The page's only messages about it: its other requests failed too.
    studio.complaints.length = 0
    await studio.context.setOffline(false)
    page = await studio.newPage()
    await openClip(studio, page, await onlyClip(studio))
    await page.getByRole('tab', { name: 'Captions' }).click()
    await expect.poll(() => page.getByLabel('Neon').isChecked()).toBe(true)
    await saved()
  })

  it('merges the edit of another window without losing its own', async () => {
    const other = await studio.newPage()
    await other.goto(page.url())
    await other.getByRole('tab', { name: 'Title' }).click()
    await other.getByRole('textbox', { name: 'Title' }).fill('Named by another')
    await other.getByText('Saved', { exact: true }).waitFor()
    await page.getByLabel('Emojis').check()
    await saved()
    await page.getByRole('heading', { name: 'Named by another' }).waitFor()
    await expect.poll(() => page.getByLabel('Emojis').isChecked()).toBe(true)
    await other.close()
    expect(studio.complaints.filter((text) => !text.includes('412'))).toEqual([])
    studio.complaints.length = 0
  })

  it('chooses which edit stays when another person has saved the same field meanwhile', async () => {
    const id = await onlyClip(studio)
    const size = async () => (await readEditor(studio, id)).subtitleConfig['fontSize']
    await page.route(/studio\/clips\/[^/]+$/u, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.getByLabel('Full box').check()
    await page.getByText('The appliance does not answer.').waitFor()
    await page.close()
    const { etag, subtitleConfig } = await readEditor(studio, id)
    const origin = new URL(studio.appliance.url).origin
    const theirs = await studio.context.request.patch(`${origin}/studio/clips/${id}`, {
      headers: { origin },
      data: { etag, updates: { subtitleConfig: { ...subtitleConfig, fontSize: 33 } } },
    })
    expect(theirs.status()).toBe(200)
    studio.complaints.length = 0
    page = await studio.newPage()
    await openClip(studio, page, id)
    await page.getByText(/^Changed by .+: review$/u).waitFor()
    await page.getByRole('tab', { name: 'Captions' }).click()
    await expect.poll(() => page.getByLabel('Full box').isChecked()).toBe(true)
    // Longer than edits wait before they are saved.
    await page.waitForTimeout(1500)
    expect(await size()).toBe(33)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use theirs: the captions' }).click()
    await saved()
    expect([await size(), await page.getByLabel('Neon').isChecked()]).toEqual([33, true])
    expect(studio.complaints).toEqual([])
  })

  it('undoes by keys after a box was checked; behind a dialog no key edits the clip', async () => {
    await page.getByLabel('Emojis').uncheck()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.getByLabel('Emojis').isChecked()).toBe(true)
    await saved()
    const pieces = await page.locator('.piece').count()
    await page.keyboard.press('Home')
    // Arrows belong to the box that has the focus.
    for (let frame = 0; frame < 25; frame += 1) await page.keyboard.press('.')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('.piece').count()).toBe(pieces)
    await page.keyboard.press('s')
    await expect.poll(() => page.locator('.piece').count()).toBe(pieces + 1)
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('.piece').count()).toBe(pieces)
    await saved()
  })

  it('sees a repeated message once, and a repeated event once', async () => {
    await page.route(/\/editor$/u, async (route) => {
      const response = await route.fetch()
      const editor = (await response.json()) as StudioEditor
      const preview = { ...editor.preview, warnings: ['Said twice.', 'Said twice.'] }
      await route.fulfill({ response, json: { ...editor, preview } })
    })
    await page.reload()
    await page.getByText('Said twice.').waitFor()
    expect(await page.getByText('Said twice.').count()).toBe(1)
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const further = /\/clips\?/u
    const title = 'As it is on the later page'
    await page.route(further, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('cursor=later', '') })
      const { data, meta } = (await response.json()) as { data: object[]; meta: object }
      const isLater = route.request().url().includes('cursor=later')
      const json = isLater
        ? { data: data.map((clip) => ({ ...clip, title })), meta: { ...meta, nextCursor: null } }
        : { data, meta: { ...meta, nextCursor: 'later' } }
      await route.fulfill({ response, json })
    })
    await page.getByRole('link', { name: 'All clips' }).click()
    await page.getByRole('button', { name: 'Load more', exact: true }).click()
    await page.getByText(title).first().waitFor()
    await page.getByRole('button', { name: 'Load more', exact: true }).waitFor({ state: 'detached' })
    expect(await page.locator('main li [data-clip]').count()).toBe(1)
    // A list that is asked for just now may be on its way still.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(studio.complaints).toEqual([])
    await openClip(studio, page, await onlyClip(studio))
    await page.getByRole('tab', { name: 'Captions' }).click()
  })

  it('plays, renders, and downloads the finished file', async () => {
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const position = page.getByLabel('Position', { exact: true })
    const frame = async (): Promise<number> => Number(await position.inputValue())
    await expect.poll(frame).toBeGreaterThan(5)
    // What is edited meanwhile is seen, and does not stop it before the end.
    await page.getByLabel('Emojis').uncheck()
    await saved()
    const last = Number(await position.getAttribute('max'))
    await expect.poll(frame).toBeGreaterThan(last - 5)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor()
    const answer = await page.request.get((await link.getAttribute('href')) ?? '')
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'video/mp4'])
    expect((await answer.body()).length).toBeGreaterThan(10_000)
    await shot(page, 'rendered')
  })
})

/** Drops a file on the page of workflows. */
async function dropFile(name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([file, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content ?? ''], file ?? '', { type: 'application/json' }))
      return data
    },
    [name, text],
  )
  await page.getByRole('region', { name: 'Workflows' }).dispatchEvent('drop', { dataTransfer: transfer })
}

/** Two tracks in rows, one put first, one deleted; a volume that cannot be is reported at its field and node. */
async function setMusic(): Promise<void> {
  await page.getByLabel('Add a node').selectOption({ label: 'Add music' })
  await page.getByRole('heading', { name: 'Add music' }).waitFor()
  const tracks = page.getByRole('group', { name: 'Music: one track per clip, same each time' })
  for (const track of ['first', 'second']) {
    await tracks.getByRole('button', { name: /^Add/ }).click()
    const row = tracks.getByRole('listitem').last()
    await row.getByRole('combobox', { name: 'Audio file', exact: true }).selectOption('An address…')
    await row.getByLabel('Address of audio file').fill(`https://example.com/${track}.mp3`)
    await page.keyboard.press('Tab')
  }
  await tracks.getByRole('button', { name: /^Move up: .* 2$/ }).click()
  await tracks.getByRole('button', { name: /^Delete: .* 2$/ }).click()
  expect(await tracks.getByLabel('Address of audio file').inputValue()).toBe('https://example.com/second.mp3')
  await tracks.getByLabel('Loudness, 0 to 1').fill('7')
  await page.keyboard.press('Tab')
  await tracks.getByText('Should be a number from 0 to 1.').waitFor()
  await page.getByText('Add music: should be a number from 0 to 1.').waitFor()
  await page.getByRole('group', { name: 'Add music: needs attention' }).waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  expect(await violations(page)).toEqual([])
  await shot(page, 'workflow-music')
  await tracks.getByLabel('Loudness, 0 to 1').fill('0.5')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Save', exact: true }).isEnabled()
  await page.getByRole('button', { name: 'Delete node' }).click()
  await page.getByLabel('Edit a node').selectOption({ label: 'Smart zoom' })
}

describe.skipIf(chromium === null)('a workflow', () => {
  it('gets another node, set by a form, and is saved, duplicated and deleted', async () => {
    await page.getByRole('link', { name: 'Workflows', exact: true }).click()
    await page.getByRole('link', { name: 'Tiny' }).click()
    await page.locator('.svelte-flow__node').nth(1).waitFor()
    await page.getByLabel('Add a node').selectOption({ label: 'Smart zoom' })
    await page.getByRole('heading', { name: 'Smart zoom' }).waitFor()
    await page.getByText('Not saved').waitFor()
    await setMusic()
    await page.getByLabel('Workflow name').fill(' ')
    await page.keyboard.press('Tab')
    await page.getByText('A workflow needs a name.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByLabel('Edit a node').selectOption('')
    await page.getByLabel('Description').fill('For the eye')
    await page.getByLabel('Edit a node').selectOption({ label: 'Find clips' })
    await page.getByLabel('Shortest clip, seconds').fill('7')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved()
    expect(await violations(page)).toEqual([])
    await shot(page, 'workflow')
    await page.reload()
    await expect.poll(() => page.locator('.svelte-flow__node').count()).toBe(3)
    await page.getByLabel('Edit a node').selectOption({ label: 'Find clips' })
    await expect.poll(() => page.getByLabel('Shortest clip, seconds').inputValue()).toBe('7')
    await page.getByRole('link', { name: 'All workflows' }).click()
    await page.getByText('For the eye').waitFor()
    await dropFile('mine.json', 'no')
    await page.getByRole('alert').filter({ hasText: '“mine.json” is not a workflow.' }).waitFor()
    const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from('[]') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').filter({ hasText: 'This is not a workflow file' }).waitFor()
    studio.complaints.length = 0
    await page.getByRole('button', { name: 'Duplicate Tiny' }).click()
    await page.getByRole('link', { name: 'Tiny (copy)' }).click()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Workflows' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Tiny (copy)' }).count()).toBe(0)
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('every page', () => {
  it('fits windows of three widths in both colours, appears quickly and does not shift', async () => {
    const heading = (name: string) => async (at: Page) => at.getByRole('heading', { name }).first().waitFor()
    const pages = [
      { name: 'Home', ready: heading('A long video in, finished clips out') },
      { name: 'Clips', ready: async (at: Page) => at.locator('ul.grid li').first().waitFor() },
      { name: 'Workflows', ready: heading('Workflows') },
      { name: 'Publish', ready: heading('Publish') },
      { name: 'Analytics', ready: heading('Analytics') },
      { name: 'Editor', ready: async () => words().nth(30).waitFor() },
    ]
    const wrong = await looks(page, pages, async (at, name) => {
      if (name === 'Editor') await openClip(studio, at, await onlyClip(studio))
      else await at.getByRole('link', { name, exact: true }).click()
    })
    expect(wrong).toEqual([])
    const fresh = await studio.newPage()
    await fresh.goto(`${studio.appliance.url}/#/clips`)
    await fresh.locator('ul.grid li').first().waitFor()
    expect(await firstPaint(fresh)).toBeGreaterThan(0)
    expect(await layoutShift(fresh)).toBeLessThan(0.1)
    await fresh.close()
    expect(studio.complaints).toEqual([])
  })
})
