import { describe, expect, it } from 'vitest'
import type { Composition, TimeSpan } from '../../../server/contract/composition.ts'
import { frameToTicks } from '../../../server/contract/time.ts'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import { decimal, piecewise } from './colour.ts'
import { loudnessArguments, renderArguments } from './render.ts'
import { tempoChain } from './render-audio.ts'
import { overlayChains } from './render-picture.ts'
import { softwareEncoder } from './render-encoder.ts'
import { planTime } from './render-time.ts'

const RATE = { numerator: 30, denominator: 1 }
const NTSC = { numerator: 30000, denominator: 1001 }

function spans(
  pieces: readonly (readonly [from: number, frames: number, rate?: number])[],
  fps = RATE,
): TimeSpan[] {
  let at = 0
  return pieces.map(([from, frames, playbackRate = 1]) => {
    const span = {
      startFrame: at,
      endFrame: at + frames,
      sourceStart: frameToTicks(from, fps),
      sourceEnd: frameToTicks(from + frames * playbackRate, fps),
      playbackRate,
    }
    at += frames
    return span
  })
}

function withSpans(pieces: Parameters<typeof spans>[0]): Composition {
  const timeMap = spans(pieces)
  return { ...sampleComposition({ durationFrames: timeMap.at(-1)?.endFrame ?? 0 }), timeMap }
}

function graphOf(composition: Composition, bands = 0): string {
  const args = renderArguments({
    composition,
    sourceFile: '/x/y',
    outputFile: '/out.mp4',
    stillFile: null,
    encoder: softwareEncoder({ preset: 'veryfast', crf: 20 }, RATE),
    bands: Array.from({ length: bands }, () => ({
      x: 10,
      y: 20,
      width: 64,
      height: 32,
      pictures: 9,
      shown: [{ startFrame: 5, endFrame: 50 }],
    })),
    gain: null,
  })
  return args[args.indexOf('-filter_complex') + 1] ?? ''
}

describe('planTime', () => {
  it('reads nine frames early and a little late, in whole microseconds', () => {
    const [window] = planTime(withSpans([[300, 90]])).windows
    expect(window?.seekMicroseconds).toBe(Math.floor((291 / 30) * 1_000_000))
    expect(window?.lengthSeconds).toBeCloseTo(99 / 30 + 0.5, 5)
    expect(window?.spans[0]).toMatchObject({ sourceFrame: 9, sourceFrames: 90, samples: 144_000 })
  })

  it('cannot read before the start', () => {
    expect(planTime(withSpans([[1, 30]])).windows[0]).toMatchObject({
      seekMicroseconds: 0,
      spans: [{ sourceFrame: 1 }],
    })
  })

  it('joins what goes on, seeks again where it is far or backwards', () => {
    const near = planTime(withSpans([[10, 10], [20, 10], [40, 10]])) // prettier-ignore
    expect(near.windows).toHaveLength(1)
    expect(near.windows[0]?.spans.map((span) => span.frames)).toEqual([20, 10])
    expect(planTime(withSpans([[10, 10], [900, 10]])).windows).toHaveLength(2) // prettier-ignore
    expect(planTime(withSpans([[900, 10], [10, 10]])).windows).toHaveLength(2) // prettier-ignore
  })

  it('never lets two spans claim one frame', () => {
    const timeMap = spans([[10, 5], [20, 5]]) // prettier-ignore
    const [first, second] = timeMap
    if (first === undefined || second === undefined) throw new Error('two spans')
    second.sourceStart = frameToTicks(15, RATE) - 8_000_000
    const { windows } = planTime({ ...sampleComposition({ durationFrames: 10 }), timeMap })
    const frames = windows.flatMap((window) => window.spans).map((span) => span.sourceFrame)
    expect(windows.length === 2 || (frames[1] ?? 0) >= (frames[0] ?? 0) + 5).toBe(true)
  })

  it('plays exactly the samples of its frames, whatever the rate', () => {
    const timeMap = spans(
      Array.from({ length: 40 }, (_, index) => [100 + index * 11, 7] as const),
      NTSC,
    )
    const composition = { ...sampleComposition({ durationFrames: 280, frameRate: NTSC }), timeMap }
    const plan = planTime(composition)
    const sum = plan.windows
      .flatMap((window) => window.spans)
      .reduce((total, span) => total + span.samples, 0)
    expect(sum).toBe(plan.totalSamples)
    expect(plan.totalSamples).toBe(Math.round((280 * 1001 * 48_000) / 30_000))
  })
})

