import { describe, expect, it } from 'vitest'
import { plainClip, fullClip, rate, withParts, write, type Piece } from '../../test/support/export-clip.ts'
import type { Composition } from '../contract/composition.ts'
import { reelName } from './edl.ts'
import type { ClipForExport } from './index.ts'

describe('an edit decision list', () => {
  it('is read line by line: events from 001, speeds, files, a black tail with the next number', () => {
    const clip = plainClip(
      [
        [25, 50],
        [1500, 10, 2],
      ],
      { name: 'talk.mp4' },
      5,
    )
    expect(write('edl', clip).text.split('\n')).toEqual([
      'TITLE: Two cuts',
      'FCM: NON-DROP FRAME',
      '',
      ...write('edl', clip).notes.map((note) => `* NOTE: ${note}`),
      '001  TALK     AA/V  C        00:00:01:00 00:00:03:00 01:00:00:00 01:00:02:00',
      '* FROM CLIP NAME: talk.mp4',
      '* SOURCE FILE: file:///data/sources/ab%20c',
      '002  TALK     AA/V  C        00:01:00:00 00:01:00:20 01:00:02:00 01:00:02:10',
      'M2   TALK           050.0                00:01:00:00',
      '* FROM CLIP NAME: talk.mp4',
      '* SOURCE FILE: file:///data/sources/ab%20c',
      '003  BL       V     C        00:00:00:00 00:00:00:05 01:00:02:10 01:00:02:15',
      '',
    ])
  })

  it('ends with its markers, at the time of the programme that they have', () => {
    const frame = 705_600_000 / 25
    const marked = withParts(plainClip([[0, 50]], { name: 'talk.mp4' }), {
      audio: { masks: [{ start: 30 * frame, end: 40 * frame, kind: 'beep' }] },
    })
    expect(write('edl', marked).text.split('\n').slice(-4)).toEqual([
      '* FROM CLIP NAME: talk.mp4',
      '* SOURCE FILE: file:///data/sources/ab%20c',
      '* LOC: 01:00:01:05 RED     Beep over a word',
      '',
    ])
  })

  it('numbers its events 001, 002, and so on, the tail last', () => {
    const pieces = Array.from({ length: 12 }, (_, index): Piece => [index * 100, 5])
    const { text } = write('edl', plainClip(pieces, {}, 3))
    const numbers = [...text.matchAll(/^(\d{3}) {2}/gm)].map(([, digits]) => Number(digits))
    expect(numbers).toEqual(Array.from({ length: 13 }, (_, index) => index + 1))
  })

  it.each<[string, Partial<ClipForExport['source']>, string]>([
    ['picture and two channels', { audioChannels: 2 }, 'AA/V '],
    ['picture and one channel', { audioChannels: 1 }, 'B    '],
    ['sound whose channels nobody counted', { audioChannels: 0 }, 'B    '],
  ])('names its tracks: %s', (_name, source, channels) => {
    const { text } = write('edl', plainClip([[0, 25]], source))
    expect(text).toMatch(new RegExp(`^001 {2}MYLONGTA ${channels} C `, 'm'))
  })

  it('names the picture alone where the source is silent, and the sound alone where it has no picture', () => {
    const channels = (facts: Partial<Composition['source']>, audioChannels = 2) => {
      const clip = plainClip([[0, 25]], { audioChannels })
      const composition = { ...clip.composition, source: { ...clip.composition.source, ...facts } }
      return /^001 {2}MYLONGTA (\S+) /m.exec(write('edl', { ...clip, composition }).text)?.[1]
    }
    expect(channels({ hasAudio: false })).toBe('V')
    expect(channels({ hasVideo: false })).toBe('AA')
    expect(channels({ hasVideo: false }, 1)).toBe('A')
  })

  it('has a note for each thing that it drops, and none for what is not there', () => {
    const dropped = {
      overlays: 'Pictures and videos over the clip are dropped: the list has one track of pictures.',
      music: 'Music is dropped: the list has the sound of the source only.',
      titles: 'Titles are dropped.',
      captions: 'Captions are dropped; take them as SRT or VTT.',
      reel: 'A reel has at most 8 letters and digits: the file is named in a comment to each event.',
    }
    expect(write('edl', fullClip(rate(25))).notes).toEqual(expect.arrayContaining(Object.values(dropped)))
    const bare = write('edl', plainClip([[0, 25]], { name: 'talk' })).notes
    for (const note of Object.values(dropped)) expect(bare).not.toContain(note)
  })

  it('warns from 1,000 events on, which many programs do not read', () => {
    const cuts = (count: number) => Array.from({ length: count }, (_, index): Piece => [index * 3, 2])
    const warning = (count: number) =>
      write('edl', plainClip(cuts(count))).notes.filter((note) => note.startsWith('The list has '))
    expect(warning(999)).toEqual([])
    expect(warning(1000)).toEqual(['The list has 1000 events; programs may read only 999.'])
  })

  it('keeps titles and names on one line, and titles to 70 characters', () => {
    const clip = { ...plainClip([[0, 25]]), title: `a\t\tb\n${'x'.repeat(100)}` }
    expect(write('edl', clip).text.split('\n')[0]).toBe(`TITLE: a b ${'x'.repeat(66)}`)
  })
})

it('names reels as lists can hold them', () => {
  expect(['Ünïcode & Co.mov', 'a-very_long name.x.mp4', 'v1.2.mp4', 'Axe'].map(reelName)).toEqual([
    'NCODECO',
    'AVERYLON',
    'V12',
    'AXE',
  ])
  // AX is any source to a list, and BL is black.
  for (const name of ['ax.mp4', 'Bl.mov', '', '.mp4']) expect(reelName(name)).toBe('SOURCE')
})
