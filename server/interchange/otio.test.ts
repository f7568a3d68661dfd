import { describe, expect, it } from 'vitest'
import {
  BROLL,
  cropped,
  IMAGE,
  MUSIC,
  NTSC,
  fullClip,
  plainClip,
  rate,
  withParts,
  write,
} from '../../test/support/export-clip.ts'
import { CAPTION_STYLE, TITLE } from '../../test/support/sample-composition.ts'
import type { ClipForExport } from './index.ts'

const read = (clip: ClipForExport): unknown => JSON.parse(write('otio', clip).text)

interface Track {
  name: string
  children: { name: string; source_range: { start_time: { value: number }; duration: { value: number } } }[]
}
/** What each track plays: name, first frame of the file, frames. */
function played(clip: ClipForExport) {
  const { tracks } = read(clip) as { tracks: { children: Track[] } }
  return tracks.children.map(({ name, children }) => [
    name,
    ...children.map(
      (child) => `${child.name} ${child.source_range.start_time.value}+${child.source_range.duration.value}`,
    ),
  ])
}

const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value })
const range = (start: number, frames: number) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: time(start),
  duration: time(frames),
})
const fields = { metadata: {}, effects: [], markers: [], source_range: null, enabled: true }
const track = (kind: 'Video' | 'Audio', name: string, children: readonly unknown[]) => ({
  OTIO_SCHEMA: 'Track.1',
  ...fields,
  name,
  kind,
  children,
})
const file = (name: string, target_url: string, frames: number) => ({
  OTIO_SCHEMA: 'ExternalReference.1',
  name,
  target_url,
  available_range: frames === 0 ? null : range(0, frames),
  metadata: {},
})
const SOURCE = file('talk.mp4', 'file:///data/sources/ab%20c', 90_000)
const SONG = file('song.mp3', 'file:///data/song.mp3', 75)
const LOGO = file('logo.png', 'file:///data/logo.png', 0)
const item = (name: string, reference: unknown, source_range: unknown) => ({
  OTIO_SCHEMA: 'Clip.1',
  ...fields,
  name,
  source_range,
  media_reference: reference,
})
const gap = (frames: number) => ({
  OTIO_SCHEMA: 'Gap.1',
  ...fields,
  name: 'Gap',
  source_range: range(0, frames),
})
const words = (name: string, text: string, frames: number, face: Partial<typeof TITLE.face>) =>
  item(
    name,
    {
      OTIO_SCHEMA: 'GeneratorReference.1',
      name: 'Text',
      generator_kind: 'text',
      parameters: {
        text,
        fontFamily: 'Montserrat',
        fontSize: 60,
        fontWeight: 800,
        italic: false,
        colour: '#111114',
        ...face,
      },
      available_range: range(0, frames),
      metadata: {},
    },
    range(0, frames),
  )

