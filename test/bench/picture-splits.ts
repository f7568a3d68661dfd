/** Split screens of real people who talk in turns: whose picture a clip shows, against the sound and the places they were made of. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withSpeakers, type ClipFaces } from '../../server/contract/clip-measurements.ts'
import type { Composition, Rect } from '../../server/contract/composition.ts'
import { shownParts } from '../../server/nodes/layout/view-at.ts'
import { HEIGHT, makeSplitScreen, SPLIT_SCENES, WIDTH, type SplitScene } from '../support/split-screens.ts'
import { MEDIA } from './media.ts'
import { percent } from './measure/spread.ts'
import { framed } from './picture-framing.ts'
import { lookAtTalk } from './picture-speaking.ts'
import type { FigureTable } from './report.ts'

const RATE = 25
/** Pixels that a view may reach out of a guest's picture. */
const TOLERANCE = 4
/** A turn is measured from so long after its beginning, seconds: no look is shorter than one. */
const SETTLED = 1

/** The guests whose pictures are seen; null: something else is, or more than one in a view. */
function guestsShown({ layout }: Composition, frame: number, { boxes }: SplitScene): number[] | null {
  const span = layout.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame)
  if (span === undefined || span.kind === 'fit') return null
  const guests = shownParts(span, frame).map((view) =>
    boxes.findIndex(
      ([x, y, width, height]) =>
        Math.max(
          x - view.x,
          y - view.y,
          view.x + view.width - x - width,
          view.y + view.height - y - height,
        ) <= TOLERANCE,
    ),
  )
  return guests.includes(-1) ? null : guests
}

/** Of the worst guest: the common part of the true picture and the one found, of both together. */
function leastOverlap({ splits = [] }: ClipFaces, { boxes }: SplitScene): string {
  const found = splits[0]?.boxes ?? []
  if (found.length === 0) return 'not found'
  const shares = boxes.map(([x, y, width, height]) =>
    Math.max(
      0,
      ...found.map(([left, top, wide, high]) => {
        const one: Rect = { x: left * WIDTH, y: top * HEIGHT, width: wide * WIDTH, height: high * HEIGHT }
        const across = Math.min(x + width, one.x + one.width) - Math.max(x, one.x)
        const down = Math.min(y + height, one.y + one.height) - Math.max(y, one.y)
        const common = Math.max(0, across) * Math.max(0, down)
        return common / (width * height + one.width * one.height - common)
      }),
    ),
  )
  return percent(Math.min(...shares))
}

/** Leaves its files in `folder`. */
export async function splitsTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  for (const [at, scene] of SPLIT_SCENES.entries()) {
    say(`split screens, ${scene.name}`)
    const { file, seconds, spoken } = await makeSplitScreen(MEDIA, folder, scene)
    const size = { width: WIDTH, height: HEIGHT }
    const { faces, found } = await lookAtTalk(file, seconds, size, join(folder, String(at)))
    const video = { file, seconds, sound: true, turns: [] }
    const composition = framed(video, withSpeakers(faces, found), {})
    const counts = { turn: 0, right: 0, all: 0, other: 0, silent: 0, together: 0, beside: 0 }
    const looks: { shown: string; frames: number }[] = []
    for (let frame = 0; frame < composition.durationFrames; frame++) {
      const shown = guestsShown(composition, frame, scene)
      const name = shown?.join() ?? ''
      const last = looks.at(-1)
      if (last?.shown === name) last.frames += 1
      else looks.push({ shown: name, frames: 1 })
      counts.beside += Number(shown === null)
      const turn = spoken.find(({ start, end }) => frame / RATE >= start + SETTLED && frame / RATE < end)
      if (turn === undefined || shown === null) continue
      const isAlone = shown.length === 1
      if (turn.who === null) {
        counts.silent += 1
        counts.together += Number(!isAlone)
      } else {
        counts.turn += 1
        counts.right += Number(isAlone && shown[0] === turn.who)
        counts.other += Number(isAlone && shown[0] !== turn.who)
        counts.all += Number(!isAlone)
      }
    }
    const share = (part: number, of: number): string => (of === 0 ? '' : percent(part / of))
    rows.push([
      scene.name,
      scene.half,
      leastOverlap(faces, scene),
      percent(counts.beside / composition.durationFrames),
      share(counts.right, counts.turn),
      share(counts.all, counts.turn),
      share(counts.other, counts.turn),
      share(counts.together, counts.silent),
      `${(Math.min(...looks.map(({ frames }) => frames)) / RATE).toFixed(1)} s`,
    ])
  }
  return {
    title: 'Split screens',
    columns: [
      'layout',
      'half',
      'picture found, of the worst guest',
      'frames with something beside one guest’s picture in a view',
      'while one speaks: that guest alone',
      'all',
      'another alone',
      'while nobody speaks: all',
      'shortest look (1 s)',
    ],
    rows,
    notes: [
      'People of the GRID corpus, each in a picture of their own, who say their sentences in turns, with three seconds in which nobody does; the lips of those who listen move to their own sentences. Framed by default for 9:16 after all stages that find who speaks, and held against the sound and the places that the videos were made of, from a second after each turn began. Views may reach four pixels out of a guest’s picture. Thresholds were set on the layouts named tuned.',
    ],
  }
}
