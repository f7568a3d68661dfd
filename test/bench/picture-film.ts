/**
 * Framing of filmed people, held against heads that were drawn by eye, and of portraits that sway, whose place is known. None
 * of it is measured by the detector that the appliance follows people with.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Composition, Rect } from '../../server/contract/composition.ts'
import { shareInside } from '../../server/nodes/layout/quality.ts'
import { shownParts } from '../../server/nodes/layout/view-at.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { percent, quantile } from './measure/spread.ts'
import { media } from './media.ts'
import { framed, lookFor } from './picture-framing.ts'
import type { FigureTable } from './report.ts'

/** The heads that are visible at a second: shares of the picture. */
interface Sample {
  readonly second: number
  readonly heads: readonly Rect[]
}

interface Film {
  readonly name: string
  readonly file: string
  readonly seconds: number
  readonly samples: readonly Sample[]
  readonly styles: readonly string[]
}

const RATE = 25
const SOURCE = { width: 1280, height: 720 }
/** What may be cut of a head: the boxes are drawn no better than this, pixels of the source. */
const TOLERANCE = 8
const ENCODED = ['-an', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p']

async function encode(inputs: readonly string[], filter: string, file: string): Promise<string> {
  const graph = ['-filter_complex', filter, '-r', String(RATE), ...ENCODED, file]
  await runTool({ executable: bundledTools().ffmpeg, args: ['-v', 'error', '-y', ...inputs, ...graph] })
  return file
}

/** The middle of hair to chin and of ear to ear of the performer in hamilton.mp4: second, left, top, right, bottom. */
const PERFORMER = [
  [0.4, 0.817, 0.093, 0.895, 0.262],
  [1.2, 0.814, 0.093, 0.893, 0.262],
  [3.8, 0.233, 0.072, 0.39, 0.474],
  [4.4, 0.34, 0.068, 0.505, 0.461],
  [5, 0.314, 0.023, 0.474, 0.41],
  [5.6, 0.262, 0, 0.429, 0.377],
  [6, 0.352, 0, 0.517, 0.419],
  [6.4, 0.319, 0, 0.49, 0.406],
  [7, 0.314, 0, 0.483, 0.402],
  [7.6, 0.424, 0, 0.602, 0.415],
] as const

const TWO_MEN = 'people/simpl_vp9_webrtc_3.webm'
const TWO_MEN_SECONDS = 45.5
const STYLES = ['style_one', 'style_two', 'adaptive']

interface Copy {
  readonly name: string
  readonly filter: string
  readonly seconds: number
  readonly change: (sample: Sample) => Sample
}

/** What a window of the picture shows of heads; pixels of the source. Heads that are not all in it are not promised. */
function throughWindow(heads: readonly Rect[], window: Rect): Rect[] {
  return heads
    .map(({ x, y, width, height }) => ({
      x: (x * SOURCE.width - window.x) / window.width,
      y: (y * SOURCE.height - window.y) / window.height,
      width: (width * SOURCE.width) / window.width,
      height: (height * SOURCE.height) / window.height,
    }))
    .filter(({ x, y, width, height }) => x >= 0 && y >= -0.01 && x + width <= 1 && y + height <= 1.01)
}

const COPIES: readonly Copy[] = [
  {
    name: 'mirrored and backwards',
    filter: 'reverse,hflip',
    seconds: TWO_MEN_SECONDS,
    change: ({ second, heads }) => ({
      second: 45.56 - second,
      heads: heads.map((head) => ({ ...head, x: 1 - head.x - head.width })),
    }),
  },
  {
    name: '1.6 times faster',
    filter: 'setpts=PTS/1.6',
    seconds: 28.4,
    change: ({ second, heads }) => ({ second: second / 1.6, heads }),
  },
  {
    name: 'closer',
    filter: 'crop=960:540:200:0,scale=1280:720',
    seconds: TWO_MEN_SECONDS,
    change: ({ second, heads }) => ({
      second,
      heads: throughWindow(heads, { x: 200, y: 0, width: 960, height: 540 }),
    }),
  },
  {
    name: 'through a panning window: both come and go',
    filter: "crop=720:405:x='280+280*sin(2*PI*t/20)':y=150,scale=1280:720",
    seconds: TWO_MEN_SECONDS,
    change: ({ second, heads }) => {
      const x = 280 + 280 * Math.sin((2 * Math.PI * second) / 20)
      return { second, heads: throughWindow(heads, { x, y: 150, width: 720, height: 405 }) }
    },
  },
]

async function filmsIn(folder: string, say: (line: string) => void): Promise<Film[]> {
  const truth = JSON.parse(await readFile(media('people/heads.json'), 'utf8')) as {
    frames: { t: number; boxes: { x: number; y: number; w: number; h: number }[] }[]
  }
  const samples = truth.frames.map(({ t, boxes }) => ({
    second: t,
    heads: boxes.map(({ x, y, w, h }) => ({
      x: x / SOURCE.width,
      y: y / SOURCE.height,
      width: w / SOURCE.width,
      height: h / SOURCE.height,
    })),
  }))
  const two = {
    name: 'two men sit, stand, lean and turn',
    file: media(TWO_MEN),
    seconds: TWO_MEN_SECONDS,
    samples,
    styles: STYLES,
  }
  const films: Film[] = [two]
  for (const [at, { name, filter, seconds, change }] of COPIES.entries()) {
    say(`making a copy of the film, ${name}`)
    const file = await encode(['-i', two.file], `[0:v]${filter}`, join(folder, `copy-${at}.mp4`))
    const shown = samples
      .map(change)
      .filter(({ second, heads }) => second >= 0 && second < seconds && heads.length > 0)
    films.push({ name: `the same, ${name}`, file, seconds, samples: shown, styles: STYLES })
  }
  films.push({
    name: 'a performer, cuts between wide and close',
    file: media('people/hamilton.mp4'),
    seconds: 9.9,
    samples: PERFORMER.map(([second, x, y, right, bottom]) => ({
      second,
      heads: [{ x, y, width: right - x, height: bottom - y }],
    })),
    styles: ['style_one'],
  })
  return films
}

/** The parts of the source that are on screen in a frame, its pixels. */
function viewsAt({ layout }: Pick<Composition, 'layout'>, frame: number): readonly Rect[] {
  const span = layout.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  return span === undefined ? [] : shownParts(span, frame)
}

function isWhole(head: Rect, views: readonly Rect[]): boolean {
  const left = head.x * SOURCE.width
  const top = head.y * SOURCE.height
  const right = left + head.width * SOURCE.width
  const bottom = top + head.height * SOURCE.height
  return views.some(
    ({ x, y, width, height }) =>
      Math.max(x - left, y - top, right - x - width, bottom - y - height) <= TOLERANCE,
  )
}

/** How many heads a style promises in some samples, and how many of them are not whole: one at a time, or all. */
function countCut(composition: Composition, samples: readonly Sample[], style: string) {
  const counts = { promised: 0, cut: 0 }
  for (const { second, heads } of samples) {
    const views = viewsAt(composition, Math.round(second * RATE))
    const cut = heads.filter((head) => !isWhole(head, views)).length
    counts.promised += style === 'style_one' ? 1 : heads.length
    counts.cut += style === 'style_one' ? Number(cut === heads.length) : cut
  }
  return counts
}

/** Of the view, or of each pane, from frame to frame between its cuts, view widths per second squared. */
function accelerationsOf({ layout }: Pick<Composition, 'layout'>): number[] {
  return layout.flatMap((span) => {
    if (span.kind === 'fit') return []
    return Array.from({ length: Math.max(0, span.endFrame - span.startFrame - 2) }, (_, at) => {
      const before = shownParts(span, span.startFrame + at)
      const now = shownParts(span, span.startFrame + at + 1)
      const after = shownParts(span, span.startFrame + at + 2)
      return before.flatMap((a, pane) => {
        const b = now[pane] ?? a
        const c = after[pane] ?? b
        return (Math.hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y) / a.width) * RATE ** 2
      })
    }).flat()
  })
}

