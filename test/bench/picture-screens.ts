/** Screens: which of some scenes are taken for one, how well the person's own picture is found, and what a clip shows. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeScreen, HEIGHT, SCREEN_SCENES, WIDTH, type ScreenScene } from '../support/screens.ts'
import { framed, lookFor } from './picture-framing.ts'
import { MEDIA } from './media.ts'
import type { FigureTable } from './report.ts'

const SECONDS = 7
const SHOWN = { panes: 'screen and person', fit: 'whole', crop: 'the person, or the middle' } as const

/** Leaves its files in `folder`. */
export async function screensTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  await mkdir(folder, { recursive: true })
  const rows: string[][] = []
  const counts = { found: 0, false: 0, screens: 0 }
  for (const [at, scene] of SCREEN_SCENES.entries()) {
    say(`screens, ${scene.name}`)
    const file = await makeScreen(MEDIA, folder, scene, SECONDS)
    const video = { file, seconds: SECONDS, sound: false, turns: [] }
    const { faces } = await lookFor(video, join(folder, String(at)))
    const isScreen = scene.kind !== 'room' && scene.kind !== 'board'
    const share = Math.min(1, faces.screens.reduce((sum, { start, end }) => sum + end - start, 0) / SECONDS)
    const kinds = new Set(framed(video, faces, {}).layout.map(({ kind }) => kind))
    counts.screens += Number(isScreen)
    counts.found += Number(isScreen && share > 0.5)
    counts.false += Number(!isScreen && share > 0)
    const shown = [...kinds].map((kind) => SHOWN[kind]).join(', then ')
    const box = faces.screens[0]?.inset ?? null
    rows.push([
      scene.name,
      isScreen ? (scene.inset === null ? 'a screen alone' : 'a screen and a person') : 'no screen',
      share === 0 ? 'no screen' : `${(100 * share).toFixed(0)} % of the time`,
      overlapWith(scene, box),
      shown,
    ])
  }
  rows.push([
    'all',
    `${counts.screens} screens, ${SCREEN_SCENES.length - counts.screens} others`,
    `${counts.found} found, ${counts.false} false`,
    '',
    '',
  ])
  return {
    title: 'Screens',
    columns: [
      'scene',
      'is',
      'taken for a screen',
      'common part of the inset found and the true one',
      'shown as',
    ],
    rows,
    notes: [
      'Drawn scenes of 7 s at 1280x720 with portraits of the development media; the game cuts to another place every three seconds. The common part is of the area of both.',
    ],
  }
}

/** Intersection over union. */
function overlapWith(
  { inset }: ScreenScene,
  found: readonly [number, number, number, number] | null,
): string {
  if (inset === null) return found === null ? '' : 'one where there is none'
  if (found === null) return 'none found'
  const left = found[0] * WIDTH
  const top = found[1] * HEIGHT
  const width = found[2] * WIDTH
  const height = found[3] * HEIGHT
  const [x, y, w, h] = inset
  const common =
    Math.max(0, Math.min(left + width, x + w) - Math.max(left, x)) *
    Math.max(0, Math.min(top + height, y + h) - Math.max(top, y))
  return `${((100 * common) / (width * height + w * h - common)).toFixed(0)} %`
}
