import { describe, expect, it } from 'vitest'
import { recordingCanvas } from '../../test/support/recording-canvas.ts'
import type { Backdrop } from '../../server/contract/composition.ts'
import { backdropBoxes, backdropReach, drawBackdrop, textArea } from './backdrop.ts'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const backdrop = (fill: Backdrop['fill'], more: Partial<Backdrop> = {}): Backdrop => ({
  fill,
  colour: '#102030',
  opacity: 0.5,
  paddingX: 10,
  paddingY: 5,
  radius: 4,
  ...more,
})
/** Two lines of 20 pixels, the second shorter, whose boxes overlap by 10. */
const LINES = [
  { left: 100, width: 200, middle: 50 },
  { left: 150, width: 100, middle: 70 },
]
const METRICS = { lineHeight: 20, unit: 1 }

describe('the boxes behind text', () => {
  it.each<[Backdrop['fill'], ReturnType<typeof box>[]]>([
    ['none', []],
    // Two pixels stay free between them.
    ['line', [box(90, 35, 220, 24), box(140, 61, 120, 24)]],
    ['wrap', [box(90, 35, 220, 25), box(140, 60, 120, 25)]],
    ['block', [box(90, 35, 220, 50)]],
  ])('%s', (fill, expected) => {
    expect(backdropBoxes(backdrop(fill), LINES, METRICS)).toEqual(expected)
  })

  it('are as high as their line where lines are apart, and joined where boxes are', () => {
    const apart = [LINES[0]!, { ...LINES[1]!, middle: 150 }]
    expect(backdropBoxes(backdrop('line'), apart, METRICS)).toEqual([
      box(90, 35, 220, 30),
      box(140, 135, 120, 30),
    ])
    expect(backdropBoxes(backdrop('wrap'), apart, METRICS)).toEqual([
      box(90, 35, 220, 65),
      box(140, 100, 120, 65),
    ])
  })

  it('have padding in units of the output, and are none without opacity or lines', () => {
    expect(backdropBoxes(backdrop('block'), LINES.slice(0, 1), { lineHeight: 20, unit: 2 })).toEqual([
      box(80, 30, 240, 40),
    ])
    expect(backdropBoxes(backdrop('block', { opacity: 0 }), LINES, METRICS)).toEqual([])
    expect(backdropBoxes(backdrop('block'), [], METRICS)).toEqual([])
  })
})

describe('what is painted behind text', () => {
  const painted = (fill: Backdrop['fill'], boxes: ReturnType<typeof box>[], more: Partial<Backdrop> = {}) => {
    const { canvas, calls } = recordingCanvas()
    drawBackdrop(canvas, backdrop(fill, more), boxes, 2, 0.5)
    return calls
  }

  it('is one path of all boxes, in one colour', () => {
    expect(painted('line', [box(0, 0, 100, 40), box(0, 50, 100, 10)])).toEqual([
      'save()',
      'fillStyle = "rgba(16, 32, 48, 0.25)"',
      'beginPath()',
      'moveTo(50, 0)',
      'arcTo(100, 0, 100, 40, 8)',
      'arcTo(100, 40, 0, 40, 8)',
      'arcTo(0, 40, 0, 0, 8)',
      'arcTo(0, 0, 100, 0, 8)',
      'closePath()',
      // No rounder than half its side.
      'moveTo(50, 50)',
      'arcTo(100, 50, 100, 60, 5)',
      'arcTo(100, 60, 0, 60, 5)',
      'arcTo(0, 60, 0, 50, 5)',
      'arcTo(0, 50, 100, 50, 5)',
      'closePath()',
      'fill()',
      'restore()',
    ])
    expect(painted('line', [])).toEqual([])
    expect(painted('line', [box(0, 0, 9, 9)], { colour: 'nonsense' })[1]).toBe(
      'fillStyle = "rgba(255, 255, 255, 0.25)"',
    )
  })

  it('is one outline around boxes that touch', () => {
    expect(painted('wrap', [box(0, 0, 200, 40), box(50, 40, 100, 40)]).slice(3, -2)).toEqual([
      'moveTo(100, 0)',
      'arcTo(200, 0, 200, 40, 8)',
      'arcTo(200, 40, 150, 40, 8)',
      'arcTo(150, 40, 150, 80, 8)',
      'arcTo(150, 80, 50, 80, 8)',
      'arcTo(50, 80, 50, 40, 8)',
      'arcTo(50, 40, 0, 40, 8)',
      'arcTo(0, 40, 0, 0, 8)',
      'arcTo(0, 0, 200, 0, 8)',
      'closePath()',
    ])
  })

  it('levels steps that are too small for two round corners', () => {
    // 15 pixels on the left are less than two radii of 8, 16 on the right are not.
    expect(painted('wrap', [box(0, 0, 200, 40), box(15, 40, 169, 40)]).slice(3, -2)).toEqual([
      'moveTo(100, 0)',
      'arcTo(200, 0, 200, 40, 8)',
      'arcTo(200, 40, 184, 40, 8)',
      'arcTo(184, 40, 184, 80, 8)',
      'arcTo(184, 80, 0, 80, 8)',
      'arcTo(0, 80, 0, 0, 8)',
      'arcTo(0, 0, 200, 0, 8)',
      'closePath()',
    ])
  })

  it('casts a shadow, and reaches as far as it does', () => {
    const shadow = { colour: '#ff0000', blur: 10, offsetX: 3, offsetY: -4 }
    expect(painted('block', [box(0, 0, 100, 40)], { shadow }).slice(2, 6)).toEqual([
      'shadowColor = "rgba(255, 0, 0, 1)"',
      'shadowBlur = 20',
      'shadowOffsetX = 6',
      'shadowOffsetY = -8',
    ])
    const boxes = [box(0, 0, 100, 40), box(0, 40, 100, 40)]
    // 28 pixels of blur and one more, moved by 6 and -8.
    expect(backdropReach(backdrop('line', { shadow }), boxes, 2)).toEqual(box(-23, -37, 158, 138))
    const near = { ...shadow, blur: 1, offsetX: 9, offsetY: 9 }
    expect(backdropReach(backdrop('line', { shadow: near }), boxes, 1)).toEqual(box(-1, -1, 112.4, 92.4))
    expect(backdropReach(backdrop('line'), boxes, 2)).toEqual(box(0, 0, 100, 80))
    expect(backdropReach(backdrop('line', { shadow }), [], 2)).toBeNull()
  })
})

it('has an area of all lines and boxes', () => {
  expect(textArea([], LINES, { lineHeight: 20 })).toEqual(box(100, 40, 200, 40))
  expect(textArea([box(0, 0, 10, 10)], LINES, { lineHeight: 20 })).toEqual(box(0, 0, 300, 80))
  expect(textArea([], [], { lineHeight: 20 })).toBeNull()
})
