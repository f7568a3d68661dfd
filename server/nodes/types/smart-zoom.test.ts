import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../test/support/node-context.ts'
import { factsOf } from '../../../test/support/node-values.ts'
import { encodeLevels, type ClipFaces, type ClipSound } from '../../contract/clip-measurements.ts'
import { secondsToTicks } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { smartZoom } from './smart-zoom.ts'
import { inSentences } from '../../../test/support/sentences.ts'

type Wanted = NonNullable<Parameters<typeof smartZoom.compile>[0]['smart_zoom_config']>
type Given = NonNullable<Parameters<typeof contextOf>[0]>

/** Words of half a second, one after the other, from second 10 on; the clip is 60 s long, ten frames a second. */
function speak(count: number, said: Record<number, string | Partial<TranscriptWord>> = {}): TranscriptWord[] {
  return Array.from({ length: count }, (_, at) => {
    const own = said[at] ?? {}
    const start = 10 + at * 0.5
    return { word: 'so', start, end: start + 0.5, ...(typeof own === 'string' ? { word: own } : own) }
  })
}
const MINUTE: Given = {
  durationFrames: 600,
  timeMap: [
    {
      startFrame: 0,
      endFrame: 600,
      sourceStart: secondsToTicks(10),
      sourceEnd: secondsToTicks(70),
      playbackRate: 1,
    },
  ],
}
const compile = (words: TranscriptWord[], wanted: Wanted = {}, given: Given = {}) =>
  inSentences(smartZoom.compile({ smart_zoom_config: wanted }, contextOf({ ...MINUTE, words, ...given })))
const NONE = 'smart_zoom found no moment in this clip that deserves a closer look.'
/** `199-221`: the frames of each zoom. */
const zooms = (...given: Parameters<typeof compile>) => {
  const { zooms: found = [], warnings = [] } = compile(...given)
  return [...found.map(({ startFrame, endFrame }) => `${startFrame}-${endFrame}`), ...warnings].join(' ')
}

describe('a zoom', () => {
  const words = speak(120, { 40: '4000' })
  it('cuts in', () =>
    expect(compile(words)).toEqual({
      zooms: [
        {
          startFrame: 199,
          endFrame: 220,
          scale: 1.15,
          xPercent: 50,
          yPercent: 45,
          easeInFrames: 0,
          easeOutFrames: 0,
        },
      ],
    }))
  it('moves in and out where it is smooth', () =>
    expect(compile(words, { mode: 'smooth' })).toEqual({
      zooms: [
        {
          startFrame: 199,
          endFrame: 226,
          scale: 1.15,
          xPercent: 50,
          yPercent: 45,
          easeInFrames: 8,
          easeOutFrames: 6,
        },
      ],
    }))
  it('is as close as is set', () =>
    expect(compile(words, { intensity: 1.4 }).zooms).toMatchObject([{ scale: 1.4 }]))
  it('is none at 1', () => expect(compile(words, { intensity: 1 })).toEqual({}))
  it('is none without a picture', () =>
    expect(compile(words, {}, { facts: factsOf({ video: null }) })).toEqual({
      warnings: ['smart_zoom found no picture to zoom into: the source has only sound.'],
    }))
  it('is none without a moment', () => {
    expect(zooms(speak(120))).toBe(NONE)
    expect(zooms([])).toBe(NONE)
    expect(zooms(words, {}, { timeMap: [] })).toBe(NONE)
  })
  it('reads sound and faces', () => expect(smartZoom.measures?.({})).toEqual(['sound-levels', 'faces']))
})

describe('how long it is', () => {
  it.each([
    ['to the end of the sentence', { 40: '4000', 42: 'so.' }, '199-215'],
    ['to one soon after 0.9 s', { 40: '4000', 41: 'so.' }, '199-210'],
    ['not to one sooner', { 40: '4000.' }, '199-220'],
    ['not to one later than 2.2 s', { 40: '4000', 44: 'so.' }, '199-220'],
    ['to a sentence that ends in quotes', { 40: '4000', 42: 'so.”' }, '199-215'],
    ['not to a mark within a word', { 40: '4000', 42: 'so.com' }, '199-220'],
    ['to the end of a long word at least', { 40: { word: '4000', end: 40 } }, '199-220'],
  ])('%s', (_, said, expected) => expect(zooms(speak(120, said))).toBe(expected))
})

