/**
 * Render benchmark: wall time of the whole render stage over bare ffmpeg doing the same cut, crop, scale and encode
 * with the same settings, alternately in the same run. `node test/bench/render.ts [--json] [--rounds N] [--height 720]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Composition, TimeSpan } from '../../server/contract/composition.ts'
import { frameToTicks } from '../../server/contract/time.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'

export interface RenderBench {
  readonly table: string
  readonly json: {
    readonly name: 'render'
    readonly ratios: { readonly captions: number; readonly full: number; readonly cuts50: number }
    readonly seconds: Readonly<Record<string, number>>
    readonly rounds: number
    readonly source: string
  }
}

export interface RenderBenchOptions {
  readonly rounds?: number
  /** Height of the source: 1080 or 720. */
  readonly height?: number
  /** Played length of the clip. */
  readonly clipSeconds?: number
  readonly say?: (line: string) => void
}

const RATE = { numerator: 30, denominator: 1 }
const ENCODER = { preset: 'veryfast', crf: 20 }
const FROM_SECONDS = 5
const CUTS = 50
/** Frames left out at each cut. */
const GAP_FRAMES = 6
const TALK =
  'the first thing that everybody asks me is why we never wrote any of this down and the honest answer is that'

type Variant = 'bare' | 'captions' | 'full' | 'cuts50'
const VARIANTS: readonly Variant[] = ['bare', 'captions', 'full', 'cuts50']

/** Makes a busy source, measures each variant `rounds` times in turn, and takes medians. About 5 minutes. */
export async function runRenderBench(options: RenderBenchOptions = {}): Promise<RenderBench> {
  const { rounds = 3, height = 1080, clipSeconds = 30, say = () => undefined } = options
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-render-'))
  try {
    const source = join(folder, 'source.mp4')
    const sourceSeconds = FROM_SECONDS + clipSeconds + (CUTS * GAP_FRAMES) / RATE.numerator + 2
    say(`making a busy ${height}p source of ${Math.ceil(sourceSeconds)} s`)
    await makeSource(source, height, sourceSeconds)
    const times: Record<Variant, number[]> = { bare: [], captions: [], full: [], cuts50: [] }
    for (let round = 0; round < rounds; round++) {
      for (const variant of VARIANTS) {
        const started = performance.now()
        await runVariant(variant, { source, folder, height, clipSeconds })
        const seconds = (performance.now() - started) / 1000
        times[variant].push(seconds)
        say(`round ${round + 1}: ${variant} ${seconds.toFixed(2)} s`)
      }
    }
    return report(
      times,
      rounds,
      `${height}p, ${clipSeconds} s clip, x264 ${ENCODER.preset} crf ${ENCODER.crf}`,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeSource(file: string, height: number, seconds: number): Promise<void> {
  const size = `${(height * 16) / 9}x${height}`
  const picture = `testsrc2=s=${size}:r=30:d=${seconds},noise=alls=14:allf=t`
  const sound = `sine=f=220:d=${seconds}:beep_factor=4,volume=0.4`
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound],
      ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', '-g', '60'],
      ...['-c:a', 'aac', '-movflags', '+faststart', file],
    ],
  })
}

interface Setting {
  readonly source: string
  readonly folder: string
  readonly height: number
  readonly clipSeconds: number
}

async function runVariant(variant: Variant, setting: Setting): Promise<void> {
  if (variant === 'bare') return bareRender(setting)
  const root = await mkdtemp(join(setting.folder, 'stage-'))
  const params = { composition: compositionFor(variant, setting), encoder: ENCODER }
  await runStageForTest((context: StageContext, given: typeof params) => runRender(context, given), params, {
    root,
    inputs: { source: setting.source },
  })
  await rm(root, { recursive: true, force: true })
}

