import { describe, expect, it } from 'vitest'
import {
  found,
  heard,
  node,
  plan,
  resultsOf,
  snapshotOf,
  words,
  type PlanCase,
} from '../../../../test/support/plan-case.ts'
import type { FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { PickRequest } from '../../../contract/review.ts'
import {
  joinRanges,
  knownRanges,
  pickSettings,
  pickSlot,
  planInRun,
  resultsOfPick,
  segmentsOfRanges,
} from './plan-picks.ts'

const settings: FindClipsSettings = {
  minLength: 20,
  maxLength: 60,
  prompt: 'jokes',
  promptAdjustment: 'short',
  keywords: ['k'],
  pinned: [{ start: 1, end: 2 }],
  pinnedOnly: true,
  pinnedMode: 'search_within',
  maxClips: 10,
  wholeSource: true,
}

it.each<[string, PickRequest | undefined, Partial<FindClipsSettings>]>([
  ['none: as the workflow has them', undefined, settings],
  [
    'another prompt: nothing else that was wished for',
    { kind: 'find', prompt: 'the investors' },
    {
      prompt: 'the investors',
      promptAdjustment: '',
      keywords: [],
      pinned: [],
      wholeSource: false,
      maxClips: 10,
    },
  ],
  [
    'other lengths and another count: the same wishes',
    { kind: 'find', minLength: 5, maxLength: 15, maxClips: 3 },
    { prompt: 'jokes', keywords: ['k'], minLength: 5, maxLength: 15, maxClips: 3 },
  ],
  ['a shortest length above the longest', { kind: 'find', minLength: 90 }, { minLength: 90, maxLength: 180 }],
  ['a longest length below the shortest', { kind: 'find', maxLength: 10 }, { minLength: 5, maxLength: 10 }],
  [
    'a range: itself',
    { kind: 'range', start: 3, end: 9 },
    { pinned: [{ start: 3, end: 9 }], pinnedOnly: true, pinnedMode: 'ranges', maxClips: 1 },
  ],
  [
    'several clips: from the first to the last',
    {
      kind: 'merge',
      clipIds: ['a', 'b'],
      ranges: [
        { start: 30, end: 40 },
        { start: 5, end: 9 },
      ],
    },
    { pinned: [{ start: 5, end: 40 }], maxClips: 1 },
  ],
])('settings of a pick of %s', (_name, pick, expected) => {
  expect(pickSettings(settings, pick)).toMatchObject(expected)
})

describe('a pick in its run', () => {
  it.each([
    ['find-clips', 'pick:2:find-clips'],
    ['judge-clips', 'pick:2:judge-clips'],
    ['shorten-stories', 'pick:2:shorten-stories'],
    ['broll:getty', 'pick:2:broll:getty'],
    ['clip:3:cut', 'pick:2:clip:3:cut'],
    ['speech', 'speech'],
    ['asset:12', 'asset:12'],
  ])('has %s at %s', (slot, expected) => expect(pickSlot(2, slot)).toBe(expected))

  const snapshot = snapshotOf([node('find_clips', { min_length: 10, max_length: 30 })])
  const rows = {
    ...heard,
    captions: words,
    'find-clips': found,
    'clip:0:cut': {},
    'pick:1:find-clips': found,
  }
  const pick = { kind: 'find', prompt: 'money' } as const

  it('reads what the run measured, and none of its clips', () => {
    const own = resultsOfPick(resultsOf(rows), 2)
    expect([...own.keys()].sort()).toEqual(['audio', 'captions', 'ingest', 'peaks', 'probe'])
    expect(resultsOfPick(resultsOf(rows), 1).has('find-clips')).toBe(true)
  })

  it('finds again and does nothing else again', () => {
    const own: PlanCase = { rows: { ...heard, captions: words }, snapshot, pick }
    const { ready, slots } = planInRun(plan(own), 2)
    expect(ready.map(({ slot }) => slot)).toEqual(['pick:2:find-clips'])
    expect(ready[0]?.params).toMatchObject({ settings: { prompt: 'money', keywords: [] } })
    expect(slots.map(({ slot }) => slot)).toContain('captions')
  })
})

it('knows the ranges that are there, within a quarter of a second', () => {
  const clips = [
    { id: 'a', start: 10, end: 20 },
    { id: 'b', start: 30, end: 44 },
  ]
  const candidates = [
    { start: 10.2, end: 19.8 },
    { start: 10, end: 20.3 },
    { start: 30, end: 44 },
  ]
  expect(knownRanges(candidates, clips)).toEqual([
    { place: 0, clipId: 'a' },
    { place: 2, clipId: 'b' },
  ])
})

it.each([
  [
    'apart',
    [
      [50, 60],
      [10, 20],
    ],
    [
      [0, 10],
      [40, 50],
    ],
  ],
  [
    'touching',
    [
      [10, 20],
      [20, 30],
    ],
    [],
  ],
  [
    'one within another',
    [
      [10, 40],
      [12, 14],
    ],
    [],
  ],
  [
    'overlapping, and one apart',
    [
      [10, 20],
      [15, 30],
      [40, 50],
    ],
    [
      [0, 20],
      [30, 40],
    ],
  ],
])('merges ranges that are %s', (_name, ranges, segments) => {
  const joined = joinRanges(ranges.map(([start = 0, end = 0]) => ({ start, end })))
  expect(segmentsOfRanges(joined).map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds])).toEqual(
    segments,
  )
})
