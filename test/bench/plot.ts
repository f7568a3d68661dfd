/** Bars, and lines over time, as a small SVG that can be read on light and dark pages. Pure. */
import type { Point } from './line.ts'

export interface Bar {
  readonly name: string
  readonly value: number
  /** A mark on its bar: what the value must not exceed, or must reach. */
  readonly limit?: number
}

const WIDTH = 760
const NAMES = 330
const ROOM = 90
const ROW = 24
const BAR = 14
/** Beyond this ratio, bars of one plot cannot be compared on a linear scale. */
const FAR_APART = 300

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#1c1d20}.bar{fill:#b3400f}.limit{stroke:#5d5f66;stroke-width:2}',
  '.line{fill:none;stroke:#b3400f;stroke-width:1.5}.grid{stroke:#5d5f66;stroke-opacity:.25}.early{fill:#5d5f66;fill-opacity:.12}',
  '@media(prefers-color-scheme:dark){text{fill:#eceae5}.bar{fill:#ff9457}.limit,.grid{stroke:#a4a7b0}',
  '.line{stroke:#ff9457}.early{fill:#a4a7b0}}',
].join('')

/**
 * One row for each bar; values are not negative. The scale is logarithmic, and labelled so, where values differ by
 * much.
 */
export function barPlot(title: string, unit: string, bars: readonly Bar[]): string {
  const values = bars.flatMap(({ value, limit }) => [value, ...(limit === undefined ? [] : [limit])])
  const positive = values.filter((value) => value > 0)
  const least = Math.min(...positive, Infinity)
  const most = Math.max(...positive, Number.MIN_VALUE)
  const far = Number.isFinite(least) && most / least > FAR_APART
  const length = (value: number): number => {
    const share = far ? Math.log((value * 2) / least) / Math.log((most * 2) / least) : value / most
    return Math.max(0, share) * (WIDTH - NAMES - ROOM)
  }
  const rows = bars.map(({ name, value, limit }, at) => {
    const top = 40 + at * ROW
    const mark = limit === undefined ? '' : (NAMES + length(limit)).toFixed(1)
    return [
      `<text x="${NAMES - 8}" y="${top + BAR - 2}" text-anchor="end">${escape(name)}</text>`,
      `<rect class="bar" x="${NAMES}" y="${top}" width="${length(value).toFixed(1)}" height="${BAR}" rx="2"/>`,
      `<text x="${(NAMES + Math.max(length(value), length(limit ?? 0)) + 8).toFixed(1)}" y="${top + BAR - 2}">${figure(value)}</text>`,
      mark === ''
        ? ''
        : `<line class="limit" x1="${mark}" x2="${mark}" y1="${top - 3}" y2="${top + BAR + 3}"/>`,
    ].join('')
  })
  const height = 48 + bars.length * ROW
  const says = `${title}, ${unit}${far ? ', logarithmic' : ''}${bars.some(({ limit }) => limit !== undefined) ? '; the line is the limit' : ''}`
  return picture(height, says, rows)
}

const picture = (height: number, says: string, content: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(says)}">`,
    `<style>${STYLE}</style><text x="8" y="20" font-weight="600">${escape(says)}</text>`,
    ...content,
    '</svg>\n',
  ].join('\n')

const LEFT = 56
const TALL = 150
/** Distances between lines of a grid, times a power of ten. */
const STEPS = [1, 2, 5, 10] as const

/** A round distance, so that `most` has four lines of the grid at most under it. */
function gridStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 4))
  return (STEPS.find((step) => most / (step * power) <= 4) ?? 10) * power
}

/** A line over time, from zero up. `x` of the points in hours; before `measuredFrom` hours it is shaded, as not measured. */
export function linePlot(
  title: string,
  unit: string,
  given: { readonly points: readonly Point[]; readonly measuredFrom: number },
): string {
  const { points, measuredFrom } = given
  const most = Math.max(...points.map(({ y }) => y), Number.MIN_VALUE) * 1.05
  const last = Math.max(...points.map(({ x }) => x), Number.MIN_VALUE)
  const across = (hours: number): string => (LEFT + (hours / last) * (WIDTH - LEFT - 16)).toFixed(1)
  const down = (value: number): string => (40 + TALL * (1 - value / most)).toFixed(1)
  const step = gridStep(most)
  const levels = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step)
  const minutes = gridStep(last * 60)
  const moments = Array.from({ length: Math.floor((last * 60) / minutes) + 1 }, (_, at) => at * minutes)
  const says = `${title}, ${unit}; shaded: warm-up`
  return picture(40 + TALL + 30, says, [
    `<rect class="early" x="${LEFT}" y="40" width="${(Number(across(measuredFrom)) - LEFT).toFixed(1)}" height="${TALL}"/>`,
    ...levels.map(
      (level) =>
        `<line class="grid" x1="${LEFT}" x2="${across(last)}" y1="${down(level)}" y2="${down(level)}"/><text x="${LEFT - 8}" y="${Number(down(level)) + 4}" text-anchor="end">${level}</text>`,
    ),
    ...moments.map(
      (moment) =>
        `<text x="${across(moment / 60)}" y="${40 + TALL + 20}" text-anchor="${moment === 0 ? 'start' : 'middle'}">${moment} min</text>`,
    ),
    `<polyline class="line" points="${points.map(({ x, y }) => `${across(x)},${down(y)}`).join(' ')}"/>`,
  ])
}
