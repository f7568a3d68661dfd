import { describe, expect, it } from 'vitest'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { frameGrid } from './frame-grid.ts'
import { planCuts, type CutRequest } from './plan-cuts.ts'

const grid = frameGrid({ numerator: 100, denominator: 1 })
const word = (text: string, start: number, end: number): TranscriptWord => ({ word: text, start, end })
const range = (start: number, end: number, playbackRate = 1) => ({ start, end, playbackRate })

/** Quiet but for these stretches, for twenty seconds. */
function soundOf(loud: readonly (readonly [number, number])[]): ClipSound {
  const levels = Array.from({ length: 1000 }, (_, hop) =>
    loud.some(([from, to]) => from < (hop + 0.5) * 0.02 && (hop + 0.5) * 0.02 < to) ? -20 : -70,
  )
  return {
    start: 0,
    hopSeconds: 0.02,
    levels: encodeLevels(levels),
    speechLevelDb: -20,
    noiseLevelDb: -70,
  }
}
const soundOfWords = (words: readonly TranscriptWord[], more: readonly (readonly [number, number])[] = []) =>
  soundOf([...words.map(({ start, end }) => [start, end] as const), ...more])

/** `0-2 3-9 without 1,4 less 2 pauses`: what is played, which words are gone, how many pauses are shorter. */
function plan(words: readonly TranscriptWord[], going: readonly number[], over: Partial<CutRequest> = {}) {
  const { ranges, dropped, pauses } = planCuts({
    words,
    kept: [range(0, 10)],
    drop: new Map(going.map((index) => [index, false])),
    sound: null,
    shortenPauses: false,
    grid,
    ...over,
  })
  const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000
  const played = ranges.map(({ start, end }) => `${rounded(start)}-${rounded(end)}`).join(' ')
  return `${played} without ${[...dropped].join(',') || 'none'} less ${pauses} pauses`
}

describe('sounds without a word', () => {
  const words = [word('so', 1, 2), word('then', 4, 5)]
  const soundsCut = (sounds: readonly { start: number; end: number }[], going: number[] = []) => {
    const drop = new Map(going.map((index) => [index, false]))
    const kept = [range(0, 10)]
    return planCuts({ words, kept, drop, sounds, sound: null, shortenPauses: false, grid })
  }

  it('go as words do, and are counted', () => {
    const { ranges, dropped, sounds } = soundsCut([{ start: 3, end: 3.4 }])
    expect(ranges.map(({ start, end }) => [start, end])).toEqual([
      [0, 2.75],
      [3.65, 10],
    ])
    expect([[...dropped], sounds]).toEqual([[], 1])
  })

  it('stay where they are part of a word, and are no speech themselves', () => {
    expect(soundsCut([{ start: 1.2, end: 1.8 }])).toMatchObject({
      ranges: [{ start: 0, end: 10 }],
      sounds: 0,
    })
    expect(soundsCut([{ start: 3, end: 3.4 }], [0, 1])).toMatchObject({ sounds: 0, dropped: new Set() })
  })

  it('leave the places of the words that go as they are', () =>
    expect(soundsCut([{ start: 0.2, end: 0.6 }], [1])).toMatchObject({ sounds: 1, dropped: new Set([1]) }))
})