it('writes a whole document', () => {
  const frame = 705_600_000 / 25
  const pieces = [
    [50, 20],
    [200, 10, 2],
  ] as const
  const cue = { startFrame: 16, endFrame: 24, style: 0 }
  const clip = withParts(plainClip(pieces, { name: 'talk.mp4' }, 5), {
    layers: [
      IMAGE,
      { ...TITLE, text: 'One\ntwo', startFrame: 2, endFrame: 10 },
      {
        kind: 'captions',
        id: 'captions',
        language: 'en',
        styles: [CAPTION_STYLE],
        cues: [{ ...cue, words: [{ text: 'Hi', startFrame: 16, endFrame: 24 }] }],
      },
    ],
    layout: [cropped(35)],
    audio: {
      masks: [{ start: 6 * frame, end: 8 * frame, kind: 'beep' }],
      tracks: [{ ...MUSIC, startFrame: 5, endFrame: 20 }],
    },
  })
  const first = item('Two', SOURCE, range(50, 20))
  const warp = { OTIO_SCHEMA: 'LinearTimeWarp.1', name: 'Speed', effect_name: 'LinearTimeWarp', metadata: {} }
  const second = { ...item('Two', SOURCE, range(200, 10)), effects: [{ ...warp, time_scalar: 2 }] }
  const freeze = { OTIO_SCHEMA: 'FreezeFrame.1', name: 'Hold', effect_name: 'FreezeFrame', metadata: {} }
  // Ten frames at twice the speed read twenty: the last one is 219.
  const held = { ...item('Two', SOURCE, range(219, 5)), effects: [{ ...freeze, time_scalar: 0 }] }
  const notes = [
    'Beeps and silenced words are heard again; markers show where they are.',
    'Music is not lowered under speech.',
    'Captions lose their look, animation and the emphasis of the spoken word.',
    'Titles keep their text and font, not their box, place and fades.',
    'Pictures and videos over the clip keep their time, not their place and size.',
  ]
  const written = write('otio', { ...clip, title: 'Two' })
  expect(written.notes).toEqual(notes)
  expect(JSON.parse(written.text)).toEqual({
    OTIO_SCHEMA: 'Timeline.1',
    name: 'Two',
    global_start_time: time(0),
    metadata: { cutroom: { width: 1080, height: 1920, notes } },
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      ...fields,
      name: 'tracks',
      children: [
        track('Video', 'Clip', [first, second, held]),
        track('Video', 'Overlays 1', [gap(5), item('logo.png', LOGO, range(0, 10))]),
        track('Video', 'Titles 1', [gap(2), words('One two', 'One\ntwo', 8, {})]),
        track('Video', 'Captions', [gap(16), words('Hi', 'Hi', 8, { fontSize: 76, colour: '#ffffff' })]),
        track('Audio', 'Speech', [first, second]),
        track('Audio', 'Music 1', [
          gap(5),
          { ...item('song.mp3', SONG, range(25, 15)), metadata: { cutroom: { levelDb: -12 } } },
        ]),
      ],
      markers: [
        {
          OTIO_SCHEMA: 'Marker.2',
          name: 'Beep over a word',
          color: 'RED',
          marked_range: range(6, 2),
          metadata: {},
        },
      ],
    },
  })
  expect(written.text).toBe(`${JSON.stringify(JSON.parse(written.text), null, 2)}\n`)
})

describe('tracks', () => {
  it('have gaps between items, and none between those that touch', () => {
    const at = (id: string, startFrame: number, endFrame: number) => ({ ...IMAGE, id, startFrame, endFrame })
    const clip = withParts(plainClip([[0, 25]]), { layers: [at('a', 0, 4), at('b', 4, 6), at('c', 10, 12)] })
    expect(played(clip)[1]).toEqual(['Overlays 1', 'logo.png 0+4', 'logo.png 0+2', 'Gap 0+4', 'logo.png 0+2'])
  })

  it('are numbered, and those of nothing are not there', () => {
    const clip = withParts(plainClip([[0, 25]]), {
      layers: [IMAGE, { ...BROLL, startFrame: 10, endFrame: 20 }, TITLE, { ...TITLE, id: 'second' }],
      audio: { tracks: [MUSIC, MUSIC] },
    })
    expect(played(clip).map(([name]) => name)).toEqual([
      'Clip',
      'Overlays 1',
      'Overlays 2',
      'Titles 1',
      'Titles 2',
      'Speech',
      'Music 1',
      'Music 2',
    ])
    const facts = (source: { hasVideo?: boolean; hasAudio?: boolean }) => {
      const plain = plainClip([[0, 25]])
      return played(withParts(plain, { source: { ...plain.composition.source, ...source } }))
    }
    const whole = ['Two\n cuts  0+25']
    expect(facts({})).toEqual([
      ['Clip', ...whole],
      ['Speech', ...whole],
    ])
    expect(facts({ hasVideo: false })).toEqual([['Speech', ...whole]])
    expect(facts({ hasAudio: false })).toEqual([['Clip', ...whole]])
  })

  it('hold the last picture, which is the last one that was played', () => {
    const held = (frames: number, speed = 1) => played(plainClip([[100, frames, speed]], {}, 3))[0]?.at(-1)
    expect(held(10)).toBe('Two\n cuts  109+3')
    expect(held(10, 0.5)).toBe('Two\n cuts  104+3')
    // A single frame at a quarter of the speed: the first one is the last one.
    expect(held(1, 0.25)).toBe('Two\n cuts  100+3')
  })
})

it('has a note for another frame rate of the source, and its own as a number', () => {
  const other = 'Places in the source are counted at the frame rate of the clip, which is not its own.'
  expect(write('otio', plainClip([[0, 25]], { frameRate: rate(50) })).notes).toEqual([other])
  expect(write('otio', plainClip([[0, 25]], { frameRate: rate(50, 2) })).notes).toEqual([])
  expect(write('otio', plainClip([[0, 25]], { frameRate: null })).notes).toEqual([])
  expect(read(fullClip(NTSC))).toMatchObject({ global_start_time: { value: 0, rate: 30_000 / 1001 } })
})
