/**
 * Cleaning of the recorded sound in a real Chromium: an editor turns it on, hears before and after, and the rendered file has it. A
 * filmed picture, a recorded voice, and noise whose level is known.
 */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captionsOf } from '../support/tiny-talk.ts'
import { make, samplesOf } from '../pipeline/render-support.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { looks } from './studio/page-layout.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'
import { importWorkflow, onlyClip, openClip, putIn, readEditor, type Wanted } from './studio/studio-clip.ts'

const MEDIA = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const FILM = join(MEDIA, 'people', 'simpl_vp9_webrtc_3.webm')
const VOICE = join(MEDIA, 'jfk.flac')
const chromium = existsSync(FILM) && existsSync(VOICE) ? findChromium() : null
if (chromium === null)
  process.stderr.write(`the Sound panel is not tested: ${NO_CHROMIUM}, or ../shared/media is not here\n`)

const WANTED: Wanted = { name: 'Tiny', clip: { start: 0, end: 10.8 }, nodes: [] }
/** However busy the machine is. */
const IN_TIME = { timeout: 90_000 }
/** Seconds of the recording in which nobody speaks, and in which somebody does. */
const PAUSE = [2.5, 3.1] as const
const SPOKEN = [3.4, 7.5] as const

let studio: StudioBrowser
let page: Page
let clipId: string

async function makeNoisyFilm(folder: string): Promise<string> {
  const film = join(folder, 'noisy.mp4')
  const captions = join(folder, 'talk.srt')
  await writeFile(captions, captionsOf(1))
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=color=pink:r=48000:seed=7:a=0.12:d=11']
  const graph =
    '[0:v]scale=480:270[v];[1:a]aresample=48000,pan=mono|c0=c0[a];[a][2:a]amix=duration=first,volume=2[s]'
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const streams = ['-map', '[v]', '-map', '[s]', '-map', '3:s', '-c:s', 'mov_text', '-t', '11']
  const inputs = ['-i', FILM, '-i', VOICE, ...noise, '-i', captions]
  await make([...inputs, '-filter_complex', graph, ...streams, ...codecs, film])
  return film
}

/** What a player plays, in the page: where it is, and how loud it is there. */
interface Heard {
  readonly second: number
  readonly power: number
}

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  await page.addInitScript(() => {
    const heard: Heard[] = []
    class MeteredContext extends AudioContext {
      override createMediaElementSource(element: HTMLMediaElement): MediaElementAudioSourceNode {
        const source = super.createMediaElementSource(element)
        const meter = this.createAnalyser()
        meter.fftSize = 2048
        source.connect(meter)
        const samples = new Float32Array(meter.fftSize)
        setInterval(() => {
          if (element.paused || this.state !== 'running') return
          meter.getFloatTimeDomainData(samples)
          const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length
          heard.push({ second: element.currentTime, power })
        }, 15)
        return source
      }
    }
    Object.assign(window, { heard, AudioContext: MeteredContext })
  })
  await importWorkflow(studio, WANTED)
  await page.goto(studio.appliance.studioUrl)
  await putIn(page, WANTED, await makeNoisyFilm(studio.folder))
  clipId = await onlyClip(studio)
  await openClip(studio, page, clipId)
  await page.locator('.editor:not(.opening)').waitFor()
  await page.getByRole('tab', { name: 'Sound' }).click()
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const panel = (): Locator => page.getByRole('region', { name: 'Sound', exact: true })
const side = (name: 'Before' | 'After'): Locator => panel().getByRole('radio', { name })
const saved = () => page.getByText('Saved', { exact: true }).waitFor()
const cleaning = async () => (await readEditor(studio, clipId)).preview.composition.audio.cleaning

const decibels = (powers: readonly number[]): number =>
  10 * Math.log10(powers.reduce((sum, power) => sum + power, 0) / powers.length)

/** By how many dB the pause is quieter than the speech. */
const depth = (levelOf: (from: number, to: number) => number): number =>
  levelOf(...SPOKEN) - levelOf(...PAUSE)

/** Looks at the player in each of the two stretches at least. */
const LOOKS = 5

