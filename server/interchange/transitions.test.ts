import { describe, expect, it } from 'vitest'
import { plainClip, withParts, write } from '../../test/support/export-clip.ts'
import type { Transition } from '../contract/composition.ts'

const transition = (kind: Transition['kind'], cutFrame = 50): Transition => ({
  kind,
  cutFrame,
  frames: 12,
  colour: 'white',
  soundMs: 480,
})
/** Two takes of 50 and 40 frames, at 25 frames a second. */
const joined = (...transitions: Transition[]) =>
  withParts(plainClip([[25, 50], [1500, 40]], { name: 'talk.mp4' }), { transitions }) // prettier-ignore

const DROPPED = /Transitions are cuts here \(([^)]*)\)/u
const dropped = (format: Parameters<typeof write>[0], ...kinds: Transition['kind'][]): string | undefined =>
  DROPPED.exec(write(format, joined(...kinds.map((kind) => transition(kind)))).notes.join(' '))?.[1]

describe('a dissolve', () => {
  it('is an event that begins half of it before the cut, in a decision list', () => {
    const { text } = write('edl', joined(transition('cross_fade')))
    expect(text.split('\n').filter((line) => /^\d/u.test(line))).toEqual([
      '001  TALK     AA/V  C        00:00:01:00 00:00:02:19 01:00:00:00 01:00:01:19',
      '002  TALK     AA/V  C        00:00:02:19 00:00:02:19 01:00:01:19 01:00:01:19',
      '002  TALK     AA/V  D    012 00:00:59:19 00:01:01:15 01:00:01:19 01:00:03:15',
    ])
  })

  it('lies between two clips, which stay where they are, in OpenTimelineIO', () => {
    const { text } = write('otio', joined(transition('cross_fade')))
    const timeline = JSON.parse(text) as {
      tracks: { children: { name: string; children: Record<string, unknown>[] }[] }
    }
    for (const track of timeline.tracks.children) {
      expect(track.children.map((child) => child['OTIO_SCHEMA'])).toEqual([
        'Clip.1',
        'Transition.1',
        'Clip.1',
      ])
      expect(track.children[1]).toMatchObject({
        transition_type: 'SMPTE_Dissolve',
        in_offset: { value: 6 },
        out_offset: { value: 6 },
      })
    }
  })

  it('lies over the cut in the spine of Final Cut', () => {
    const { text } = write('fcpxml', joined(transition('cross_fade')))
    expect(text).toContain('<transition name="Cross Dissolve" offset="44/25s" duration="12/25s"/>')
  })

  it('lies over the cut on each track of Final Cut Pro 7, whose clips give frames to it', () => {
    const { text, notes } = write('fcp7', joined(transition('cross_fade')))
    const flat = text.replaceAll(/>\s+</gu, '><')
    const all = (pattern: RegExp) => [...flat.matchAll(pattern)].map(([, ...groups]) => groups)
    expect(all(/<transitionitem><start>(\d+)<\/start><end>(\d+)<\/end>/gu)).toEqual([
      ['44', '56'],
      ['44', '56'],
      ['44', '56'],
    ])
    expect(all(/<effectid>(Cross Dissolve|KGAudioTransCrossFade0dB)<\/effectid>/gu).flat()).toHaveLength(3)
    const places = /<start>(-?\d+)<\/start><end>(-?\d+)<\/end><in>(\d+)<\/in><out>(\d+)<\/out>/gu
    expect(all(places).slice(0, 2)).toEqual([
      ['0', '-1', '25', '81'],
      ['-1', '90', '1494', '1540'],
    ])
    expect(notes.join(' ')).not.toMatch(DROPPED)
  })

  it('is a cut where the file has nothing before its beginning', () => {
    const early = withParts(plainClip([[25, 50], [2, 40]], { name: 'talk.mp4' }), { transitions: [transition('cross_fade')] }) // prettier-ignore
    for (const format of ['edl', 'fcp7'] as const)
      expect(write(format, early).text).not.toMatch(/ D {4}012|transitionitem/u)
  })

  it('is a cut where the list could not say its frames: at another speed', () => {
    const fast = withParts(plainClip([[25, 50], [1500, 40, 2]], { name: 'talk.mp4' }), { transitions: [transition('cross_fade')] }) // prettier-ignore
    expect(write('edl', fast).text).not.toMatch(/ D {4}012/u)
  })
})

describe('what a format cannot say', () => {
  it('is named, and has a marker', () => {
    expect(dropped('edl', 'whip')).toBe('whip')
    expect(dropped('fcpxml', 'zoom')).toBe('zoom')
    expect(dropped('fcp7', 'zoom')).toBe('zoom')
    expect(dropped('edl', 'cross_fade')).toBeUndefined()
    expect(write('edl', joined(transition('dip'))).text).toContain('* LOC: 01:00:01:19 RED     Dip to Color')
  })

  it('is kept by name in OpenTimelineIO', () => {
    const { text } = write('otio', joined(transition('dip')))
    expect(JSON.parse(text)).toMatchObject({
      tracks: {
        children: [
          {
            children: [
              {},
              {
                transition_type: 'Custom_Transition',
                name: 'Dip to Color',
                metadata: { cutroom: { kind: 'dip', colour: 'white' } },
              },
              {},
            ],
          },
          {},
        ],
      },
    })
  })
})