describe('when it is', () => {
  it.each([
    ['not in the first second', { 1: '4' }, NONE],
    ['from the first second on', { 2: '4' }, '10-30'],
    ['not past half a second before the end', { 116: '4' }, NONE],
    ['up to half a second before the end', { 115: '4' }, '574-595'],
    ['not twice within 5.5 s', { 40: '4', 50: '5' }, '199-220'],
    ['twice 5.5 s apart', { 40: '4', 51: '5' }, '199-220 254-275'],
    ['in the order of the clip', { 60: 'bike', 40: '4', 80: '5' }, '199-220 299-320 399-420'],
    ['the better of two that are near', { 40: '4', 45: 'no!' }, '224-245'],
    ['the earlier of two that are as good', { 40: '4', 45: '5' }, '199-220'],
  ])('%s', (_, said, expected) =>
    expect(zooms(speak(120, said), {}, { document: { keywords: ['bike'] } })).toBe(expected),
  )

  it.each([
    ['low', '109-125 199-215 289-305 379-395'],
    ['medium', '109-125 169-185 229-245 289-305 349-365'],
    ['high', '109-125 149-165 189-205 229-245 269-285 309-325 349-365 389-410'],
  ] as const)('as often as is set: %s', (frequency, expected) => {
    const numbers = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [20 + at * 2, at === 0 ? 'no!' : '4!']),
    )
    expect(zooms(speak(120, numbers), { frequency })).toBe(expected)
    expect(zooms(speak(120, { 40: '4' }), { frequency })).toBe(frequency === 'low' ? NONE : '199-220')
  })

  it('ends in time where it is smooth', () => {
    expect(zooms(speak(120, { 115: '4' }))).toBe('574-595')
    expect(zooms(speak(120, { 115: '4' }), { mode: 'smooth' })).toBe(NONE)
  })
})

describe('what deserves it', () => {
  const keywords = { document: { keywords: ['bike shop', 'repair'] } }
  it.each([
    ['a number', { 40: '4' }, '199-220'],
    ['a number in a word', { 40: 'A4' }, '199-220'],
    ['an exclamation', { 40: 'no!' }, '199-220'],
    ['an exclamation in quotes', { 40: 'no!”)' }, '199-220'],
    ['no mark within a word', { 40: 'a!b' }, NONE],
    ['a keyword', { 40: 'Repair,' }, '199-220'],
    ['a keyword of two words', { 40: 'bike', 41: 'shop' }, '199-220'],
    ['no part of a keyword', { 40: 'bike' }, NONE],
  ])('%s', (_, said, expected) => expect(zooms(speak(120, said), {}, keywords)).toBe(expected))

  it('a keyword counts more than an exclamation, and that more than a number', () => {
    expect(zooms(speak(120, { 40: '4', 44: 'no!', 48: 'repair' }), {}, keywords)).toBe('239-260')
    expect(zooms(speak(120, { 40: 'no!', 48: 'repair' }), {}, keywords)).toBe('239-260')
    expect(zooms(speak(120, { 40: '4', 44: 'no!' }), {}, keywords)).toBe('219-240')
    expect(zooms(speak(120, { 40: '4!', 48: 'repair' }), {}, keywords)).toBe('199-220')
  })

  it('a sentence that starts after a pause, where zooms are wanted often', () => {
    const paused = (pause: number, before = 'so.') =>
      speak(120, { 40: { word: before, start: 30, end: 30.5 - pause } })
    const high = { frequency: 'high' } as const
    expect(zooms(paused(0.4), high)).toBe('204-225')
    expect(zooms(paused(0.3), high)).toBe(NONE)
    expect(zooms(paused(0.4, 'so'), high)).toBe(NONE)
    expect(zooms(paused(0.4, 'so.com'), high)).toBe(NONE)
    expect(zooms(paused(0.4), {})).toBe(NONE)
  })

  describe('by its sound', () => {
    const soundOf = (level: number, from: number, to: number): ClipSound => ({
      start: 10,
      hopSeconds: 0.05,
      levels: encodeLevels(
        Array.from({ length: 1200 }, (_, hop) =>
          from <= hop * 0.05 + 10 && hop * 0.05 + 10 < to ? level : -24,
        ),
      ),
      speechLevelDb: -24,
      noiseLevelDb: -60,
    })
    it.each([
      ['4 dB above the speech', soundOf(-19.5, 30, 30.5), '199-220'],
      ['less is none', soundOf(-21, 30, 30.5), NONE],
      ['at its start', soundOf(-12, 30.05, 30.2), '199-220'],
      ['at its end', soundOf(-12, 30.3, 30.45), '199-220'],
      ['where nothing was measured', { ...soundOf(-12, 30, 30.5), levels: '' }, NONE],
    ])('%s', (_, sound, expected) => expect(zooms(speak(120), {}, { document: { sound } })).toBe(expected))

    it('as loud as can be told apart', () =>
      expect(
        zooms(speak(120), {}, { document: { sound: { ...soundOf(-19.5, 30, 30.5), speechLevelDb: -23.5 } } }),
      ).toBe('199-220'))
  })
})

