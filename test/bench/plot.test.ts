import { expect, it } from 'vitest'
import { sectionOf } from './performance.ts'
import { barPlot, linePlot } from './plot.ts'

const widths = (svg: string): number[] =>
  [...svg.matchAll(/class="bar"[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width))

it('draws bars as long as their values, and escapes XML', () => {
  const svg = barPlot('A & B', 'ms', [
    { name: 'one <b>', value: 10, limit: 20 },
    { name: 'two', value: 20 },
  ])
  const [one = 0, two = 0] = widths(svg)
  expect(two / one).toBeCloseTo(2, 1)
  expect(svg).toContain('one &lt;b&gt;')
  expect(svg).toContain('A &amp; B, ms; the line is the limit')
})

it('labels a logarithmic scale', () => {
  const svg = barPlot('Far', 's', [
    { name: 'small', value: 0.1 },
    { name: 'large', value: 1000 },
  ])
  expect(svg).toContain('logarithmic')
  const [small = 0, large = 0] = widths(svg)
  expect(large / small).toBeLessThan(100)
})

it('draws a line over time from zero up, and shades the warm-up that is not measured', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 1, y: 500 },
    { x: 2, y: 250 },
  ]
  const svg = linePlot('Memory', 'MB', { points, measuredFrom: 1 })
  const [[left = 0, floor = 0] = [], [middle = 0, top = 0] = [], [right = 0, half = 0] = []] =
    /points="([^"]*)"/
      .exec(svg)?.[1]
      ?.split(' ')
      .map((one) => one.split(',').map(Number)) ?? []
  expect(middle - left).toBeCloseTo(right - middle, 0)
  expect((floor - half) / (floor - top)).toBeCloseTo(0.5, 2)
  const shaded = Number(/class="early"[^>]* width="([\d.]+)"/.exec(svg)?.[1])
  expect(left + shaded).toBeCloseTo(middle, 0)
  expect([...svg.matchAll(/end">(\d+)</g)].map(([, level]) => level)).toEqual(['0', '200', '400'])
})

it('makes a section of a bench’s figures, and none for a bench without figures', () => {
  const json = {
    seconds: { bare: 10, full: 12 },
    ratios: { full: 1.2 },
    limits: { full: 1.5 },
    rounds: 3,
    source: 'x',
  }
  const section = sectionOf('render', json, undefined, 'images/performance-render.svg')
  expect(section?.markdown).toContain('| full | 12.00 | 1.20 | 1.50 |')
  expect(section?.markdown).toContain('(images/performance-render.svg)')
  expect(section?.plot).toContain('<svg')
  const files = { scrub: { p50: 9, p95: 20, worst: 41, megabytes: 3, madeInSeconds: 5 } }
  const jumps = sectionOf('scrub', { seconds: 60, limitMs: 100, files }, undefined, '')
  expect(jumps?.markdown).toContain('| the cut to scrub in | 9 | 20 | 41 | 3 | 5 |')
  expect(sectionOf('taste', {}, undefined, '')).toBeNull()
})
