/**
 * Every page, document and dialog of the studio in a real Chromium, new and filled: what they say and what axe finds. What
 * there is to open is read from the renderer's own files.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { make } from '../pipeline/render-support.ts'
import { node } from '../support/node-values.ts'
import { openSeed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { jargonOn, whenQuiet, wrongInDialogs, wrongOn } from './studio/crawl.ts'
import { fillCompany, send, type Filled } from './studio/fill.ts'
import { seedFootageClip } from './studio/footage-clip.ts'
import { documents, everyPlace, pagesOfOneThing, pagesOfStrangers } from './studio/places.ts'
import { openStudio, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

interface Things extends Filled {
  readonly clipId: string
  readonly itemId: string
  /** Of a share link and of an invitation. */
  readonly shared: string
  readonly invitation: string
}

/** What is opened of pages that show one thing. */
const ONE_THING: Readonly<Record<string, (of: Things) => readonly string[]>> = {
  review: (of) => [of.runId],
  clips: (of) => [of.clipId, 'no-such-clip'],
  library: (of) => [of.itemId],
  brands: (of) => [of.kitId],
  workflows: (of) => [of.workflowId],
  // The form that it opens is opened by “New post”, too.
  publish: () => [],
  analytics: (of) => [of.postId],
  // Their second words are lists of their own, which everyPlace has.
  settings: () => [],
  'set-up': () => [],
}

let studio: StudioBrowser
let page: Page
let quiet: () => Promise<void>
let things: Things
const seen: string[] = []

/** A talk of two people, with words. */
async function fill(): Promise<Things> {
  const made = await fillCompany(studio, page, { id: 'local', mark: 'Lindenhof' })
  const video = join(studio.folder, 'talk.mp4')
  const picture = [
    '-f',
    'lavfi',
    '-i',
    'color=c=0x306080:s=1280x720:r=30:d=8',
    '-f',
    'lavfi',
    '-i',
    'sine=f=200:d=8',
  ]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await make([...picture, '-shortest', ...codecs, '-movflags', '+faststart', video])
  const words = 'Um why do most small studios lose their best moments'.split(' ')
  const clipId = await seedFootageClip(studio.home, await readFile(video), {
    durationSeconds: 8,
    document: {
      title: 'Lindenhof talk',
      nodes: [node('convert_to_vertical'), node('add_subtitles'), node('add_title_overlay')],
    },
    words: words.map((word, at) => ({ word, start: at * 0.7, end: at * 0.7 + 0.5, speaker: at % 2 })),
  })
  const mark = createCanvas(64, 64)
  const file = join(studio.folder, 'mark.png')
  await writeFile(file, await mark.encode('png'))
  await open('library')
  await page.locator('main input[type=file]').first().setInputFiles([file])
  await page.locator('main').getByRole('button', { name: /mark/ }).first().waitFor()
  const listed = await page.request.get(`${studio.appliance.url}/studio/library?companyId=local`)
  const { items } = (await listed.json()) as { items: { id: string }[] }
  const request = { title: 'For the client', clipIds: [clipId] }
  const { address } = await send<{ address: string }>(studio, page, '/studio/shares?companyId=local', request)
  const invited = { role: 'editor', email: 'rita@example.com' }
  const { link } = await send<{ link: string }>(studio, page, '/studio/invitations', invited)
  const seed = openSeed(studio.home)
  seed.post({
    platform: 'bluesky',
    text: 'Refused',
    clipId,
    publishedAt: Date.now(),
    failed: 'No.',
    views: [],
  })
  seed.close()
  return { ...made, clipId, itemId: items[0]?.id ?? '', shared: address, invitation: link }
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  quiet = whenQuiet(page)
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('link', { name: 'Workflows', exact: true }).waitFor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** Waits until the page has a heading, and nothing is being fetched. */
async function shown(): Promise<void> {
  await page.locator('main').locator('h1, h2').first().waitFor()
  await page.locator('.editor.opening').waitFor({ state: 'detached' })
  await quiet()
}
async function open(place: string): Promise<void> {
  await page.goto('about:blank')
  await page.goto(`${studio.appliance.url}/#/${place}`)
  await shown()
}

/** Expects nothing wrong with pages and with the dialogs that their buttons open. */
async function lookAt(places: readonly string[]): Promise<void> {
  const wrong: string[] = []
  for (const place of places) {
    await open(place)
    wrong.push(...(await wrongOn(page, place)))
    // Tabs of a page are pressed there.
    if (place.startsWith('publish/') && !place.includes(':')) continue
    const inDialogs = await wrongInDialogs(page, place, shown)
    wrong.push(...inDialogs.wrong)
    seen.push(...inDialogs.seen)
  }
  expect(wrong).toEqual([])
}
const isSetting = (place: string): boolean => place.startsWith('settings/')

describe.skipIf(chromium === null)('a new studio', () => {
  it('has plain words on every page, in both themes', async () => {
    const wrong: string[] = []
    for (const place of await everyPlace()) {
      await open(place)
      // Sections of the settings are the same with and without clips: axe looks at them once, below.
      const of = isSetting(place) ? jargonOn(page, 'html') : wrongOn(page, place)
      wrong.push(...(await of))
    }
    expect(wrong).toEqual([])
  })

  it('does not show a choice of companies to an owner of one', async () => {
    expect(await page.getByRole('button', { name: /^Company:/ }).count()).toBe(0)
    expect(page.url()).not.toContain('@')
  })

  it('was opened without a complaint of the browser', () => {
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('every page with something on it', () => {
  beforeAll(async () => {
    things = await fill()
    // Whatever is pressed, nothing is changed.
    await page.route('**/*', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 409, json: { error: 'Not now.' } }),
    )
    page.on('dialog', (dialog) => void dialog.dismiss())
  }, 120_000)

  it(
    'has plain words and no breach in both themes, and so have its dialogs',
    { timeout: 400_000 },
    async () => {
      await lookAt((await everyPlace()).filter((place) => !isSetting(place)))
    },
  )

  it('has so in the settings', { timeout: 400_000 }, async () => {
    await lookAt((await everyPlace()).filter(isSetting))
  })

  it('has so for one thing of each page that shows one', { timeout: 400_000 }, async () => {
    const pages = await pagesOfOneThing()
    expect(pages.filter((name) => ONE_THING[name] === undefined)).toEqual([])
    await lookAt(pages.flatMap((name) => ONE_THING[name]?.(things).map((id) => `${name}/${id}`) ?? []))
  })

  it('has so for people who are not signed in', async () => {
    const addresses = {
      'sign-in': `${studio.appliance.url}/`,
      welcome: things.invitation,
      'shared.html': things.shared,
    }
    // The documents of the APIs are for developers; index.html is the studio.
    const opened = [...Object.keys(addresses), 'api-docs.html', 'index.html']
    expect([...(await pagesOfStrangers()), ...(await documents())].toSorted()).toEqual(opened.toSorted())
    const context = await studio.context.browser()?.newContext({ reducedMotion: 'reduce' })
    const stranger = await context?.newPage()
    if (stranger === undefined) throw new Error('There is no browser.')
    const wrong: string[] = []
    const strangerQuiet = whenQuiet(stranger)
    for (const [name, address] of Object.entries(addresses)) {
      await stranger.goto(address)
      await stranger.locator('h1').first().waitFor()
      await strangerQuiet()
      wrong.push(...(await wrongOn(stranger, name)))
    }
    await context?.close()
    expect(wrong).toEqual([])
  })
})
