import { describe, expect, it } from 'vitest'
import type { ManualLayout } from '../../server/contract/manual-overrides/layouts.ts'
import { mergeApart, mergeItems, mergeLayouts, mergeMembers } from './merge-lists.ts'

interface One {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly scale?: number
}
const one = (id: string, start: number, end = start + 2, scale = 1): One => ({ id, start, end, scale })
const A = one('zoom-1', 0)
const B = one('zoom-2', 10)
const C = one('zoom-3', 20)
const BASE = [A, B, C]
const moved = (item: One, start: number): One => one(item.id, start)

describe('items that lie beside each other', () => {
  const cases: readonly {
    what: string
    ours: readonly One[]
    theirs: readonly One[]
    merged: readonly One[]
    conflict?: true
    theirsPreferred?: readonly One[]
  }[] = [
    {
      what: 'keeps the changes of different items',
      ours: [moved(A, 4), B, C],
      theirs: [A, moved(B, 12), C],
      merged: [moved(A, 4), moved(B, 12), C],
    },
    {
      what: 'keeps what one has added and another has taken away',
      ours: [A, B, one('zoom-4', 14), C],
      theirs: [B, C],
      merged: [B, one('zoom-4', 14), C],
    },
    {
      what: 'keeps both of two that were given the same id',
      ours: [...BASE, one('zoom-4', 30)],
      theirs: [...BASE, one('zoom-4', 40)],
      merged: [...BASE, one('zoom-5', 30), one('zoom-4', 40)],
    },
    {
      what: 'takes the same change of both once',
      ours: [moved(A, 4), B, C],
      theirs: [moved(A, 4), B, C],
      merged: [moved(A, 4), B, C],
    },
    {
      what: 'asks where one item was changed by both, and keeps the rest of both',
      ours: [moved(A, 4), B, moved(C, 25)],
      theirs: [moved(A, 5), moved(B, 12), C],
      merged: [moved(A, 4), moved(B, 12), moved(C, 25)],
      conflict: true,
      theirsPreferred: [moved(A, 5), moved(B, 12), moved(C, 25)],
    },
    {
      what: 'asks where one has taken away what the other has changed',
      ours: [B, C],
      theirs: [moved(A, 5), B, C],
      merged: [B, C],
      conflict: true,
      theirsPreferred: [moved(A, 5), B, C],
    },
    {
      what: 'asks where what was added would overlap, and never lets two overlap',
      ours: [...BASE, one('mine', 30, 34)],
      theirs: [...BASE, one('other', 32, 36), one('far', 50)],
      merged: [...BASE, one('mine', 30, 34), one('far', 50)],
      conflict: true,
      theirsPreferred: [...BASE, one('other', 32, 36), one('far', 50)],
    },
  ]
  it.each(cases)('$what', ({ ours, theirs, merged, conflict = false, theirsPreferred }) => {
    const first = mergeApart({ base: BASE, ours, theirs, prefer: 'ours' })
    expect(first).toEqual({ value: merged, conflict })
    if (theirsPreferred !== undefined)
      expect(mergeApart({ base: BASE, ours, theirs, prefer: 'theirs' }).value).toEqual(theirsPreferred)
  })
})

describe('items that lie over each other', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id })) as [One, One, One, One]

  it.each([
    { ours: [b, a], theirs: [a, b, c], order: 'bca' },
    { ours: [a, c, b], theirs: [a, b, d], order: 'acbd' },
    { ours: [a, b, c], theirs: [b, a], order: 'bca' },
    { ours: [c, a, b], theirs: [d, a, b], order: 'cdab' },
  ])('keeps the order that one of both has made: $order', ({ ours, theirs, order }) => {
    const { value, conflict } = mergeItems<{ id: string }>({ base: [a, b], ours, theirs, prefer: 'ours' })
    expect(value.map(({ id }) => id).join('')).toBe(order)
    expect(conflict).toBe(false)
  })
})

