/**
 * The preview in a real Chromium: it is large, its parts are resized, it plays at any speed and both ways by keys, and it
 * sounds as the rendered file does.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { make } from '../pipeline/render-support.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
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
if (chromium === null) process.stderr.write(`preview tests are skipped: ${NO_CHROMIUM}\n`)

const VOICES = join(import.meta.dirname, '..', '..', '..', 'shared', 'media', 'flite_rms_gettysburg.wav')
if (!existsSync(VOICES)) process.stderr.write('a real voice is not mixed: ../shared/media is not here\n')

const WANTED: Wanted = {
  name: 'Tiny',
  clip: { start: 4, end: 19.2 },
  nodes: [
    { type: 'convert_to_vertical', config: { aspect_ratio: '9:16' } },
    {
      type: 'remove_curse_words',
      config: { remove_curse_words_config: { mode: 'beep', words: ['nobody', 'machine'] } },
    },
  ],
}

/** However busy the machine is. */
const IN_TIME = { timeout: 60_000 }
const SCREEN = { width: 1440, height: 900 }

let studio: StudioBrowser
let page: Page
let clipId: string

/** The talk, with a real voice where there is one. */
async function talkWithVoice(folder: string): Promise<string> {
  const talk = await captionedTalk(folder)
  if (!existsSync(VOICES)) return talk
  const spoken = join(folder, 'spoken.mp4')
  const streams = ['-map', '0:v', '-map', '1:a', '-map', '0:s', '-c', 'copy', '-c:a', 'aac', '-b:a', '160k']
  await make(['-i', talk, '-i', VOICES, ...streams, '-t', '40', spoken])
  return spoken
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  // The mixes that the page makes: what it plays.
  await page.addInitScript(() => {
    const create = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (given) => {
      if (given instanceof Blob && given.type === 'audio/wav')
        (window as unknown as { mixes: Blob[] }).mixes = [
          ...((window as unknown as { mixes?: Blob[] }).mixes ?? []),
          given,
        ]
      return create(given)
    }
  })
  await importWorkflow(studio, WANTED)
  await page.goto(studio.appliance.studioUrl)
  await putIn(page, WANTED, await talkWithVoice(studio.folder))
  clipId = await onlyClip(studio)
  await page.setViewportSize(SCREEN)
  await openClip(studio, page, clipId)
  await editor()
}, 180_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const editor = () => page.locator('.editor:not(.opening)').waitFor()
const picture = () => page.getByLabel('Preview of the clip')
const position = () => page.getByLabel('Position', { exact: true })
const at = async (): Promise<number> => Number(await position().inputValue())
const playing = () => page.getByRole('button', { name: 'Pause', exact: true })

/** Its share of the screen. */
async function shareOfScreen(): Promise<number> {
  const box = await picture().boundingBox()
  return ((box?.width ?? 0) * (box?.height ?? 0)) / (SCREEN.width * SCREEN.height)
}

