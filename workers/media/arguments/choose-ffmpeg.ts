/** Which of several builds of ffmpeg is used, and why. PURE. */

/** In the order of preference among equals: the bundled one is what everything is tested with. */
const ORIGINS = ['bundled', 'installed', 'path'] as const
/** `configured`: named by a setting; `installed`: in the home; `path`: of the system. */
export type FfmpegOrigin = 'configured' | (typeof ORIGINS)[number]

/** Files that are decoded to measure speed: resources/ffmpeg-trial. */
export const TRIAL_CODECS = ['av1', 'h264'] as const
export type TrialCodec = (typeof TRIAL_CODECS)[number]

/** Filters that some builds lack and from which clips gain. */
export const GAINFUL_FILTERS = ['xfade', 'arnndn', 'zscale', 'tonemap', 'bwdif', 'yadif'] as const

/** What a build can do on this machine, found out by running it. */
export interface FfmpegAbilities {
  /** Hardware encoders that encoded a picture, by their names in the configuration. */
  readonly hardware: readonly string[]
  /** A phrase for each hardware encoder that this system could have: it works, it does not and why, it is not there. */
  readonly encoders: readonly string[]
  /** Decoded in a second of the processor; null: it cannot decode this. */
  readonly framesPerSecond: Readonly<Record<TrialCodec, number | null>>
  /** Of `GAINFUL_FILTERS`. */
  readonly filters: readonly string[]
}

export interface FfmpegCandidate {
  readonly origin: FfmpegOrigin
  /** Path of its ffmpeg. */
  readonly ffmpeg: string
  /** Why it cannot be used; null: it can. */
  readonly problem: string | null
  /** Null where there was nothing to compare. */
  readonly abilities: FfmpegAbilities | null
}

/** `reason`: a phrase that goes on after "taken, because". */
export type FfmpegChoice<C extends FfmpegCandidate> =
  { readonly taken: C; readonly reason: string } | { readonly taken: null; readonly problem: string }

/** Decoders differ by a tenth from one measurement to the next; from this share of the fastest on they count as equal. */
const AS_FAST = 0.67

const TITLES: Readonly<Record<FfmpegOrigin, string>> = {
  configured: 'the configured one',
  installed: 'the one installed in the home',
  path: 'the one on the PATH',
  bundled: 'the bundled one',
}

/**
 * A configured build is taken, or nothing. Otherwise the usable one that encodes on hardware; of several, or of none, the one
 * that is fast in more kinds of video; then the one with more filters; then the bundled one.
 */
export function chooseFfmpeg<C extends FfmpegCandidate>(candidates: readonly C[]): FfmpegChoice<C> {
  const configured = candidates.find(({ origin }) => origin === 'configured')
  if (configured !== undefined)
    return configured.problem === null
      ? { taken: configured, reason: 'the configuration names it' }
      : { taken: null, problem: configured.problem }
  const usable = candidates.filter(({ problem }) => problem === null)
  const [first, ...others] = usable.toSorted((a, b) => compare(a, b, usable))
  if (first === undefined) {
    const problems = candidates.map(({ ffmpeg, problem }) => `${ffmpeg}: ${problem ?? ''}`)
    return { taken: null, problem: problems.length === 0 ? 'there is none' : problems.join('; ') }
  }
  const rival = others.find(({ origin }) => origin === 'bundled') ?? others[0]
  if (rival === undefined)
    return { taken: first, reason: candidates.length === 1 ? 'it is the only one' : 'no other can be used' }
  const better = advantages(first, rival, usable)
  const reason =
    better.length === 0
      ? `no other does more than ${TITLES[first.origin]}`
      : `unlike ${TITLES[rival.origin]} it ${better.join(', ')}`
  return { taken: first, reason }
}

const hasHardware = ({ abilities }: FfmpegCandidate): boolean => (abilities?.hardware.length ?? 0) > 0
const filterCount = ({ abilities }: FfmpegCandidate): number => abilities?.filters.length ?? 0
const speedOf = ({ abilities }: FfmpegCandidate, codec: TrialCodec): number =>
  abilities?.framesPerSecond[codec] ?? 0

/** The kinds of video that it decodes about as fast as the fastest of all. */
function fastIn(candidate: FfmpegCandidate, all: readonly FfmpegCandidate[]): TrialCodec[] {
  return TRIAL_CODECS.filter((codec) => {
    const fastest = Math.max(...all.map((one) => speedOf(one, codec)))
    return fastest > 0 && speedOf(candidate, codec) >= fastest * AS_FAST
  })
}

/** Negative: `a` is the better one. */
function compare(a: FfmpegCandidate, b: FfmpegCandidate, all: readonly FfmpegCandidate[]): number {
  const rank = ({ origin }: FfmpegCandidate): number => ORIGINS.findIndex((one) => one === origin)
  return (
    Number(hasHardware(b)) - Number(hasHardware(a)) ||
    fastIn(b, all).length - fastIn(a, all).length ||
    filterCount(b) - filterCount(a) ||
    rank(a) - rank(b)
  )
}

/** What `one` does better than `other`, as verbs. */
function advantages(one: FfmpegCandidate, other: FfmpegCandidate, all: readonly FfmpegCandidate[]): string[] {
  const hardware = hasHardware(other) ? [] : (one.abilities?.hardware ?? [])
  const slow = fastIn(other, all)
  const faster = fastIn(one, all).filter((codec) => !slow.includes(codec))
  const had = other.abilities?.filters ?? []
  const filters = (one.abilities?.filters ?? []).filter((name) => !had.includes(name))
  return [
    ...(hardware.length === 0 ? [] : [`encodes with ${hardware.join(', ')}`]),
    ...faster.map((codec) => {
      const speeds = `${speedOf(one, codec).toFixed(0)} against ${speedOf(other, codec).toFixed(0)} frames a second of the processor`
      return `decodes ${codec.toUpperCase()} faster (${speeds})`
    }),
    ...(filters.length === 0 ? [] : [`has the filters ${filters.join(', ')}`]),
  ]
}

/** `the one on the PATH`. */
export const titleOfOrigin = (origin: FfmpegOrigin): string => TITLES[origin]
