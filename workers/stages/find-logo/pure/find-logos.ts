/** PURE. A logo is where edges stay while the picture around them changes; where nothing changes nothing is known. */
import type { ClipLogos, LogoPlace } from '../../../../server/contract/clip-measurements.ts'

/** Fewer pictures than these may be the same by chance. */
const MIN_PICTURES = 8
/** Levels per pixel: weaker edges are noise of the encoder. */
const MIN_EDGE = 5
/** Share of an edge that must be the same in all pictures; for passing edges it is one divided by the root of their number. */
const MIN_STEADY = 0.6
/** Levels: smaller changes are noise or flickering light. */
const MIN_CHANGE = 10
/** Share of the surroundings, and of the whole picture, that must change for a result to be meaningful. */
const CHANGING_AROUND = 0.7
const CHANGING_AT_ALL = 0.25
/** Percent of the picture. */
const SIZES = { least: 1.5, widest: 35, highest: 25 }
/** Width of the border, in percent of the picture, in which the centre of a logo must lie. */
const OUTER = 25
/** Pixels with an edge: fewer are a speck. */
const MIN_PLACES = 24
const MAX_LOGOS = 4

export function findLogos(seen: EdgeStatistics): ClipLogos {
  const { width, height, pictures, change } = seen
  const changing = change.reduce((sum, value) => sum + (value >= MIN_CHANGE ? 1 : 0), 0) / change.length
  if (pictures < MIN_PICTURES || changing < CHANGING_AT_ALL) return { places: [], unsure: true }
  const steady = Uint8Array.from(seen.staying, (staying, at) =>
    staying >= MIN_EDGE && staying >= MIN_STEADY * (seen.strength[at] ?? 0) ? 1 : 0,
  )
  // Letters of one word are one logo, because the gaps between them are narrower than this.
  const gap = Math.max(2, Math.round(width * 0.02))
  const found = regionsOf(steady, width, height, gap).filter(
    (region) =>
      region.places >= MIN_PLACES && isLogoShaped(region, seen) && doSurroundingsChange(region, seen),
  )
  const strongest = [...found].sort((a, b) => b.places - a.places).slice(0, MAX_LOGOS)
  return { places: strongest.map((region) => buildPlace(region, width, height)), unsure: false }
}

function isLogoShaped({ left, top, right, bottom }: Region, { width, height }: EdgeStatistics): boolean {
  const wide = ((right - left) * 100) / width
  const high = ((bottom - top) * 100) / height
  const sensible = wide >= SIZES.least && wide <= SIZES.widest && high >= SIZES.least && high <= SIZES.highest
  const x = ((left + right) * 50) / width
  const y = ((top + bottom) * 50) / height
  const outer = (percent: number): boolean => percent < OUTER || percent > 100 - OUTER
  return sensible && (outer(x) || outer(y))
}

/** Whether the picture changes around the region, in a border whose width is a share of the picture's width. */
function doSurroundingsChange({ left, top, right, bottom }: Region, seen: EdgeStatistics): boolean {
  const { width, height, change } = seen
  const near = 2
  const far = near + Math.max(4, Math.round(width * 0.025))
  let places = 0
  let changing = 0
  for (let y = Math.max(0, top - far); y < Math.min(height, bottom + far); y += 1) {
    for (let x = Math.max(0, left - far); x < Math.min(width, right + far); x += 1) {
      const inside = x >= left - near && x < right + near && y >= top - near && y < bottom + near
      if (inside) continue
      places += 1
      if ((change[y * width + x] ?? 0) >= MIN_CHANGE) changing += 1
    }
  }
  return places > 0 && changing >= CHANGING_AROUND * places
}

/** Slightly larger than its edges, because they are soft and a patch must begin outside of them. */
function buildPlace({ left, top, right, bottom }: Region, width: number, height: number): LogoPlace {
  const margin = 2
  const x = Math.max(0, left - margin)
  const y = Math.max(0, top - margin)
  const percent = (value: number, of: number): number => Math.round((value * 10_000) / of) / 100
  return {
    x: percent(x, width),
    y: percent(y, height),
    width: percent(Math.min(width, right + margin) - x, width),
    height: percent(Math.min(height, bottom + margin) - y, height),
  }
}

/** `right` and `bottom` are exclusive. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** Number of marked pixels. */
  readonly places: number
}

/** Groups of marked pixels whose distance is at most `gap`, horizontally or vertically. */
export function regionsOf(marks: Uint8Array, width: number, height: number, gap: number): Region[] {
  const open = Uint8Array.from(marks)
  const regions: Region[] = []
  for (let first = 0; first < open.length; first += 1) {
    if (open[first] === 1) regions.push(collectRegion(open, first, { width, height, gap }))
  }
  return regions
}

interface Field {
  readonly width: number
  readonly height: number
  readonly gap: number
}

/** Collects a group and removes its marks, so that they are not counted again. */
function collectRegion(open: Uint8Array, first: number, { width, height, gap }: Field): Region {
  const waiting = [first]
  open[first] = 0
  let left = width
  let top = height
  let right = 0
  let bottom = 0
  let places = 0
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width
    const y = Math.floor(at / width)
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + 1)
    bottom = Math.max(bottom, y + 1)
    places += 1
    for (let row = Math.max(0, y - gap); row <= Math.min(height - 1, y + gap); row += 1) {
      for (let column = Math.max(0, x - gap); column <= Math.min(width - 1, x + gap); column += 1) {
        const next = row * width + column
        if (open[next] !== 1) continue
        open[next] = 0
        waiting.push(next)
      }
    }
  }
  return { left, top, right, bottom, places }
}

export interface EdgeStatistics {
  readonly width: number
  readonly height: number
  readonly pictures: number
  /** Strength of the edge that stays: length of the mean gradient, in levels per pixel. */
  readonly staying: Float32Array
  /** Mean length of the gradients, whatever their direction. */
  readonly strength: Float32Array
  /** Standard deviation of the brightness over time, in levels. */
  readonly change: Float32Array
}

/** `add` receives 8-bit grey, row by row. */
export function watchEdges(width: number, height: number) {
  const places = width * height
  const across = new Float32Array(places)
  const down = new Float32Array(places)
  const strength = new Float32Array(places)
  const sum = new Float32Array(places)
  const squares = new Float32Array(places)
  let pictures = 0
  return {
    add(grey: Uint8Array): void {
      pictures += 1
      for (let at = 0; at < places; at += 1) {
        const value = grey[at] ?? 0
        sum[at] = (sum[at] ?? 0) + value
        squares[at] = (squares[at] ?? 0) + value * value
      }
      for (let y = 1; y < height - 1; y += 1) {
        for (let at = y * width + 1; at < (y + 1) * width - 1; at += 1) {
          const dx = ((grey[at + 1] ?? 0) - (grey[at - 1] ?? 0)) / 2
          const dy = ((grey[at + width] ?? 0) - (grey[at - width] ?? 0)) / 2
          across[at] = (across[at] ?? 0) + dx
          down[at] = (down[at] ?? 0) + dy
          strength[at] = (strength[at] ?? 0) + Math.hypot(dx, dy)
        }
      }
    },
    finish(): EdgeStatistics {
      const count = Math.max(1, pictures)
      const mean = (value: number | undefined): number => (value ?? 0) / count
      return {
        width,
        height,
        pictures,
        staying: across.map((value, at) => Math.hypot(mean(value), mean(down[at]))),
        strength: strength.map(mean),
        change: sum.map((value, at) => Math.sqrt(Math.max(0, mean(squares[at]) - mean(value) ** 2))),
      }
    },
  }
}
