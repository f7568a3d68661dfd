/**
 * Review in a real Chromium: a video and its subtitles are dropped, the sheet starts them, cards come one by one, are kept
 * and rejected by keys, picked again, rendered and downloaded. User actions are counted, and waiting times printed.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudioReview } from '../../server/contract/review.ts'
import type { StudioThumbnail } from '../../server/contract/studio-editor.ts'
import { make } from '../pipeline/render-support.ts'
import { captionsOf, makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { importWorkflowOf, openClip, readEditor } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`review tests are skipped: ${NO_CHROMIUM}\n`)

const RANGES = [
  { start: 0, end: 7.2 },
  { start: 8, end: 15.2 },
  { start: 16, end: 23.2 },
  { start: 24, end: 31.2 },
]
const WORKFLOW = 'Reviewed'
const FOUND = 'Found'
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

let studio: StudioBrowser
let page: Page
let talk: TinyTalk

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  const made = makeTinyTalk(studio.folder)
  await importWorkflowOf(studio, WORKFLOW, [
    { type: 'find_clips', config: { pinnedTimestamps: RANGES, pinnedTimestampsOnly: true } },
    { type: 'add_subtitles' },
    { type: 'add_title_overlay' },
  ])
  await importWorkflowOf(studio, FOUND, [
    { type: 'find_clips', config: { min_length: 5, max_length: 12 } },
    { type: 'add_subtitles' },
  ])
  talk = await made
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
  await page.getByRole('heading', { name: 'A long video in, finished clips out' }).waitFor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

/** What a person did, from the dropped file to the downloaded clip. */
const did: string[] = []
const act = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  did.push(what)
  await work()
}

/** Drags files over the page and drops them on a part of it, as from a file manager. */
async function dropFiles(paths: readonly string[], on = 'body'): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), bytes: (await readFile(path)).toString('base64') })),
  )
  const dataTransfer = await page.evaluateHandle((given) => {
    const carried = new DataTransfer()
    for (const { name, bytes } of given)
      carried.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name))
    return carried
  }, files)
  await page.dispatchEvent(on, 'dragover', { dataTransfer })
  await page.dispatchEvent(on, 'drop', { dataTransfer })
}

const cards = () => page.getByRole('list', { name: 'Clips, best first' }).locator('[data-clip]')
const card = (index: number) => cards().nth(index)
const chip = (state: string, count: number) =>
  page.getByRole('button', { name: `${state} ${count}`, exact: true }).waitFor()
/** How far a card has played, 0 to 1. */
const playedWidth = (index: number): Promise<number> =>
  card(index)
    .locator('.at')
    .evaluateAll(([at]) => (at instanceof HTMLElement ? Number.parseFloat(at.style.inlineSize) / 100 : 0))
const sheet = () => page.getByRole('dialog', { name: 'New run' })

/** In each size nothing is wider than the page. A picture of the narrow one, to look at. */
async function fits(name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wider).toBeLessThanOrEqual(0)
  }
  await shot(page, `${name}-390`)
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Drags from the first to the last letter of a phrase, wherever the typeface breaks its lines. */
async function dragAcross(text: Locator, phrase: string): Promise<void> {
  await text.scrollIntoViewIfNeeded()
  const { from, to } = await text.evaluate((element, sought) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const node = texts.currentNode
      const start = node.textContent?.indexOf(sought) ?? -1
      if (start < 0) continue
      const letter = (at: number): DOMRect => {
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        return range.getBoundingClientRect()
      }
      const first = letter(start)
      const last = letter(start + sought.length - 1)
      return {
        from: { x: first.left + 1, y: first.top + first.height / 2 },
        to: { x: last.right - 1, y: last.top + last.height / 2 },
      }
    }
    throw new Error('the phrase is not in one text')
  }, phrase)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
}

