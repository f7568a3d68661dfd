import { describe, expect, it } from 'vitest'
import { contextOf, PICTURE } from '../../../test/support/node-context.ts'
import { factsOf } from '../../../test/support/node-values.ts'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { addAudiogram } from './add-audiogram.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const COVER = { digest: 'e'.repeat(64), width: 600, height: 600, opaque: true }
/** Levels of ten seconds from second 10, a hop a frame. */
const soundOf = (levels: readonly number[], over: Partial<ClipSound> = {}): ClipSound => ({
  start: 10,
  hopSeconds: 0.1,
  speechLevelDb: -20,
  noiseLevelDb: -60,
  levels: encodeLevels(levels),
  ...over,
})
const even = soundOf(Array.from({ length: 100 }, () => -12))
const PODCAST = factsOf({ video: null })
const COVERED = { ...PODCAST, cover: COVER }
type Given = Parameters<typeof contextOf>[0]
type Wanted = NonNullable<Parameters<typeof addAudiogram.compile>[0]['audiogram_config']>

const compile = (wanted: Wanted = {}, given: Given = {}, template?: string) =>
  inSentences(
    addAudiogram.compile(
      template === undefined ? { audiogram_config: wanted } : { audiogram_config: wanted, template },
      contextOf({ facts: PODCAST, ...given, document: { sound: even, ...given?.document } }),
    ),
  )
const waveOf = (...given: Parameters<typeof compile>) =>
  compile(...given).layers?.find((layer) => layer.kind === 'audiogram')
const short = (wave: ReturnType<typeof waveOf>) => wave && { ...wave, levels: wave.levels.slice(0, 3) }

