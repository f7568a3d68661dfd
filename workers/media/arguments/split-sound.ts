/** Takes many ranges of samples out of one sound. PURE. */

/** How many ways a sound is split at once. */
const WAYS = 8

/** From and to this sample, counted from the start of the sound. */
export interface SampleRange {
  readonly from: number
  readonly to: number
}

interface SplitSound {
  readonly chains: readonly string[]
  /** The start of a chain for each range, with its samples alone, counted from zero. */
  readonly parts: readonly string[]
}

const trimmed = ({ from, to }: SampleRange): string =>
  `atrim=start_sample=${from}:end_sample=${to},asetpts=N/SR/TB`

/** The items in their order, `size` at a time. */
export function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}

/**
 * `source` is a chain without its end, `ranges` follow each other, `label` is what names begin with. Each branch of an `asplit` is given
 * the whole sound, so the cost of many is their number times the length. Therefore it is split a few ways at a time, and each branch is
 * trimmed to its own ranges before it is split again.
 */
export function splitSound(source: string, ranges: readonly SampleRange[], label: string): SplitSound {
  const [only] = ranges
  if (ranges.length === 1 && only !== undefined)
    return { chains: [`${source}[${label}]`], parts: [`[${label}]${trimmed(only)}`] }
  const groups = inGroups(ranges, Math.ceil(ranges.length / WAYS))
  const branches = groups.map((group, at) => splitBranch(`${label}x${at}`, group))
  const names = branches.map((_, at) => `[${label}x${at}]`)
  return {
    chains: [
      `${source},asplit=${names.length}${names.join('')}`,
      ...branches.flatMap(({ chains }) => chains),
    ],
    parts: branches.flatMap(({ parts }) => parts),
  }
}

function splitBranch(label: string, ranges: readonly SampleRange[]): SplitSound {
  const [only] = ranges
  if (ranges.length === 1 && only !== undefined) return { chains: [], parts: [`[${label}]${trimmed(only)}`] }
  // The pieces of a crossfade overlap, so the first range need not begin first nor the last one end last.
  const from = Math.min(...ranges.map((range) => range.from))
  const to = Math.max(...ranges.map((range) => range.to))
  const within = ranges.map((range) => ({ from: range.from - from, to: range.to - from }))
  return splitSound(`[${label}]${trimmed({ from, to })}`, within, `${label}y`)
}
