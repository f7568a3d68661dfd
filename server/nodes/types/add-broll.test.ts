import { describe, expect, it } from 'vitest'
import { contextOf, framesOf, PICTURE, VIDEO } from '../../../test/support/node-context.ts'
import type { BrollInsert } from '../../contract/clip-broll.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { addBroll } from './add-broll.ts'
import { inSentences } from '../../../test/support/sentences.ts'

type Given = Parameters<typeof contextOf>[0]
const insert = (start: number, end: number, over: Partial<BrollInsert> = {}): BrollInsert => ({
  id: `at-${start}`,
  start,
  end,
  provider: 'library',
  kind: 'image',
  url: 'https://x/picture.png',
  sourceStart: 0,
  matched: 'whale',
  name: 'Whale',
  credit: '',
  ...over,
})
const video = (over: Partial<BrollInsert> = {}) =>
  insert(13, 16, { kind: 'video', url: 'https://x/video.mp4', ...over })

const compile = (inserts: BrollInsert[], given: Given = {}) =>
  inSentences(
    addBroll.compile({}, contextOf({ ...given, document: { broll: { inserts }, ...given?.document } })),
  )
const placed = (inserts: BrollInsert[]): Given => ({
  document: { overrides: { broll: { inserts } } as never },
})
/** `30-60`: the frames that are covered. */
const frames = (inserts: BrollInsert[], given?: Given) => {
  const { layers = [], warnings = [] } = compile(inserts, given)
  return [...layers.map(framesOf), ...warnings].join(' ')
}
const LEFT_OUT =
  'add_broll: "Whale" is left out: its words were cut, or came too near to the clip\'s start or end.'

it('covers the picture with a still that grows a little', () =>
  expect(compile([insert(13, 16)])).toEqual({
    layers: [
      {
        kind: 'image',
        id: 'at-13',
        rect: { x: 0, y: 0, width: 1080, height: 1920 },
        fit: 'cover',
        background: '#000000',
        opacity: 1,
        startFrame: 30,
        endFrame: 60,
        intro: { kind: 'none', frames: 0 },
        outro: { kind: 'none', frames: 0 },
        asset: PICTURE,
        drift: 0.06,
      },
    ],
    warnings: [],
  }))

describe('a video', () => {
  it('covers the picture, again and again', () =>
    expect(compile([video()])).toEqual({
      layers: [
        {
          kind: 'video',
          id: 'at-13',
          rect: { x: 0, y: 0, width: 1080, height: 1920 },
          fit: 'cover',
          background: '#000000',
          opacity: 1,
          startFrame: 30,
          endFrame: 60,
          intro: { kind: 'none', frames: 0 },
          outro: { kind: 'none', frames: 0 },
          asset: VIDEO,
          sourceStart: 0,
          loop: true,
          focusX: 50,
          focusY: 50,
        },
      ],
      warnings: [],
    }))

  it.each([
    ['from where it is told to', 2, secondsToTicks(2)],
    ['from its last moment at most', 60, VIDEO.duration - 1],
  ])('plays %s', (_, sourceStart, expected) =>
    expect(compile([video({ sourceStart })]).layers).toMatchObject([{ sourceStart: expected }]),
  )

  it('plays from its start where it has no length', () => {
    const assets = new Map([
      [
        'https://x/video.mp4',
        { state: 'ready', kind: 'video', video: { ...VIDEO, duration: 0 }, sound: null } as const,
      ],
    ])
    expect(compile([video({ sourceStart: 2 })], { assets }).layers).toMatchObject([{ sourceStart: 0 }])
  })
})

