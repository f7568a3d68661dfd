import { describe, expect, it } from 'vitest'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import { blendingOf, PLAIN_BLENDING, takesFpsMode, takesOptionFiles } from './dialect.ts'
import { absentEncoders, encoderCandidates, HARDWARE_WAYS, type HardwareWay } from './hardware-encoders.ts'
import { encoderProbeArguments, SOFTWARE, videoEncoder } from './render-encoder.ts'
import { renderArguments } from './render.ts'

const NTSC = { numerator: 30000, denominator: 1001 }
const SHAPE = { width: 1080, height: 1920, frameRate: NTSC }
const SETTINGS = { preset: 'veryfast', crf: 20 }
const WAYS = Object.keys(HARDWARE_WAYS) as HardwareWay[]

function command(way: HardwareWay | 'software', device: string | null = null, fpsMode = false): string[] {
  return renderArguments({
    composition: sampleComposition({ frameRate: NTSC }),
    sourceFile: '/x/y',
    outputFile: '/out.mp4',
    stillFile: '/still.jpg',
    encoder: videoEncoder({ way, device }, SETTINGS, SHAPE),
    bands: [],
    gain: null,
    dialect: { fpsMode, optionFiles: false, blending: PLAIN_BLENDING },
  })
}

describe.each(WAYS)('%s', (way) => {
  const args = command(way, '/dev/dri/renderD129')
  const after = (name: string): string => args[args.indexOf(name) + 1] ?? ''

  it('starts a closed group of pictures every two seconds, tagged BT.709', () => {
    expect(after('-c:v')).toBe(HARDWARE_WAYS[way].encoder)
    expect([after('-g'), after('-colorspace'), after('-color_range')]).toEqual(['60', 'bt709', 'tv'])
    // ffmpeg takes the last for the whole, so it has both.
    const flags = args.flatMap((arg, index) => (arg === '-flags:v' ? [args[index + 1]] : []))
    expect(flags.slice(0, 2)).toEqual(['+bitexact', '+bitexact+cgop'])
    expect(args).not.toContain('-crf')
  })

  it('is tried with the arguments that it will work with', () => {
    const probe = encoderProbeArguments(way, '/dev/dri/renderD129')
    const own = videoEncoder({ way, device: '/dev/dri/renderD129' }, SETTINGS, {
      ...SHAPE,
      width: 640,
      height: 360,
    })
    const numbers = /^\d+k?$/
    const shown = (list: readonly string[]): string[] => list.filter((arg) => !numbers.test(arg))
    expect(shown(probe)).toEqual(expect.arrayContaining(shown(own.arguments)))
    expect(probe.slice(-3)).toEqual(['-f', 'h264', 'pipe:1'])
    expect([probe[probe.indexOf('-frames:v') + 1], probe.includes('-nostdin')]).toEqual(['1', true])
  })
})

it('puts a picture on the device that takes it there only', () => {
  const args = command('vaapi', '/dev/dri/renderD129')
  expect(args.slice(args.indexOf('-vaapi_device'), args.indexOf('-i')).slice(0, 2)).toEqual([
    '-vaapi_device',
    '/dev/dri/renderD129',
  ])
  const graph = args[args.indexOf('-filter_complex') + 1] ?? ''
  expect(graph).toContain('[drawn]split[plain][copy]')
  expect(graph).toContain('[plain]format=nv12,hwupload[video]')
  expect(args).not.toContain('-pix_fmt')
  expect(command('nvenc').join(' ')).not.toMatch(/hwupload|vaapi/)
})

it('leaves the software encoder as it was', () => {
  const args = command('software')
  expect(args.slice(args.indexOf('-c:v'), args.indexOf('-colorspace'))).toEqual([
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '20',
    '-pix_fmt',
    'yuv420p',
    '-profile:v',
    'high',
    '-g',
    '60',
  ])
  expect(videoEncoder(SOFTWARE, SETTINGS, SHAPE).globalArguments).toEqual([])
})

