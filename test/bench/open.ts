/**
 * `npm run bench -- open`: how soon the clip editor is there in a real browser, for a clip of a source of 3 minutes (the
 * floor) and for one from the middle of a source of 3 hours with every word of it known; and the first paint of each room.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { runTool } from '../../workers/media/run-tool.ts'
import { findChromium, NO_CHROMIUM } from '../e2e/preview/browser.ts'
import { firstPaint } from '../e2e/studio/page-layout.ts'
import { openStudio, type StudioBrowser } from '../e2e/studio/studio-browser.ts'
import { cutroom } from '../support/appliance-process.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { makeTinyTalk, SENTENCES, SECONDS_PER_SENTENCE, type TinyTalk } from '../support/tiny-talk.ts'
import { median, quantile } from './measure/spread.ts'
import { speedBench } from './report.ts'

const SOURCES = [
  { name: '3 minutes', seconds: 180 },
  { name: '3 hours', seconds: 10_800 },
] as const
const CLIP_SECONDS = 30
const PAINT_LIMIT_MS = 1000
/** As fast as: no more than this many times as long. */
const RATIO_LIMIT = 1.25
const ROOMS = ['home', 'clips', 'workflows', 'publish', 'analytics', 'settings'] as const
const RUN_MS = 600_000

/** Milliseconds from requesting the page. */
interface Opening {
  readonly paint: number
  /** The timeline has the clip's pieces. */
  readonly timeline: number
  /** The preview has a picture that is not empty. */
  readonly picture: number
}

interface Options {
  readonly rounds?: number
  readonly say?: (line: string) => void
}

const stamp = (seconds: number): string =>
  `${new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',')}`

/** The tiny talk again and again, spoken to the end: copied and not encoded, so that hours take seconds. */
async function makeLongTalk(folder: string, talk: TinyTalk, name: string, seconds: number): Promise<string> {
  const captions = join(folder, `${name}.srt`)
  const video = join(folder, `${name}.mp4`)
  const cues = Array.from({ length: seconds / SECONDS_PER_SENTENCE }, (_, at) => {
    const start = at * SECONDS_PER_SENTENCE
    return `${at + 1}\n${stamp(start)} --> ${stamp(start + 3.2)}\n${SENTENCES[at % SENTENCES.length]}\n`
  })
  await writeFile(captions, cues.join('\n'))
  const inputs = ['-stream_loop', '-1', '-i', talk.video, '-i', captions, '-map', '0', '-map', '1']
  const codecs = ['-c', 'copy', '-c:s', 'mov_text', '-t', String(seconds)]
  const args = ['-v', 'error', '-y', ...inputs, ...codecs, video]
  await runTool({ executable: bundledTools().ffmpeg, args })
  return video
}

/** The id of the one clip, from the middle of the source. */
async function makeClip(studio: StudioBrowser, page: Page, name: string, seconds: number): Promise<string> {
  const { folder, home, appliance, context } = studio
  const start = seconds / 2
  const config = { pinnedTimestamps: [{ start, end: start + CLIP_SECONDS }], pinnedTimestampsOnly: true }
  const workflow = {
    name,
    description: '',
    nodes: [
      { id: 'find', type: 'find_clips', config },
      { id: 'captions', type: 'add_subtitles', config: {} },
    ],
    edges: [{ source: 'find', target: 'captions' }],
  }
  const file = join(folder, 'workflow.json')
  await writeFile(file, JSON.stringify(workflow))
  const imported = await cutroom(['workflow', 'import', file, '--company', 'local', '--home', home])
  if (imported.code !== 0) throw new Error(imported.stderr)
  const video = await makeLongTalk(folder, await makeTinyTalk(folder), name.replace(' ', '-'), seconds)
  await page.goto(`${appliance.url}/`)
  const before = await clipIds(context, appliance.url)
  await page.locator('input[type=file]').setInputFiles([video])
  await page.getByRole('dialog').getByLabel('Workflow').selectOption({ label: name })
  await page.getByRole('button', { name: 'Make clips' }).click()
  for (const end = performance.now() + RUN_MS; performance.now() < end;) {
    const fresh = (await clipIds(context, appliance.url)).find((id) => !before.includes(id))
    if (fresh !== undefined) return fresh
    await page.waitForTimeout(500)
  }
  throw new Error(`the run of ${name} was not finished in time`)
}

async function clipIds(context: BrowserContext, url: string): Promise<string[]> {
  const answer = await context.request.get(`${url}/clips`)
  return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
}