describe('one word', () => {
  it.each([
    [
      'goes with a breath left',
      [word('so', 1, 2), word('um', 3, 3.4), word('then', 4, 5)],
      '0-2.75 3.65-10 without 1 less 0 pauses',
    ],
    [
      'goes after a sentence with more left',
      [word('so.', 1, 2), word('um', 2.3, 2.7), word('then', 3, 5)],
      '0-2.16 2.9-10 without 1 less 0 pauses',
    ],
    [
      'goes between words that touch it',
      [word('so', 1, 2), word('um', 2, 2.4), word('then', 2.4, 5)],
      '0-2 2.4-10 without 1 less 0 pauses',
    ],
    [
      'stays where it is short',
      [word('so', 1, 2), word('um', 2, 2.06), word('then', 2.06, 5)],
      '0-10 without none less 0 pauses',
    ],
    [
      'stays where another is within it',
      [word('so', 1, 2), word('um', 3, 3.4), word('oh', 3.1, 3.3)],
      '0-10 without none less 0 pauses',
    ],
    [
      'stays where another talks over 0.31 of it',
      [word('so', 1, 2), word('um', 3, 4), word('oh', 3.69, 5)],
      '0-10 without none less 0 pauses',
    ],
    [
      'goes where another talks over 0.29 of it',
      [word('so', 1, 2), word('um', 3, 4), word('oh', 3.71, 5)],
      '0-2.75 3.71-10 without 1 less 0 pauses',
    ],
    [
      'stays where others talk over it on both sides',
      [word('so', 1, 3.2), word('um', 3, 4), word('oh', 3.85, 5)],
      '0-10 without none less 0 pauses',
    ],
    [
      'goes where others only touch it',
      [word('so', 1, 3), word('um', 3, 4), word('oh', 4, 5)],
      '0-3 4-10 without 1 less 0 pauses',
    ],
    [
      'goes where another begins with it',
      [word('so', 1, 2), word('um', 3, 4), word('oh', 3, 3.2)],
      '0-3.2 4.25-10 without 1 less 0 pauses',
    ],
    [
      'goes where another ends with it',
      [word('so', 1, 2), word('um', 3, 4), word('oh', 3.8, 4)],
      '0-2.75 3.8-10 without 1 less 0 pauses',
    ],
  ])('%s', (_, words, expected) => expect(plan(words, [1])).toEqual(expected))

  it('is not cut where its number is none', () =>
    expect(plan([word('so', 1, 2)], [4])).toEqual('0-10 without none less 0 pauses'))

  it('stays when a word that overlaps it has to stay for another', () => {
    const words = [word('a', 1, 2), word('um', 2, 3), word('uh', 2.8, 3.8), word('b', 3.4, 4.4)]
    expect(plan(words, [1, 2])).toEqual('0-2 2.8-10 without 1 less 0 pauses')
    expect(plan(words.slice(0, 3), [1, 2])).toEqual('0-2 4.05-10 without 1,2 less 0 pauses')
  })

  it('stays when nothing else is spoken', () => {
    expect(plan([word('um', 1, 2)], [0])).toEqual('0-10 without none less 0 pauses')
    expect(plan([word('um', 1, 2), word('so', 12, 13)], [0])).toEqual('0-10 without none less 0 pauses')
  })

  it('goes when another word is played', () =>
    expect(plan([word('um', 1, 2), word('so', 9.5, 10.4)], [0])).toEqual(
      '0-0.75 2.25-10 without 0 less 0 pauses',
    ))
})