describe.skipIf(chromium === null)('a dropped file', () => {
  it('starts nothing before the button of the sheet, and subtitles alone are explained', async () => {
    await dropFiles([talk.captions])
    await page
      .getByRole('alert')
      .filter({
        hasText: '“talk.srt” is a subtitle file. Add it together with its video, or drop it on a run.',
      })
      .waitFor()
    await dropFiles([talk.video, talk.captions])
    await sheet().getByText('Words from “talk.srt”').waitFor()
    expect(await page.getByText('No runs yet.').count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await fits('review-sheet')
    await sheet().getByLabel('Workflow').selectOption({ label: WORKFLOW })
    await sheet().getByRole('button', { name: 'Make clips' }).click()
    await page.getByRole('heading', { name: 'talk.mp4' }).waitFor()
  })

  it('becomes a wall of cards, one by one, that are there again after a reload', async () => {
    const began = performance.now()
    await cards().first().waitFor({ timeout: 120_000 })
    const firstMs = performance.now() - began
    const seen = new Set([await cards().count()])
    while (!(await page.getByText(`${RANGES.length} clips in Review`).isVisible())) {
      seen.add(await cards().count())
      if (performance.now() - began > 150_000) throw new Error('the run is not finished')
    }
    const allMs = performance.now() - began
    process.stderr.write(
      `review: first card after ${Math.round(firstMs)} ms, all ${RANGES.length} after ${Math.round(allMs)} ms; counts seen: ${[...seen].join(', ')}\n`,
    )
    expect(await cards().count()).toBe(RANGES.length)
    await page.reload()
    await cards().nth(3).waitFor()
    await page.getByText('Why do most small studios').first().waitFor()
    expect(await violations(page)).toEqual([])
    await fits('review')
  })

  it('is decided by keys alone, and undone', async () => {
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    await page.keyboard.press('k')
    await chip('Kept', 1)
    // What one looks at next is the next undecided card.
    await page.keyboard.press('x')
    await chip('Rejected', 1)
    await page.keyboard.press('k')
    await chip('Kept', 2)
    await page.keyboard.press('u')
    await chip('Kept', 1)
    await page.keyboard.press('Control+z')
    await chip('Rejected', 0)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await chip('Kept', 1)
    expect(studio.complaints).toEqual([])
  })

  it('plays a card with sound by Space, another one silently under the pointer, one at a time', async () => {
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    await page.keyboard.press('Space')
    await card(0)
      .getByRole('button', { name: /^Pause/ })
      .waitFor()
    await expect.poll(() => playedWidth(0), { timeout: 20_000 }).toBeGreaterThan(0.05)
    await page.keyboard.press('Space')
    await card(0).getByRole('button', { name: /^Play/ }).waitFor()
    const box = await card(1).locator('.picture').boundingBox()
    if (box === null) throw new Error('the card is not in view')
    let at = 20
    const resting = async (): Promise<number> => {
      at = 50 - at
      await page.mouse.move(box.x + at, box.y + at)
      return playedWidth(1)
    }
    await expect.poll(resting, { timeout: 20_000, interval: 500 }).toBeGreaterThan(0.05)
    await expect.poll(() => page.locator('canvas.played.drawn').count()).toBe(1)
    await page.mouse.move(2, 2)
    await expect.poll(() => page.locator('canvas.played.drawn').count()).toBe(0)
    expect(studio.complaints).toEqual([])
  })

  it('makes a clip of dragged words, merges two, and shortens one by its words', async () => {
    const words = page.getByRole('region', { name: 'Transcript of the source' })
    await dragAcross(words.getByText('footage you already have'), 'footage you already have')
    await page.getByRole('button', { name: /^Make clip 0:3\d to 0:/ }).click()
    await page.getByText(`${RANGES.length + 1} clips in Review`).waitFor({ timeout: 60_000 })
    await card(1).getByRole('checkbox').check()
    await card(2).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Merge 2 clips' }).click()
    await page.getByText(`${RANGES.length + 2} clips in Review`).waitFor({ timeout: 60_000 })
    await chip('Rejected', 2)
    await card(0).getByRole('button', { name: 'Shorten' }).click()
    const edges = page.getByRole('dialog', { name: /^Shorten/ })
    const length = await edges.getByText(/^Length/).textContent()
    await edges.getByRole('button', { name: 'Later' }).first().click()
    await expect.poll(() => edges.getByText(/^Length/).textContent()).not.toBe(length)
    expect(await violations(page)).toEqual([])
    await edges.getByRole('button', { name: 'Save' }).click()
    await edges.waitFor({ state: 'detached' })
    expect(studio.complaints).toEqual([])
  })
})

/** Drops a talk, repeated so many times, with its subtitles and starts it by the sheet; the appliance has not seen its like. */
async function startTalk(name: string, times: number, spoken: string): Promise<void> {
  const video = join(studio.folder, `${name}.mp4`)
  const captions = join(studio.folder, `${name}.srt`)
  await make(['-stream_loop', String(times - 1), '-i', talk.video, '-c', 'copy', video])
  await writeFile(captions, spoken)
  await page.goto(`${studio.appliance.url}/#/`)
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  await act('drop', () => dropFiles([video, captions]))
  await sheet().getByLabel('Workflow').selectOption({ label: FOUND })
  await act('make clips', () => sheet().getByRole('button', { name: 'Make clips' }).click())
  await page.getByRole('heading', { name: `${name}.mp4` }).waitFor()
}

/** Forty sentences about one thing, then as many about another. */
const TWO_SUBJECTS = [
  ['oven', 'bread', 'flour', 'baker', 'yeast', 'crust', 'kitchen'],
  ['harbour', 'ferry', 'storm', 'captain', 'lighthouse', 'anchor', 'island'],
].flatMap((things) =>
  Array.from({ length: 40 }, (_, index) => {
    const thing = (step: number): string => things[(index * step + step) % things.length] ?? ''
    return `The ${thing(3)} was there long before the ${thing(5)} came back.`
  }),
)

/** Median and 95th percentile, milliseconds. */
function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  return `median ${at(0.5)} ms, p95 ${at(0.95)} ms of ${sorted.length}`
}