describe.skipIf(chromium === null)('the preview', () => {
  it('takes a quarter of the screen, and what its splitters are set to is there after a reload', async () => {
    expect(await shareOfScreen()).toBeGreaterThanOrEqual(0.25)
    const splitter = page.getByRole('separator', { name: 'Width of the preview' })
    const wide = async (): Promise<number> => (await picture().boundingBox())?.width ?? 0
    const before = await wide()
    await splitter.focus()
    for (let step = 0; step < 4; step++) await splitter.press('ArrowLeft')
    await expect.poll(wide).toBeLessThan(before - 60)
    const narrow = await wide()
    await page.reload()
    await editor()
    await expect.poll(wide).toBeCloseTo(narrow, 0)
    await splitter.dblclick()
    await expect.poll(wide).toBeCloseTo(before, 0)
    expect(await violations(page)).toEqual([])
    await shot(page, 'preview')
  })

  it('has its controls on one line in wide windows, and all of them in narrow ones', async () => {
    const controls = page.locator('.transport .controls')
    const sizes = [
      [1440, 900],
      [1280, 800],
      [1280, 720],
      [1024, 768],
      [390, 844],
    ] as const
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      const edges = () =>
        controls.evaluate((line) => {
          const places = [...line.children].map((one) => one.getBoundingClientRect())
          const { left, right, height: high } = line.getBoundingClientRect()
          const shown = places.filter((place) => place.width > 0)
          return {
            isInside: shown.every((place) => place.left >= left - 1 && place.right <= right + 1),
            isOnScreen: left >= 0 && right <= innerWidth,
            isOneLine: high < 40,
          }
        })
      const wanted = { isInside: true, isOnScreen: true, ...(width < 1280 ? {} : { isOneLine: true }) }
      await expect.poll(edges, IN_TIME).toMatchObject(wanted)
      await shot(page, `transport-${width}-${height}`)
    }
    await page.setViewportSize(SCREEN)
  })

  it('plays, shuttles both ways, steps and trims by keys', async () => {
    await page.locator('body').click({ position: { x: 300, y: 5 } })
    await page.keyboard.press('l')
    await playing().waitFor()
    await expect.poll(at).toBeGreaterThan(5)
    await page.keyboard.press('l')
    await expect.poll(() => page.getByLabel('Speed').inputValue()).toBe('2')
    await page.keyboard.press('j')
    const turned = await at()
    await expect.poll(at, IN_TIME).toBeLessThan(turned)
    await page.keyboard.press('k')
    await playing().waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await at()).toBe(26)
    const { startTimestamp } = await readEditor(studio, clipId)
    await page.keyboard.press('i')
    await expect
      .poll(async () => (await readEditor(studio, clipId)).startTimestamp, IN_TIME)
      .toBeCloseTo(startTimestamp + 26 / 25, 2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Unmute' }).click()
    await page.getByLabel('Volume').fill('40')
    await page.getByLabel('Speed').selectOption('1.5')
    await page.keyboard.press('f')
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    await page.keyboard.press('f')
    await page.reload()
    await editor()
    await expect.poll(() => page.getByLabel('Volume').inputValue()).toBe('40')
  })
})

/** A PNG of one pixel, as a file that a person drags. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A PNG whose pixels have another checksum than is stored: the appliance reads it, Chromium does not. */
function damagedPicture(): string {
  const png = createCanvas(320, 180).toBuffer('image/png')
  const at = png.indexOf('IDAT')
  const checksum = at + 4 + png.readUInt32BE(at - 4)
  png.writeUInt8(png.readUInt8(checksum) ^ 0xff, checksum)
  return png.toString('base64')
}

/** Mean of the preview's pixels, 0 to 255. */
const brightness = (): Promise<number> =>
  picture().evaluate((canvas: HTMLCanvasElement) => {
    const small = new OffscreenCanvas(8, 8).getContext('2d')
    if (small === null || canvas.width === 0) return 0
    small.drawImage(canvas, 0, 0, 8, 8)
    return small.getImageData(0, 0, 8, 8).data.reduce((sum, value) => sum + value / 256, 0)
  })

const onTimeline = (name: RegExp) =>
  page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name })

const dropOnTimeline = (name: string, base64: string): Promise<void> => dropOn('[data-tracks]', name, base64)

/** Below the middle of the clip on the timeline. `base64`: the file's content. */
async function dropOn(part: string, name: string, base64: string): Promise<void> {
  const box = await page.locator('.piece').first().boundingBox()
  await page
    .locator(part)
    .first()
    .evaluate(
      (tracks, [called, bytes, clientX]) => {
        const dataTransfer = new DataTransfer()
        const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))
        dataTransfer.items.add(new File([content], called))
        for (const type of ['dragover', 'drop'])
          tracks.dispatchEvent(
            new DragEvent(type, { dataTransfer, clientX, bubbles: true, cancelable: true }),
          )
      },
      [name, base64, (box?.x ?? 0) + (box?.width ?? 0) / 2] as const,
    )
}

