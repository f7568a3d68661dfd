/** What the wave does on a canvas that writes down what it is told. */
import { describe, expect, it } from 'vitest'
import type { AudiogramLayer } from '../../../server/contract/composition.ts'
import { encodeWave } from '../../../server/contract/clip-measurements.ts'
import type { DrawingContext } from '../canvas.ts'
import { prepareAudiogram } from './audiogram.ts'
import type { LayoutContext } from './layer.ts'
import type { Warn } from '../../../server/contract/render-remarks.ts'
import { settingOf } from '../layer-setting.ts'

const FRAMES = 120
/** Loud for a second, silent for two, loud again. */
const heights = Array.from({ length: FRAMES }, (_, frame) =>
  frame < 30 || frame >= 90 ? Math.abs(Math.sin(frame)) : 0,
)
const LAYER: AudiogramLayer = {
  kind: 'audiogram',
  id: 'wave',
  colour: '#ffffff',
  style: 'bars',
  startFrame: 10,
  endFrame: 10 + FRAMES,
  rect: { x: 100, y: 100, width: 800, height: 200 },
  levels: encodeWave(heights),
  framesPerLevel: 1,
}

function prepared(over: Partial<AudiogramLayer> = {}, warnings: string[] = []) {
  const context = {
    width: 1080,
    height: 1080,
    unit: 1,
    framesPerSecond: 30,
    durationFrames: 200,
    setting: settingOf('audiogram'),
    warn: ((_code, _field, message) => void warnings.push(message)) satisfies Warn,
  } as unknown as LayoutContext
  return prepareAudiogram({ ...LAYER, ...over }, context)
}

/** Highest and lowest place of what is drawn at a frame. */
function drawnExtent(layer: ReturnType<typeof prepared>, frame: number): { top: number; bottom: number } {
  const ys: number[] = []
  const note = (...numbers: number[]): void => void ys.push(...numbers.filter((_, index) => index % 2 === 1))
  const canvas = {
    beginPath: () => undefined,
    closePath: () => undefined,
    fill: () => undefined,
    stroke: () => undefined,
    moveTo: note,
    lineTo: note,
    quadraticCurveTo: note,
    arcTo: (_x: number, y: number) => void ys.push(y),
    rect: (_x: number, y: number, _width: number, height: number) => void ys.push(y, y + height),
  } as unknown as DrawingContext
  layer.draw(canvas, frame)
  return { top: Math.min(...ys), bottom: Math.max(...ys) }
}

const STYLES = ['bars', 'mirror', 'line'] as const

describe.each(STYLES)('%s', (style) => {
  it('is shown from its first frame to its last, and nowhere else', () => {
    const layer = prepared({ style })
    expect(layer.shown).toEqual([{ startFrame: 10, endFrame: 130 }])
    expect([9, 130].map((frame) => layer.stateAt(frame))).toEqual(['', ''])
    expect([9, 130].map((frame) => layer.paintedAt(frame))).toEqual([null, null])
    expect(layer.stateAt(10)).not.toBe('')
  })

  it('paints within what it says, on every frame, and that within its box', () => {
    const layer = prepared({ style, halo: { colour: '#000000', width: 4 } })
    const box = layer.box ?? expect.fail('it has no box')
    for (let frame = 10; frame < 130; frame++) {
      const painted = layer.paintedAt(frame) ?? expect.fail('nothing is painted')
      const { top, bottom } = drawnExtent(layer, frame)
      expect(top).toBeGreaterThanOrEqual(painted.y)
      expect(bottom).toBeLessThanOrEqual(painted.y + painted.height)
      expect(painted.y).toBeGreaterThanOrEqual(box.y)
      expect(painted.y + painted.height).toBeLessThanOrEqual(box.y + box.height)
    }
  })

  it('changes while it is loud, and says where', () => {
    const layer = prepared({ style })
    const changed = Array.from({ length: 25 }, (_, index) => layer.damage(12 + index, 13 + index))
    expect(changed.every((box) => box !== null)).toBe(true)
    const before = layer.paintedAt(20)
    const after = layer.paintedAt(21)
    const union = layer.damage(20, 21)
    expect(union?.height).toBe(Math.max(before?.height ?? 0, after?.height ?? 0))
  })

  it('is the same for the same levels', () => {
    expect(prepared({ style }).stateAt(40)).toBe(prepared({ style }).stateAt(40))
  })
})

describe('silence', () => {
  it.each(['bars', 'line'] as const)('stands still as %s, so that nothing is drawn again', (style) => {
    const layer = prepared({ style })
    expect(layer.stateAt(95)).toBe(layer.stateAt(96))
    expect(layer.damage(95, 96)).toBeNull()
    const { top, bottom } = drawnExtent(layer, 95)
    // A row of dots, or a flat line.
    expect(bottom - top).toBeLessThan(20)
  })

  it('stands for sound that was not measured', () => {
    const layer = prepared({ levels: '' })
    const { top, bottom } = drawnExtent(layer, 60)
    expect(bottom - top).toBeLessThan(20)
  })
})

it('is nothing without a size or a frame to be on', () => {
  expect(prepared({ rect: { x: 0, y: 0, width: 0, height: 100 } }).box).toBeNull()
  expect(prepared({ startFrame: 50, endFrame: 50 }).shown).toEqual([])
})

it('goes up at once and comes down softly', () => {
  const levels = encodeWave([0, 0, 0, 1, ...Array.from({ length: 40 }, () => 0)])
  const layer = prepared({ levels, endFrame: 54 })
  const reach = [2, 3, 4, 40].map((frame) => 300 - drawnExtent(layer, 10 + frame).top)
  expect(reach[0]).toBeLessThan(20)
  expect(reach[1]).toBeGreaterThan(140)
  expect(reach[2]).toBeGreaterThan((reach[1] ?? 0) * 0.7)
  expect(reach[3]).toBeLessThan(20)
})

it('says what is no colour', () => {
  const warnings: string[] = []
  prepared({ colour: 'mud' }, warnings)
  expect(warnings).toEqual(['"mud" is not a colour; white is used in its place.'])
})