describe('picture', () => {
  it('crops once and scales once', () => {
    const graph = graphOf(sampleComposition())
    expect(graph).toMatch(
      /crop=w=iw\*0\.3166\d+:h=ih\*1\b.*,scale=1080:1920:flags=bicubic:out_range=tv,setsar=1,format=yuv420p/,
    )
    expect(graph).not.toContain('split')
  })

  it('leaves a whole picture uncropped', () => {
    expect(graphOf(sampleComposition({ width: 1920, height: 1080 }))).not.toContain('crop=')
  })

  it('moves a crop of one size by one expression', () => {
    const composition = sampleComposition({ durationFrames: 90 })
    const crop = { x: 0, y: 0, width: 608, height: 1080 }
    const layout = [0, 30, 60].map((startFrame, index) => ({
      kind: 'crop' as const,
      startFrame,
      endFrame: startFrame + 30,
      crop: { ...crop, x: index * 192 },
    }))
    const graph = graphOf({ ...composition, layout })
    expect(graph).toContain('x=iw*(if(lt(n\\,60)\\,if(lt(n\\,30)\\,0.0000001\\,0.1000001)\\,0.2000001))')
    expect(graph).not.toContain('concat')
  })

  it.each([
    ['hdr', { hdr: true }, /tonemap=mobius/],
    ['interlaced', { interlaced: true }, /^\[0:0\]bwdif=.*fps=30\/1/],
    ['BT.601', { colourMatrix: 'bt601' as const }, /in_color_matrix=bt601:out_color_matrix=bt709/],
    ['small and untagged', { width: 640, height: 480 }, /in_color_matrix=bt601/],
    ['no picture', { hasVideo: false }, /color=c=black:s=1080x1920:r=30\/1,trim=end_frame=90/],
    ['no sound', { hasAudio: false }, /anullsrc=r=48000:cl=stereo,atrim=end_sample=144000/],
    ['other streams', { videoStream: 3, audioStream: 2 }, /\[0:3\]fps.*\[0:2\]atrim/],
  ])('%s', (_name, source, expected) => {
    expect(graphOf(sampleComposition({ source }))).toMatch(expected)
  })

  it('tells the pictures of a band as large as the output by their number', () => {
    const band = {
      x: 0,
      y: 0,
      width: 1080,
      height: 1920,
      pictures: 9,
      shown: [{ startFrame: 40, endFrame: 50 }],
    }
    const chains = overlayChains(sampleComposition(), [band], 1, 'picture', 'video')
    expect(chains.at(-1)).toContain('enable=between(n\\,40\\,49)+lt(n\\,9)[video]')
  })

  it('lays each band over the one before, only while it shows', () => {
    const graph = graphOf(sampleComposition(), 2)
    expect(graph).toContain('[1:0]settb=1/30[b1];[picture][b1]overlay=x=10:y=20')
    expect(graph).toContain('[o1][b2]overlay=')
    expect(graph).toContain('enable=between(n\\,5\\,49)+lt(w\\,1080)+lt(h\\,1920)[stacked]')
    expect(graph).toContain('[stacked]setparams=range=tv')
  })
})

