import { describe, expect, it } from 'vitest'
import {
  BROLL,
  cropped,
  IMAGE,
  MUSIC,
  NTSC,
  plainClip,
  rate,
  withParts,
} from '../../test/support/export-clip.ts'
import { CAPTION_STYLE, TITLE } from '../../test/support/sample-composition.ts'
import type { CaptionLayer, Composition, Layer } from '../contract/composition.ts'
import { frameToTicks, secondsToTicks } from '../contract/time.ts'
import type { ClipForExport } from './index.ts'
import { buildTimeline, cropAt, nameOf, rgbOf, type ClipItem } from './timeline.ts'

const long = plainClip([[0, 200]])
const withLayers = (...layers: Layer[]): ClipForExport => withParts(long, { layers })
const shown = ({ media, startFrame, endFrame, sourceFrame }: ClipItem) =>
  `${media.id} ${startFrame}-${endFrame} from ${sourceFrame}`
const overlays = (...layers: Layer[]) =>
  buildTimeline(withLayers(...layers)).overlays.map((items) => items.map(shown))
const music = (...tracks: NonNullable<Composition['audio']['tracks']>) =>
  buildTimeline(withParts(long, { audio: { tracks } })).music.map((items) => items.map(shown))
const image = (startFrame: number, endFrame: number, digest = 'd'): Layer => ({
  ...IMAGE,
  asset: { ...IMAGE.asset, digest: digest.repeat(64) },
  startFrame,
  endFrame,
})
const title = (startFrame: number, endFrame: number, text = 'Title'): Layer => ({
  ...TITLE,
  text,
  startFrame,
  endFrame,
})
const captions = (cues: CaptionLayer['cues'], styles = [CAPTION_STYLE]): Layer => ({
  kind: 'captions',
  id: 'captions',
  language: 'en',
  styles,
  cues,
})

describe('the cut', () => {
  it('is the pieces of the source, in frames of the clip', () => {
    const clip = plainClip(
      [
        [50, 20],
        [200, 10, 2],
      ],
      { name: 'a.mp4', url: 'a.mp4', frameRate: rate(50), duration: secondsToTicks(8) },
      5,
    )
    const media = {
      id: 'source',
      name: 'a.mp4',
      url: 'a.mp4',
      kind: 'video',
      durationFrames: 200,
      width: 1920,
      height: 1080,
      audioChannels: 2,
    }
    const name = 'Two\n cuts '
    expect(buildTimeline(clip)).toEqual({
      title: name,
      rate: rate(25),
      width: 1080,
      height: 1920,
      durationFrames: 35,
      headFrames: 0,
      tailFrames: 5,
      source: media,
      sourceRate: rate(50),
      main: [
        { name, startFrame: 0, endFrame: 20, media, sourceFrame: 50, playbackRate: 1 },
        { name, startFrame: 20, endFrame: 30, media, sourceFrame: 200, playbackRate: 2 },
      ],
      overlays: [],
      music: [],
      titles: [],
      captions: [],
      markers: [],
      transitions: [],
      layout: clip.composition.layout,
    })
  })

  it('takes a source without a picture as sound, at the rate of the clip, with one channel or more', () => {
    const clip = plainClip([[0, 25]], { frameRate: null, audioChannels: 0 })
    const heard = (hasVideo: boolean, hasAudio: boolean) =>
      buildTimeline(withParts(clip, { source: { ...clip.composition.source, hasVideo, hasAudio } }))
    expect(heard(false, true)).toMatchObject({
      source: { kind: 'sound', audioChannels: 1 },
      sourceRate: rate(25),
    })
    expect(heard(true, false).source).toMatchObject({ kind: 'video', audioChannels: 0 })
  })
})