it('asks encoders that know no quality for a rate that grows with the picture', () => {
  const rateOf = (width: number, height: number): string => {
    const { arguments: args } = videoEncoder({ way: 'videotoolbox-rate', device: null }, SETTINGS, {
      width,
      height,
      frameRate: { numerator: 30, denominator: 1 },
    })
    return args[args.indexOf('-b:v') + 1] ?? ''
  }
  expect([rateOf(1080, 1920), rateOf(720, 1280), rateOf(64, 64)]).toEqual(['8709k', '3871k', '500k'])
})

describe('candidates', () => {
  const encoders = new Set(['h264_nvenc', 'h264_vaapi', 'h264_qsv', 'h264_videotoolbox', 'h264_amf'])
  const linux = { platform: 'linux', encoders, exists: (path: string) => path.endsWith('129') }

  it('are what the system can have, in order', () => {
    expect(encoderCandidates('auto', linux).map(({ way }) => way)).toEqual([
      'nvenc',
      'nvenc-named-presets',
      'qsv',
      'amf',
      'vaapi',
    ])
    expect(encoderCandidates('auto', { ...linux, platform: 'darwin' }).map(({ way }) => way)).toEqual([
      'videotoolbox',
      'videotoolbox-rate',
    ])
    expect(encoderCandidates('vaapi', linux)).toEqual([{ way: 'vaapi', device: '/dev/dri/renderD129' }])
    expect(encoderCandidates('auto', { ...linux, encoders: new Set(['libx264']) })).toEqual([])
  })

  it('that are none are told apart: not in this build, no device, another system', () => {
    const bare = { platform: 'linux', encoders: new Set(['h264_vaapi']), exists: () => false }
    expect(absentEncoders('auto', bare)).toEqual([
      { setting: 'nvenc', why: 'not built in' },
      { setting: 'qsv', why: 'not built in' },
      { setting: 'vaapi', why: 'no device' },
      { setting: 'amf', why: 'not built in' },
    ])
    expect(absentEncoders('videotoolbox', bare)).toEqual([{ setting: 'videotoolbox', why: 'other system' }])
    expect(absentEncoders('auto', linux)).toEqual([])
  })
})

describe('dialects', () => {
  it.each([
    ['56. 24.101 / 56. 24.101', [false, false]],
    ['57. 17.100 / 57. 17.100', [false, false]],
    ['57. 28.100 / 57. 28.100', [true, false]],
    ['58. 29.100 / 58. 29.100', [true, false]],
    ['59.  8.100 / 59.  8.100', [true, true]],
    ['60.  8.100 / 60.  8.100', [true, true]],
    ['nonsense', [false, false]],
  ])('of libavutil %s', (version, modern) => {
    const text = `ffmpeg version x\nlibavutil      ${version}\n`
    expect([takesFpsMode(text), takesOptionFiles(text)]).toEqual(modern)
  })

  it('tell a newer ffmpeg the rate, an older one to leave the frames alone', () => {
    const old = command('software')
    const recent = command('software', null, true)
    expect([old.includes('-vsync'), recent.includes('-vsync')]).toEqual([true, false])
    expect(recent.slice(recent.indexOf('-fps_mode'), recent.indexOf('-map'))).toEqual([
      '-fps_mode',
      'cfr',
      '-r',
      '30000/1001',
    ])
  })

  it('know how pictures are blended from a picture', () => {
    const picture = (...thirds: readonly number[]): Uint8Array =>
      Uint8Array.from({ length: 48 * 16 }, (_, index) => thirds[Math.floor((index % 48) / 16)] ?? 0)
    expect(blendingOf(picture(100, 226, 163))).toEqual(PLAIN_BLENDING)
    expect(blendingOf(picture(84, 210, 147))).toEqual({ kind: 'premultiplied', opaque: 16, transparent: 16 })
    expect(blendingOf(picture(100, 126, 113))).toEqual({ kind: 'straight' })
    // Neither is what happens between the two, nor is a picture that is dropped where it is transparent.
    expect(blendingOf(picture(100, 226, 113))).toBeNull()
    expect(blendingOf(picture(100, 126, 163))).toBeNull()
    expect(blendingOf(new Uint8Array())).toBeNull()
  })
})
