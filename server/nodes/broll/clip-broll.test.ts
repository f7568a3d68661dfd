import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import type { BrollCandidate } from '../../contract/clip-broll.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { brollSettings, clipBroll } from './clip-broll.ts'

const whale = (over: Partial<BrollCandidate> = {}): BrollCandidate => ({
  id: 'w',
  provider: 'library',
  kind: 'video',
  url: 'https://example.com/whale.mp4',
  name: 'whale.mp4',
  tags: ['whale'],
  durationSeconds: 8,
  credit: 'A. Diver',
  ...over,
})

/** A word each half a second from second 10 on; those at the given places say `whale`. */
const speak = (count: number, ...whales: number[]) =>
  spoken(
    Array.from({ length: count }, (_, at) => (whales.includes(at) ? 'whale' : 'x')).join(' '),
    10,
    0.5,
    0,
  )

const broll = (
  words: ReturnType<typeof speak>,
  over: Partial<ClipDocument> = {},
  more: { candidates?: BrollCandidate[]; prompt?: string } = {},
) =>
  clipBroll({
    document: documentOf([], over),
    words,
    facts: factsOf(),
    candidates: more.candidates ?? [whale()],
    frequency: 'high',
    prompt: more.prompt ?? '',
  }).inserts
const times = (words: ReturnType<typeof speak>, over: Partial<ClipDocument> = {}) =>
  broll(words, over).map(({ start, end }) => [Number(start.toFixed(3)), Number(end.toFixed(3))])

describe('the b-roll of a clip', () => {
  it('is what its words name, at their seconds in the source', () =>
    expect(broll(speak(60, 20))).toEqual([
      {
        id: 'broll-1',
        start: 20,
        end: 23,
        provider: 'library',
        kind: 'video',
        url: 'https://example.com/whale.mp4',
        sourceStart: 0,
        matched: 'whale',
        name: 'whale.mp4',
        credit: 'A. Diver',
      },
    ]))

  it('shows another part of a video that comes again, while it has one', () => {
    const again = (durationSeconds: number | null) =>
      broll(speak(60, 10, 25, 40), {}, { candidates: [whale({ durationSeconds })] }).map(
        ({ id, start, sourceStart }) => [id, start, sourceStart],
      )
    expect(again(12)).toEqual([
      ['broll-1', 15, 0],
      ['broll-2', 22.5, 4],
      ['broll-3', 30, 8],
    ])
    expect(again(8)).toEqual([
      ['broll-1', 15, 0],
      ['broll-2', 22.5, 4],
      ['broll-3', 30, 0],
    ])
    expect(again(7.9)).toEqual([
      ['broll-1', 15, 0],
      ['broll-2', 22.5, 0],
      ['broll-3', 30, 0],
    ])
    expect(again(null)).toEqual([
      ['broll-1', 15, 0],
      ['broll-2', 22.5, 0],
      ['broll-3', 30, 0],
    ])
  })

  it('is chosen by prompt and keywords too', () => {
    const candidates = [
      whale({ id: 'a', tags: ['whale'], url: 'a' }),
      whale({ tags: ['whale', 'orca'], url: 'b' }),
    ]
    const first = (over: Partial<ClipDocument>, prompt: string) =>
      broll(speak(60, 20), over, { candidates, prompt }).map(({ url, matched }) => `${url} ${matched}`)
    expect(first({}, '')).toEqual(['a whale'])
    expect(first({}, 'show an orca')).toEqual(['b whale'])
    expect(first({ keywords: ['Orca'] }, '')).toEqual(['b whale'])
  })

  it('is none where nothing is played', () => {
    expect(broll(speak(60, 20), { startTimestamp: 700, endTimestamp: 720 })).toEqual([])
    expect(broll(speak(60, 20), { cuts: [{ start: 0, end: 60 }] })).toEqual([])
  })
})

describe('around what is cut out', () => {
  it.each([
    ['nothing before it moves', [{ start: 30, end: 32 }], [[20, 23]]],
    ['nothing after it moves', [{ start: 12, end: 14 }], [[20, 23]]],
    ['an insert ends later by a cut within it', [{ start: 21, end: 22 }], [[20, 24]]],
    ['an insert ends where a cut begins', [{ start: 23, end: 24 }], [[20, 23]]],
    ['an insert begins where a cut ends', [{ start: 18, end: 20 }], [[20, 23]]],
    ['nothing is shown for a word that is gone', [{ start: 19.5, end: 21 }], []],
    ['a cut before the clip does nothing', [{ start: 2, end: 10 }], [[20, 23]]],
    ['a cut after the clip does nothing', [{ start: 40, end: 45 }], [[20, 23]]],
    ['a cut over the start of the clip counts', [{ start: 5, end: 18.5 }], []],
    ['a cut over its end counts', [{ start: 23.5, end: 50 }], [[20, 22.5]]],
    [
      'cuts may overlap',
      [
        { start: 12, end: 15 },
        { start: 13, end: 14 },
        { start: 21, end: 22 },
      ],
      [[20, 24]],
    ],
  ])('%s', (_, cuts, expected) => expect(times(speak(60, 20), { cuts })).toEqual(expected))

  it('segments and cuts go together, and speed counts', () => {
    const segments = [
      { startSeconds: 0, endSeconds: 9 },
      { startSeconds: 9, endSeconds: 30, playbackRate: 2 },
    ]
    expect(times(speak(60, 20), { segments })).toEqual([[20, 26]])
    expect(times(speak(60, 20), { segments, cuts: [{ start: 21, end: 22 }] })).toEqual([[20, 27]])
  })
})

describe('the settings of b-roll', () => {
  it.each([
    [
      'are usual where nothing is set',
      [node('add_broll')],
      { frequency: 'medium', prompt: '', useLibrary: true, folders: [], methods: [], generate: false },
    ],
    [
      'are what is set, each service once',
      [
        node('add_broll', {
          broll_frequency: 'low',
          prompt: 'the sea',
          use_broll_library: false,
          library_folder_ids: ['one'],
          allowed_methods: ['getty', 'youtube', 'getty'],
          enable_ai_broll: true,
        }),
      ],
      {
        frequency: 'low',
        prompt: 'the sea',
        useLibrary: false,
        folders: ['one'],
        methods: ['getty', 'youtube'],
        generate: true,
      },
    ],
    [
      'are those of the last node',
      [node('add_broll', { prompt: 'a' }), node('add_broll', { prompt: 'b' })],
      { frequency: 'medium', prompt: 'b', useLibrary: true, folders: [], methods: [], generate: false },
    ],
    [
      'leave out what is off',
      [node('add_broll', { prompt: 'a' }), node('add_broll', { prompt: 'b' }, false)],
      { frequency: 'medium', prompt: 'a', useLibrary: true, folders: [], methods: [], generate: false },
    ],
    [
      'leave out what is wrong',
      [node('add_broll', { broll_frequency: 'always', prompt: 'a' })],
      { frequency: 'medium', prompt: 'a', useLibrary: true, folders: [], methods: [], generate: false },
    ],
    ['are none where all are off', [node('add_broll', {}, false)], null],
    ['are none of other nodes', [node('add_music')], null],
  ])('%s', (_, nodes, expected) => expect(brollSettings(nodes)).toEqual(expected))
})