describe('what is covered', () => {
  it.each([
    ['is what is said', [insert(13, 16)], '30-60'],
    ['is nothing of the first two seconds', [insert(10, 14)], '20-40'],
    ['is nothing of the last second', [insert(17, 20)], '70-90'],
    ['is one second at least', [insert(13, 14)], '30-40'],
    ['is not less', [insert(13, 13.9)], LEFT_OUT],
    ['is nothing of another', [insert(13, 16), insert(15, 18)], '30-60 60-80'],
    ['is nothing within another', [insert(13, 16), insert(14, 15.5)], `30-60 ${LEFT_OUT}`],
    ['is nothing before the clip', [insert(5, 9)], LEFT_OUT],
    ['is nothing after the clip', [insert(25, 29)], LEFT_OUT],
    ['is nothing of none', [], ''],
  ])('%s', (_, inserts, expected) => expect(frames(inserts)).toBe(expected))

  it('is what a person put there, wherever it is', () => {
    const at = (...inserts: BrollInsert[]) => frames(inserts, placed(inserts))
    expect(at(insert(10, 14))).toBe('0-40')
    expect(at(insert(17, 20))).toBe('70-100')
    expect(at(insert(13, 13.1))).toBe('30-31')
    expect(at(insert(13, 13.04), insert(25, 26), insert(14, 15))).toBe('40-50')
  })

  it('follows cuts: from the next frame that is played to the last one', () => {
    const timeMap = [
      {
        startFrame: 0,
        endFrame: 40,
        sourceStart: secondsToTicks(10),
        sourceEnd: secondsToTicks(14),
        playbackRate: 1,
      },
      {
        startFrame: 40,
        endFrame: 100,
        sourceStart: secondsToTicks(16),
        sourceEnd: secondsToTicks(22),
        playbackRate: 1,
      },
    ]
    const at = (start: number, end: number) => frames([insert(start, end)], { timeMap })
    expect(at(13, 17)).toBe('30-50')
    expect(at(14, 18)).toBe('40-60')
    expect(at(15, 18)).toBe('40-60')
    expect(at(12.5, 16)).toBe('25-40')
    expect(at(12.5, 15)).toBe('25-40')
    expect(at(14, 16)).toBe(LEFT_OUT)
    expect(frames([insert(13, 16)], { timeMap: [] })).toBe(LEFT_OUT)
  })
})

describe('what is missing', () => {
  it('is a warning, and the rest is shown', () => {
    expect(frames([insert(12, 14, { url: 'https://x/gone.png' }), insert(14, 16)])).toBe(
      '40-60 add_broll: "Whale" (https://x/gone.png) is left out: There is no file at this address.',
    )
    expect(frames([insert(12, 14, { url: 'https://x/video.mp4' })])).toBe(
      'add_broll: "Whale" (https://x/video.mp4) is left out: It is a video, and a still picture is needed here.',
    )
    expect(frames([video({ url: 'https://x/sound.mp3' })])).toBe(
      'add_broll: "Whale" (https://x/sound.mp3) is left out: It is a sound, and a video is needed here.',
    )
  })

  it('is all of a clip that was made without', () =>
    expect(inSentences(addBroll.compile({}, contextOf()))).toEqual({
      warnings: ['add_broll: this clip was made without b-roll, so there is none to show.'],
    }))
})

it('needs the files of its inserts', () => {
  const broll = { inserts: [insert(13, 16), video()] }
  expect(addBroll.assets?.({}, { broll })).toEqual([
    { url: 'https://x/picture.png', kind: 'image' },
    { url: 'https://x/video.mp4', kind: 'video' },
  ])
  expect(addBroll.assets?.({}, {})).toEqual([])
})

it('fits, stands, moves and shines through as an editor has set it', () => {
  const set = { fit: 'contain', xPercent: 20, yPercent: 100, opacity: 0.4 } as const
  const [still] = compile([insert(13, 16, { ...set, motion: 'still' })]).layers ?? []
  expect(still).toMatchObject({ fit: 'contain', focusX: 20, focusY: 100, opacity: 0.4 })
  expect(still).not.toHaveProperty('drift')
  const moved = (['zoom_in', 'zoom_out', 'pan_left', 'pan_right'] as const).map((motion) => {
    const [layer] = compile([insert(13, 16, { motion })]).layers ?? []
    return layer?.kind === 'image' ? [layer.drift, layer.driftTo] : []
  })
  expect(moved).toEqual([
    [0.12, undefined],
    [0.12, 'out'],
    [0.12, 'left'],
    [0.12, 'right'],
  ])
  expect(compile([video(set)]).layers?.[0]).toMatchObject({ fit: 'contain', focusX: 20, focusY: 100 })
  expect(compile([video(set)]).layers?.[0]).not.toHaveProperty('drift')
  expect(compile([video({ motion: 'zoom_out' })]).layers?.[0]).toMatchObject({ drift: 0.12, driftTo: 'out' })
})
