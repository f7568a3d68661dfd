/** Bars as a small SVG that can be read on light and dark pages. Pure. */

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
/** Beyond this, bars of one plot are not to be told apart on a straight scale. */
const FAR_APART = 300

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const figure = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#1c1d20}.bar{fill:#b3400f}.limit{stroke:#5d5f66;stroke-width:2}',
  '@media(prefers-color-scheme:dark){text{fill:#eceae5}.bar{fill:#ff9457}.limit{stroke:#a4a7b0}}',
].join('')

/** One row for each bar; values are not negative. On a logarithmic scale, which it says, where they lie far apart. */
export function barPlot(title: string, unit: string, bars: readonly Bar[]): string {
  const values = bars.flatMap(({ value, limit }) => [value, ...(limit === undefined ? [] : [limit])])
  const positive = values.filter((value) => value > 0)
  const [least, most] = [Math.min(...positive, Infinity), Math.max(...positive, Number.MIN_VALUE)]
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
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escape(says)}">`,
    `<style>${STYLE}</style><text x="8" y="20" font-weight="600">${escape(says)}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n')
}