/** The floor: what nobody could leave out. */
async function bareRender(setting: Setting): Promise<void> {
  const [span] = sampleComposition({ source: sourceSize(setting) }).layout
  const crop = span?.kind === 'crop' ? span.crop : undefined
  if (crop === undefined) throw new Error('the composition has no layout')
  const filter = `crop=${crop.width}:${crop.height}:${crop.x}:${crop.y},scale=1080:1920,setsar=1`
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      ...['-v', 'error', '-y', '-ss', String(FROM_SECONDS), '-t', String(setting.clipSeconds)],
      ...['-i', setting.source, '-vf', filter, '-c:v', 'libx264', '-preset', ENCODER.preset],
      ...['-crf', String(ENCODER.crf), '-pix_fmt', 'yuv420p', '-profile:v', 'high', '-g', '60'],
      ...['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2', '-movflags', '+faststart'],
      join(setting.folder, 'bare.mp4'),
    ],
  })
}

function sourceSize(setting: Setting): { width: number; height: number } {
  return { width: (setting.height * 16) / 9, height: setting.height }
}

function compositionFor(variant: Exclude<Variant, 'bare'>, setting: Setting): Composition {
  const durationFrames = setting.clipSeconds * RATE.numerator
  // Three words a second, as people talk; cues of four words.
  const words = Array.from(
    { length: setting.clipSeconds * 3 },
    (_, index) => TALK.split(' ')[index % 21] ?? '',
  )
  const captions = captionLayer(words.join(' '), 10, 4)
  const composition = sampleComposition({
    durationFrames,
    fromFrame: FROM_SECONDS * RATE.numerator,
    source: sourceSize(setting),
    layers: variant === 'captions' ? [captions] : [captions, TITLE],
  })
  if (variant === 'captions') {
    return { ...composition, audio: { ...composition.audio, integratedLufs: null } }
  }
  return variant === 'cuts50' ? { ...composition, timeMap: cutSpans(durationFrames) } : composition
}

/** The same played length in pieces, a few frames left out between them. */
function cutSpans(durationFrames: number): TimeSpan[] {
  const edge = (index: number): number => Math.round((index * durationFrames) / (CUTS + 1))
  return Array.from({ length: CUTS + 1 }, (_, index) => {
    const [startFrame, endFrame] = [edge(index), edge(index + 1)]
    const from = FROM_SECONDS * RATE.numerator + index * GAP_FRAMES
    return {
      startFrame,
      endFrame,
      sourceStart: frameToTicks(from + startFrame, RATE),
      sourceEnd: frameToTicks(from + endFrame, RATE),
      playbackRate: 1,
    }
  })
}

function report(times: Record<Variant, number[]>, rounds: number, source: string): RenderBench {
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  const seconds = Object.fromEntries(VARIANTS.map((variant) => [variant, round(median(times[variant]))]))
  // Ratios within each round, so that a busy minute of the machine weighs on both sides; then their median.
  const ratio = (variant: Variant): number =>
    round(median(times[variant].map((time, index) => time / (times.bare[index] ?? time))))
  const ratios = { captions: ratio('captions'), full: ratio('full'), cuts50: ratio('cuts50') }
  const rows = VARIANTS.map((variant) => {
    const share = variant === 'bare' ? 1 : ratios[variant]
    return `${variant.padEnd(10)} ${(seconds[variant] ?? 0).toFixed(2).padStart(8)} s   ${share.toFixed(2)}`
  })
  const table = [
    `render: ${source}; median of ${rounds}`,
    'variant        time       over bare',
    ...rows,
  ].join('\n')
  return { table, json: { name: 'render', ratios, seconds, rounds, source } }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

if (import.meta.main) {
  const option = (name: string): string | undefined => {
    const at = process.argv.indexOf(name)
    return at === -1 ? undefined : process.argv[at + 1]
  }
  const bench = await runRenderBench({
    rounds: Number(option('--rounds') ?? 3),
    height: Number(option('--height') ?? 1080),
    clipSeconds: Number(option('--seconds') ?? 30),
    say: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${bench.table}\n`)
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(bench.json)}\n`)
}
