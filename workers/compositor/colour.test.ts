import { describe, expect, it } from 'vitest'
import { cssColour, mixColour, parseColour } from './colour.ts'

describe('parseColour', () => {
  it.each([
    ['#fff', [255, 255, 255, 1]],
    ['#6d3bf5', [0x6d, 0x3b, 0xf5, 1]],
    ['#00000080', [0, 0, 0, 128 / 255]],
    ['rgba(10, 20, 30, 0.5)', [10, 20, 30, 0.5]],
    ['rgb(10 20 30 / 50%)', [10, 20, 30, 0.5]],
    ['RGB(300,0,0)', [255, 0, 0, 1]],
    ['transparent', [0, 0, 0, 0]],
  ])('%s', (text, [red, green, blue, alpha]) => {
    expect(parseColour(text)).toEqual({ red, green, blue, alpha })
  })

  it.each(['red', '', '#12', '#12345', 'rgb(1,2)', 'rgba(a,b,c,d)', 'url(x)'])('refuses %j', (text) => {
    expect(parseColour(text)).toBeNull()
  })
})

it('mixes and writes', () => {
  const from = { red: 0, green: 0, blue: 0, alpha: 0 }
  const to = { red: 255, green: 100, blue: 50, alpha: 1 }
  expect(mixColour(from, to, 0)).toEqual(from)
  expect(mixColour(from, to, 1)).toEqual(to)
  expect(cssColour(mixColour(from, to, 0.5), 0.5)).toBe('rgba(128, 50, 25, 0.25)')
})
