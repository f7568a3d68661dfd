import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { beforeAll, describe, expect, it } from 'vitest'
import { useExactText } from './exact-text.ts'
import { registerFonts } from './fonts.ts'

const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')

beforeAll(() => registerFonts(RESOURCES))

/** Opacity of each pixel row in a column through the left stem of an `H` whose baseline is at `baseline`, 0 to 255. */
function stemRows(font: string, baseline: number, colour = '#ffffff'): number[] {
  const canvas = createCanvas(120, 120)
  const context = useExactText(canvas.getContext('2d'))
  context.font = font
  context.fillStyle = colour
  context.fillText('HH', 10, baseline)
  const { data } = context.getImageData(0, 0, 120, 120)
  const column = (x: number): number[] =>
    Array.from({ length: 120 }, (_, y) => data[(y * 120 + x) * 4 + 3] ?? 0)
  const ink = (x: number): number => column(x).reduce((sum, value) => sum + value, 0)
  const columns = Array.from({ length: 120 }, (_, x) => x)
  const best = columns.reduce((a, b) => (ink(b) > ink(a) ? b : a))
  return column(best)
}

const lastRow = (rows: readonly number[]): number => rows.findLastIndex((value) => value > 20)

describe('useExactText', () => {
  // Sizes at which these fonts' ascents lack from a whole pixel: without the correction some stand a pixel lower.
  it.each([
    ['800 40px "Cutroom Montserrat"'],
    ['400 60px "Cutroom Anton"'],
    ['700 41px "Cutroom Poppins"'],
    ['700 29px "Cutroom Poppins"'],
    ['800 52.5px "Cutroom Inter"'],
  ])('stands on its baseline: %s', (font) => {
    expect(lastRow(stemRows(font, 100))).toBe(99)
    expect(lastRow(stemRows(font, 100.4))).toBe(99)
    expect(lastRow(stemRows(font, 100.6))).toBe(100)
  })

  it('leaves letters unhinted: capitals 26.6 pixels high have a soft top', () => {
    const rows = stemRows('800 38px "Cutroom Montserrat"', 100)
    expect(rows[73]).toBeGreaterThan(100)
    expect(rows[73]).toBeLessThan(200)
    expect(rows[74]).toBe(255)
  })

  it('paints light and dark letters equally thick', () => {
    const font = '800 38px "Cutroom Montserrat"'
    const sum = (colour: string): number => stemRows(font, 100.5, colour).reduce((a, b) => a + b, 0)
    expect(Math.abs(sum('#ffffff') - sum('#000000'))).toBeLessThanOrEqual(2)
  })

  it('paints the very colour, and leaves the context as it was', () => {
    const context = useExactText(createCanvas(120, 120).getContext('2d'))
    context.font = '400 100px "Cutroom Anton"'
    context.fillStyle = 'rgba(12, 200, 77, 1)'
    const before = context.getTransform()
    context.fillText('H', 10, 110)
    expect([...context.getImageData(16, 90, 1, 1).data]).toEqual([12, 200, 77, 255])
    expect(context.fillStyle).toBe('rgba(12, 200, 77, 1)')
    expect(context.getTransform()).toEqual(before)
  })
})
