import { describe, expect, it } from 'vitest'
import type { Composition, LayoutSpan } from '../../../server/contract/composition.ts'
import { sampleComposition } from '../../../test/support/sample-composition.ts'
import {
  cardCandidates,
  cardFilters,
  cardInput,
  differenceOf,
  planReading,
  sizeOnCard,
  type CardReading,
} from './card-reading.ts'
import { CARDS } from './cards/registry.ts'
import { HARDWARE_SETTINGS } from './hardware-encoders.ts'
import { softwareEncoder } from './render-encoder.ts'
import { partsArguments, renderArguments } from './render.ts'
import { planTime } from './render-time.ts'

const FOUR_K = { width: 3840, height: 2160 }
const RATE = { numerator: 30, denominator: 1 }
const wide = sampleComposition({ source: FOUR_K })
const cuda = (size: CardReading['size'], format: CardReading['format'] = 'nv12'): CardReading => ({
  card: 'cuda',
  device: null,
  format,
  size,
})

const laid = (layout: LayoutSpan[], source: Partial<Composition['source']> = {}): Composition => ({
  ...wide,
  source: { ...wide.source, ...source },
  layout,
})
const FRAMES = { startFrame: 0, endFrame: wide.durationFrames }
const WHOLE = { x: 0, y: 0, ...FOUR_K }

describe('what is scaled on the card', () => {
  it.each([
    // 1080 x 1920 out of 1215 x 2160: there is little to gain.
    ['a crop of the full height', sampleComposition({ source: FOUR_K }), null],
    ['the whole picture, to a third', laid([{ kind: 'fit', ...FRAMES, crop: WHOLE, zoom: 1, background: 'blur' }]), { width: 1920, height: 1080 }],
    ['a clip of half the size', sampleComposition({ source: FOUR_K, width: 540, height: 960 }), { width: 1920, height: 1080 }],
    ['a clip as wide as two thirds', sampleComposition({ source: FOUR_K, width: 2560, height: 1440 }), { width: 2560, height: 1440 }],
    ['panes', laid([{ kind: 'panes', ...FRAMES, background: 'black', panes: [{ crop: WHOLE, rect: { x: 0, y: 0, width: 540, height: 304 } }] }]), null],
    ['a moving crop', laid([{ kind: 'crop', ...FRAMES, crop: { x: 0, y: 0, width: 1215, height: 2160 }, cropTo: { x: 400, y: 0, width: 1215, height: 2160 } }]), null],
    ['interlaced pictures', laid([{ kind: 'fit', ...FRAMES, crop: WHOLE, zoom: 1, background: 'blur' }], { interlaced: true }), null],
    ['a logo to be taken out', laid([{ kind: 'fit', ...FRAMES, crop: WHOLE, zoom: 1, background: 'blur' }], { patches: [{ rect: { x: 0, y: 0, width: 100, height: 100 }, startFrame: 0, endFrame: 9 }] }), null],
  ])('%s', (_name, composition, size) => {
    expect(sizeOnCard(composition)).toEqual(size)
  }) // prettier-ignore
})

