/**
 * Render benchmark: wall time of the whole render stage over bare ffmpeg doing the same cut, crop, scale and encode
 * with the same settings and the same build, alternately in the same run: `npm run bench -- render [--rounds N] [--seconds 30]`. With
 * the bundled build, and with the newest of those that `npm run install:ffmpegs` brings.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Composition } from '../../server/contract/composition.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { formatVersionLine, readVersionText } from '../../workers/media/tools.ts'
import type { ToolPaths } from '../../workers/protocol.ts'
import { runRender } from '../../workers/stages/render/stage.ts'
import { sourcePath } from '../../workers/paths.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { keepPicture, plainPng } from '../support/pictures.ts'
import { keepSound } from '../support/sounds.ts'
import { measureSsim } from '../support/ssim.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import {
  bareComposition,
  CARD_FADE_FRAMES,
  CARD_SECONDS,
  FLOOR_NAMES,
  FLOORS,
  FROM_SECONDS,
  LEFT_OUT_SECONDS,
  movingEdge,
  RATE,
  STACK_NAMES,
  STACKS,
  stackComposition,
  type Floor,
  type StackMaterial,
  type StackName,
} from './render-stacks.ts'
import { median } from './measure/spread.ts'

interface Measured {
  /** Over bare ffmpeg; the median of the rounds' ratios. */
  readonly ratios: Readonly<Record<StackName, number>>
  /** Whether every stack that has a limit is within it. */
  readonly within: boolean
  readonly seconds: Readonly<Record<string, number>>
}