describe('files', () => {
  it('are numbered in the order in which they appear, and each is one', () => {
    const clip = withParts(long, {
      layers: [image(0, 5, 'e'), BROLL, image(10, 15, 'e')],
      audio: { tracks: [MUSIC] },
    })
    const { overlays: tracks, music: sounds } = buildTimeline(clip)
    const media = [...tracks, ...sounds].flat().map((item) => item.media)
    expect([...new Set(media)]).toEqual([
      {
        id: 'asset1',
        // Nobody gave it a name.
        name: 'e'.repeat(64),
        url: 'e'.repeat(64),
        kind: 'image',
        durationFrames: 0,
        width: 400,
        height: 200,
        audioChannels: 0,
      },
      {
        id: 'asset2',
        name: 'city.mp4',
        url: 'city night.mp4',
        kind: 'video',
        durationFrames: 50,
        width: 1280,
        height: 720,
        audioChannels: 0,
      },
      {
        id: 'asset3',
        name: 'song.mp3',
        url: 'file:///data/song.mp3',
        kind: 'sound',
        durationFrames: 75,
        width: 0,
        height: 0,
        audioChannels: 2,
      },
    ])
    const loud = withLayers({ ...BROLL, asset: { ...BROLL.asset, hasAudio: true } })
    expect(buildTimeline(loud).overlays[0]?.[0]?.media.audioChannels).toBe(2)
  })

  it('keep the name of their media, their level, and natural speed', () => {
    const clip = withParts(long, {
      layers: [IMAGE, { ...BROLL, startFrame: 20 }],
      audio: { tracks: [MUSIC] },
    })
    const { overlays: tracks, music: sounds } = buildTimeline(clip)
    const facts = [...tracks, ...sounds]
      .flat()
      .map(({ name, playbackRate, levelDb }) => [name, playbackRate, levelDb])
    expect(facts.slice(0, 2)).toEqual([
      ['logo.png', 1, undefined],
      ['city.mp4', 1, undefined],
    ])
    expect(facts.at(-1)).toEqual(['song.mp3', 1, -12])
  })
})

describe('videos and music', () => {
  it('that start again are one item for each time', () => {
    expect(overlays(BROLL)).toEqual([['asset1 30-80 from 0', 'asset1 80-130 from 0']])
    const later = { ...BROLL, sourceStart: frameToTicks(30, rate(25)) }
    expect(overlays(later)).toEqual([
      ['asset1 30-50 from 30', 'asset1 50-100 from 0', 'asset1 100-130 from 0'],
    ])
    // Ends with the file: no empty item follows.
    expect(overlays({ ...BROLL, endFrame: 80 })).toEqual([['asset1 30-80 from 0']])
    expect(music({ ...MUSIC, endFrame: 130 })).toEqual([
      ['asset1 0-50 from 25', 'asset1 50-125 from 0', 'asset1 125-130 from 0'],
    ])
  })

  it('that do not start again end with their file', () => {
    expect(overlays({ ...BROLL, loop: false })).toEqual([['asset1 30-80 from 0']])
    expect(overlays({ ...BROLL, loop: false, endFrame: 60 })).toEqual([['asset1 30-60 from 0']])
    expect(music({ ...MUSIC, loop: false, endFrame: 130 })).toEqual([['asset1 0-50 from 25']])
  })

  it('of unknown length, or begun after their end, play as long as they are shown', () => {
    const unknown = { ...BROLL, asset: { ...BROLL.asset, duration: 0 } }
    expect(overlays(unknown)).toEqual([['asset1 30-130 from 0']])
    expect(overlays({ ...BROLL, sourceStart: secondsToTicks(2) })).toEqual([['asset1 30-130 from 50']])
    expect(overlays({ ...BROLL, sourceStart: frameToTicks(49, rate(25)), loop: false })).toEqual([
      ['asset1 30-31 from 49'],
    ])
  })

  it('that are shown for no time are not there', () => {
    expect(overlays({ ...BROLL, endFrame: 30 })).toEqual([])
    expect(overlays(image(5, 5))).toEqual([])
    expect(overlays(image(6, 5), image(5, 6))).toEqual([['asset1 5-6 from 0']])
    expect(music({ ...MUSIC, endFrame: 0 })).toEqual([])
  })
})