describe('a command', () => {
  const command = { composition: wide, sourceFile: '/s', bands: [], encoder: softwareEncoder({ preset: 'fast', crf: 20 }, RATE) } // prettier-ignore
  const render = (reading: CardReading | null): string[] =>
    renderArguments({ ...command, outputFile: '/o.mp4', stillFile: null, gain: null, reading })

  it('decodes on the card, scales there, and takes each picture off it once', () => {
    const args = render(cuda({ width: 1920, height: 1080 }))
    const at = args.indexOf('-hwaccel')
    expect(args.slice(at, at + 4)).toEqual(['-hwaccel', 'cuda', '-hwaccel_output_format', 'cuda'])
    expect(args.indexOf('-i')).toBeGreaterThan(at)
    const graph = args[args.indexOf('-filter_complex') + 1] ?? ''
    expect(graph).toContain(
      '[0:0]scale_cuda=w=1920:h=1080:interp_algo=bicubic:format=nv12,hwdownload,format=nv12,fps=30/1',
    )
    expect(graph.match(/hwdownload/g)).toHaveLength(1)
  })

  it('is otherwise as it is without a card', () => {
    const reading = cuda(null)
    const graphOf = (args: string[]): string => args[args.indexOf('-filter_complex') + 1] ?? ''
    const bare = render(null)
    const on = render(reading)
    expect(graphOf(on).replace(cardFilters(reading), '')).toBe(graphOf(bare))
    const options = cardInput(reading).join(' ')
    expect(on.filter((arg) => arg !== graphOf(on)).join(' ').replace(`${options} `, '')).toBe(
      bare.filter((arg) => arg !== graphOf(bare)).join(' '),
    ) // prettier-ignore
  })

  it('in parts, from the middle on, reads in the same way', () => {
    const args = partsArguments({ ...command, stillFile: null, partFile: '/p-%d', listFile: '/l', partSeconds: 1, from: 40, reading: cuda(null, 'p010le') }) // prettier-ignore
    expect(args).toContain('-hwaccel_output_format')
    expect(args.join(' ')).toContain('[0:0]hwdownload,format=p010le,fps=30/1')
  })
})

describe('a source', () => {
  const plan = planTime(wide)
  const choice = { card: 'cuda', device: null } as const
  const read = (pixelFormat: string, windows = 1) =>
    planReading(choice, {
      composition: wide,
      plan: { ...plan, windows: Array.from({ length: windows }, () => plan.windows).flat() },
      coded: { codec: 'h264', pixelFormat },
    })

  it('is read with the bits that it has', () => {
    expect([read('yuv420p'), read('yuv420p10le')]).toMatchObject([{ format: 'nv12' }, { format: 'p010le' }])
  })

  it('that no card takes is left to the processor, and why is said', () => {
    expect(read('yuv422p10le')).toEqual({ why: 'cards do not decode h264 as yuv422p10le' })
    expect(read('yuv420p', 9)).toEqual({ why: expect.stringContaining('in 9 places at once') as string })
  })
})

describe('candidates', () => {
  const machine = { platform: 'linux', hwaccels: new Set(['cuda', 'vaapi']), filters: new Set(['scale_cuda', 'scale_vaapi']), exists: () => true } // prettier-ignore

  it('are tried where they could be, and named with what is missing where not', () => {
    const found = cardCandidates('auto', machine)
    expect(found.map(({ card, device, why }) => [card, device, why === null])).toEqual([
      ['cuda', null, true],
      ['qsv', null, false],
      ['vaapi', '/dev/dri/renderD128', true],
      ['vaapi', '/dev/dri/renderD129', true],
      ['vaapi', '/dev/dri/renderD130', true],
    ])
    expect(found[1]?.why).toBe('is not in this build of ffmpeg (qsv, vpp_qsv)')
    const bare = cardCandidates('vaapi', { ...machine, exists: () => false })
    expect(bare).toEqual([{ card: 'vaapi', device: null, why: 'has no device on this machine' }])
    expect(cardCandidates('nvenc', machine).map(({ card }) => card)).toEqual(['cuda'])
  })

  it('go with an encoder by whose name they are left alone', () => {
    for (const { setting, platforms } of CARDS) {
      expect(HARDWARE_SETTINGS).toContain(setting)
      expect(platforms.length).toBeGreaterThan(0)
    }
  })
})

it('holds what a card made against the processor’s picture', () => {
  const grey = new Uint8Array((320 * 180 * 3) / 2).fill(128)
  expect(differenceOf(grey, grey)).toBeNull()
  expect(differenceOf(grey.map((value) => value + 2), grey)).toBeNull() // prettier-ignore
  expect(differenceOf(new Uint8Array(grey.length), grey)).toBe(
    'its picture is another one (128.0 levels away)',
  )
  // Its luma alone is right.
  expect(differenceOf(grey.map((value, at) => (at < 320 * 180 ? value : 0)), grey)).toContain('another one') // prettier-ignore
  expect(differenceOf(new Uint8Array(), grey)).toBe('it made no picture')
})
