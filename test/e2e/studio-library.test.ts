/**
 * The library of media in a real Chromium: files are dropped and uploaded, found, looked at, renamed, and deleted with a
 * way back; what is used stays, and the page says by what.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Library } from '../../server/contract/library.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const

const FONT = join(import.meta.dirname, '..', '..', 'resources', 'fonts', 'Anton_400Regular.ttf')

let studio: StudioBrowser
let page: Page
let logo: string
let jingle: string
let opener: string

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  ;[logo, jingle, opener] = await Promise.all([
    makeMedia(studio.folder, 'Logo white.png', [...picture(0.04), '-frames:v', '1']),
    makeMedia(studio.folder, 'Jingle.wav', tone(2)),
    makeMedia(studio.folder, 'Opener.mp4', [...picture(1), ...h264()]),
  ])
  page = await studio.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Library', exact: true }).click()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

async function drop(paths: readonly string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), bytes: (await readFile(path)).toString('base64') })),
  )
  const dataTransfer = await page.evaluateHandle((given) => {
    const carried = new DataTransfer()
    for (const { name, bytes } of given)
      carried.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name))
    return carried
  }, files)
  await page.dispatchEvent('main', 'drop', { dataTransfer })
}

async function look(name: string): Promise<void> {
  expect(await violations(page), name).toEqual([])
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
    // Both themes were looked at by axe; the widest is kept in dark too.
    for (const colorScheme of width === 1440 ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme })
      await shot(page, `library-${name}-${width}-${colorScheme}`)
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

const tile = (name: string) => page.locator('[data-item]').filter({ hasText: name })
const stored = async (): Promise<string[]> => {
  const lists = await Promise.all(
    ['image', 'video', 'audio'].map((kind) =>
      page.request.get(`${studio.appliance.url}/studio/library?kind=${kind}`),
    ),
  )
  const found = await Promise.all(lists.map(async (list) => ((await list.json()) as Library).items))
  return found.flat().map(({ name }) => name)
}

describe.skipIf(chromium === null)('the library', () => {
  it('says what to do while it is empty', async () => {
    await page.getByText('No files yet. Upload a logo').waitFor()
    await look('empty')
  })

  it('takes files that are dropped or picked, with pictures of each, and says what it cannot take', async () => {
    await drop([logo, jingle])
    await tile('Logo white.png').waitFor()
    await tile('Jingle.wav').waitFor()
    await page.locator('svg[data-known=true]').waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload', exact: true }).click(),
    ])
    const notes = join(studio.folder, 'notes.png')
    await writeFile(notes, 'text')
    await chooser.setFiles([opener, FONT, notes])
    await tile('Opener.mp4').waitFor()
    await tile('Anton_400Regular.ttf').waitFor()
    await page.getByRole('alert').getByText('“notes.png” was not added. This is a text file').waitFor()
    await look('filled')
    await page.getByRole('button', { name: 'Dismiss' }).click()
  })

  it('finds by type and by words', async () => {
    await page.getByRole('button', { name: 'Sounds 1' }).click()
    await page.getByRole('status').getByText('1 file', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('logo')
    await page.getByText('Nothing in the library matches.').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await page.getByRole('status').getByText('4 files').waitFor()
  })

  it('shows one, and renames it', async () => {
    await tile('Logo white.png').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing uses it yet.').waitFor()
    await look('item')
    await dialog.getByLabel('Name').fill('Lindenhof mark.png')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'Picture: Lindenhof mark.png' }).waitFor()
    await page.keyboard.press('Escape')
    await tile('Lindenhof mark.png').waitFor()
  })

  it('deletes with a way back, by keys too', async () => {
    const remove = async () => {
      await tile('Jingle.wav').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Deleted “Jingle.wav”.').waitFor()
      await tile('Jingle.wav').waitFor({ state: 'detached' })
    }
    await remove()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await tile('Jingle.wav').waitFor()
    await remove()
    await page.keyboard.press('Control+z')
    await tile('Jingle.wav').waitFor()
    expect(await stored()).toContain('Jingle.wav')
    await remove()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(stored).not.toContain('Jingle.wav')
  })

  it('keeps what a workflow uses, and names it', async () => {
    const answer = await page.request.get(`${studio.appliance.url}/studio/library`)
    const address = ((await answer.json()) as Library).items.find(({ kind }) => kind === 'image')?.address
    const nodes = [
      { id: 'a', type: 'find_clips', config: {} },
      { id: 'b', type: 'apply_branding', config: { watermark_config: { url: address } } },
    ]
    const file = { name: 'Branded clips', description: '', nodes, edges: [{ source: 'a', target: 'b' }] }
    const headers = { origin: studio.appliance.url }
    await page.request.post(`${studio.appliance.url}/studio/workflows`, { data: { file }, headers })
    await tile('Lindenhof mark.png').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Branded clips' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(studio.complaints.filter((text) => !text.includes('422'))).toEqual([])
  })
})