describe('sound', () => {
  it('lays cut pieces on two tracks and adds them', () => {
    const graph = graphOf(withSpans([[10, 10], [30, 10], [50, 10]])) // prettier-ignore
    expect(graph).toContain('asplit=3')
    expect(graph).toContain('[t0q][t1q]amerge=inputs=2,pan=stereo|c0=c0+c2|c1=c1+c3')
    expect(graph).not.toContain('acrossfade')
    // 10 frames are 16000 samples; inner pieces reach 240 past both cuts.
    expect(graph).toContain('atrim=start_sample=46160:end_sample=62640')
  })

  it.each([
    [1.5, 'atempo=1.5'],
    [4, 'atempo=2,atempo=2'],
    [3, 'atempo=2,atempo=1.5'],
    [0.25, 'atempo=0.5,atempo=0.5'],
  ])('plays at %d', (rate, expected) => {
    expect(tempoChain(rate)).toBe(expected)
  })

  it('measures the same sound that it renders', () => {
    const composition = withSpans([[10, 10], [30, 10]]) // prettier-ignore
    const args = loudnessArguments(composition, '/x', null)
    const measured = args[args.indexOf('-filter_complex') + 1] ?? ''
    for (const chain of measured.split(';').slice(0, -1)) expect(graphOf(composition)).toContain(chain)
    expect(measured).toContain('ebur128=peak=true')
    expect(measured).not.toContain('[0:0]')
  })
})

describe('command', () => {
  const args = renderArguments({
    composition: sampleComposition(),
    sourceFile: '/a:b/c',
    outputFile: '/out/clip.mp4',
    stillFile: '/out/still.jpg',
    encoder: softwareEncoder({ preset: 'medium', crf: 18 }, NTSC),
    bands: [{ x: 0, y: 0, width: 64, height: 32, pictures: 9, shown: [] }],
    gain: { gainDb: 4.2, ceilingDb: -1.7 },
  })
  const after = (name: string): string => args[args.indexOf(name) + 1] ?? ''

  it('reads nothing but files and pipes', () => {
    expect(args.filter((arg) => arg === '-i')).toHaveLength(2)
    expect(args.filter((arg) => arg === '-protocol_whitelist')).toHaveLength(2)
    expect(args).toContain('file:/a:b/c')
    expect(args).toContain('pipe:3')
    expect(args).toContain('-nostdin')
  })

  it('seeks before it opens', () => {
    expect(args.indexOf('-ss')).toBeLessThan(args.indexOf('-i'))
  })

  it('encodes as told, the same bytes each time', () => {
    expect([after('-c:v'), after('-preset'), after('-crf'), after('-g')]).toEqual([
      'libx264',
      'medium',
      '18',
      '60',
    ])
    expect([after('-fflags'), after('-map_metadata'), after('-movflags')]).toEqual([
      '+bitexact',
      '-1',
      '+faststart',
    ])
    expect([after('-c:a'), after('-b:a')]).toEqual(['aac', '192k'])
  })

  it('limits at four times the rate', () => {
    const graph = after('-filter_complex')
    // And gives the 4 ms back by which the limiter is late.
    expect(graph).toContain('atrim=start_sample=768,asetpts=N/SR/TB,aresample=48000')
    expect(graph).toContain(
      'volume=4.2dB:precision=float,apad=pad_len=192,aresample=192000,alimiter=level=disabled:limit=0.82224',
    )
  })
})

describe('expressions', () => {
  it('are balanced', () => {
    const pieces = Array.from({ length: 64 }, (_, index) => ({ from: index * 10, value: String(index) }))
    const text = piecewise('n', pieces)
    let depth = 0
    let deepest = 0
    for (const letter of text) {
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0
      deepest = Math.max(deepest, depth)
    }
    expect(deepest).toBeLessThanOrEqual(12)
  })

  it.each([
    [1, '1'],
    [0.1, '0.1'],
    [1e-7, '0'],
    [1234.5678901, '1234.56789'],
    [100, '100'],
  ])('%d', (value, text) => {
    expect(decimal(value)).toBe(text)
  })
})
