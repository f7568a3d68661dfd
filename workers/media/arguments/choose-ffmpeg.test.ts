import { describe, expect, it } from 'vitest'
import {
  chooseFfmpeg,
  type FfmpegAbilities,
  type FfmpegCandidate,
  type FfmpegOrigin,
} from './choose-ffmpeg.ts'

const PLAIN: FfmpegAbilities = {
  hardware: [],
  encoders: [],
  framesPerSecond: { av1: 60, h264: 400 },
  filters: ['zscale', 'tonemap', 'bwdif', 'yadif'],
}
const candidate = (
  origin: FfmpegOrigin,
  abilities: Partial<FfmpegAbilities> = {},
  problem: string | null = null,
): FfmpegCandidate => ({
  origin,
  ffmpeg: `/${origin}/ffmpeg`,
  problem,
  abilities: { ...PLAIN, ...abilities },
})
const speed = (av1: number | null, h264: number) => ({ framesPerSecond: { av1, h264 } })
const bundled = candidate('bundled')
const broken = (origin: FfmpegOrigin) => candidate(origin, { hardware: ['nvenc'] }, 'it does not run')

describe('the choice of ffmpeg', () => {
  it.each<[string, FfmpegCandidate[], FfmpegOrigin, RegExp]>([
    ['one alone', [bundled], 'bundled', /^it is the only one$/],
    ['one that is left', [bundled, broken('path')], 'bundled', /^no other can be used$/],
    [
      'equals',
      [candidate('path'), candidate('installed'), bundled],
      'bundled',
      /^no other does more than the b/,
    ],
    ['equals without the bundled one', [candidate('path'), candidate('installed')], 'installed', /^no other/],
    [
      'measurements that differ by chance',
      [bundled, candidate('path', speed(80, 500))],
      'bundled',
      /^no other does more/,
    ],
    [
      'a faster decoder',
      [bundled, candidate('path', speed(360, 420))],
      'path',
      /^unlike the bundled one it decodes AV1 faster \(360 against 60 frames a second of the processor\)$/,
    ],
    [
      'a decoder that the bundled one lacks',
      [candidate('bundled', speed(null, 400)), candidate('path')],
      'path',
      /AV1/,
    ],
    [
      'faster in one kind and slower in another',
      [bundled, candidate('path', speed(360, 100))],
      'bundled',
      /^unlike the one on the PATH it decodes H264 faster/,
    ],
    [
      'more filters',
      [bundled, candidate('installed', { filters: [...PLAIN.filters, 'xfade', 'arnndn'] })],
      'installed',
      /it has the filters xfade, arnndn$/,
    ],
    [
      'hardware before speed and filters',
      [
        bundled,
        candidate('installed', { ...speed(360, 900), filters: [...PLAIN.filters, 'xfade'] }),
        candidate('path', { hardware: ['vaapi'] }),
      ],
      'path',
      /it encodes with vaapi$/,
    ],
    [
      'speed where both have hardware',
      [
        candidate('bundled', { hardware: ['vaapi'] }),
        candidate('path', { hardware: ['nvenc'], ...speed(360, 400) }),
      ],
      'path',
      /it decodes AV1 faster/,
    ],
    [
      'a configured one that does less',
      [candidate('configured', speed(null, 1)), candidate('path', { hardware: ['nvenc'] }), bundled],
      'configured',
      /^the configuration names it$/,
    ],
  ])('of %s', (_, candidates, origin, reason) => {
    const choice = chooseFfmpeg(candidates)
    expect(choice).toMatchObject({ taken: { origin }, reason: expect.stringMatching(reason) as string })
    // Whatever order they were found in.
    expect(chooseFfmpeg(candidates.toReversed())).toEqual(choice)
  })

  it('takes no other in place of a configured one', () => {
    expect(chooseFfmpeg([bundled, broken('configured')])).toEqual({ taken: null, problem: 'it does not run' })
  })

  it('names what is wrong with each where none can be used', () => {
    expect(chooseFfmpeg([broken('path'), broken('bundled')])).toMatchObject({
      taken: null,
      problem: '/path/ffmpeg: it does not run; /bundled/ffmpeg: it does not run',
    })
    expect(chooseFfmpeg([])).toEqual({ taken: null, problem: 'there is none' })
  })
})