describe('overlays', () => {
  it('that meet nothing on the topmost track share it, in order of time', () => {
    expect(overlays(image(10, 20), image(20, 30), image(0, 10))).toEqual([
      ['asset1 0-10 from 0', 'asset1 10-20 from 0', 'asset1 20-30 from 0'],
    ])
  })

  it.each([
    [image(19, 25), 'the last frame'],
    [image(5, 11), 'the first frame'],
    [image(12, 13), 'a frame in the middle'],
    [image(0, 40), 'all of it'],
  ])('that meet another lie on a track above it: %#', (over) => {
    expect(overlays(image(10, 20), over)).toHaveLength(2)
  })

  it('never go below what they may lie over', () => {
    // The third meets only the first; under the second would be free, yet it was painted after it.
    expect(overlays(image(0, 10, 'a'), image(5, 15, 'b'), image(20, 30, 'c'))).toEqual([
      ['asset1 0-10 from 0'],
      ['asset2 5-15 from 0', 'asset3 20-30 from 0'],
    ])
  })

  it('are pictures and videos only', () => {
    const shape: Layer = {
      kind: 'shape',
      id: 'shape',
      rect: BROLL.rect,
      colour: '#000000',
      radius: 0,
      startFrame: 0,
      endFrame: 9,
    }
    expect(overlays(shape, title(0, 9))).toEqual([])
  })
})

describe('titles', () => {
  const tracks = (...layers: Layer[]) =>
    buildTimeline(withLayers(...layers)).titles.map((items) =>
      items.map(({ text, startFrame, endFrame }) => `${text} ${startFrame}-${endFrame}`),
    )

  it('go on the lowest track that is free when they begin', () => {
    expect(tracks(title(0, 10, 'a'), title(9, 30, 'b'), title(10, 15, 'c'), title(14, 20, 'd'))).toEqual([
      ['a 0-10', 'c 10-15'],
      ['b 9-30'],
      ['d 14-20'],
    ])
    expect(tracks(title(20, 30, 'late'), title(0, 10, 'early'))).toEqual([['early 0-10', 'late 20-30']])
  })

  it('without words or time are not there', () => {
    expect(tracks(title(0, 10, ' \n '), title(5, 5), title(6, 5), title(5, 6))).toEqual([['Title 5-6']])
  })

  it('lose the marks of where a line may break', () => {
    const { titles } = buildTimeline(withLayers(title(0, 10, '今日\u200bは\u200b、')))
    expect(titles).toEqual([[{ startFrame: 0, endFrame: 10, text: '今日は、', face: TITLE.face }]])
  })
})

describe('captions', () => {
  const word = (text: string, joinsNext?: boolean) => ({
    text,
    startFrame: 0,
    endFrame: 5,
    ...(joinsNext === undefined ? {} : { joinsNext }),
  })

  it('are the words of each cue, with spaces where words are apart', () => {
    const words = [word('Hello'), word('今', true), word('日', false), word('end', true)]
    const { captions: items } = buildTimeline(
      withLayers(captions([{ startFrame: 0, endFrame: 5, style: 0, words }])),
    )
    expect(items).toEqual([{ startFrame: 0, endFrame: 5, text: 'Hello 今日 end', face: CAPTION_STYLE.face }])
  })

  it('have the face of their style, or of the first one', () => {
    const second = { ...CAPTION_STYLE, face: { ...CAPTION_STYLE.face, fontFamily: 'Anton' } }
    const cue = (style: number) => ({ startFrame: 0, endFrame: 5, style, words: [word('a')] })
    const { captions: items } = buildTimeline(
      withLayers(captions([cue(0), cue(1), cue(2)], [CAPTION_STYLE, second])),
    )
    expect(items.map(({ face }) => face.fontFamily)).toEqual(['Montserrat', 'Anton', 'Montserrat'])
  })

  it('without words or time are not there', () => {
    const cue = (startFrame: number, endFrame: number, ...words: ReturnType<typeof word>[]) => ({
      startFrame,
      endFrame,
      style: 0,
      words,
    })
    const { captions: items } = buildTimeline(
      withLayers(captions([cue(0, 5), cue(5, 5, word('a')), cue(5, 6, word('b')), cue(8, 7, word('c'))])),
    )
    expect(items.map(({ text }) => text)).toEqual(['b'])
  })
})