const steepest = (accelerations: readonly number[]): string =>
  accelerations.length === 0 ? '' : quantile(accelerations, 0.95).toFixed(2)

const shareOf = ({ promised, cut }: { promised: number; cut: number }): string =>
  promised === 0 ? '' : `${cut} of ${promised} (${percent(cut / promised)})`

/** Leaves its files in `folder`. */
export async function filmTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  for (const [at, film] of (await filmsIn(folder, say)).entries()) {
    say(`framing filmed people: ${film.name}`)
    const { file, seconds, samples } = film
    const video = { file, seconds, sound: false, turns: [] }
    const { faces } = await lookFor(video, join(folder, String(at)))
    for (const style of film.styles) {
      const composition = framed(video, faces, { style })
      const half = seconds / 2
      const first = countCut(
        composition,
        samples.filter(({ second }) => second < half),
        style,
      )
      const second = countCut(
        composition,
        samples.filter(({ second: time }) => time >= half),
        style,
      )
      const accelerations = accelerationsOf(composition)
      rows.push([
        film.name,
        style,
        shareOf(first),
        shareOf(second),
        String(composition.layout.length),
        steepest(accelerations),
        Math.max(0, ...accelerations).toFixed(2),
      ])
    }
  }
  return {
    title: 'Filmed people',
    columns: [
      'film',
      'style',
      'heads cut or missing, first half (under 2 %)',
      'second half',
      'spans of the layout',
      'acceleration, 95th percentile (1.2)',
      'greatest',
    ],
    rows,
    notes: [
      'Heads (hair to chin, ear to ear or to the back of the head) drawn by eye every two seconds, in the last film at ten moments; between them nothing is measured. A head counts as whole when no more than 8 of 1280 pixels of it are outside a view. One at a time promises one head, the other styles everybody. How much larger a head is than its face was set on the first half of the first film; all the rest was not used for it. The copies showed where heads were lost in following them, and that was mended with them; the performer was drawn after all of that. Through the panning window one man leaves within two seconds of the start and is not shown.',
    ],
  }
}