describe.skipIf(chromium === null)('subtitles that are dropped on an editor', () => {
  const words = async () => (await readEditor(studio, clipId)).words.map(({ word }) => word)
  const cue = (second: number, text: string): string =>
    `${second}\n00:00:${String(second).padStart(2, '0')},000 --> 00:00:${second + 2},500\n${text}\n`

  it('replace its words after a question, which is undone and done again', async () => {
    const before = (await words()).join(' ')
    await dropOn('.stage', 'notes.txt', btoa('No cue.'))
    const sheet = page.getByRole('dialog', { name: 'Replace the words?' })
    await sheet.getByText('“notes.txt” is no subtitle file.').waitFor()
    await sheet.getByText('Close', { exact: true }).click()
    await dropOn('.stage', 'talk.srt', btoa('No cue.'))
    await sheet.getByRole('button', { name: 'Replace words' }).click()
    await sheet.getByText('“talk.srt” cannot be read as subtitles').waitFor()
    await sheet.getByRole('button', { name: 'Cancel' }).click()
    const given = cue(10, 'Better words are here') + '\n' + cue(14, 'and here.')
    await dropOn('[data-tracks]', 'talk.srt', btoa(given))
    await sheet.getByRole('button', { name: 'Replace words' }).click()
    await sheet.getByText('1 clip has new words.').waitFor()
    await sheet.getByText('Close', { exact: true }).click()
    const transcript = page.getByRole('tabpanel', { name: 'Transcript' })
    await transcript.getByText('Better').waitFor()
    expect((await words()).join(' ')).toBe('Better words are here and here.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await words()).join(' '), IN_TIME).toBe(before)
    await page.getByRole('button', { name: 'Redo' }).click()
    await transcript.getByText('Better').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await transcript.getByText('Better').waitFor({ state: 'detached' })
    await expect.poll(async () => (await words()).join(' '), IN_TIME).toBe(before)
    // A save that meets the change of the words is refused with 412, and merged: the browser notes the status.
    const other = studio.complaints.filter((line) => !/captions|status of 412/.test(line))
    expect(other).toEqual([])
    studio.complaints.length = 0
  })
})

describe.skipIf(chromium === null)('the timeline of the preview', () => {
  it('has menus by the right button and by keys, for words and the picture too', async () => {
    await page.locator('.piece').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Split at playhead' }).waitFor()
    expect(await violations(page, '.menu')).toEqual([])
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await page.locator('.piece').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Split at playhead' }).press('Enter')
    await expect.poll(() => page.locator('.piece').count(), IN_TIME).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.locator('.piece').count(), IN_TIME).toBe(1)
    await page.locator('[data-at]').nth(12).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Correct' }).click()
    await page.locator('input.correct').press('Escape')
    await picture().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mute' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('takes a file that is dropped on it, at the place of the drop', async () => {
    await dropOnTimeline('logo.png', PIXEL)
    await onTimeline(/^logo/).waitFor()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { overrides, startTimestamp, endTimestamp } = await readEditor(studio, clipId)
    const middle = (startTimestamp + endTimestamp) / 2
    expect(Math.abs((overrides.broll?.[0]?.start ?? 0) - middle)).toBeLessThan(0.3)
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(studio.complaints).toEqual([])
  })

  it('names what the browser cannot read, and shows the rest', async () => {
    const video = join(studio.folder, 'old.mp4')
    await make(['-f', 'lavfi', '-i', 'testsrc2=s=320x180:d=2', '-c:v', 'mpeg4', video])
    await dropOnTimeline('damaged.png', damagedPicture())
    await onTimeline(/^damaged/).waitFor()
    const still = page.getByText(/“damaged.*” is not shown here: this browser cannot read its file/)
    await still.waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await still.waitFor({ state: 'detached' })
    await dropOnTimeline('old.mp4', (await readFile(video)).toString('base64'))
    const insert = onTimeline(/^old/)
    await insert.waitFor()
    await position().fill('200')
    await page.getByText(/“old.*” is not shown here: this browser cannot read its file/).waitFor()
    await page.getByText('replace it with an MP4 video (H.264)').waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    await expect.poll(brightness, IN_TIME).toBeGreaterThan(40)
    await shot(page, 'unreadable')
    await page.getByRole('button', { name: 'Undo' }).click()
    await insert.waitFor({ state: 'detached' })
    expect(studio.complaints).toEqual([])
  })
})

const WINDOW = 4800
const FLOOR_DB = -50

/** Mean level of each tenth of a second, dB of full scale. */
async function levelsOf(file: string): Promise<number[]> {
  const bytes = await make(['-i', file, '-map', '0:a', '-ac', '2', '-ar', '48000', '-f', 'f32le', '-'])
  const samples = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  return Array.from({ length: Math.floor(samples.length / 2 / WINDOW) }, (_, index) => {
    let sum = 0
    for (let place = 2 * index * WINDOW; place < 2 * (index + 1) * WINDOW; place++)
      sum += (samples[place] ?? 0) ** 2
    return 10 * Math.log10(sum / 2 / WINDOW + 1e-12)
  })
}

