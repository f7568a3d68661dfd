/** What the run reads from its resolved nodes: how clips are found, which model is needed, what shape comes out. */
import { DEFAULT_SHAPE, SHAPES } from '../contract/shapes/registry.ts'
import type { FindClipsSettings } from '../contract/clip-candidate.ts'
import type { ResolvedNode } from '../contract/run.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { commonDivisor, rationalToNumber, timesRaised, type Rational } from '../contract/time.ts'
import type { Static } from '@sinclair/typebox'
import type { convertToVertical } from './types/convert-to-vertical.ts'
import type { findClips } from './types/find-clips.ts'

type FindClipsConfig = Static<typeof findClips.config>
type ConvertConfig = Static<typeof convertToVertical.config>

const DEFAULT_MIN_LENGTH = 20
const DEFAULT_MAX_LENGTH = 60
/** Clips that a run returns in addition to the caller's pinned ranges. */
const MAX_FOUND_CLIPS = 10

/** The config of the last enabled node of a type, which resolveNodes has validated. */
function enabledConfig<Config>(nodes: readonly ResolvedNode[], type: string): Config | undefined {
  return nodes.findLast((node) => node.type === type && node.enabled)?.config as Config | undefined
}

/**
 * Settings of the clip search. A missing length bound is 20 s or 60 s, moved where the other bound needs room: up to
 * twice the minimum, down to half the maximum. At most ten clips are found, plus every pinned range.
 */
export function findClipsSettings(
  nodes: readonly ResolvedNode[],
  keywords: readonly string[],
): FindClipsSettings {
  const node = enabledConfig<FindClipsConfig>(nodes, 'find_clips')
  const config = node ?? {}
  const pinned = [...(config.pinnedTimestamps ?? [])].sort((a, b) => a.start - b.start)
  const within = config.pinnedTimestampMode === 'search_within' && pinned.length > 0
  const pinnedOnly = config.pinnedTimestampsOnly === true && pinned.length > 0
  const clipsOfRanges = within ? 0 : pinned.length
  return {
    ...lengthBounds(config.min_length, config.max_length),
    prompt: config.prompt ?? '',
    promptAdjustment: config.promptAdjustment ?? '',
    keywords: [...keywords],
    pinned,
    pinnedOnly,
    pinnedMode: within ? 'search_within' : 'ranges',
    maxClips: pinnedOnly && !within ? clipsOfRanges : MAX_FOUND_CLIPS + clipsOfRanges,
    wholeSource: node === undefined,
  }
}

function lengthBounds(min: number | undefined, max: number | undefined) {
  if (min === undefined) {
    const maxLength = max ?? DEFAULT_MAX_LENGTH
    return { minLength: Math.min(DEFAULT_MIN_LENGTH, maxLength / 2), maxLength }
  }
  return { minLength: min, maxLength: max ?? Math.max(DEFAULT_MAX_LENGTH, min * 2) }
}

/** What finding the clips looks at, and the speech model that the workflow names; empty: it names none. */
export function analysisNeeds(nodes: readonly ResolvedNode[]): {
  modelKey: 'conversational' | 'multimodal'
  speechModel: string
} {
  const config = enabledConfig<FindClipsConfig>(nodes, 'find_clips') ?? {}
  return { modelKey: config.model_key ?? 'conversational', speechModel: config.speechModel ?? '' }
}

/** Whether a run of the studio renders every clip that it finds, and not only those that are kept. */
export const rendersEverything = (nodes: readonly ResolvedNode[]): boolean =>
  enabledConfig<FindClipsConfig>(nodes, 'find_clips')?.renderEverything === true

/** Whether a workflow says by itself that its clips wait for Review, where nobody has started the run. */
export const waitsForReview = (nodes: readonly ResolvedNode[]): boolean =>
  enabledConfig<FindClipsConfig>(nodes, 'find_clips')?.renderEverything === false

export interface OutputShape {
  readonly width: number
  readonly height: number
  readonly frameRate: Rational
  /** `9:16`, `16:9`, ... */
  readonly aspectRatio: string
}

/**
 * Size and frame rate of the clips. Converted: 1080 on the short side whatever the source, 1920 at most on the long
 * one. Otherwise the source's own size, inside 1920x1080 (1080x1920 upright). Even numbers.
 */
export function outputShape(nodes: readonly ResolvedNode[], facts: Pick<SourceFacts, 'video'>): OutputShape {
  const convert = enabledConfig<ConvertConfig>(nodes, 'convert_to_vertical')
  const frameRate = outputFrameRate(facts.video?.frameRate)
  if (convert !== undefined) {
    const [across = DEFAULT_SHAPE.width, up = DEFAULT_SHAPE.height] = (
      convert.aspect_ratio ?? DEFAULT_SHAPE.ratio
    )
      .split(/[:x/]/u)
      .map((part) => Number(part.trim()))
    const scale = Math.min(1080 / Math.min(across, up), 1920 / Math.max(across, up))
    const width = even(across * scale)
    const height = even(up * scale)
    return { width, height, frameRate, aspectRatio: aspectName(width, height) }
  }
  const source = facts.video ?? { width: 1920, height: 1080 }
  const long = Math.max(source.width, source.height)
  const short = Math.min(source.width, source.height)
  const scale = Math.min(1, 1920 / long, 1080 / short)
  const width = even(source.width * scale)
  const height = even(source.height * scale)
  return { width, height, frameRate, aspectRatio: aspectName(width, height) }
}

function even(size: number): number {
  return Math.max(2, Math.round(size / 2) * 2)
}

/** Output shapes, and other ratios that are usual for sources. */
const NAMED_RATIOS: readonly (readonly [string, number])[] = [
  ...SHAPES.map(({ ratio, width, height }) => [ratio, width / height] as const),
  ['5:4', 5 / 4],
  ['4:3', 4 / 3],
  ['3:4', 3 / 4],
  ['3:2', 3 / 2],
  ['2:3', 2 / 3],
  ['21:9', 21 / 9],
  ['9:21', 9 / 21],
]

/** The usual name of a shape, within a hundredth; otherwise the reduced fraction. */
export function aspectName(width: number, height: number): string {
  const ratio = width / height
  const named = NAMED_RATIOS.find(([, value]) => Math.abs(ratio / value - 1) < 0.01)
  if (named !== undefined) return named[0]
  const divisor = commonDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

/**
 * The source's rate, divided by a whole number until it is 60 at most, and multiplied by one where it is too low for
 * words to be shown on time. Sources without a picture get 30.
 */
export function outputFrameRate(rate: Rational | undefined): Rational {
  if (rate === undefined) return { numerator: 30, denominator: 1 }
  const perSecond = rationalToNumber(rate)
  const over = perSecond > 60 ? Math.ceil(perSecond / 60 - 0.001) : 1
  const numerator = rate.numerator * timesRaised(rate)
  const denominator = rate.denominator * over
  const divisor = commonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}
