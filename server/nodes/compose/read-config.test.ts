import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { alignment, dropInvalidFields, pictureShape, presetOr, reader, referenceSize } from './read-config.ts'

/** A reader that falls back to what shows that it did, with what it said. */
function reading<Value>(read: (from: ReturnType<typeof reader>) => Value) {
  const warnings: string[] = []
  const value = read(reader('it', (_code, _field, message) => void warnings.push(message)))
  return { value, warnings }
}

describe('a length', () => {
  it.each<[number | string | undefined, number]>([
    [undefined, -1],
    ['', -1],
    [0, 0],
    [12.5, 12.5],
    [1e-7, 1e-7],
    ['12', 12],
    ['12.75', 12.75],
    ['-3px', -3],
    [' 4 pt ', 4],
    ['007', 7],
  ])('%j is %d', (given, value) => {
    expect(reading((read) => read.length('size', given, -1))).toEqual({ value, warnings: [] })
  })

  it.each<[number | string, string]>([
    ['big', 'big'],
    ['  ', '  '],
    ['a12', 'a12'],
    ['12em', '12em'],
    ['12 px wide', '12 px wide'],
    ['1.', '1.'],
    ['1.x', '1.x'],
    ['1 2', '1 2'],
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    ['x'.repeat(61), 'x'.repeat(60)],
  ])('%j is none, and said to be none', (given, quoted) => {
    const warnings = [`it.size "${quoted}" was ignored: it should be a number.`]
    expect(reading((read) => read.length('size', given, -1))).toEqual({ value: -1, warnings })
  })
})

describe('a weight', () => {
  it.each<[number | string | undefined, number]>([
    [undefined, 1],
    ['', 1],
    [' ', 100],
    [99, 100],
    [1001, 1000],
    [450.5, 451],
    ['650', 650],
    ['Extra-Bold', 800],
    ['thin', 100],
    ['extralight', 200],
    ['light', 300],
    ['regular', 400],
    ['medium', 500],
    ['demi bold', 600],
    ['black', 900],
  ])('%j is %d', (given, value) => {
    expect(reading((read) => read.weight(given, 1))).toEqual({ value, warnings: [] })
  })

  it('of no meaning is the usual one', () => {
    expect(reading((read) => read.weight(NaN, 1)).warnings[0]).toMatch(/^it\.fontWeight "NaN" was ignored/u)
    expect(reading((read) => read.weight('constructor', 1)).value).toBe(1)
  })
})

describe('a colour, a letter case, a shape', () => {
  it('are the usual ones where nothing is given', () => {
    for (const given of [undefined, '', '  ']) {
      const read = reading((from) => [
        from.colour('c', given, 'red'),
        from.textCase(given, 'upper'),
        from.fill('f', given, 'block'),
      ])
      expect(read).toEqual({ value: ['red', 'upper', 'block'], warnings: [] })
    }
  })

  it('are what they are called, whatever case and signs', () => {
    const read = reading((from) => [
      from.colour('c', ' Navy ', 'red'),
      from.textCase('ALL caps', 'none'),
      from.fill('f', 'Per-Line', 'block'),
    ])
    expect(read).toEqual({ value: ['#000080', 'upper', 'line'], warnings: [] })
  })

  it('are the usual ones after a warning where nobody knows them', () => {
    const read = reading((from) => [
      from.colour('c', 'x'.repeat(61), 'red'),
      from.textCase('toString', 'upper'),
      from.fill('f', '!', 'block'),
    ])
    expect(read).toEqual({
      value: ['red', 'upper', 'block'],
      warnings: [
        `it.c "${'x'.repeat(60)}" was ignored: it should be a CSS colour.`,
        'it.textCase "toString" was ignored: it should be one of none, normal, original, asis, upper, uppercase, allcaps, lower, lowercase, title, titlecase, capitalize.',
        'it.f "!" was ignored: it should be one of none, transparent, line, lines, perline, block, box, full, fill, solid, wrap, text, tight, rounded.',
      ],
    })
  })
})

describe('a stored config', () => {
  const schema = Type.Object(
    {
      size: Type.Number({ minimum: 1 }),
      list: Type.Array(Type.Number()),
      inner: Type.Object({ name: Type.String(), size: Type.Number() }, { additionalProperties: false }),
    },
    { additionalProperties: false },
  )
  const dropped = (config: Record<string, unknown>) => {
    const warnings: string[] = []
    const valid = dropInvalidFields(
      schema,
      config,
      'node',
      (_code, _field, message) => void warnings.push(message),
    )
    return { valid, warnings }
  }

  it('keeps what its schema knows, also inside of a part that is wrong elsewhere', () => {
    expect(dropped({ size: 2, list: [1], inner: { name: 'a', size: 'b', more: 1 } })).toEqual({
      valid: { size: 2, list: [1], inner: { name: 'a' } },
      warnings: [
        'node.inner.size was ignored: it should be a number.',
        'node.inner.more was ignored: it should be left out: there is no such field.',
      ],
    })
  })

  it('loses what it does not, each with a warning', () => {
    const long = 'k'.repeat(101)
    expect(dropped({ size: 0, list: { a: 1 }, inner: 'text', [long]: 1, toString: {} })).toEqual({
      valid: {},
      warnings: [
        'node.size was ignored: it should be a number of at least 1.',
        'node.list was ignored: it should be a list.',
        'node.inner was ignored: it should be an object.',
        `node.${'k'.repeat(100)} was ignored: it should be left out: there is no such field.`,
        'node.toString was ignored: it should be left out: there is no such field.',
      ],
    })
  })
})

describe('a preset', () => {
  const find = (id: string) => (id.startsWith('no') ? undefined : { id })
  it.each([
    [undefined, 'usual', []],
    [' ', 'usual', []],
    ['mine', 'mine', []],
    ['none', 'usual', ['none']],
  ])('%j is %s', (id, found, unknown) => {
    const warned: string[] = []
    expect(presetOr(find, id, 'usual', (wanted) => void warned.push(wanted))).toEqual({ id: found })
    expect(warned).toEqual(unknown)
  })

  it('that is the usual one must exist', () => {
    expect(() => presetOr(find, undefined, 'nothing', () => undefined)).toThrow(
      'There is no preset "nothing".',
    )
  })
})

it.each([
  ['left', 'left'],
  ['start', 'left'],
  ['right', 'right'],
  ['end', 'right'],
  ['center', 'center'],
  ['justify', 'center'],
  [undefined, 'right'],
] as const)('%s aligns lines %s', (value, expected) => {
  expect(alignment(value, 'right')).toBe(expected)
})

it.each([
  [749, 1000, 'vertical'],
  [750, 1000, 'square'],
  [1250, 1000, 'square'],
  [1251, 1000, 'horizontal'],
])('%d × %d is %s', (width, height, shape) => {
  expect(pictureShape({ width, height })).toBe(shape)
})

it.each([
  [1080, 1920, 1080, 1920],
  [540, 960, 1080, 1920],
  [3840, 2160, 1920, 1080],
  [2160, 2160, 1080, 1080],
])('%d × %d is drawn on a canvas of %d × %d units', (width, height, across, down) => {
  expect(referenceSize({ width, height })).toEqual({ width: across, height: down })
})