/** Cuts, another speed, music under the voice, tones over words: patched before it is compared. */
async function dressClip(): Promise<void> {
  const tune = join(studio.folder, 'tune.wav')
  const chord = '0.1*(sin(2*PI*220*t)+sin(2*PI*277.2*t)+sin(2*PI*329.6*t))'
  const beat = `${chord}+0.4*exp(-30*mod(t\\,0.5))*(random(0)-0.5)`
  await make(['-f', 'lavfi', '-i', `aevalsrc=exprs='${beat}|${beat}':s=44100:d=6.3`, tune])
  await page.getByRole('tab', { name: 'Branding', exact: true }).click()
  await page.locator('input[data-for="the music"]').setInputFiles([tune])
  await page.getByRole('button', { name: /^Music, 30 %,/ }).waitFor()
  await expect
    .poll(async () => (await readEditor(studio, clipId)).backgroundMusicOption['url'], IN_TIME)
    .toBeTruthy()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { etag } = await readEditor(studio, clipId)
  const segments = [
    { startSeconds: 0, endSeconds: 4.2 },
    { startSeconds: 5.1, endSeconds: 8, playbackRate: 1.25 },
    { startSeconds: 9, endSeconds: 15.2 },
  ]
  const answer = await studio.context.request.patch(`${studio.appliance.url}/clips/${clipId}`, {
    data: { segments },
    headers: { 'If-Match': etag, 'Idempotency-Key': 'segments', Origin: studio.appliance.url },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** What the page plays now, as a file. */
async function savedMix(): Promise<string> {
  const bytes = await page.evaluate(async () => {
    const { mixes } = window as unknown as { mixes: Blob[] }
    const data = new Uint8Array((await mixes.at(-1)?.arrayBuffer()) ?? new ArrayBuffer(0))
    let text = ''
    for (let from = 0; from < data.length; from += 0x8000)
      text += String.fromCodePoint(...data.subarray(from, from + 0x8000))
    return btoa(text)
  })
  const file = join(studio.folder, 'mix.wav')
  await writeFile(file, Buffer.from(bytes, 'base64'))
  return file
}

describe.skipIf(chromium === null)('the sound of the preview', () => {
  it('is that of the rendered file: cuts, speed, music under the voice, tones over words, its loudness', async () => {
    await dressClip()
    await page.reload()
    await editor()
    const { tracks, masks } = (await readEditor(studio, clipId)).preview.composition.audio
    expect([tracks?.length, (masks?.length ?? 0) > 0]).toEqual([1, true])
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { mixes?: Blob[] }).mixes?.length ?? 0), IN_TIME)
      .toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const meter = page.getByRole('meter', { name: 'Level' })
    await expect
      .poll(async () => Number(await meter.getAttribute('aria-valuenow')), IN_TIME)
      .toBeGreaterThan(-40)
    await playing().click()
    const mix = await levelsOf(await savedMix())
    const { renderedUrl: before } = await readEditor(studio, clipId)
    const renderedUrl = async () => (await readEditor(studio, clipId)).renderedUrl
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await expect.poll(renderedUrl, { timeout: 90_000 }).not.toBe(before)
    const answer = await studio.context.request.get((await renderedUrl()) ?? '')
    const file = join(studio.folder, 'rendered.mp4')
    await writeFile(file, await answer.body())
    const rendered = await levelsOf(file)
    const apart = rendered
      .flatMap((level, index) => (level > FLOOR_DB ? [Math.abs(level - (mix[index] ?? -120))] : []))
      .toSorted((a, b) => a - b)
    const share = (part: number): number =>
      apart[Math.min(apart.length - 1, Math.floor(apart.length * part))] ?? 99
    process.stderr.write(
      `preview against export, dB per 100 ms over ${apart.length} above ${FLOOR_DB} dBFS: median ${share(0.5).toFixed(2)}, p95 ${share(0.95).toFixed(2)}, max ${share(1).toFixed(2)}\n`,
    )
    expect(Math.abs(rendered.length - mix.length)).toBeLessThanOrEqual(1)
    expect(share(1)).toBeLessThanOrEqual(1)
    expect(studio.complaints).toEqual([])
  })
})
