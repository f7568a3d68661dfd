/**
 * The editing job in every script, in a real Chromium: captions of a talk, a typed title and a typed correction in Latin,
 * Chinese, Arabic, Hebrew, Thai and with emoji; no request fails, no letter is a box, and the finished file shows what the
 * preview showed.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, ImageData, type Canvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BT709, make } from '../pipeline/render-support.ts'
import { makeTinyTalk, SECONDS_PER_SENTENCE, SENTENCES } from '../support/tiny-talk.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { pictureOf } from './preview/compare.ts'
import { ARTIFACTS, openStudio, shot, type StudioBrowser } from './studio/studio-browser.ts'
import { importWorkflow, onlyClip, openClip, putIn, readEditor, type Wanted } from './studio/studio-clip.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`the editing job in every script is skipped: ${NO_CHROMIUM}\n`)

/** Captions in the order of the talk, and what is drawn of them. */
const SCRIPTS = [
  ['Latin', 'Señoras, ¿por qué nadie mira el cómputo?'],
  ['Chinese', '第一个星期是一场灾难，我不会撒谎。'],
  ['Arabic', 'لا أحد يقرأ الدليل مرتين هنا.'],
  ['Hebrew', 'אף אחד לא קורא את המדריך הזה.'],
  ['Thai', 'ไม่มีใคร อ่านคู่มือ เล่มนี้ เลย'],
  ['emoji', 'And that was 🔥 for our 🎉🚲 team!'],
] as const
const TITLE = '两百万人看了这个片段'
const CORRECTION = '火灾'

/** Seconds of each sentence at which it is looked at: all of its words are on the picture or have been. */
const LOOKED_AT = [1.2, 2.4]
const FRAMES_PER_SECOND = 25
const WANTED: Wanted = {
  name: 'Scripts',
  clip: { start: 0, end: SCRIPTS.length * SECONDS_PER_SENTENCE - 0.6 },
  nodes: [{ type: 'add_subtitles' }, { type: 'add_title_overlay' }],
}
const SECONDS = SENTENCES.length * SECONDS_PER_SENTENCE
const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample', 'sample.mp4')
/** Decibels between a frame of the file and the same frame of the preview, over the whole picture. */
const ALIKE_DB = 34

let studio: StudioBrowser
let page: Page
let clipId: string
const failed: string[] = []

