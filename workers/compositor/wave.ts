/** How the drawn wave moves: from heights per frame to bars and strands. Positions in the caller's own units. */

/** Seconds in which a rise and a fall are two thirds done: up at once, down softly, as meters do. */
const RISE = 0.02
const FALL = 0.13

/** The heights, each following the one before with the inertia of a needle. */
export function follow(heights: Float64Array, framesPerSecond: number): Float64Array {
  const up = 1 - Math.exp(-1 / (RISE * framesPerSecond))
  const down = 1 - Math.exp(-1 / (FALL * framesPerSecond))
  let now = 0
  return heights.map((height) => (now += (height - now) * (height > now ? up : down)))
}

/** The value at a place between two; 0 outside. */
function between(values: Float64Array, at: number): number {
  const low = Math.floor(at)
  const share = at - low
  return (values[low] ?? 0) * (1 - share) + (values[low + 1] ?? 0) * share
}

/** A rounded bar around its own centre. Everything from 0 to 1 but `x`, which counts bars from the middle. */
export interface WaveBar {
  readonly x: number
  readonly height: number
  readonly opacity: number
}

/** Seconds by which a bar is behind the one next to it, towards the middle. */
const SPREAD = 0.04
/** Share of the height from bar to bar, outwards from the middle: neighbours of one height look like a hill. */
const TEXTURE = [1, 0.82, 0.95, 0.7, 0.9, 0.76, 0.98, 0.68] as const
/** What the outermost bars lose of their height. */
const TAPER = 0.7

/** Bars that spread from the middle: now in the centre, a moment ago further out. `count` is odd. */
export function spreadingBars(
  followed: Float64Array,
  frame: number,
  count: number,
  framesPerSecond: number,
): WaveBar[] {
  const half = (count - 1) / 2
  return Array.from({ length: count }, (_, index) => {
    const x = index - half
    const out = Math.abs(x) / Math.max(1, half)
    const height = between(followed, frame - Math.abs(x) * SPREAD * framesPerSecond)
    const share = (TEXTURE[Math.abs(x) % TEXTURE.length] ?? 1) * (1 - TAPER * out ** 1.5)
    return { x, height: height * share, opacity: 1 }
  })
}

/** Seconds of sound per bar of the moving strip. */
const STRIP_SECONDS = 0.085
/** Opacity of what is still to come. */
const TO_COME = 0.4
/** Bars over which the strip fades at its two ends. */
const ENDS = 5

/** One bar for each stretch of sound, as high as it is in the mean: the loudest moments alone are all alike. */
export function stripHeights(heights: Float64Array, framesPerSecond: number): Float64Array {
  const each = STRIP_SECONDS * framesPerSecond
  return Float64Array.from({ length: Math.ceil(heights.length / each) }, (_, bar) => {
    const part = heights.subarray(Math.floor(bar * each), Math.ceil((bar + 1) * each))
    return part.reduce((sum, height) => sum + height, 0) / Math.max(1, part.length)
  })
}

/** The part of the strip that is seen at a frame: it passes from right to left, now in the centre. */
export function passingStrip(
  strip: Float64Array,
  frame: number,
  count: number,
  framesPerSecond: number,
): WaveBar[] {
  const now = (frame + 0.5) / framesPerSecond / STRIP_SECONDS
  const half = count / 2
  const bars: WaveBar[] = []
  for (let bar = Math.ceil(now - half - 0.5); bar + 0.5 - now <= half; bar++) {
    const x = bar + 0.5 - now
    const inside = Math.min(1, Math.max(0, (half - Math.abs(x)) / ENDS))
    const shown = inside * inside * (3 - 2 * inside)
    const coverage = Math.min(1, Math.max(0, 0.5 - x))
    bars.push({ x, height: (strip[bar] ?? 0) * shown, opacity: (TO_COME + (1 - TO_COME) * coverage) * shown })
  }
  return bars
}

/** One curve of the line. */
export interface Strand {
  readonly opacity: number
  /** Multiple of the line's own thickness. */
  readonly thickness: number
  /** -1 to 1, evenly spaced from left to right. */
  readonly points: readonly number[]
}

interface Swing {
  readonly waves: number
  readonly turnsPerSecond: number
  readonly gain: number
  readonly opacity: number
  readonly thickness: number
}

/** Painted in this order: the strongest comes last. */
const SWINGS: readonly Swing[] = [
  { waves: 2.3, turnsPerSecond: 1.5, gain: 0.5, opacity: 0.3, thickness: 0.6 },
  { waves: 4.4, turnsPerSecond: -0.8, gain: 0.75, opacity: 0.5, thickness: 0.75 },
  { waves: 3.3, turnsPerSecond: 1.1, gain: 1, opacity: 1, thickness: 1 },
]
/** Seconds by which the ends of the line are behind its middle. */
const LINE_SPREAD = 0.3

/** Curves that swing as high as the sound is loud; in silence they lie on each other, and flat. */
export function swingingLine(
  followed: Float64Array,
  frame: number,
  count: number,
  framesPerSecond: number,
): Strand[] {
  const seconds = frame / framesPerSecond
  return SWINGS.map(({ waves, turnsPerSecond, gain, opacity, thickness }) => ({
    opacity,
    thickness,
    points: Array.from({ length: count }, (_, index) => {
      const place = (2 * index) / (count - 1) - 1
      const out = Math.abs(place)
      // Squared, so that nothing breaks in the middle, where both sides meet.
      const then = frame - out * out * LINE_SPREAD * framesPerSecond
      const reach = gain * (1 - out * out) ** 2 * between(followed, then)
      return reach * Math.sin(Math.PI * waves * place - 2 * Math.PI * turnsPerSecond * seconds)
    }),
  }))
}