describe('its centre', () => {
  const faces = (...points: [number, number, number, number, number][]): ClipFaces => ({
    start: 5,
    end: 75,
    shotStarts: [],
    tracks: [{ id: 0, points, speaking: [] }],
    screens: [],
  })
  const whole = { x: 0, y: 0, width: 1920, height: 1080 }
  const crop = (startFrame: number, endFrame: number, rect = whole) =>
    ({ kind: 'crop', startFrame, endFrame, crop: rect }) as const
  const centre = (face: ClipFaces | undefined, given: Given = {}, wanted: Wanted = {}) => {
    const found = compile(speak(120, { 40: '4' }), wanted, {
      layout: [crop(0, 600)],
      ...given,
      document: { ...(face && { faces: face }), ...given.document },
    })
    return found.zooms?.map(({ xPercent, yPercent }) => `${xPercent} ${yPercent}`).join()
  }
  const left = faces([10, 0.2, 0.3, 0.1, 0.2], [70, 0.2, 0.3, 0.1, 0.2])

  it('is the face', () => expect(centre(left)).toBe('25 40'))
  it('is the usual place without faces', () => {
    expect(centre(undefined)).toBe('50 45')
    expect(centre({ ...left, tracks: [] })).toBe('50 45')
    expect(centre(left, { layout: [] })).toBe('50 45')
    expect(centre(left, { layout: [crop(0, 600, { ...whole, x: 1000, width: 800 })] })).toBe('50 45')
  })
  it('is not nearer to an edge than 15 %', () => {
    expect(centre(faces([10, 0, 0, 0.1, 0.1], [70, 0, 0, 0.1, 0.1]))).toBe('15 15')
    expect(centre(faces([10, 0.9, 0.9, 0.1, 0.1], [70, 0.9, 0.9, 0.1, 0.1]))).toBe('85 85')
  })
  it('is rounded', () =>
    expect(centre(faces([10, 0.2, 0.3, 0.3333, 0.2], [70, 0.2, 0.3, 0.3333, 0.2]))).toBe('36.7 40'))

  it('is where the layout shows the face then', () => {
    const half = { ...whole, width: 960 }
    expect(centre(left, { layout: [crop(0, 199), crop(199, 600, half)] })).toBe('50 40')
    expect(centre(left, { layout: [crop(0, 200), crop(200, 600, half)] })).toBe('25 40')
  })

  const moving = faces(
    [10, 0.2, 0.3, 0.1, 0.2],
    [29, 0.2, 0.3, 0.1, 0.2],
    [31, 0.6, 0.3, 0.1, 0.2],
    [70, 0.6, 0.3, 0.1, 0.2],
  )
  it('is where the face is when the zoom begins', () => expect(centre(moving)).toBe('44 40'))
  it('is where the face is when a smooth zoom has come close', () =>
    expect(centre(moving, {}, { mode: 'smooth' })).toBe('60 40'))
  it('is where the face is in what is played then', () => {
    const timeMap = [
      {
        startFrame: 0,
        endFrame: 199,
        sourceStart: secondsToTicks(10),
        sourceEnd: secondsToTicks(29.9),
        playbackRate: 1,
      },
      {
        startFrame: 199,
        endFrame: 600,
        sourceStart: secondsToTicks(29.9),
        sourceEnd: secondsToTicks(110.1),
        playbackRate: 2,
      },
    ]
    expect(centre(moving, { timeMap })).toBe('45 40')
  })
})