/** The picture of the bundled sample with the tiny talk's sound and these captions. */
async function talkInScripts(folder: string): Promise<string> {
  const { video, captions } = await makeTinyTalk(folder)
  let written = await readFile(captions, 'utf8')
  for (const [place, [, text]] of SCRIPTS.entries()) written = written.replace(SENTENCES[place] ?? '', text)
  await writeFile(captions, written)
  const captioned = join(folder, 'captioned.mp4')
  const sources = ['-i', SAMPLE, '-i', video, '-i', captions]
  const streams = ['-map', '0:v:0', '-map', '1:a:0', '-map', '2:s:0', '-t', String(SECONDS), '-r', '25']
  await make([
    ...sources,
    ...streams,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '16',
    ...BT709,
    '-c:a',
    'copy',
    '-c:s',
    'mov_text',
    captioned,
  ])
  return captioned
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  page.on('requestfailed', (request) => {
    // A video that is no longer wanted is not waited for.
    const why = request.failure()?.errorText ?? ''
    if (why !== 'net::ERR_ABORTED') failed.push(`${why} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
  })
  await importWorkflow(studio, WANTED)
  await page.goto(studio.appliance.studioUrl)
  await putIn(page, WANTED, await talkInScripts(studio.folder))
  clipId = await onlyClip(studio)
  await openClip(studio, page, clipId)
  await page.locator('.editor:not(.opening)').waitFor()
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const saved = () => page.getByText('Saved', { exact: true }).waitFor()
const words = () => page.locator('[aria-label="Transcript"] [role=button], [aria-label="Transcript"] .word')
const preview = () => page.locator('canvas[aria-label="Preview of the clip"]')

/** Letters of the text that the element's fonts draw as they draw a letter that no font has. */
const boxesIn = (text: string): Promise<string[]> =>
  page.evaluate(async (letters) => {
    const family = getComputedStyle(document.body).fontFamily
    await document.fonts.load(`32px ${family}`, letters)
    const draw = (letter: string): string => {
      const canvas = document.createElement('canvas')
      canvas.width = 64
      canvas.height = 64
      const context = canvas.getContext('2d')
      if (context === null) return ''
      context.font = `32px ${family}`
      context.fillText(letter, 8, 44)
      return canvas.toDataURL()
    }
    const missing = draw('\u0378')
    return [...new Set(letters)].filter((letter) => letter.trim() !== '' && draw(letter) === missing)
  }, text)

/** The preview at a frame, once it is drawn there. */
async function shownAt(frame: number): Promise<Canvas> {
  await page.getByLabel('Position', { exact: true }).fill(String(frame))
  const read = () => preview().evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL('image/png'))
  // Two readings in a row that are alike: what was sought has come.
  let before = ''
  await expect
    .poll(
      async () => {
        const now = await read()
        const same = now === before
        before = now
        return same
      },
      { interval: 300 },
    )
    .toBe(true)
  return await pictureOf(before)
}

/** The same frame of the finished file, in the preview's size. Raw: a PNG would carry a gamma, which is applied when it is read. */
async function renderedAt(file: string, frame: number, { width, height }: Canvas): Promise<Canvas> {
  const filters = `select=eq(n\\,${frame}),scale=${width}:${height}:flags=area:in_color_matrix=bt709,format=rgba`
  const pixels = await make([
    '-i',
    file,
    '-vf',
    filters,
    '-vsync',
    '0',
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-',
  ])
  const canvas = createCanvas(width, height)
  const rgba = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, width * height * 4)
  canvas.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0)
  return canvas
}

/** Peak signal to noise over the colours of all pixels, decibels. */
function likeness(a: Canvas, b: Canvas): number {
  const [left, right] = [a, b].map((one) => one.getContext('2d').getImageData(0, 0, a.width, a.height).data)
  let sum = 0
  for (let at = 0; at < a.width * a.height * 4; at += 4)
    for (let channel = 0; channel < 3; channel += 1)
      sum += ((left?.[at + channel] ?? 0) - (right?.[at + channel] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / (a.width * a.height * 3)))
}

describe.skipIf(chromium === null)('in every script', () => {
  it('the transcript has its letters and no boxes', async () => {
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await expect.poll(() => words().count()).toBeGreaterThan(20)
    const text = (await words().allTextContents()).join(' ')
    for (const [name, sentence] of SCRIPTS) {
      const [first = ''] = sentence.match(/\p{L}+/u) ?? []
      expect(text, name).toContain(first.slice(0, 2))
      expect(await boxesIn(sentence), name).toEqual([])
    }
    await shot(page, 'scripts-transcript')
  })

  it('a title and a correction are typed, and saved', async () => {
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await words().filter({ hasText: '灾' }).first().dblclick()
    const field = page.locator('input.correct')
    await field.fill('')
    await page.keyboard.insertText(CORRECTION)
    await page.keyboard.press('Enter')
    await expect.poll(() => words().filter({ hasText: CORRECTION }).count()).toBe(1)
    await page.getByRole('tab', { name: 'Title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('')
    await page.keyboard.insertText(TITLE)
    await saved()
    const { preview: shown } = await readEditor(studio, clipId)
    // Where lines may break is marked in languages without spaces.
    const drawn = JSON.stringify(shown.composition.layers).replaceAll('\u200b', '')
    expect(drawn).toContain(TITLE)
    expect(drawn).toContain(CORRECTION)
  })

  it('the finished file shows what the preview shows', async () => {
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await page.getByText(/^\s*Rendered\. /u).waitFor({ timeout: 120_000 })
    const href = (await page.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? ''
    const answer = await page.request.get(href)
    expect(answer.status()).toBe(200)
    const file = join(ARTIFACTS, 'finished.mp4')
    await mkdir(ARTIFACTS, { recursive: true })
    await writeFile(file, await answer.body())
    const figures: string[] = []
    for (const [place, [name]] of SCRIPTS.entries()) {
      for (const second of LOOKED_AT) {
        const frame = Math.round((place * SECONDS_PER_SENTENCE + second) * FRAMES_PER_SECOND)
        const here = await shownAt(frame)
        const there = await renderedAt(file, frame, here)
        await writeFile(join(ARTIFACTS, `script-${name}-${second}.png`), here.toBuffer('image/png'))
        await writeFile(join(ARTIFACTS, `script-${name}-${second}-file.png`), there.toBuffer('image/png'))
        const decibels = likeness(here, there)
        figures.push(`${name} ${decibels.toFixed(1)}`)
        expect.soft(decibels, `${name} at ${second} s`).toBeGreaterThanOrEqual(ALIKE_DB)
      }
    }
    process.stderr.write(`preview against file, dB: ${figures.join(', ')}\n`)
    expect(failed).toEqual([])
    expect(studio.complaints).toEqual([])
  })
})