it('keeps the members of a record that different people have set', () => {
  const base = { pauses: { enabled: false }, zooms: { enabled: true } }
  const ours = { ...base, pauses: { enabled: true } }
  expect(mergeMembers({ base, ours, theirs: { pauses: base.pauses }, prefer: 'ours' })).toEqual({
    value: { pauses: { enabled: true } },
    conflict: false,
  })
})

describe('layouts', () => {
  const fit = (start: number, end: number, zoom = 1): ManualLayout => ({
    kind: 'fit',
    start,
    end,
    zoom,
    background: 'blur',
  })
  const crop = (start: number, end: number, x = 0.5, keys = 1): ManualLayout => ({
    kind: 'crop',
    start,
    end,
    eased: true,
    keyframes: Array.from({ length: keys }, (_, at) => ({ at: start + at / 100, x, y: 0.5, zoom: 2 })),
  })
  const cases: readonly {
    what: string
    base: readonly ManualLayout[]
    ours: readonly ManualLayout[]
    theirs: readonly ManualLayout[]
    merged: readonly ManualLayout[]
    conflict?: true
  }[] = [
    {
      what: 'keeps what two have set on different shots',
      base: [],
      ours: [crop(0, 5)],
      theirs: [fit(5, 10), fit(20, 30)],
      merged: [crop(0, 5), fit(5, 10), fit(20, 30)],
    },
    {
      what: 'keeps a change of one shot beside another that was left to the nodes again',
      base: [fit(0, 5), fit(5, 10), fit(10, 20)],
      ours: [fit(0, 5), fit(5, 10), crop(10, 20)],
      theirs: [fit(0, 5), fit(10, 20)],
      merged: [fit(0, 5), crop(10, 20)],
    },
    {
      what: 'keeps a split, and what the other has set elsewhere',
      base: [fit(0, 10)],
      ours: [fit(0, 5), fit(5, 10)],
      theirs: [fit(0, 10), crop(10, 20)],
      merged: [fit(0, 5), fit(5, 10), crop(10, 20)],
    },
    {
      what: 'keeps neighbours apart that are alike',
      base: [fit(0, 5), fit(5, 10)],
      ours: [fit(0, 5), fit(5, 10), fit(20, 30)],
      theirs: [fit(0, 5), fit(5, 10), crop(30, 40)],
      merged: [fit(0, 5), fit(5, 10), fit(20, 30), crop(30, 40)],
    },
    {
      what: 'takes edges that are all but the same for one',
      base: [],
      ours: [fit(0, 5)],
      theirs: [crop(5.01, 9)],
      merged: [fit(0, 5), { ...crop(5.01, 9), start: 5 }],
    },
    {
      what: 'asks about a shot that both have changed, and keeps the others of both',
      base: [],
      ours: [crop(0, 5, 0.2), fit(10, 20)],
      theirs: [crop(0, 5, 0.8), fit(20, 30)],
      merged: [crop(0, 5, 0.2), fit(10, 20), fit(20, 30)],
      conflict: true,
    },
    {
      what: 'asks where both together have more keyframes than a clip may have',
      base: [],
      ours: [crop(0, 5, 0.2, 40)],
      theirs: [crop(5, 10, 0.2, 40)],
      merged: [crop(0, 5, 0.2, 40)],
      conflict: true,
    },
  ]
  it.each(cases)('$what', ({ base, ours, theirs, merged, conflict = false }) => {
    expect(mergeLayouts({ base, ours, theirs, prefer: 'ours' })).toEqual({ value: merged, conflict })
  })

  it('gives the shot that both have changed to the one who is preferred', () => {
    const ours = [crop(0, 5, 0.2), fit(10, 20)]
    const theirs = [crop(0, 5, 0.8)]
    expect(mergeLayouts({ base: [], ours, theirs, prefer: 'theirs' }).value).toEqual([
      crop(0, 5, 0.8),
      fit(10, 20),
    ])
  })
})
