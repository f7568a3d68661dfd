/** Banners and tickers drawn over films: which are found, and whether the captions of a clip lie on their letters. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClipFaces } from '../../server/contract/clip-measurements.ts'
import type { CaptionLayer, Composition, Rect } from '../../server/contract/composition.ts'
import { captionBlockAt } from '../../server/nodes/layout/quality.ts'
import { shownParts } from '../../server/nodes/layout/view-at.ts'
import { BANNER_SCENES, HEIGHT, makeBanner, RATE, WIDTH, type BannerScene } from '../support/banners.ts'
import { MEDIA } from './media.ts'
import { percent } from './measure/spread.ts'
import { framed, lookFor } from './picture-framing.ts'
import type { FigureTable } from './report.ts'

type Drawn = NonNullable<BannerScene['drawn']>

const rectOf = ([x, y, width, height]: readonly [number, number, number, number]): Rect => ({
  x,
  y,
  width,
  height,
})

const commonArea = (a: Rect, b: Rect): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y))

/** Share of the letters' area and time that is inside what was found. */
function coveredShare({ from, to, letters }: Drawn, { banners = [] }: ClipFaces): number {
  const place = rectOf(letters)
  const frames = Array.from({ length: Math.floor((to - from) * RATE) }, (_, at) => from + at / RATE)
  const shares = frames.map((second) => {
    const found = banners.filter(({ start, end }) => start <= second && second <= end)
    const areas = found.map(({ box: [x, y, width, height] }) =>
      commonArea(place, rectOf([x * WIDTH, y * HEIGHT, width * WIDTH, height * HEIGHT])),
    )
    return Math.max(0, ...areas) / (place.width * place.height)
  })
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, frames.length)
}

/** Where the letters are on a frame of a crop; shares of the output. Null: not in the picture. */
function lettersIn(composition: Composition, frame: number, { from, to, letters }: Drawn): Rect | null {
  const span = composition.layout.find((one) => one.startFrame <= frame && frame < one.endFrame)
  if (span?.kind !== 'crop' || frame / RATE < from || frame / RATE >= to) return null
  const [view] = shownParts(span, frame)
  if (view === undefined || commonArea(rectOf(letters), view) === 0) return null
  const [x, y, width, height] = letters
  return {
    x: (x - view.x) / view.width,
    y: (y - view.y) / view.height,
    width: width / view.width,
    height: height / view.height,
  }
}

/** Frames in which letters are in the picture, and those of them in which a caption lies on them or the view cuts them. */
function countOn(composition: Composition, drawn: Drawn) {
  const captions = composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')
  const counts = { shown: 0, covered: 0, cut: 0 }
  for (let frame = 0; frame < composition.durationFrames; frame++) {
    const letters = lettersIn(composition, frame, drawn)
    if (letters === null) continue
    counts.shown += 1
    counts.cut += Number(letters.x < -0.01 || letters.x + letters.width > 1.01)
    const block = captions === undefined ? null : captionBlockAt(captions, frame, composition.output)
    counts.covered += Number(block !== null && commonArea(block, letters) > 0)
  }
  return counts
}

/** Leaves its files in `folder`. */
export async function bannersTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  for (const [at, scene] of BANNER_SCENES.entries()) {
    say(`banners, ${scene.name}`)
    const { name, half, film, seconds, drawn } = scene
    const file = await makeBanner(MEDIA, folder, scene)
    const video = { file, seconds, sound: false, turns: [] }
    const { faces } = await lookFor(video, join(folder, String(at)))
    const count = faces.banners?.length ?? 0
    if (drawn === null) {
      rows.push([name, half, film, count === 0 ? 'nothing' : `${count} where none is`, '', '', ''])
      continue
    }
    const { banners: _banners, ...without } = faces
    const one = { style: 'style_one' }
    const before = countOn(framed(video, without, one), drawn)
    const after = countOn(framed(video, faces, one), drawn)
    const share = (part: number, of: number): string => (of === 0 ? 'not shown' : percent(part / of))
    rows.push([
      name,
      half,
      film,
      `${percent(coveredShare(drawn, faces))}, in ${count}`,
      share(after.covered, after.shown),
      share(before.covered, before.shown),
      `${share(after.cut, after.shown)}, without finding it ${share(before.cut, before.shown)}`,
    ])
  }
  return {
    title: 'Banners and tickers',
    columns: [
      'what is drawn',
      'half',
      'over',
      'letters found, and in how many places',
      'captions on them',
      'without finding them',
      'letters that the view cuts',
    ],
    rows,
    notes: [
      'Letters in five fonts of the project, drawn by ffmpeg over real films at 1280x720: standing and running, with boxes of all kinds and without. Thresholds were set on the half that is named tuned; the other was drawn at the same time. How sharp a stroke must be was lowered once more after yellow letters had been missed in both halves, so they are not wholly apart. Captions are on letters when their blocks touch, as a share of the frames of a 9:16 clip of one at a time that show any of the letters. Letters wider than the view are always cut; so are those that whole heads leave no place for.',
    ],
  }
}
