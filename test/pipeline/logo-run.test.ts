/** A logo that is burned into a moving source is found by a run and blended away in its clip. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runFindLogo } from '../../workers/stages/find-logo/stage.ts'
import { watchEdges } from '../../workers/stages/find-logo/pure/find-logos.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'
import { slotsOf } from '../support/run-on-jobs.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { make } from './render-support.ts'

let house: RunEnvironment
let root: string

/** Where it is burned in: 48x24 at 260, 12 of 320x180. */
const LOGO = { x: 260, y: 12, width: 48, height: 24 }
const SOURCE = ['marked.mp4', 'plain.mp4', 'still.mp4'] as const

beforeAll(async () => {
  house = await openRunEnvironment()
  root = house.root
  await writeFile(join(root, 'logo.png'), await plainPng(LOGO.width, LOGO.height, '#ffffff'))
  const changing =
    "nullsrc=s=16x9:r=25:d=12,geq=lum='random(1)*180+20':cb='128':cr='128',scale=320:180:flags=bicubic,format=yuv420p"
  const still = 'testsrc2=s=320x180:r=25:d=12,select=eq(n\\,0),loop=loop=299:size=1,setpts=N/25/TB'
  const over = ['-i', join(root, 'logo.png'), '-filter_complex', `[0:v][1:v]overlay=${LOGO.x}:${LOGO.y}`]
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50']
  const from = (filter: string) => ['-f', 'lavfi', '-i', filter]
  await make([...from(changing), ...over, ...x264, join(root, 'marked.mp4')])
  await make([...from(changing), ...x264, join(root, 'plain.mp4')])
  await make([...from(still), ...over, ...x264, join(root, 'still.mp4')])
}, 60_000)
afterAll(() => house.close())

const params = { streamIndex: 0, durationSeconds: 12, width: 320, height: 180 }
const look = (path: string) => runStageForTest(runFindLogo, params, { inputs: { source: path }, root })

it('is found where it is, in a picture that moves, and nowhere else', async () => {
  const [marked, plain, still] = await Promise.all(SOURCE.map((name) => look(join(root, name))))
  expect(marked!.output.pictures).toBeGreaterThanOrEqual(40)
  const [found, ...more] = marked!.output.logos.places
  expect(more).toEqual([])
  expect(Math.abs(((found?.x ?? 0) * 320) / 100 - LOGO.x)).toBeLessThan(8)
  expect(Math.abs(((found?.y ?? 0) * 180) / 100 - LOGO.y)).toBeLessThan(8)
  expect(plain!.output.logos).toEqual({ places: [], unsure: false })
  expect(still!.output.logos).toEqual({ places: [], unsure: true })
}, 60_000)

/** Mean over time of how strong the edge is that stays, along the border of the logo. Levels a pixel. */
async function edgeOf(file: string): Promise<number> {
  const watcher = watchEdges(320, 180)
  const bytes = await make(['-i', file, '-vf', 'scale=320:180,format=gray', '-f', 'rawvideo', '-'])
  for (let at = 0; at < bytes.length; at += 320 * 180) watcher.add(bytes.subarray(at, at + 320 * 180))
  const { staying } = watcher.finish()
  const rows = Array.from({ length: LOGO.height - 4 }, (_, row) => LOGO.y + 2 + row)
  const along = rows.map((y) => staying[y * 320 + LOGO.x] ?? 0)
  return along.reduce((sum, value) => sum + value, 0) / along.length
}

it('is removed from the clip of a run that requests it', async () => {
  const remove = node('remove_watermark', { remove_watermark_config: { auto: true } })
  const before = await house.clipOf(join(root, 'marked.mp4'), [pinned(2, 8)])
  const after = await house.clipOf(join(root, 'marked.mp4'), [pinned(2, 8), remove])
  expect(slotsOf(house.db, before.runId).has('find-logo')).toBe(false)
  expect(after.clip.document.logos?.places).toHaveLength(1)
  const edges = [await edgeOf(before.file), await edgeOf(after.file)]
  expect(edges[0]).toBeGreaterThan(25)
  expect(edges[1]).toBeLessThan(edges[0]! / 8)
  const none = await house.clipOf(join(root, 'plain.mp4'), [pinned(2, 8), remove])
  expect(none.warnings).toContainEqual(expect.stringMatching(/no logo was found/))
}, 90_000)