/** The head in a portrait that is 720 pixels high, drawn by eye: left, top, right, bottom. */
const PORTRAITS = {
  astronaut: { file: 'astronaut.png', width: 720, head: [215, 22, 423, 265] },
  official: { file: 'portrait_obama_official.jpg', width: 576, head: [214, 18, 407, 285] },
} as const

/** Widths of the picture per second: of a wave at its fastest, of a zigzag throughout. */
const SPEED = 0.34
const SWAY_SECONDS = 12

const SWAYS = [
  { name: 'as a wave, far', portrait: 'astronaut', height: 720, far: 280, wave: true },
  { name: 'in a zigzag, far', portrait: 'official', height: 720, far: 340, wave: false },
  { name: 'in a zigzag, near', portrait: 'official', height: 720, far: 150, wave: false },
  { name: 'small, as a wave, far', portrait: 'official', height: 400, far: 450, wave: true },
  { name: 'small, in a zigzag, far', portrait: 'official', height: 400, far: 450, wave: false },
] as const

type Sway = (typeof SWAYS)[number]

/** Seconds from one end to the other and back. */
const periodOf = ({ wave, far }: Sway): number => ((wave ? 2 * Math.PI : 4) * far) / (SPEED * SOURCE.width)

/** Writes the video, and answers its file. */
function makeSway(sway: Sway, file: string): Promise<string> {
  const phase = `sin(2*PI*t/${periodOf(sway)})`
  const x = `(W-w)/2+${sway.far}*${sway.wave ? phase : `asin(${phase})*2/PI`}`
  const wall = ['-f', 'lavfi', '-i', `color=c=0x607080:s=1280x720:r=${RATE}:d=${SWAY_SECONDS}`]
  const person = ['-loop', '1', '-framerate', String(RATE), '-i', media(PORTRAITS[sway.portrait].file)]
  const filter = `[1:v]scale=-2:${sway.height}[p];[0:v][p]overlay=x='${x}':y=H-h:shortest=1`
  return encode(wall.concat(person), filter, file)
}

/** The head at a second, shares of the picture. */
function swayingHead(sway: Sway, second: number): Rect {
  const { width, head } = PORTRAITS[sway.portrait]
  const scale = sway.height / SOURCE.height
  const turn = Math.sin((2 * Math.PI * second) / periodOf(sway))
  const way = sway.far * (sway.wave ? turn : (Math.asin(turn) * 2) / Math.PI)
  const [left, top, right, bottom] = head
  return {
    x: ((SOURCE.width - width * scale) / 2 + way + left * scale) / SOURCE.width,
    y: (SOURCE.height - sway.height + top * scale) / SOURCE.height,
    width: ((right - left) * scale) / SOURCE.width,
    height: ((bottom - top) * scale) / SOURCE.height,
  }
}

/** The face in a head, in pixels of the source. */
const faceIn = ({ x, y, width, height }: Rect): Rect => ({
  x: (x + 0.15 * width) * SOURCE.width,
  y: (y + 0.3 * height) * SOURCE.height,
  width: 0.7 * width * SOURCE.width,
  height: 0.7 * height * SOURCE.height,
})

/** Leaves its files in `folder`. */
export async function swayTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  for (const [at, sway] of SWAYS.entries()) {
    say(`a portrait that sways, ${sway.name}`)
    const file = await makeSway(sway, join(folder, `${at}.mp4`))
    const video = { file, seconds: SWAY_SECONDS, sound: false, turns: [] }
    const { faces } = await lookFor(video, join(folder, String(at)))
    const composition = framed(video, faces, { style: 'style_one' })
    const frames = composition.durationFrames
    const share = (counts: (head: Rect, views: readonly Rect[]) => boolean): string => {
      let count = 0
      for (let frame = 0; frame < frames; frame++)
        count += Number(counts(swayingHead(sway, frame / RATE), viewsAt(composition, frame)))
      return percent(count / frames)
    }
    rows.push([
      sway.name,
      share((head, views) => views.every((view) => shareInside(faceIn(head), view) < 0.75)),
      share((head, views) => !isWhole(head, views)),
      share((_, views) => views.some(({ width }) => width > 0.4 * SOURCE.width)),
      steepest(accelerationsOf(composition)),
    ])
  }
  return {
    title: 'A portrait that sways',
    columns: [
      `way, at ${SPEED} of the picture’s width a second`,
      'frames without a face (under 1 %)',
      'head cut',
      'shown wider, over its blur',
      'acceleration, 95th percentile (1.2)',
    ],
    rows,
    notes: [
      'One at a time, 9:16; every frame is held against the known place of the head. A face is there when three quarters of it are seen. Where the camera may not follow so fast, the picture is as wide as the way.',
    ],
  }
}