describe('several words', () => {
  it.each([
    [
      'near each other go in one cut',
      [word('a', 0, 2), word('um', 3, 3.4), word('uh', 3.7, 4), word('b', 5, 9)],
      '0-2.75 4.25-10 without 1,2 less 0 pauses',
    ],
    [
      'far from each other too, where nothing is known of the sound',
      [word('a', 0, 2), word('um', 3, 3.4), word('uh', 4.8, 5), word('b', 6, 9)],
      '0-2.75 5.25-10 without 1,2 less 0 pauses',
    ],
    [
      'that overlap go in one',
      [word('a', 0, 2), word('um', 3, 4.4), word('uh', 3.2, 3.5), word('b', 5, 9)],
      '0-2.75 4.65-10 without 1,2 less 0 pauses',
    ],
  ])('%s', (_, words, expected) => {
    expect(plan(words, [1, 2])).toEqual(expected)
  })

  it.each([
    ['go in one cut where it is silent between them', [], '0-2.75 5.25-10 without 1,2 less 0 pauses'],
    [
      'go in two where something sounds between them',
      [[3.9, 4.1]],
      '0-2.75 3.65-4.35 5.25-10 without 1,2 less 0 pauses',
    ],
    [
      'go in two where it sounds shortly after the first',
      [[3.7, 3.8]],
      '0-2.75 3.65-4.35 5.25-10 without 1,2 less 0 pauses',
    ],
  ] as [string, [number, number][], unknown][])('%s', (_, loud, expected) => {
    const words = [word('a', 0, 2), word('um', 3, 3.4), word('uh', 4.6, 5), word('b', 6, 9)]
    expect(plan(words, [1, 2], { sound: soundOfWords(words, loud) })).toEqual(expected)
  })

  it('leave a sound between them that is near to one of them', () => {
    const words = [word('a', 0, 2), word('um', 3, 3.4), word('uh', 3.75, 4), word('b', 5, 9)]
    expect(plan(words, [1, 2], { sound: soundOfWords(words, [[3.4, 3.75]]), shortenPauses: true })).toEqual(
      '0-2.1 3.4-3.74 4.9-9.14 without 1,2 less 1 pauses',
    )
  })

  it('leave no piece under 0.3 s: the shorter cut is given up', () => {
    const words = [
      word('a', 0, 2),
      word('um', 2, 2.5),
      word('so', 2.5, 2.7),
      word('uh', 2.7, 3),
      word('b', 3, 9),
    ]
    expect(plan(words, [1, 3])).toEqual('0-2 2.5-10 without 1 less 0 pauses')
    const mirrored = [
      word('a', 0, 2),
      word('uh', 2, 2.3),
      word('so', 2.3, 2.5),
      word('um', 2.5, 3),
      word('b', 3, 9),
    ]
    expect(plan(mirrored, [1, 3])).toEqual('0-2.5 3-10 without 3 less 0 pauses')
    const equal = [
      word('a', 0, 2),
      word('uh', 2, 2.25),
      word('so', 2.25, 2.5),
      word('um', 2.5, 2.75),
      word('b', 2.75, 9),
    ]
    expect(plan(equal, [1, 3])).toEqual('0-2.5 2.75-10 without 3 less 0 pauses')
  })

  it('keep a piece of 0.3 s', () => {
    const words = [
      word('a', 0, 2),
      word('um', 2, 2.5),
      word('so', 2.5, 2.8),
      word('uh', 2.8, 3.1),
      word('b', 3.1, 9),
    ]
    expect(plan(words, [1, 3])).toEqual('0-2 2.5-2.8 3.1-10 without 1,3 less 0 pauses')
  })

  it('that must go do, whatever piece they leave', () => {
    const words = [
      word('a', 0, 2),
      word('um', 2, 2.3),
      word('so', 2.3, 2.5),
      word('damn', 2.5, 3),
      word('b', 3, 9),
    ]
    const drop = (first: boolean, second: boolean) =>
      plan(words, [], {
        drop: new Map([
          [1, first],
          [3, second],
        ]),
      })
    expect(drop(true, true)).toEqual('0-2 2.3-2.5 3-10 without 1,3 less 0 pauses')
    expect(drop(false, true)).toEqual('0-2.5 3-10 without 3 less 0 pauses')
    expect(drop(true, false)).toEqual('0-2 2.3-10 without 1 less 0 pauses')
  })

  it('in one cut go if one of them must', () => {
    const words = [
      word('a', 0, 2),
      word('um', 2, 2.1),
      word('damn', 2.1, 2.3),
      word('so', 2.3, 2.5),
      word('uh', 2.5, 3),
      word('b', 3, 9),
    ]
    expect(
      plan(words, [], {
        drop: new Map([
          [1, false],
          [2, true],
          [4, false],
        ]),
      }),
    ).toEqual('0-2 2.3-10 without 1,2 less 0 pauses')
  })
})

describe('pauses', () => {
  const words = [word('one', 0, 1), word('two.', 3, 4), word('three', 6, 7), word('four', 7.3, 10)]
  it('are shortened where they are silent', () => {
    expect(plan(words, [], { sound: soundOfWords(words), shortenPauses: true })).toEqual(
      '0-1.14 2.86-4.18 5.86-10 without none less 2 pauses',
    )
    expect(plan(words, [], { sound: soundOfWords(words), shortenPauses: false })).toEqual(
      '0-10 without none less 0 pauses',
    )
    expect(plan(words, [], { sound: null, shortenPauses: true })).toEqual('0-10 without none less 0 pauses')
  })

  it('go with the words beside them', () =>
    expect(plan(words, [1], { sound: soundOfWords(words), shortenPauses: true })).toEqual(
      '0-1.1 5.9-10 without 1 less 0 pauses',
    ))

  it('keep what sounds in them, with 0.3 s or more', () =>
    expect(
      plan(words, [], {
        sound: soundOfWords(words, [
          [1.7, 1.9],
          [4.9, 5],
        ]),
        shortenPauses: true,
      }),
    ).toEqual('0-1.14 1.62-1.98 2.86-5.08 5.86-10 without none less 3 pauses'))

  it('are given up before words where a piece would be too short', () => {
    const near = [word('a', 0, 2), word('um', 2, 2.15), word('so', 2.15, 2.3), word('b', 4, 9)]
    expect(plan(near, [1], { sound: soundOfWords(near), shortenPauses: true })).toEqual(
      '0-2 2.15-9.14 without 1 less 1 pauses',
    )
    const mirrored = [word('a', 0, 2), word('so', 4, 4.15), word('um', 4.15, 4.3), word('b', 4.3, 9)]
    expect(plan(mirrored, [2], { sound: soundOfWords(mirrored), shortenPauses: true })).toEqual(
      '0-4.15 4.3-9.14 without 2 less 1 pauses',
    )
  })
})

