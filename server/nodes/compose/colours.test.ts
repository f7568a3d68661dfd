import { describe, expect, it } from 'vitest'
import { contrasting, normaliseColour } from './colours.ts'

describe('normaliseColour', () => {
  it.each([
    ['White', '#ffffff'],
    ['rebeccapurple', '#663399'],
    ['transparent', '#00000000'],
    ['#abc', '#aabbcc'],
    ['#abcd', '#aabbccdd'],
    ['#A1B2C3', '#a1b2c3'],
    ['a1b2c3', '#a1b2c3'],
    ['#a1b2c3ff', '#a1b2c3'],
    ['rgb(255, 0, 10)', '#ff000a'],
    ['rgba(0 0 0 / 50%)', '#00000080'],
    ['rgba(300,-4,0,1)', '#ff0000'],
    ['rgb(100%, 0%, 0%)', '#ff0000'],
    ['hsl(120, 100%, 25%)', '#008000'],
    ['hsla(240deg 100% 50% / 0.5)', '#0000ff80'],
    [' #FFF ', '#ffffff'],
  ])('%s is %s', (text, expected) => {
    expect(normaliseColour(text)).toBe(expected)
  })

  it.each([
    '',
    'reddish',
    '#12',
    '#12345',
    '#1234567',
    'rgb(1,2)',
    'rgb(a,b,c)',
    'url(x)',
    'constructor',
    '__proto__',
  ])('%j is none', (text) => {
    expect(normaliseColour(text)).toBeNull()
  })
})

it('finds letters that can be read on a colour', () => {
  expect([contrasting('#ffff00'), contrasting('#6d3bf5')]).toEqual(['#111111', '#ffffff'])
})
