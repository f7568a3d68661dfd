/**
 * The transcript and the chat in a real Chromium: words are searched, replaced, cut and named; a request in English
 * becomes one edit that shows its difference and is undone.
 */
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../server/db/client.ts'
import { getClip, getClipTranscript } from '../../server/db/clips.ts'
import { saveClipEdit, saveClipWords } from '../../server/db/edit-clips.ts'
import { openHome } from '../../server/home.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { makeClip, openClip, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const WANTED: Wanted = {
  name: 'Tiny',
  clip: { start: 4, end: 15.2 },
  nodes: [{ type: 'add_subtitles' }],
}

let studio: StudioBrowser
let page: Page

/** Two speakers, a filler, and an uncertain word, which the tiny talk's captions do not have. */
function tellVoicesApart(clipId: string): void {
  const db = openDatabase(openHome(studio.home).database)
  try {
    const clip = getClip(db, 'local', clipId)
    const transcript = getClipTranscript(db, clipId)
    if (clip === null || transcript === null) throw new Error('there is no clip with words')
    const words = transcript.words.map((word) => ({
      ...word,
      ...(word.word === 'counted' ? { word: 'um,', confidence: 0.3 } : {}),
      speaker: word.start < 8 ? 0 : 1,
    }))
    saveClipWords(db, clipId, words, Date.now())
    const document = { ...clip.document, speakers: ['Speaker 1', 'Speaker 2'] }
    saveClipEdit(db, { companyId: 'local', clipId, document, clearRender: true, now: Date.now() })
  } finally {
    db.close()
  }
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  const id = await makeClip(studio, page, WANTED)
  tellVoicesApart(id)
  await openClip(studio, page, id)
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const transcript = () => page.getByRole('region', { name: 'Transcript' })
const words = () => transcript().locator('.word')
const saved = () => page.getByText('Saved', { exact: true }).waitFor()
/** How long the clip plays. */
const length = async () => (await page.locator('.controls .time').textContent())?.split('/')[1]?.trim()

describe.skipIf(chromium === null)('the transcript', () => {
  it('marks what is a filler and what is not sure, and names who speaks', async () => {
    await words().nth(30).waitFor()
    await transcript().getByRole('heading', { name: 'Speaker 2' }).waitFor()
    expect(await words().locator('nth=0').isVisible()).toBe(true)
    const um = page.getByRole('button', { name: /^um,, filler, uncertain/ })
    await um.waitFor()
    await page.getByRole('button', { name: 'Clean up' }).click()
    await page.getByRole('button', { name: 'Remove all fillers (1)' }).waitFor()
    await shot(page, 'transcript')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clean up' }).click()
  })

  it('a speaker is renamed everywhere, and that is undone', async () => {
    await page.getByRole('button', { name: 'Rename Speaker 2' }).click()
    await page.getByLabel('Name of Speaker 2').fill('Anna')
    await page.keyboard.press('Enter')
    await transcript().getByRole('heading', { name: 'Anna' }).waitFor()
    await saved()
    const id = page.url().split('/').at(-1) ?? ''
    const answer = await studio.context.request.get(
      `${studio.appliance.url}/clip?clipId=${id}&companyId=local`,
    )
    expect(await answer.json()).toMatchObject({ clip: { speakers: ['Speaker 1', 'Anna'] } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await transcript().getByRole('heading', { name: 'Speaker 2' }).waitFor()
  })

  it('words are found, replaced in one go, and put back', async () => {
    await page.getByLabel('Search the transcript').fill('nobody')
    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 of 2').waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByLabel('Replace with').fill('no one')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByText('Replaced 2 times.').waitFor()
    await expect.poll(() => words().filter({ hasText: 'no one' }).count()).toBe(2)
    await page.getByRole('button', { name: 'Undo replace' }).click()
    await expect.poll(() => words().filter({ hasText: 'nobody' }).count()).toBe(2)
    await page.getByLabel('Search the transcript').fill('')
  })

  it('words are selected by keys, cut and put back', async () => {
    const before = await length()
    const because = words().filter({ hasText: 'Because' })
    await because.click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Delete')
    await expect.poll(() => because.getAttribute('aria-label')).toBe('Because, cut')
    await expect.poll(length).not.toBe(before)
    await because.click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(() => because.getAttribute('aria-label')).toBe('Because')
    await expect.poll(length).toBe(before)
  })
})

describe.skipIf(chromium === null)('the chat', () => {
  it('carries out several requests in one step, shows the difference, and undoes it', async () => {
    await page.getByRole('tab', { name: 'Ask' }).click()
    const before = await length()
    await page
      .getByLabel('What to change')
      .fill('cut the first sentence, make the captions yellow, add a zoom on ‘three hours’')
    await page.keyboard.press('Enter')
    const changed = page.getByRole('list', { name: 'What changed' })
    await changed.waitFor()
    expect(await changed.locator('del').textContent()).toBe('Because nobody has the time to look for them.')
    expect(await changed.textContent()).toContain('#ffff00')
    await expect.poll(length).not.toBe(before)
    expect(await violations(page)).toEqual([])
    await shot(page, 'chat')
    await page.getByRole('log').getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    await expect.poll(length).toBe(before)
  })

  it('reports what it does not understand, and keeps the conversation over a reload', async () => {
    await page.getByLabel('What to change').fill('make the captions taste like strawberry')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('was not understood').waitFor()
    await saved()
    await page.reload()
    await page.getByRole('tab', { name: 'Ask' }).click()
    await page.getByText('was not understood').waitFor()
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('the command palette', () => {
  const palette = () => page.getByRole('dialog', { name: 'Commands' })
  const search = () => palette().getByRole('combobox', { name: 'Search commands' })
  const options = () => palette().getByRole('option')

  it('opens by its key, also from a text field, and gives the focus back on Escape', async () => {
    const field = page.getByLabel('What to change')
    await field.focus()
    await page.keyboard.press('Control+k')
    await search().waitFor()
    expect(await search().evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await options().count()).toBeGreaterThan(30)
    expect(await violations(page)).toEqual([])
    await shot(page, 'palette')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('filters by synonyms, requests parameters in a form, and applies the command', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('subtitles colo')
    await expect.poll(() => options().first().textContent()).toContain('Caption colour')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Caption colour' })
    await form.getByLabel('Colour').fill('yellow')
    await form.getByLabel('Part').selectOption('outline')
    await shot(page, 'palette-form')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('The captions’ outline is yellow.').waitFor()
    await saved()
    const id = page.url().split('/').at(-1) ?? ''
    const answer = await studio.context.request.get(
      `${studio.appliance.url}/clip?clipId=${id}&companyId=local`,
    )
    expect(await answer.json()).toMatchObject({ clip: { subtitleConfig: { outlineColor: '#ffff00' } } })
  })

  it('takes parameters typed behind the name, and whole sentences; arrows choose', async () => {
    const before = await length()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Caption size 90')
    await expect.poll(() => options().first().textContent()).toContain('Do “Caption size 90”')
    await page.keyboard.press('Enter')
    await page.getByText(/Captions are at size 90/).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('cut the first sentence and make the captions red')
    await page.keyboard.press('Enter')
    await page.getByText('Captions are red.').waitFor()
    await expect.poll(length).not.toBe(before)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('watermark')
    await page.keyboard.press('Enter')
    await palette().getByRole('alert').getByText('This clip has no watermark.').waitFor()
    await search().fill('do')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => options().nth(1).getAttribute('aria-selected')).toBe('true')
    await search().fill('undo')
    await page.keyboard.press('Enter')
    await expect.poll(length).toBe(before)
    expect(studio.complaints).toEqual([])
  })
})