describe('on a source with sound only', () => {
  it('the preset is the ground and the wave is in the middle', () => {
    const { layers, ground, warnings } = compile()
    expect(ground).toEqual([
      {
        kind: 'shape',
        id: 'audiogram-background',
        rect: { x: 0, y: 0, width: 1080, height: 1920 },
        colour: '#1d2646',
        colourTo: '#0a0d19',
        radius: 0,
        startFrame: 0,
        endFrame: 100,
      },
    ])
    expect(layers?.map((layer) => layer.kind === 'audiogram' && short(layer))).toEqual([
      {
        kind: 'audiogram',
        id: 'audiogram',
        rect: {
          x: 97.20000000000005,
          y: 710.4000000000001,
          width: 885.5999999999999,
          height: 345.59999999999997,
        },
        colour: '#6ee7c8',
        style: 'bars',
        startFrame: 0,
        endFrame: 100,
        levels: 'ZZZ',
        framesPerLevel: 1,
      },
    ])
    expect(warnings).toEqual([])
  })

  it('the cover of the file is shown as a square over it', () =>
    expect(compile({}, { facts: COVERED }).ground?.[1]).toEqual({
      kind: 'image',
      id: 'audiogram-cover',
      asset: COVER,
      rect: { x: 270, y: 488.4000000000001, width: 540, height: 540 },
      fit: 'cover',
      background: null,
      opacity: 1,
      startFrame: 0,
      endFrame: 100,
      intro: { kind: 'none', frames: 0 },
      outro: { kind: 'none', frames: 0 },
      radius: 40,
    }))

  it.each([
    [
      'vertical',
      1080,
      1920,
      [
        { x: 270, y: 488.4000000000001, width: 540, height: 540 },
        { x: 118.80000000000001, y: 1080, width: 842.4, height: 163.20000000000002 },
      ],
    ],
    [
      'square',
      1080,
      1080,
      [
        { x: 385, y: 304, width: 310, height: 310 },
        { x: 118.80000000000001, y: 642.6, width: 842.4, height: 108 },
      ],
    ],
    [
      'horizontal',
      1920,
      1080,
      [
        { x: 144, y: 300, width: 480, height: 480 },
        {
          x: 691.1999999999998,
          y: 388.79999999999995,
          width: 1036.8000000000002,
          height: 302.40000000000003,
        },
      ],
    ],
  ])('both have their places in a %s picture', (_, width, height, expected) => {
    const output = { width, height, frameRate: { numerator: 10, denominator: 1 } }
    const { ground, layers } = compile({}, { facts: COVERED, output })
    expect(
      [ground?.[1], layers?.[0]].map((layer) => layer !== undefined && 'rect' in layer && layer.rect),
    ).toEqual(expected)
  })

  it('a cover of its own is shown instead', () =>
    expect(compile({ coverUrl: ' https://x/picture.png ' }, { facts: COVERED }).ground).toMatchObject([
      { id: 'audiogram-background' },
      { id: 'audiogram-cover', asset: PICTURE },
    ]))

  it('the file’s is shown where its own is missing', () => {
    const { ground, warnings } = compile({ coverUrl: 'https://x/gone.png' }, { facts: COVERED })
    expect(ground?.[1]).toMatchObject({ id: 'audiogram-cover', asset: COVER })
    expect(warnings).toEqual([
      'audiogram_config.coverUrl (https://x/gone.png) is left out: There is no file at this address.',
    ])
  })

  it('no cover is shown where it is off', () => {
    const { ground, warnings } = compile(
      { showCover: false, coverUrl: 'https://x/picture.png' },
      { facts: COVERED },
    )
    expect(ground?.map(({ id }) => id)).toEqual(['audiogram-background'])
    expect(warnings).toEqual([])
  })

  it('a cover that is wanted and missing is a warning', () => {
    expect(compile({ showCover: true }).warnings).toEqual([
      'audiogram_config.showCover: there is no coverUrl and no cover in the file, so none is shown.',
    ])
    expect(compile({ showCover: true }, { facts: COVERED }).warnings).toEqual([])
    expect(compile({ coverUrl: ' ' }).warnings).toEqual([])
  })

  it('a colour fills the ground evenly', () =>
    expect(compile({ backgroundColor: '#123456' }).ground).toEqual([
      {
        kind: 'shape',
        id: 'audiogram-background',
        rect: { x: 0, y: 0, width: 1080, height: 1920 },
        colour: '#123456',
        radius: 0,
        startFrame: 0,
        endFrame: 100,
      },
    ]))

  it('a picture covers the ground', () => {
    const { ground, warnings } = compile({ backgroundUrl: ' https://x/picture.png ' })
    expect(ground?.[1]).toEqual({
      kind: 'image',
      id: 'audiogram-picture',
      asset: PICTURE,
      rect: { x: 0, y: 0, width: 1080, height: 1920 },
      fit: 'cover',
      background: null,
      opacity: 1,
      startFrame: 0,
      endFrame: 100,
      intro: { kind: 'none', frames: 0 },
      outro: { kind: 'none', frames: 0 },
    })
    expect(warnings).toEqual([])
    expect(compile({ backgroundUrl: ' ' }).ground).toHaveLength(1)
    const gone = compile({ backgroundUrl: 'https://x/gone.png' })
    expect(gone.ground).toHaveLength(1)
    expect(gone.warnings).toEqual([
      'audiogram_config.backgroundUrl (https://x/gone.png) is left out: There is no file at this address.',
    ])
  })

  it('colours that are none are warnings', () =>
    expect(compile({ backgroundColor: 'wet', waveColor: 'dry' }).warnings).toEqual([
      'audiogram_config.backgroundColor "wet" was ignored: it should be a CSS colour.',
      'audiogram_config.waveColor "dry" was ignored: it should be a CSS colour.',
    ]))
})