describe('markers', () => {
  const marks = (parts: Parameters<typeof withParts>[1]) =>
    buildTimeline(withParts(long, parts)).markers.map(
      ({ name, startFrame, endFrame }) => `${name} ${startFrame}-${endFrame}`,
    )
  const frame = (count: number) => frameToTicks(count, rate(25))
  const zoom = { scale: 1.256, xPercent: 50, yPercent: 50, easeInFrames: 0, easeOutFrames: 0 }
  const fit = long.composition.layout[0]!

  it('stand where something is lost, in order of time', () => {
    const panes = { kind: 'panes' as const, panes: [], background: 'black' as const }
    expect(
      marks({
        zooms: [{ ...zoom, startFrame: 60, endFrame: 80 }],
        source: { ...long.composition.source, patches: [{ rect: BROLL.rect, startFrame: 3, endFrame: 9 }] },
        audio: {
          masks: [
            { start: frame(40), end: frame(50), kind: 'beep' },
            { start: frame(90), end: frame(95), kind: 'silence' },
          ],
        },
        layout: [
          cropped(20),
          { ...fit, startFrame: 20, endFrame: 70 },
          { ...panes, startFrame: 70, endFrame: 200 },
        ],
      }),
    ).toEqual([
      'Logo removed 3-9',
      'Whole picture 20-70',
      'Beep over a word 40-50',
      'Zoom 126 % 60-80',
      'Split view 70-200',
      'Word silenced 90-95',
    ])
  })

  it('of a mask are a frame long at least; those of no length are not there', () => {
    const start = frame(10)
    expect(marks({ audio: { masks: [{ start, end: start + 1, kind: 'beep' }] } })).toEqual([
      'Beep over a word 10-11',
    ])
    expect(marks({ zooms: [{ ...zoom, startFrame: 5, endFrame: 5 }] })).toEqual([])
  })

  it('are not needed where one layout lasts for the whole clip', () => {
    expect(marks({ layout: [fit] })).toEqual([])
    expect(
      marks({
        layout: [
          { ...fit, endFrame: 100 },
          { ...fit, startFrame: 100 },
        ],
      }),
    ).toEqual(['Whole picture 0-100', 'Whole picture 100-200'])
  })

  it('are none where the composition has nothing of the kind', () => {
    const { zooms: _zooms, ...rest } = long.composition
    const { masks: _masks, tracks: _tracks, ...audio } = rest.audio
    const bare = buildTimeline({ ...long, composition: { ...rest, audio } })
    expect([bare.markers, bare.music]).toEqual([[], []])
  })
})

it('counts places of files in the frames of the clip', () => {
  const clip = withParts(long, {
    output: { ...long.composition.output, frameRate: NTSC },
    layers: [{ ...BROLL, startFrame: 0, sourceStart: secondsToTicks(1), loop: false }],
  })
  const { overlays: tracks, source } = buildTimeline(clip)
  // An hour is 107,892.1 frames; the second second begins at 29.97.
  expect([source.durationFrames, tracks[0]?.map(shown)]).toEqual([107_892, ['asset1 0-30 from 30']])
})

describe('cropAt', () => {
  const { main, ...rest } = buildTimeline(plainClip([[0, 25]]))
  const at = (startFrame: number) =>
    cropAt(
      { ...main[0]!, startFrame },
      { ...rest, main, layout: [cropped(10), { ...rest.layout[0]!, startFrame: 10 }] },
    )

  it('finds the crop up to its last frame', () => {
    const crop = { x: 656.25, y: 0, width: 607.5, height: 1080 }
    expect([at(0), at(9), at(10), at(24), at(25)]).toEqual([crop, crop, undefined, undefined, undefined])
  })
})

it('reads colours with six digits or eight; others are white', () => {
  const rgb = (colour: string) => rgbOf({ ...TITLE.face, colour })
  expect(rgb('#01fF20')).toEqual([1, 255, 32])
  expect(rgb('#01ff2080')).toEqual([1, 255, 32])
  for (const colour of ['01ff20', 'x#01ff20', '#1f2', '#g1ff20', '#01gf20', '#01ffg0', 'red'])
    expect(rgb(colour)).toEqual([255, 255, 255])
})

it('names items with one line of at most 60 characters', () => {
  const name = (text: string) => nameOf({ text, face: TITLE.face, startFrame: 0, endFrame: 1 })
  expect(name('a\nb\nc')).toBe('a b c')
  expect([name('x'.repeat(60)), name('x'.repeat(61))]).toEqual(['x'.repeat(60), 'x'.repeat(60)])
})
