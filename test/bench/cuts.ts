/**
 * What cuts cost: the same pictures in one stretch and in hundreds, each held against ffmpeg reading, thinning and encoding as much:
 * `npm run bench -- cuts --write`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Composition, TimeSpan } from '../../server/contract/composition.ts'
import { frameToTicks } from '../../server/contract/time.ts'
import { loudnessArguments } from '../../workers/media/arguments/render.ts'
import { detectDialect } from '../../workers/media/dialect.ts'
import { withGraphFile } from '../../workers/media/long-graph.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { sampleComposition } from '../support/sample-composition.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { median } from './measure/spread.ts'
import { ENCODER, renderComposition } from './render.ts'
import { RATE } from './render-stacks.ts'
import { speedBench } from './report.ts'

const CUTS = [0, 50, 100, 200, 400] as const
/** Of the clip, and left out of it: however many cuts, the same stretch of the source is read. */
const PLAYED = 1800
const LEFT_OUT = 400
const FROM = 60
const WIDE = { width: 640, height: 360 }
const TALL = { width: 360, height: 640 }
const tools = bundledTools()
const { ffmpeg } = tools

interface Times {
  /** Of the whole render, and of one pass that measures the sound; seconds. */
  readonly render: number[]
  readonly measure: number[]
}

/** About five minutes. */
export async function runCutsBench({ say, rounds = 3 }: { say: (line: string) => void; rounds?: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-cuts-'))
  try {
    const source = join(folder, 'source.mp4')
    say('making a busy source')
    await makeSource(source)
    const bare: number[] = []
    const times = new Map<number, Times>(CUTS.map((cuts) => [cuts, { render: [], measure: [] }]))
    for (let round = 0; round < rounds; round++) {
      bare.push(await seconds(() => bareEncode(source, join(folder, 'bare.mp4'))))
      for (const [cuts, own] of times) {
        const composition = withCuts(cuts)
        own.measure.push(await seconds(() => measureSound(composition, source, folder)))
        own.render.push(await seconds(() => renderComposition(composition, { source, folder, tools })))
        say(`round ${round + 1}: ${cuts} cuts, ${own.render.at(-1)?.toFixed(1)} s`)
      }
    }
    return report(times, bare)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The played frames in so many pieces more than one, a few frames left out between them. */
function withCuts(cuts: number): Composition {
  const base = sampleComposition({ ...TALL, durationFrames: PLAYED, fromFrame: FROM, source: WIDE })
  const edge = (all: number, index: number): number => Math.round((index * all) / Math.max(1, cuts))
  const timeMap = Array.from({ length: cuts + 1 }, (_, index): TimeSpan => {
    const startFrame = Math.round((index * PLAYED) / (cuts + 1))
    const endFrame = Math.round(((index + 1) * PLAYED) / (cuts + 1))
    const at = FROM + edge(LEFT_OUT, index)
    return {
      startFrame,
      endFrame,
      playbackRate: 1,
      sourceStart: frameToTicks(at + startFrame, RATE),
      sourceEnd: frameToTicks(at + endFrame, RATE),
    }
  })
  return { ...base, timeMap, audio: { ...base.audio, integratedLufs: -14 } }
}

async function makeSource(file: string): Promise<void> {
  const length = (FROM + PLAYED + LEFT_OUT) / 30 + 2
  const picture = `testsrc2=s=${WIDE.width}x${WIDE.height}:r=30:d=${length},noise=alls=14:allf=t`
  const sound = `aevalsrc=0.3*sin(2*PI*220*t)*(0.6+0.4*sin(2*PI*3*t))|0.2*sin(2*PI*330*t):s=48000:d=${length}`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-c:a', 'aac']
  await runTool({ executable: ffmpeg, args: ['-v', 'error', '-y', ...inputs, ...codecs, file] })
}

/** Reads the same stretch, leaves as many of its frames out, and encodes the rest with the same settings. */
async function bareEncode(source: string, file: string): Promise<void> {
  const picture = `select='lt(mod(n,11),9)',setpts=N/30/TB,crop=202:360,scale=${TALL.width}:${TALL.height},setsar=1`
  const read = ['-ss', `${FROM / 30}`, '-t', `${(PLAYED + LEFT_OUT) / 30}`, '-i', source]
  const video = [
    '-c:v',
    'libx264',
    '-preset',
    ENCODER.preset,
    '-crf',
    `${ENCODER.crf}`,
    '-pix_fmt',
    'yuv420p',
  ]
  const sound = ['-af', `atrim=0:${PLAYED / 30}`, '-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2']
  const more = [
    '-frames:v',
    `${PLAYED}`,
    '-profile:v',
    'high',
    '-g',
    '60',
    ...sound,
    '-movflags',
    '+faststart',
  ]
  await runTool({
    executable: ffmpeg,
    args: ['-v', 'error', '-y', ...read, '-vf', picture, '-r', '30', ...video, ...more, file],
  })
}

async function measureSound(composition: Composition, source: string, folder: string): Promise<void> {
  const dialect = await detectDialect(ffmpeg)
  const args = loudnessArguments(composition, source, null)
  await withGraphFile(args, { dialect, folder }, (given) => runTool({ executable: ffmpeg, args: given }))
}

function report(times: ReadonlyMap<number, Times>, bare: readonly number[]) {
  const ratios = (own: readonly number[]): number =>
    median(own.map((time, round) => time / (bare[round] ?? time)))
  const whole = new Map([...times].map(([cuts, { render: own }]) => [cuts, ratios(own)]))
  const passes = new Map([...times].map(([cuts, { measure }]) => [cuts, median(measure)]))
  const rows = [...times].map(([cuts, { render: own }]) => [
    `${cuts}`,
    median(own).toFixed(2),
    (whole.get(cuts) ?? NaN).toFixed(2),
    (passes.get(cuts) ?? NaN).toFixed(2),
    cuts === 0 ? '' : ((1000 * ((passes.get(cuts) ?? NaN) - (passes.get(0) ?? NaN))) / cuts).toFixed(1),
  ])
  /** How what is added grows from 100 to 400 cuts: with their number to this power. */
  const power = (of: ReadonlyMap<number, number>): number => {
    const added = (cuts: number): number => (of.get(cuts) ?? NaN) - (of.get(0) ?? NaN)
    return Math.log(added(400) / added(100)) / Math.log(4)
  }
  const growth = { pass: power(passes), whole: power(whole) }
  const written = (value: number): string =>
    Number.isFinite(value) ? `to the power of ${value.toFixed(2)}` : 'by less than this machine’s noise'
  return speedBench(
    'cuts',
    {
      title: 'What cuts cost',
      tables: [
        {
          title: 'A minute of 360x640 from 640x360, in one stretch and in pieces',
          columns: ['cuts', 'render, s', 'over bare', 'a pass over the sound, s', 'of it for a cut, ms'],
          rows,
          notes: [
            `Bare is ffmpeg that reads the same stretch of the source, leaves as many frames out, and encodes the rest with the same settings: ${median(bare).toFixed(2)} s, the median of ${bare.length} rounds. The whole render has two passes over the sound and one over the picture. Small pictures make the share of cuts large: with those of 1080 lines it is smaller.`,
            `From 100 to 400 cuts what they add grows with their number, in a pass over the sound ${written(growth.pass)}, in the whole ${written(growth.whole)}; 1 is linear.`,
          ],
        },
      ],
      unmeasured: [],
    },
    { ratios: Object.fromEntries(whole), passSeconds: Object.fromEntries(passes), growth },
  )
}