export interface RenderBench {
  readonly table: string
  readonly json: Measured & {
    readonly name: 'render'
    readonly limits: Readonly<Partial<Record<StackName, number>>>
    readonly rounds: number
    readonly source: string
    /** Null: no other build is installed. */
    readonly newest: (Measured & { readonly version: string }) | null
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

export const ENCODER = { preset: 'veryfast', crf: 20 }
const VARIANTS = [...FLOOR_NAMES, ...STACK_NAMES] as const
type Variant = (typeof VARIANTS)[number]

/** Makes a busy source, measures each variant `rounds` times in turn, and takes medians. About 40 minutes with two builds. */
export async function runRenderBench(options: RenderBenchOptions = {}): Promise<RenderBench> {
  const { rounds = 3, height = 1080, clipSeconds = 30, say = () => undefined } = options
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-bench-render-'))
  try {
    const source = join(folder, 'source.mp4')
    const sourceSeconds = FROM_SECONDS + clipSeconds + LEFT_OUT_SECONDS + 2
    say(`making a busy ${height}p source of ${Math.ceil(sourceSeconds)} s`)
    await makeSource(source, height, sourceSeconds)
    const material = await makeMaterial(folder, height, clipSeconds)
    await requireSameCard({ source, folder, material, tools: bundledTools() })
    const measureWith = (tools: ToolPaths): Promise<Times> =>
      measureRounds({ source, folder, material, tools }, rounds, say)
    const bundled = await measureWith(bundledTools())
    const other = listInstalledFfmpegs().at(-1)
    const newest = other === undefined ? null : await measureWith({ ...bundledTools(), ffmpeg: other.path })
    const what = `${height}p, ${clipSeconds} s clip, x264 ${ENCODER.preset} crf ${ENCODER.crf}`
    const version = other === undefined ? '' : formatVersionLine(await readVersionText(other.path))
    return report({ bundled, newest, version: version.split(' ')[2] ?? version }, rounds, what)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Times = Readonly<Record<Variant, number[]>>

async function measureRounds(setting: Setting, rounds: number, say: (line: string) => void): Promise<Times> {
  const times = Object.fromEntries(VARIANTS.map((variant) => [variant, [] as number[]])) as Times
  for (let round = 0; round < rounds; round++) {
    for (const variant of VARIANTS) {
      const started = performance.now()
      await runVariant(variant, setting)
      const seconds = (performance.now() - started) / 1000
      times[variant].push(seconds)
      say(`round ${round + 1}: ${variant} ${seconds.toFixed(2)} s`)
    }
  }
  return times
}

/** A picture to lay over, a card, and music. */
export async function makeMaterial(
  folder: string,
  height: number,
  clipSeconds: number,
): Promise<StackMaterial> {
  const size = { width: 400, height: 200, opaque: false }
  const card = { width: 1080, height: 1920 }
  const expression = '0.2*sin(2*PI*110*t)*(1+0.5*sin(2*PI*2*t))'
  return {
    width: (height * 16) / 9,
    height,
    clipSeconds,
    logo: await keepPicture(folder, await plainPng(size.width, size.height, '#ffffffa0'), size),
    card: await keepPicture(folder, await plainPng(card.width, card.height, '#20304a'), card),
    music: await keepSound(folder, { expression, seconds: 12, lufs: -18 }),
  }
}

async function makeSource(file: string, height: number, seconds: number): Promise<void> {
  const size = `${(height * 16) / 9}x${height}`
  const picture = `testsrc2=s=${size}:r=30:d=${seconds},noise=alls=14:allf=t`
  const sound = `sine=f=220:d=${seconds}:beep_factor=4,volume=0.4`
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      picture,
      '-f',
      'lavfi',
      '-i',
      sound,
      '-pix_fmt',
      'yuv420p',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '24',
      '-g',
      '60',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
      file,
    ],
  })
}

interface Setting {
  readonly source: string
  readonly folder: string
  readonly material: StackMaterial
  readonly tools: ToolPaths
}

async function runVariant(variant: Variant, setting: Setting): Promise<void> {
  if (isFloor(variant)) return bareRender(variant, setting)
  await renderComposition(stackComposition(variant, setting.material), setting)
}

/** One whole render, of which nothing is left for the next. `folder`: where its assets are kept. */
export async function renderComposition(
  composition: Composition,
  { source, folder, tools }: Pick<Setting, 'source' | 'folder' | 'tools'>,
): Promise<void> {
  const params = { composition, encoder: ENCODER }
  await runStageForTest((context: StageContext, given: typeof params) => runRender(context, given), params, {
    root: folder,
    inputs: { source },
    tools,
  })
  // As the pool does: the next one would go on with what this one has rendered.
  await rm(join(folder, 'temporary'), { recursive: true, force: true })
}

const isFloor = (variant: Variant): variant is Floor => Object.hasOwn(FLOORS, variant)

/** A floor: work that no implementation could leave out. */
async function bareRender(floor: Floor, { source, folder, material, tools }: Setting): Promise<void> {
  const { moves, hasCard } = FLOORS[floor]
  const [span] = bareComposition(material).layout
  const crop = span?.kind === 'crop' ? span.crop : undefined
  if (crop === undefined) throw new Error('the composition has no layout')
  const left = moves ? movingEdge(material.width - crop.width) : String(crop.x)
  const picture = `crop=${crop.width}:${crop.height}:${left}:${crop.y},scale=1080:1920,setsar=1`
  const cardFile = sourcePath(join(folder, 'sources'), material.card.digest)
  const shown = hasCard
    ? ['-filter_complex', cardGraph(picture, material.clipSeconds), '-map', '[v]', '-map', '0:a']
    : ['-vf', picture]
  const clip = ['-ss', String(FROM_SECONDS), '-t', String(material.clipSeconds), '-i', source]
  await runTool({
    executable: tools.ffmpeg,
    args: [
      ['-v', 'error', '-y'],
      clip,
      hasCard ? ['-i', cardFile] : [],
      shown,
      ['-c:v', 'libx264', '-preset', ENCODER.preset, '-crf', String(ENCODER.crf)],
      ['-pix_fmt', 'yuv420p', '-profile:v', 'high', '-g', '60'],
      ['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2'],
      ['-movflags', '+faststart', join(folder, 'bare.mp4')],
    ].flat(),
  })
}

/** The card is decoded once, is blended only while it comes, and nothing of what it covers is cropped or scaled. */
function cardGraph(picture: string, clipSeconds: number): string {
  const rate = RATE.numerator
  const from = clipSeconds - CARD_SECONDS
  const fade = CARD_FADE_FRAMES
  return [
    `[0:v]trim=end=${from + fade / rate},${picture}[own]`,
    `[1:v]format=yuva420p,setsar=1,loop=loop=${CARD_SECONDS * rate - 1}:size=1,settb=1/${rate},setpts=N,split[a][b]`,
    `[a]trim=end_frame=${fade},fade=in:0:${fade}:alpha=1,setpts=N+${from * rate}[coming]`,
    `[b]trim=start_frame=${fade},setpts=N,format=yuv420p[still]`,
    '[own][coming]overlay=eof_action=pass[shown]',
    '[shown][still]concat[v]',
  ].join(';')
}

/** Two encodes of the same noise are less alike than two of a card. */
const LEAST_ALIKE = 0.9

/** Throws where the floor with the card and the stack show different pictures while the card comes. */
async function requireSameCard(setting: Setting): Promise<void> {
  const { folder, material } = setting
  await runVariant('bareCard', setting)
  await runVariant('endCard', setting)
  const from = (material.clipSeconds - CARD_SECONDS) * RATE.numerator
  const coming = `trim=start_frame=${from}:end_frame=${from + CARD_FADE_FRAMES}`
  const stack = join(folder, 'artefact', 'clip.mp4')
  const alike = await measureSsim(join(folder, 'bare.mp4'), stack, [coming, coming])
  if (!(alike >= LEAST_ALIKE)) throw new Error(`the floor's card is another than the stack's: SSIM ${alike}`)
}

const limited = STACK_NAMES.flatMap((stack) => {
  const { limit } = STACKS[stack]
  return limit === null ? [] : [[stack, limit] as const]
})

function judge(times: Times): Measured {
  const seconds = Object.fromEntries(VARIANTS.map((variant) => [variant, round(median(times[variant]))]))
  // Ratios within each round, so that a busy minute of the machine weighs on both sides; then their median.
  const ratio = (stack: StackName): number => {
    const floor = times[STACKS[stack].floor]
    return round(median(times[stack].map((time, index) => time / (floor[index] ?? time))))
  }
  const ratios = Object.fromEntries(STACK_NAMES.map((stack) => [stack, ratio(stack)])) as Record<
    StackName,
    number
  >
  return { ratios, seconds, within: limited.every(([stack, limit]) => ratios[stack] <= limit) }
}

function tableOf({ ratios, seconds }: Measured): string[] {
  return VARIANTS.map((variant) => {
    const share = isFloor(variant) ? 1 : ratios[variant]
    const limit = isFloor(variant) ? null : STACKS[variant].limit
    const judged = limit === null ? '' : `   at most ${limit}: ${share <= limit ? 'kept' : 'NOT KEPT'}`
    return `${variant.padEnd(14)} ${(seconds[variant] ?? 0).toFixed(2).padStart(8)} s   ${share.toFixed(2)}${judged}`
  })
}

interface Taken {
  readonly bundled: Times
  readonly newest: Times | null
  readonly version: string
}

function report({ bundled, newest, version }: Taken, rounds: number, source: string): RenderBench {
  const own = judge(bundled)
  const other = newest === null ? null : { version, ...judge(newest) }
  const heading = [
    `render: ${source}; median of ${rounds}`,
    'stack          time       over bare, with the same card and moves where it has them',
  ]
  const table = [
    ...heading,
    ...tableOf(own),
    ...(other === null ? [] : ['', `with ffmpeg ${version}`, ...tableOf(other)]),
  ]
  const limits = Object.fromEntries(limited)
  return {
    table: table.join('\n'),
    json: { name: 'render', ...own, limits, rounds, source, newest: other },
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