/** Plays the clip from its beginning, as often as a busy machine needs, and measures what comes out of the player. */
async function hear(): Promise<number> {
  await page.evaluate(() => void ((window as unknown as { heard: Heard[] }).heard.length = 0))
  const heard = () => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
  // The meter looks back by 43 ms.
  const within = (all: readonly Heard[], from: number, to: number) =>
    all.filter(({ second }) => second > from + 0.05 && second < to)
  for (let plays = 0; plays < 10; plays++) {
    await page.getByLabel('Position', { exact: true }).fill('0')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(async () => (await heard()).at(-1)?.second ?? 0, IN_TIME).toBeLessThan(PAUSE[0])
    await expect.poll(async () => (await heard()).at(-1)?.second ?? 0, IN_TIME).toBeGreaterThan(SPOKEN[1])
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const all = await heard()
    if ([PAUSE, SPOKEN].every((stretch) => within(all, stretch[0], stretch[1]).length >= LOOKS))
      return depth((from, to) => decibels(within(all, from, to).map(({ power }) => power)))
  }
  throw new Error('this machine is too busy to look at what is played')
}

/** The same of the file that is offered. */
async function measureFile(): Promise<number> {
  const { renderedUrl } = await readEditor(studio, clipId)
  const answer = await studio.context.request.get(renderedUrl ?? '')
  const file = join(studio.folder, 'rendered.mp4')
  await writeFile(file, await answer.body())
  const samples = await samplesOf(file)
  return depth((from, to) =>
    decibels([...samples.subarray(from * 48_000, to * 48_000)].map((value) => value * value)),
  )
}

describe.skipIf(chromium === null)('the Sound panel', () => {
  it('has nothing to compare until something is on', async () => {
    await panel().getByText('Turn something on to hear the difference.').waitFor()
    expect(await side('Before').isDisabled()).toBe(true)
    expect(await side('After').isDisabled()).toBe(true)
    expect(await cleaning()).toBeUndefined()
    expect(await violations(page)).toEqual([])
  })

  it('lets noise reduction be heard, before and after, and the rendered file has it', async () => {
    const fileBefore = await measureFile()
    await panel().getByLabel('Noise reduction').selectOption('Strong')
    await saved()
    await expect.poll(cleaning, IN_TIME).toMatchObject({ noise: 'strong', hum: false, reverb: false })
    await expect.poll(() => side('After').isChecked(), IN_TIME).toBe(true)
    const after = await hear()
    await side('Before').check()
    const before = await hear()
    await side('After').check()
    const again = await hear()
    expect(after).toBeGreaterThan(before + 8)
    const isNearer = (level: number, to: number, than: number): boolean =>
      Math.abs(level - to) < Math.abs(level - than) / 2
    expect(isNearer(again, after, before)).toBe(true)
    // Listening to before is no edit: what is rendered is cleaned.
    await side('Before').check()
    const { renderedUrl: old } = await readEditor(studio, clipId)
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await expect.poll(async () => (await readEditor(studio, clipId)).renderedUrl, IN_TIME).not.toBe(old)
    const fileAfter = await measureFile()
    process.stderr.write(
      `pause under speech, dB: heard ${before.toFixed(1)} before, ${after.toFixed(1)} after; in the file ${fileBefore.toFixed(1)} and ${fileAfter.toFixed(1)}\n`,
    )
    expect(isNearer(fileBefore, before, after)).toBe(true)
    expect(isNearer(fileAfter, after, before)).toBe(true)
    expect(studio.complaints).toEqual([])
  })

  it('keeps what was chosen, and takes it back', async () => {
    await panel().getByRole('checkbox', { name: 'Remove mains hum' }).check()
    await panel().getByRole('checkbox', { name: 'Reduce room echo' }).check()
    await saved()
    await page.reload()
    await page.getByRole('tab', { name: 'Sound' }).click()
    await expect.poll(cleaning, IN_TIME).toMatchObject({ noise: 'strong', hum: true, reverb: true })
    expect(await panel().getByLabel('Noise reduction').inputValue()).toBe('strong')
    expect(await side('After').isChecked()).toBe(true)
    expect(await violations(page)).toEqual([])
    const open = { name: 'Sound', ready: () => panel().waitFor() }
    expect(await looks(page, [open], () => Promise.resolve())).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await panel().scrollIntoViewIfNeeded()
    await shot(page, 'looks-sound-390')
    await page.setViewportSize({ width: 1280, height: 800 })
    await panel().getByRole('checkbox', { name: 'Reduce room echo' }).uncheck()
    await expect.poll(async () => (await cleaning())?.reverb, IN_TIME).toBe(false)
    expect(studio.complaints).toEqual([])
  })

  it('says that nothing was levelled where nobody has told the speakers apart', async () => {
    await panel().getByRole('checkbox', { name: 'Level speakers' }).check()
    await page.getByText(/^Speakers were not levelled/u).first().waitFor() // prettier-ignore
    await shot(page, 'sound-levelled-nothing')
  })
})
