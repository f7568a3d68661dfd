import { describe, expect, it } from 'vitest'
import { type ClipFaces, encodeWave } from '../../contract/clip-measurements.ts'
import type { Composition, ImageLayer, Layer } from '../../contract/composition.ts'
import { captionLayer, sampleComposition, TITLE } from '../../../test/support/sample-composition.ts'
import { thumbnailPlan } from './thumbnail.ts'

const STILL = { kind: 'none' as const, frames: 0 }
const picture = (more: Partial<ImageLayer>): ImageLayer => ({
  kind: 'image',
  id: 'picture',
  fit: 'cover',
  background: null,
  opacity: 1,
  intro: STILL,
  outro: STILL,
  asset: { digest: 'd', width: 10, height: 10, opaque: true },
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  startFrame: 0,
  endFrame: 300,
  ...more,
})
const clip = (layers: Layer[], more: Partial<Composition> = {}): Composition => ({
  ...sampleComposition({ durationFrames: 300, layers }),
  ...more,
})
const framesOf = (composition: Composition, faces?: ClipFaces): number[] =>
  thumbnailPlan(composition, faces).moments.map(({ frame }) => frame)

describe('a thumbnail', () => {
  it('has title and pictures, and neither captions nor sound: what changes only these leaves it alone', () => {
    const title = { ...TITLE, endFrame: 300 }
    const mark = picture({ rect: { x: 0, y: 0, width: 100, height: 100 } })
    const plain = clip([title, mark])
    const plan = thumbnailPlan(plain)
    expect(plan.composition.layers).toEqual([title, mark])
    const spoken = clip([title, captionLayer('words and words', 20, 2), mark])
    const loud = { ...spoken, audio: { ...spoken.audio, integratedLufs: -20 } }
    expect(thumbnailPlan(loud)).toEqual(plan)
    expect(thumbnailPlan(clip([{ ...title, text: 'Another' }, mark]))).not.toEqual(plan)
  })

  it('is taken from all over the clip, never from its tail', () => {
    expect(framesOf(clip([]))).toEqual([30, 90, 150, 210, 270])
    expect(Math.max(...framesOf(clip([], { tailFrames: 150 })))).toBeLessThan(150)
    expect(framesOf(sampleComposition({ durationFrames: 1 }))).toEqual([0])
  })

  it('waits until what comes has come, and until what covers the picture has gone', () => {
    const late = { ...TITLE, startFrame: 0, endFrame: 200, fadeFrames: 60 }
    const coming = framesOf(clip([late]))
    expect(coming.every((frame) => (frame >= 60 && frame < 140) || frame >= 200)).toBe(true)
    const inserted = framesOf(clip([picture({ startFrame: 20, endFrame: 250 })]))
    expect(inserted.every((frame) => frame < 20 || frame >= 250)).toBe(true)
    expect(inserted).toHaveLength(5)
    // What covers it all the time is how the clip looks.
    expect(framesOf(clip([picture({})]))).toEqual(framesOf(clip([])))
    const brief = clip([picture({ startFrame: 0, endFrame: 300, intro: { kind: 'fade', frames: 300 } })])
    expect(framesOf(brief)).toHaveLength(5)
  })

  it('is rather taken where a face is shown, and the larger the better', () => {
    const composition = clip([])
    const face = (from: number, to: number, x: number, size: number, id: number) => ({
      id,
      points: [from, to].map((at): [number, number, number, number, number] => [at, x, 0.3, size, size]),
      speaking: [],
    })
    const faces: ClipFaces = {
      start: 0,
      end: 10,
      shotStarts: [3, 6],
      screens: [],
      // In the middle of the picture, small and then large; at the end outside of what is shown.
      tracks: [face(0, 2.9, 0.48, 0.05, 0), face(3, 5.9, 0.45, 0.15, 1), face(6, 9.9, 0.05, 0.15, 2)],
    }
    const { moments } = thumbnailPlan(composition, faces)
    const worth = moments.map((moment) => moment.worth)
    expect(Math.max(...worth)).toBe(worth[2])
    expect(worth[2]!).toBeGreaterThan(worth[0]!)
    expect(worth[0]!).toBeGreaterThan(1)
    expect(worth[4]).toBe(1)
  })

  it('of sound alone shows the wave where it is high', () => {
    const levels = encodeWave(Array.from({ length: 300 }, (_, at) => (at >= 200 && at < 220 ? 1 : 0)))
    const wave: Layer = {
      kind: 'audiogram',
      id: 'wave',
      rect: { x: 0, y: 0, width: 1080, height: 300 },
      colour: '#ffffff',
      style: 'bars',
      startFrame: 0,
      endFrame: 300,
      levels,
      framesPerLevel: 1,
    }
    const made = clip([wave])
    const { moments } = thumbnailPlan({ ...made, source: { ...made.source, hasVideo: false } })
    const best = moments.toSorted((a, b) => b.worth - a.worth)[0]
    expect([best!.frame >= 195, best!.frame < 225, best!.worth > 1.5]).toEqual([true, true, true])
  })
})
