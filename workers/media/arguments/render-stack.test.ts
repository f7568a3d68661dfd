import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import type { VideoLayer } from '../../../server/contract/composition.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import { stackChains, passesOf, videoInputs } from './render-videos.ts'

const STILL = { kind: 'none' as const, frames: 0 }
const video = (more: Partial<VideoLayer> = {}): VideoLayer => ({
  kind: 'video',
  id: 'v',
  sourceStart: secondsToTicks(1),
  loop: false,
  fit: 'fill',
  focusX: 50,
  focusY: 50,
  asset: {
    digest: 'd',
    width: 640,
    height: 360,
    frameRate: { numerator: 30, denominator: 1 },
    videoStream: 2,
    duration: secondsToTicks(2),
    hasAudio: false,
    hdr: false,
    interlaced: false,
    opaque: true,
  },
  rect: { x: 0, y: 0, width: 1080, height: 960 },
  background: null,
  opacity: 1,
  startFrame: 10,
  endFrame: 70,
  intro: STILL,
  outro: STILL,
  ...more,
})
const band = (videosBelow: number) => ({
  x: 0,
  y: 0,
  width: 100,
  height: 100,
  pictures: 2,
  videosBelow,
  shown: [{ startFrame: 0, endFrame: 90 }],
})

describe('the stack', () => {
  it('lays every video over the bands below it and under those above', () => {
    const composition = sampleComposition()
    const videos = [video(), video({ loop: true })]
    const stack = { bands: [band(0), band(1), band(2)], firstBand: 1, videos, firstVideo: 5 }
    const order = stackChains(composition, stack, 'picture', 'out')
      .flatMap((chain) => /^\[(\w+)\]\[(\w+)\]overlay=.*\[(\w+)\]$/u.exec(chain)?.slice(1, 4) ?? [])
      .join(' ')
    // Bands are inputs 1 to 3; the first video is read by input 5, the second, which goes round, by 6 and 7.
    expect(order).toBe('picture b1 q0 q0 v5o p0 p0 b2 q1 q1 v6o p1 p1 b3 q2')
  })

  it('is the bands alone without videos', () => {
    const composition = sampleComposition()
    const stack = { bands: [band(0)], firstBand: 1, videos: [], firstVideo: 2 }
    expect(stackChains(composition, stack, 'picture', 'out').at(-1)).toMatch(
      /^\[picture\]\[b1\]overlay=.*\[out\]$/u,
    )
  })
})

describe('inputs of videos', () => {
  it('read what is shown of one local file, and are kept to media formats', () => {
    const args = videoInputs(sampleComposition(), [video()], (digest) => `/home/${digest}`)
    const [seek, length] = ['-ss', '-t'].map((option) => Number(args[args.indexOf(option) + 1]))
    expect(seek).toBeCloseTo(0.9)
    expect((seek ?? 0) + (length ?? 0)).toBeGreaterThan(3)
    expect(args.slice(0, 3)).toEqual(['-protocol_whitelist', 'file,pipe', '-format_whitelist'])
    expect(args.slice(-2)).toEqual(['-i', 'file:/home/d'])
  })

  it('are two where a file goes round: from the start that was asked for, then from the beginning', () => {
    const round = video({ loop: true })
    expect(passesOf(round, sampleComposition())).toBe(2)
    const args = videoInputs(sampleComposition(), [round], () => '/x')
    expect(args.filter((word) => word === '-i')).toHaveLength(2)
    expect(args.indexOf('-stream_loop')).toBeGreaterThan(args.indexOf('-i'))
    expect(passesOf(video({ loop: true, endFrame: 30 }), sampleComposition())).toBe(1)
  })
})