describe('over a video', () => {
  const facts = factsOf()
  it('the wave alone is at the lower edge, with an outline', () => {
    const { layers, ground, warnings } = compile({}, { facts })
    expect(ground).toBeUndefined()
    expect(warnings).toEqual([])
    expect(layers?.map((layer) => layer.kind === 'audiogram' && short(layer))).toEqual([
      {
        kind: 'audiogram',
        id: 'audiogram',
        rect: { x: 97.20000000000005, y: 1593.6000000000001, width: 885.5999999999999, height: 153.6 },
        colour: '#6ee7c8',
        halo: { colour: '#00000066', width: 3 },
        style: 'bars',
        startFrame: 0,
        endFrame: 100,
        levels: 'ZZZ',
        framesPerLevel: 1,
      },
    ])
  })

  it('is in the middle of a background, without an outline', () => {
    const { layers } = compile({ backgroundColor: '#123456', waveColor: '#ff0000' }, { facts })
    expect(layers?.map(({ id }) => id)).toEqual(['audiogram-background', 'audiogram'])
    expect(short(layers?.find((layer) => layer.kind === 'audiogram'))).toEqual({
      kind: 'audiogram',
      id: 'audiogram',
      rect: {
        x: 97.20000000000005,
        y: 710.4000000000001,
        width: 885.5999999999999,
        height: 345.59999999999997,
      },
      colour: '#ff0000',
      style: 'bars',
      startFrame: 0,
      endFrame: 100,
      levels: 'ZZZ',
      framesPerLevel: 1,
    })
  })

  it('has the glow of the preset in its own colour only', () => {
    const halo = (wanted: Wanted) => waveOf(wanted, { facts: PODCAST }, 'neon')?.halo
    expect(halo({})).toEqual({ colour: '#3fe4ff3d', width: 6 })
    expect(halo({ waveColor: '#ff0000' })).toBeUndefined()
  })
})

describe('the wave', () => {
  it('is where it is put, as large as it is made', () => {
    expect(waveOf({ x: 20, y: 30, width: 40, height: 10 })?.rect).toEqual({
      x: 0,
      y: 480,
      width: 432,
      height: 192,
    })
    expect(waveOf({ waveStyle: 'line' })?.style).toBe('line')
  })

  it.each([{ width: 0 }, { height: 0 }])('is none at %j', (wanted) => {
    const { layers, warnings } = compile(wanted)
    expect(layers).toEqual([])
    expect(warnings).toEqual(['add_audiogram draws no wave: its width or height is 0.'])
  })

  it('is none without sound, or without its levels', () => {
    const silent = compile({}, { facts: factsOf({ video: null, audio: null }) })
    expect(silent.layers).toEqual([])
    expect(silent.warnings).toEqual(['add_audiogram draws no wave: the source has no sound.'])
    const { sound: _sound, ...document } = contextOf().document
    const unmeasured = inSentences(addAudiogram.compile({}, { ...contextOf({ facts: PODCAST }), document }))
    expect(unmeasured.layers).toEqual([])
    expect(unmeasured.warnings).toEqual([
      'add_audiogram draws no wave: the sound of this clip was not measured when it was made. A new run measures it.',
    ])
  })

  it('is of the usual preset where its template is not known', () => {
    expect(compile({}, {}, 'nope').warnings).toEqual([
      'There is no audiogram template "nope"; "midnight" is used in its place. There are: midnight, paper, sunset, neon, artwork.',
    ])
    expect(compile({}, {}, ' neon ').warnings).toEqual([])
  })
})