describe('several ranges', () => {
  it('are cut each by itself, with their speed', () => {
    const words = [
      word('a', 0, 1),
      word('um', 1.4, 1.8),
      word('b', 2, 3),
      word('c', 5, 6),
      word('uh', 6.4, 6.8),
      word('d', 7, 8),
    ]
    const drop = new Map([
      [1, false],
      [4, false],
    ])
    const kept = [range(0, 3), range(5, 8, 1.5)]
    expect(planCuts({ words, kept, drop, sound: null, shortenPauses: false, grid })).toEqual({
      ranges: [
        { start: 0, end: 1.15, playbackRate: 1 },
        { start: 1.9, end: 3, playbackRate: 1 },
        { start: 5, end: 6.15, playbackRate: 1.5 },
        { start: 6.9, end: 8, playbackRate: 1.5 },
      ],
      dropped: new Set([1, 4]),
      pauses: 0,
      sounds: 0,
    })
  })

  it('leave a split word to the range with its middle', () => {
    const words = [word('a', 0, 1), word('um', 1.5, 2.5), word('b', 3, 4)]
    expect(plan(words, [1], { kept: [range(0, 1.9), range(2.6, 4)] })).toEqual(
      '0-1.9 2.6-4 without none less 0 pauses',
    )
    expect(plan(words, [1], { kept: [range(0, 2.1), range(2.6, 4)] })).toEqual(
      '0-1.25 2.6-4 without 1 less 0 pauses',
    )
    expect(plan(words, [1], { kept: [range(0, 1.2), range(2, 4)] })).toEqual(
      '0-1.2 2.75-4 without 1 less 0 pauses',
    )
  })

  it.each([
    [
      'drop a cut that leaves a snippet at an inner edge',
      [range(0, 2.6), range(3, 9)],
      '0-2.6 3-9 without none less 0 pauses',
    ],
    [
      'keep it at an edge that touches the next',
      [range(0, 2.6), range(2.6, 9)],
      '0-2 2.4-2.6 2.6-9 without 1 less 0 pauses',
    ],
    ['keep it at the edge of the clip', [range(0, 2.6)], '0-2 2.4-2.6 without 1 less 0 pauses'],
  ])('%s', (_, kept, expected) => {
    const words = [word('a', 0, 2), word('um', 2, 2.4), word('so', 2.4, 3.5), word('b', 3.6, 9)]
    expect(plan(words, [1], { kept })).toEqual(expected)
  })

  it.each([
    [
      'drop a cut that leaves a snippet at the start',
      [range(0, 1), range(2.2, 9)],
      '0-1 2.2-9 without none less 0 pauses',
    ],
    [
      'keep it where the one before touches',
      [range(0, 2.2), range(2.2, 9)],
      '0-2.2 2.2-2.4 2.8-9 without 1 less 0 pauses',
    ],
    ['keep it at the start of the clip', [range(2.2, 9)], '2.2-2.4 2.8-9 without 1 less 0 pauses'],
  ])('%s', (_, kept, expected) => {
    const words = [word('a', 0, 2.4), word('um', 2.4, 2.8), word('so', 2.8, 3.5), word('b', 3.6, 9)]
    expect(plan(words, [1], { kept })).toEqual(expected)
  })

  it('lose a silent remainder at their edges', () => {
    const words = [word('a', 0, 2), word('um', 2.3, 2.7), word('b', 5, 9)]
    const sound = soundOfWords(words)
    expect(plan(words, [1], { kept: [range(0, 2.95), range(4, 9)], sound })).toEqual(
      '0-2.1 4-9 without 1 less 0 pauses',
    )
    expect(plan(words, [1], { kept: [range(0, 1), range(2.1, 9)], sound })).toEqual(
      '0-1 2.95-9 without 1 less 0 pauses',
    )
  })
})