/** The clip that was edited and rendered in a hurry. */
let edited = ''

describe.skipIf(chromium === null)('a person who is in a hurry', () => {
  let all = 0

  it('has an edited clip on disk after eight actions', async () => {
    did.length = 0
    await startTalk('hurried', 2, captionsOf(1))
    await cards().first().waitFor({ timeout: 120_000 })
    await card(0).scrollIntoViewIfNeeded()
    await act('shorten', () => card(0).getByRole('button', { name: 'Shorten' }).click())
    const edges = page.getByRole('dialog', { name: /^Shorten/ })
    await act('start later', () => edges.getByRole('button', { name: 'Later' }).first().click())
    await act('save', () => edges.getByRole('button', { name: 'Save' }).click())
    await edges.waitFor({ state: 'detached' })
    await act('keep', () => card(0).getByRole('button', { name: 'Keep' }).click())
    await chip('Kept', 1)
    await act('render', () => page.getByRole('button', { name: 'Render 1 kept' }).click())
    // The same progress and the same file are there after a reload.
    await page.reload()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor({ timeout: 120_000 })
    const download = page.waitForEvent('download')
    await act('download', () => link.click())
    expect((await download).suggestedFilename()).toMatch(/\.mp4$/)
    process.stderr.write(
      `review: ${did.length} actions from a dropped file to an edited clip: ${did.join(', ')}\n`,
    )
    expect(did.length).toBeLessThanOrEqual(8)
    edited = (await link.locator('xpath=ancestor::li').getAttribute('data-clip')) ?? ''
    expect(await page.getByText('Rendered before your last edits').count()).toBe(0)
    await page.getByText(/^\d+ clips? in Review$/).waitFor({ timeout: 60_000 })
    all = await cards().count()
    expect(studio.complaints).toEqual([])
  })

  it('gets other cards by a re-pick, beside those that are there', async () => {
    await page.getByLabel('Prompt').fill('a good joke')
    await page.getByLabel('Shortest, seconds').fill('3')
    await page.getByLabel('Longest, seconds').fill('5')
    await page.getByRole('button', { name: 'Re-pick' }).click()
    await page
      .getByText('Re-pick 1 ·')
      .or(page.getByText('Re-pick 1', { exact: true }))
      .first()
      .waitFor({ timeout: 60_000 })
    expect(await cards().count()).toBeGreaterThan(all)
  })

  it('replaces the words of all clips by subtitles that are dropped on them, after a question', async () => {
    const file = join(studio.folder, 'better.srt')
    await writeFile(file, (await readFile(talk.captions, 'utf8')).replaceAll(/\bthe\b/g, 'THE'))
    await dropFiles([file])
    const question = page.getByRole('dialog', { name: 'Replace the words?' })
    await question.getByText('“better.srt”').waitFor()
    expect(await violations(page)).toEqual([])
    await question.getByRole('button', { name: 'Replace words' }).click()
    await question.getByText(/^\d+ clips have new words\.$/).waitFor()
    await question.getByRole('button', { name: 'Close' }).last().click()
    const id = await card(0).getAttribute('data-clip')
    const { words } = await readEditor(studio, id ?? '')
    expect(words.map(({ word }) => word).join(' ')).toContain('THE')
  })

  it('stops a run and has what was found until then', async () => {
    // Long enough for two topics, and that it is not over before it is stopped.
    await startTalk('halted', 8, captionsOf(8, TWO_SUBJECTS))
    await cards().first().waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(/^Stopped\. \d+ clips? (is|are) in Review$/).waitFor({ timeout: 30_000 })
    const found = await cards().count()
    expect(found).toBeGreaterThan(0)
    await page.reload()
    await page.getByText(/^Stopped\. \d+ clips? (is|are) in Review$/).waitFor()
    expect(await cards().count()).toBe(found)
    const marks = page.getByRole('button', { name: /^Topic at / })
    await expect.poll(() => marks.count()).toBe(2)
    const words = page.getByRole('region', { name: 'Transcript of the source' })
    await expect
      .poll(() => words.getByRole('heading').allTextContents())
      .toEqual(await marks.allTextContents())
    await fits('review-stopped')
    await page.goto(`${studio.appliance.url}/#/`)
    await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    expect(await violations(page)).toEqual([])
    await fits('home-waiting')
    expect(studio.complaints).toEqual([])
  })
})

