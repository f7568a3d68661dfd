import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import { BROLL } from '../../../test/support/export-clip.ts'
import type { Composition } from '../../contract/composition.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { planHdr } from './hdr-delivery.ts'

type Video = NonNullable<SourceFacts['video']>
const filmed = (colourTransfer: string, more: Partial<Video> = {}): Video =>
  ({ colourTransfer, colourSpace: 'bt2020nc', colourPrimaries: 'bt2020', ...more }) as Video
const clip = sampleComposition()
const still = { startFrame: 0, endFrame: 90 }
const crop = { x: 0, y: 0, width: 608, height: 1080 }

const why = (composition: Partial<Composition>, video: Video | null = filmed('arib-std-b67')): unknown => {
  const planned = planHdr(video, { ...clip, ...composition })
  return 'why' in planned ? planned.why : planned.hdr
}

describe('HDR', () => {
  it('is kept as the source has it', () => {
    expect([why({}), why({}, filmed('smpte2084'))]).toEqual(['hlg', 'pq'])
    expect(why({}, filmed('smpte2084', { colourSpace: 'unknown', colourPrimaries: 'unknown' }))).toBe('pq')
    // Moving, as long as it does not come closer.
    expect(why({ layout: [{ kind: 'crop', ...still, crop, cropTo: { ...crop, x: 99 } }] })).toBe('hlg')
  })

  it.each([
    ['an ordinary source', {}, filmed('bt709'), /not HDR.*take a profile without HDR/],
    ['a source without a picture', {}, null, /not HDR/],
    ['other colours', {}, filmed('smpte2084', { colourPrimaries: 'smpte432' }), /other colours than BT\.2020 \(smpte432/],
    ['a zoom', { zooms: [{ ...still, scale: 2, xPercent: 50, yPercent: 50, easeInFrames: 0, easeOutFrames: 0 }] }, undefined, /has zooms, which cannot be made in HDR yet/],
    ['a transition', { transitions: [{ kind: 'fade', cutFrame: 40, frames: 10, colour: 'black', soundMs: 300 }] }, undefined, /transitions/],
    ['a closer look', { layout: [{ kind: 'crop', ...still, crop, cropTo: { ...crop, width: 304, height: 540 } }] }, undefined, /views that come closer/],
    ['a closer look in a pane', { layout: [{ kind: 'panes', ...still, background: 'black', panes: [{ crop, rect: crop, legs: [{ ...still, crop, cropTo: { ...crop, width: 304, height: 540 } }] }] }] }, undefined, /views that come closer/],
    ['a logo', { source: { ...clip.source, patches: [{ rect: crop, ...still }] } }, undefined, /a logo that is taken out/],
    ['a video over it', { layers: [BROLL] }, undefined, /videos laid over it/],
  ] as [string, Partial<Composition>, Video | null | undefined, RegExp][])('is refused for %s, with a sentence', (_name, composition, video, sentence) => {
    expect(why(composition, video)).toMatch(sentence)
  }) // prettier-ignore
})
