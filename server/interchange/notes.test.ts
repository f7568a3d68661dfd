import { describe, expect, it } from 'vitest'
import { BROLL, cropped, IMAGE, MUSIC, plainClip, rate, withParts } from '../../test/support/export-clip.ts'
import { captionLayer, TITLE } from '../../test/support/sample-composition.ts'
import type { ClipForExport } from './index.ts'
import { commonNotes, rateNote } from './notes.ts'
import { buildTimeline } from './timeline.ts'

const plain = plainClip([[0, 100]])
const notes = (clip: ClipForExport) =>
  commonNotes({ composition: clip.composition, timeline: buildTimeline(clip) })
const partNotes = (parts: Parameters<typeof withParts>[1]) => notes(withParts(plain, parts))
const fit = plain.composition.layout[0]!
const zoom = {
  startFrame: 0,
  endFrame: 9,
  scale: 2,
  xPercent: 50,
  yPercent: 50,
  easeInFrames: 0,
  easeOutFrames: 0,
}
const panes = {
  kind: 'panes' as const,
  startFrame: 0,
  endFrame: 100,
  panes: [],
  background: 'black' as const,
}

const FRAMING = 'The framing moves and changes with the shots; that movement is dropped.'
const PICTURES = 'Pictures and videos over the clip keep their time, not their place and size.'

describe('notes of what every timeline drops', () => {
  it('are none for a plain clip, and none for one without lists', () => {
    expect(notes(plain)).toEqual([])
    const { zooms: _zooms, ...rest } = plain.composition
    const { masks: _masks, tracks: _tracks, ...audio } = rest.audio
    expect(notes({ ...plain, composition: { ...rest, audio } })).toEqual([])
  })

  it.each<[string, Parameters<typeof withParts>[1], string[]]>([
    [
      'several layouts',
      {
        layout: [
          { ...fit, endFrame: 50 },
          { ...fit, startFrame: 50 },
        ],
      },
      [FRAMING],
    ],
    ['a crop that stays', { layout: [cropped(100)] }, []],
    [
      'a crop that moves',
      { layout: [{ ...(cropped(100) as Extract<typeof fit, { kind: 'crop' }>), cropTo: BROLL.rect }] },
      [FRAMING],
    ],
    [
      'a split view after a crop that moves',
      {
        layout: [
          { ...(cropped(50) as Extract<typeof fit, { kind: 'crop' }>), cropTo: BROLL.rect },
          { ...panes, startFrame: 50 },
        ],
      },
      [FRAMING, 'Split views are dropped; markers show where they were.'],
    ],
    ['a split view', { layout: [panes] }, ['Split views are dropped; markers show where they were.']],
    ['a zoom', { zooms: [zoom] }, ['Zooms are dropped; markers show where they were.']],
    [
      'a logo that was removed',
      {
        source: { ...plain.composition.source, patches: [{ rect: BROLL.rect, startFrame: 0, endFrame: 9 }] },
      },
      ['The removal of logos is dropped; markers show where it was.'],
    ],
    [
      'a masked word',
      { audio: { masks: [{ start: 0, end: 1, kind: 'beep' }] } },
      ['Beeps and silenced words are heard again; markers show where they are.'],
    ],
    [
      'a loudness',
      { audio: { integratedLufs: -14 } },
      ['The sound has the level of the source: loudness is not normalised.'],
    ],
    ['music under speech', { audio: { tracks: [MUSIC] } }, ['Music is not lowered under speech.']],
    ['music that is not lowered', { audio: { tracks: [{ ...MUSIC, duckDb: 0 }] } }, []],
    [
      'captions',
      { layers: [captionLayer('Hi', 5, 1)] },
      ['Captions lose their look, animation and the emphasis of the spoken word.'],
    ],
    ['a title', { layers: [TITLE] }, ['Titles keep their text and font, not their box, place and fades.']],
    ['a picture', { layers: [IMAGE] }, [PICTURES]],
    ['a video', { layers: [BROLL] }, [PICTURES]],
    [
      'a wave',
      {
        layers: [
          {
            kind: 'audiogram',
            id: 'wave',
            rect: BROLL.rect,
            colour: '#000000',
            style: 'bars',
            startFrame: 0,
            endFrame: 9,
            levels: 'Z',
            framesPerLevel: 9,
          },
        ],
      },
      ['The moving wave of the sound is dropped.'],
    ],
  ])('name %s', (_name, parts, expected) => {
    expect(partNotes(parts)).toEqual(expected)
  })

  it('name how long the last picture is held', () => {
    expect(notes(plainClip([[0, 25]], {}, 4))).toEqual([
      'The last picture is held for 4 frames; what is written there is a gap.',
    ])
  })
})

it('compares the frame rates of source and clip as fractions', () => {
  const rates = (numerator: number, denominator: number) =>
    rateNote(buildTimeline(plainClip([[0, 25]], { frameRate: rate(numerator, denominator) })))
  const other = ['Places in the source are counted at the frame rate of the clip, which is not its own.']
  expect([rates(25, 1), rates(50, 2), rates(25, 2), rates(50, 1)]).toEqual([[], [], other, other])
})