/** What the form for a new post of a clip proposes to say, on a platform that has a title. */
async function proposedPost(clipId: string): Promise<{ title: string; text: string }> {
  await page.goto(`${studio.appliance.url}/#/publish/clip:${clipId}`)
  const form = page.getByRole('dialog', { name: 'New post' })
  await form.getByLabel('Publish to').selectOption({ label: 'YouTube, as a package' })
  const title = form.getByLabel(/^Title/)
  await expect.poll(() => title.inputValue()).not.toBe('')
  const post = {
    title: await title.inputValue(),
    text: await form.getByLabel('Text', { exact: true }).inputValue(),
  }
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  return post
}

describe.skipIf(chromium === null)('what is named after a clip', () => {
  const open = () => openClip(studio, page, edited)
  const saved = () => page.getByText('Saved', { exact: true }).waitFor()
  const retitle = async (title: string): Promise<void> => {
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill(title)
    await page.getByRole('heading', { name: title }).waitFor()
    await saved()
  }
  /** The words on the thumbnail as it would be taken now. */
  const thumbnailTexts = async (): Promise<string[]> => {
    const { composition } = await page.evaluate(async (id) => {
      const answer = await fetch(`/studio/clips/${id}/thumbnail`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ updates: {}, size: 'clip' }),
      })
      return (await answer.json()) as StudioThumbnail
    }, edited)
    return composition.layers.flatMap((layer) =>
      layer.kind === 'title' ? layer.text.replaceAll('\u200b', '') : [],
    )
  }
  const downloaded = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download')
    await page.getByRole(name === 'Download' ? 'link' : 'button', { name, exact: true }).click()
    return (await download).suggestedFilename()
  }

  it('is a post with corrected words, except for what was typed', async () => {
    const before = await proposedPost(edited)
    // A word of the title that is spoken once.
    const spoken = (await readEditor(studio, edited)).words.map(({ word }) => word.toLowerCase())
    const wrong = before.title
      .toLowerCase()
      .split(/[^a-z]+/u)
      .find((word) => word.length > 3 && spoken.filter((one) => one.includes(word)).length === 1)
    await open()
    await page
      .getByRole('region', { name: 'Transcript' })
      .locator('.word')
      .filter({ hasText: new RegExp(wrong ?? 'none', 'iu') })
      .dblclick()
    await page.getByLabel(/^Correct “/u).fill('Ipswich')
    await page.keyboard.press('Enter')
    await saved()
    const after = await proposedPost(edited)
    expect(after.title).toBe(before.title.replace(new RegExp(wrong ?? '', 'iu'), 'Ipswich'))
    expect(`${after.title} ${after.text}`).not.toMatch(new RegExp(wrong ?? '', 'iu'))
    await open()
    await retitle(`Typed: ${wrong ?? ''}`)
    expect((await proposedPost(edited)).title).toBe(`Typed: ${wrong ?? ''}`)
  })

  it('is a thumbnail with the new title, until its own text is typed', async () => {
    await open()
    await page.getByRole('tab', { name: 'Thumbnail' }).click()
    await page.getByRole('button', { name: 'Sticker' }).click()
    await retitle('三小时的秘密')
    expect(await thumbnailTexts()).toEqual(['三小时的秘密'])
    await page.getByRole('tab', { name: 'Thumbnail' }).click()
    expect(await downloaded('Download JPEG')).toMatch(/^三小时的秘密-.*\.jpg$/)
    await page.getByRole('button', { name: 'Text: 三小时的秘密', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    expect(await text.inputValue()).toBe('三小时的秘密')
    await text.fill('My own')
    await retitle('سر الساعات الثلاث')
    expect(await thumbnailTexts()).toEqual(['My own'])
  })

  it('is a file that has the title as its name, also when only that has changed since', async () => {
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await page.getByText(/^\s*Rendered\. /u).waitFor()
    expect(await downloaded('Download')).toBe('سر-الساعات-الثلاث.mp4')
    await retitle('三小时的秘密')
    const address = () => page.getByRole('link', { name: 'Download' }).getAttribute('href')
    await expect.poll(address).toContain(encodeURIComponent('三小时的秘密'))
    await page.getByText(/^\s*Rendered\. /u).waitFor()
    expect(await downloaded('Download')).toBe('三小时的秘密.mp4')
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('several files', () => {
  it('are one batch of one sheet, and one that fails is removed', async () => {
    const paths = ['first.mp4', 'second.mp4'].map((name) => join(studio.folder, name))
    for (const path of paths) await writeFile(path, `no video: ${path}`)
    await page.goto(`${studio.appliance.url}/#/`)
    await page.getByRole('button', { name: 'Choose files' }).waitFor()
    await dropFiles(paths)
    const batch = page.getByRole('dialog', { name: '2 new runs' })
    await batch.getByText('second.mp4').waitFor()
    await batch.getByRole('button', { name: 'Make clips' }).click()
    for (const name of ['first', 'second']) {
      const row = page.locator('main li').filter({ hasText: `${name}.mp4` })
      await row.getByText('Failed').waitFor({ timeout: 30_000 })
      await row.getByRole('button', { name: `Remove ${name}.mp4` }).click()
      await row.waitFor({ state: 'detached' })
    }
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('Review', () => {
  it('opens quickly, with a thousand clips too, of long titles and in any direction of writing', async () => {
    const href = await page
      .getByRole('link', { name: /talk\.mp4/ })
      .last()
      .getAttribute('href')
    const open = async (): Promise<number> => {
      await page.goto(`${studio.appliance.url}/#/`)
      await page.getByRole('heading', { name: 'Waiting for you' }).waitFor()
      return page.evaluate(async (hash) => {
        const began = performance.now()
        location.hash = hash
        while (document.querySelector('[data-clip] .picture') === null)
          await new Promise((resolve) => requestAnimationFrame(resolve))
        return performance.now() - began
      }, href ?? '')
    }
    const few: number[] = []
    for (let time = 0; time < 4; time += 1) few.push(await open())
    process.stderr.write(`review: opening with a few clips: ${summary(few)}\n`)
    const titles = [
      'مرحبا بكم في هذا المقطع القصير جدا',
      '私たちは一度数えてみました',
      'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen'.repeat(3),
    ]
    const real = new Map<string, string>()
    await page.route(/\/studio\/runs\/[^/]+\/review$/u, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as StudioReview
      const clips = Array.from({ length: 1000 }, (_, index) => {
        const clip = body.clips[index % body.clips.length]
        if (clip === undefined) throw new Error('no clip')
        const id = `many-${index}`
        real.set(id, clip.id)
        return {
          ...clip,
          id,
          title: titles[index % 4] ?? clip.title,
          firstLine: titles[index % 4] ?? clip.firstLine,
        }
      })
      await route.fulfill({ response, json: { ...body, clips } })
    })
    await page.route(/\/studio\/clips\/many-\d+\/editor$/u, async (route) => {
      const id = route.request().url().split('/').at(-2) ?? ''
      await route.fulfill({
        response: await route.fetch({
          url: route
            .request()
            .url()
            .replace(id, real.get(id) ?? ''),
        }),
      })
    })
    const many: number[] = []
    for (let time = 0; time < 2; time += 1) many.push(await open())
    process.stderr.write(`review: opening with 1000 clips: ${summary(many)}\n`)
    expect(await cards().count()).toBe(60)
    await page.setViewportSize({ width: 1440, height: 900 })
    await card(0).getByRole('button', { name: /^Play/ }).focus()
    for (let time = 0; time < 30; time += 1) await page.keyboard.press('ArrowDown')
    await expect.poll(() => cards().count()).toBeGreaterThan(60)
    // Letters that the machine has no font for are drawn by the bundled ones.
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            [...document.fonts].filter(({ family, status }) => family.includes('JP') && status === 'loaded')
              .length,
        ),
      )
      .toBeGreaterThan(0)
    await fits('review-many')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(studio.complaints).toEqual([])
  })
})