/** Runs in the page from its beginning, and notes when there is something to see. */
function watch(): void {
  const seen: Record<string, number> = {}
  Object.assign(globalThis, { seen })
  const small = new OffscreenCanvas(4, 4).getContext('2d', { willReadFrequently: true })
  const hasPicture = (): boolean => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[aria-label="Preview of the clip"]')
    if (canvas === null || canvas.width === 0 || small === null) return false
    small.drawImage(canvas, 0, 0, 4, 4)
    return small.getImageData(0, 0, 4, 4).data.some((value, at) => at % 4 !== 3 && value > 24)
  }
  const look = (): void => {
    if (document.querySelector('.piece') !== null) seen['timeline'] ??= performance.now()
    if (hasPicture()) seen['picture'] ??= performance.now()
    if (seen['timeline'] === undefined || seen['picture'] === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function openClip(studio: StudioBrowser, clipId: string): Promise<Opening> {
  const page = await studio.newPage()
  await page.addInitScript(watch)
  await page.goto(`${studio.appliance.url}/#/clips/${clipId}`)
  const handle = await page.waitForFunction(() => {
    const { seen } = globalThis as unknown as { seen: Record<string, number> }
    return seen['picture'] !== undefined && seen['timeline'] !== undefined ? seen : null
  })
  const seen = (await handle.jsonValue()) as { timeline: number; picture: number }
  const paint = await firstPaint(page)
  await page.close()
  return { paint, ...seen }
}

async function paintOf(studio: StudioBrowser, room: string): Promise<number> {
  const page = await studio.newPage()
  await page.goto(`${studio.appliance.url}/#/${room === 'home' ? '' : room}`)
  await page.getByRole('heading').first().waitFor()
  const paint = await firstPaint(page)
  await page.close()
  return paint
}

/** About four minutes. The sources take turns, so that what else the machine does is felt by both. */
export async function runOpenBench({ rounds = 20, say = () => undefined }: Options = {}) {
  const chromium = findChromium()
  if (chromium === null) throw new Error(NO_CHROMIUM)
  const studio = await openStudio(chromium)
  try {
    const page = await studio.newPage()
    await page.goto(studio.appliance.studioUrl)
    const clips: { name: string; id: string; openings: Opening[] }[] = []
    for (const { name, seconds } of SOURCES) {
      say(`making a source of ${name} and a clip of it`)
      clips.push({ name, id: await makeClip(studio, page, name, seconds), openings: [] })
    }
    await page.close()
    // What is made when a clip is opened for the first time (its filmstrip, its cut to scrub in) is not part of this.
    for (const { id } of clips) await openClip(studio, id)
    for (let round = 0; round < rounds; round += 1)
      for (const { id, openings } of clips) openings.push(await openClip(studio, id))
    const paints: Record<string, number> = {}
    for (const room of ROOMS) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) times.push(await paintOf(studio, room))
      paints[room] = median(times)
    }
    return report(rounds, clips, paints)
  } finally {
    await studio.close()
  }
}

function report(
  rounds: number,
  clips: readonly { readonly name: string; readonly openings: readonly Opening[] }[],
  paints: Readonly<Record<string, number>>,
) {
  const at = (share: number, openings: readonly Opening[]): Opening => {
    const of = (part: keyof Opening): number =>
      quantile(
        openings.map((opening) => opening[part]),
        share,
      )
    return { paint: of('paint'), timeline: of('timeline'), picture: of('picture') }
  }
  const opened = clips.map(({ name, openings }) => ({
    name,
    ...at(0.5, openings),
    p95: at(0.95, openings),
  }))
  const [short, long] = opened
  const ratio = (long?.picture ?? NaN) / (short?.picture ?? NaN)
  const slowest = Math.max(...Object.values(paints), ...opened.map(({ paint }) => paint))
  const columns = ['what is opened', 'first paint, ms', 'timeline, ms', 'picture, ms']
  const both = (middle: number, most: number): string => `${middle.toFixed(0)}, ${most.toFixed(0)}`
  const rows = [
    ...opened.map(({ name, paint, timeline, picture, p95 }) => [
      `a clip of ${name}`,
      both(paint, p95.paint),
      both(timeline, p95.timeline),
      both(picture, p95.picture),
    ]),
    ...Object.entries(paints).map(([room, paint]) => [`the room ${room}`, paint.toFixed(0), '', '']),
  ]
  const kept = (is: boolean): string => (is ? 'kept' : 'NOT kept')
  const notes = [
    `A clip of a source of 3 hours is there ${ratio.toFixed(2)} times as late as one of 3 minutes, limit ${RATIO_LIMIT}: ${kept(ratio <= RATIO_LIMIT)}.`,
    `The slowest first paint comes after ${slowest.toFixed(0)} ms, limit ${PAINT_LIMIT_MS} ms: ${kept(slowest <= PAINT_LIMIT_MS)}.`,
    `Medians of ${rounds} openings each; after the comma, of clips, the time within which 95 of 100 are there. Each in a page of its own, of what had been opened once before.`,
  ]
  return speedBench(
    'open',
    {
      title: 'The studio in a browser',
      tables: [{ title: 'Until it is there', columns, rows, notes }],
      unmeasured: [],
    },
    { rounds, opened, paints, ratio, limits: { ratio: RATIO_LIMIT, paintMs: PAINT_LIMIT_MS } },
  )
}