describe('the height of the wave', () => {
  /** As it is stored: from `0`, nothing, to `Z`, all of the height. */
  const heights = (sound: ClipSound, given: Given = {}) =>
    waveOf({}, { ...given, document: { sound } })?.levels ?? ''
  const ramp = Array.from({ length: 100 }, (_, hop) => (hop < 50 ? -12 : -72 + (hop - 50) * 1.5))

  it('goes from full to nothing within 30 dB', () =>
    expect(heights(soundOf(ramp))).toEqual(
      'EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE000000000000000000000000000000112235689BEGJLOSVZZZ',
    ))

  it('is nothing near the background, where that is louder', () =>
    expect(heights(soundOf(ramp, { noiseLevelDb: -30 }))).toEqual(
      'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB0000000000000000000000000000000001124579BDGJNRVZZZ',
    ))

  it('spans 6 dB at least', () =>
    expect(heights(soundOf(ramp, { noiseLevelDb: -10 }))).toEqual(
      '000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000028JZZZ',
    ))

  it('ignores the loudest 1.5 %', () => {
    const peaks = Array.from({ length: 100 }, (_, hop) => (hop === 0 ? 0 : -12))
    expect(heights(soundOf(peaks)).slice(0, 3)).toEqual('ZZZ')
    const more = Array.from({ length: 100 }, (_, hop) => (hop < 3 ? 0 : -12))
    expect(heights(soundOf(more)).slice(0, 5)).toEqual('ZZZBB')
  })

  it('is nothing of a hiss', () =>
    expect(
      heights(
        soundOf(
          Array.from({ length: 100 }, () => -78),
          { noiseLevelDb: -80 },
        ),
      ).slice(0, 3),
    ).toEqual('000'))

  it('is nothing where nothing was measured', () => {
    expect(heights(soundOf([-12, -12])).slice(0, 4)).toEqual('ZZ00')
    expect(heights(soundOf([])).slice(0, 2)).toEqual('00')
  })

  const alternating = soundOf(
    Array.from({ length: 200 }, (_, hop) => (hop % 4 < 2 ? -12 : -60)),
    { hopSeconds: 0.05 },
  )
  it('is that of the loudest hop whose middle is in the frame', () => {
    expect(heights(alternating).slice(0, 6)).toEqual('Z0Z0Z0')
    const shifted = { ...alternating, start: 9.96 }
    expect(heights(shifted).slice(0, 6)).toEqual('ZZZZZZ')
    const coarse = soundOf(
      Array.from({ length: 30 }, (_, hop) => (hop % 2 === 0 ? -12 : -60)),
      { hopSeconds: 0.4 },
    )
    expect(heights(coarse).slice(0, 12)).toEqual('ZZZ0000ZZZZ0')
  })

  it('follows cuts and speed', () => {
    const levels = Array.from({ length: 100 }, (_, hop) => -12 - (hop % 20) * 1.5)
    const timeMap = [
      {
        startFrame: 0,
        endFrame: 5,
        sourceStart: secondsToTicks(11),
        sourceEnd: secondsToTicks(11.5),
        playbackRate: 1,
      },
      {
        startFrame: 5,
        endFrame: 10,
        sourceStart: secondsToTicks(14),
        sourceEnd: secondsToTicks(15),
        playbackRate: 2,
      },
    ]
    expect(heights(soundOf(levels), { timeMap, durationFrames: 10 })).toEqual('B9865ZZSLG')
    expect(heights(soundOf(levels), { timeMap, durationFrames: 8 })).toEqual('B9865ZZS')
    expect(heights(soundOf(levels), { timeMap, durationFrames: 12 })).toEqual('B9865ZZSLG00')
  })

  it('is nothing where words are muted', () => {
    const mask = (start: number, end: number) => ({
      start: secondsToTicks(start),
      end: secondsToTicks(end),
      kind: 'beep' as const,
    })
    expect(heights(even, { masks: [mask(0.15, 0.35), mask(0.55, 0.6)], durationFrames: 8 })).toEqual(
      'Z00ZZ0ZZ',
    )
    expect(heights(even, { masks: [mask(0.16, 0.34)], durationFrames: 8 })).toEqual('ZZ0ZZZZZ')
  })
})

it('needs its pictures, but no cover that is off', () => {
  const urls = { backgroundUrl: 'https://x/b.png', coverUrl: 'https://x/c.png' }
  const need = (audiogram_config: Wanted) => addAudiogram.assets?.({ audiogram_config }, {})
  expect(need(urls)).toEqual([
    { url: 'https://x/b.png', kind: 'image' },
    { url: 'https://x/c.png', kind: 'image' },
  ])
  expect(need({ ...urls, showCover: true })).toEqual([
    { url: 'https://x/b.png', kind: 'image' },
    { url: 'https://x/c.png', kind: 'image' },
  ])
  expect(need({ ...urls, showCover: false })).toEqual([{ url: 'https://x/b.png', kind: 'image' }])
  expect(addAudiogram.assets?.({}, {})).toEqual([])
  expect(addAudiogram.measures?.({})).toEqual(['sound-levels'])
})
