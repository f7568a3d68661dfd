/**
 * All golden cases as each build of ffmpeg lays them over filmed people, held against the bundled build's:
 * `npm run bench -- ffmpegs`. Builds are the machine's own and those of `npm run install:ffmpegs`.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Canvas } from '@napi-rs/canvas'
import { lacking } from '../../workers/media/arguments/needs.ts'
import { formatVersionLine, readCapabilities, readVersionText } from '../../workers/media/tools.ts'
import { drawByFfmpeg, makeGround } from '../golden/by-ffmpeg.ts'
import { GOLDEN_CASES } from '../golden/cases.ts'
import { compare } from '../golden/draw.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { qualityBench, type QualityBench } from './report.ts'

/** What every case has to reach, or the difference is to be explained. */
const WANTED = 0.9998
const SYSTEM = ['/usr/bin/ffmpeg', '/usr/local/bin/ffmpeg', '/opt/homebrew/bin/ffmpeg']

interface Compared {
  readonly version: string
  /** Cases with the same value in every pixel. */
  readonly same: number
  readonly least: number
  readonly worstCase: string
  readonly greatestDifference: number
  readonly below: readonly string[]
}

/** About a second for each case and build, on an idle machine. */
export async function runFfmpegsBench({
  say,
}: {
  readonly say: (line: string) => void
}): Promise<QualityBench> {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-ffmpegs-'))
  try {
    const { ffmpeg, ffprobe } = bundledTools()
    const ground = await makeGround(folder, GOLDEN_CASES)
    const drawAll = async (executable: string): Promise<Map<string, Canvas>> => {
      const drawn = new Map<string, Canvas>()
      for (const one of GOLDEN_CASES)
        drawn.set(one.name, await drawByFfmpeg({ ffmpeg: executable, ffprobe }, one, { folder, ground }))
      return drawn
    }
    say(`${GOLDEN_CASES.length} cases by the bundled build`)
    const wanted = await drawAll(ffmpeg)
    const found: Compared[] = []
    const left: string[] = []
    const own = SYSTEM.filter((path) => existsSync(path))
    if (own.length === 0) left.push('By the build of the system: this machine has none.')
    for (const path of [...own, ...listInstalledFfmpegs().map((one) => one.path)]) {
      const version = formatVersionLine(await readVersionText(path)).split(' ')[2] ?? path
      const missing = lacking(await readCapabilities(path))
      if (missing.length > 0) left.push(`By ${version}: it lacks ${missing.join(', ')}.`)
      else {
        say(version)
        found.push(compareAll(version, wanted, await drawAll(path)))
      }
    }
    return qualityBench('ffmpegs', {
      title: 'The same frames by other builds of ffmpeg',
      tables: [
        {
          title: `All ${GOLDEN_CASES.length} golden cases over a film, against the bundled build`,
          columns: [
            'build',
            'the same pixels',
            'least SSIM',
            'of the case',
            'most apart, mean of 255',
            `below ${WANTED}`,
          ],
          rows: found.map((one) => [
            one.version,
            String(one.same),
            one.least.toFixed(6),
            one.worstCase,
            one.greatestDifference.toFixed(3),
            one.below.length === 0 ? 'none' : one.below.join(', '),
          ]),
          notes: [
            'Structural similarity of luma over windows of 8 by 8 pixels, as a mean of each frame; each case is one frame of 540 by 960 pixels or its own size, drawn, laid over the film and read back as a PNG.',
          ],
        },
      ],
      unmeasured: left,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function compareAll(
  version: string,
  wanted: ReadonlyMap<string, Canvas>,
  drawn: ReadonlyMap<string, Canvas>,
): Compared {
  const all = [...wanted].flatMap(([name, one]) => {
    const other = drawn.get(name)
    return other === undefined ? [] : [{ name, ...compare(one, other) }]
  })
  const [worst] = all.toSorted((a, b) => a.mean - b.mean)
  return {
    version,
    same: all.filter(({ difference }) => difference === 0).length,
    least: worst?.mean ?? NaN,
    worstCase: worst?.name ?? '',
    greatestDifference: Math.max(...all.map(({ difference }) => difference)),
    below: all.flatMap(({ name, mean }) => (mean < WANTED ? [name] : [])),
  }
}
