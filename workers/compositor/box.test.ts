import { describe, expect, it } from 'vitest'
import { recordingCanvas } from '../../test/support/recording-canvas.ts'
import { evenBox, growBox, intersectBox, scaleBox, unionBox } from './box.ts'
import { traceEllipse, traceRounded } from './paths.ts'

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })

describe('boxes', () => {
  it('of two are the smallest around both', () => {
    expect(unionBox(box(10, 20, 30, 40), box(5, 50, 10, 100))).toEqual(box(5, 20, 35, 130))
    expect(unionBox(box(5, 50, 60, 10), box(10, 20, 30, 20))).toEqual(box(5, 20, 60, 40))
    expect(unionBox(null, box(1, 2, 3, 4))).toEqual(box(1, 2, 3, 4))
    expect(unionBox(box(1, 2, 3, 4), null)).toEqual(box(1, 2, 3, 4))
    expect(unionBox(null, null)).toBeNull()
  })

  it('meet in what both cover, and not where they only touch', () => {
    expect(intersectBox(box(0, 0, 10, 10), box(4, 6, 10, 2))).toEqual(box(4, 6, 6, 2))
    expect(intersectBox(box(4, 6, 10, 20), box(0, 0, 10, 10))).toEqual(box(4, 6, 6, 4))
    expect(intersectBox(box(0, 0, 10, 10), box(10, 0, 5, 5))).toBeNull()
    expect(intersectBox(box(0, 0, 10, 10), box(0, 10, 5, 5))).toBeNull()
  })

  it('grow by side, the same on opposite sides where only two are given', () => {
    expect(growBox(box(10, 20, 30, 40), 1, 2)).toEqual(box(9, 18, 32, 44))
    expect(growBox(box(10, 20, 30, 40), 1, 2, 3, 4)).toEqual(box(9, 18, 34, 46))
  })

  it('are scaled about a point', () => {
    expect(scaleBox(box(10, 20, 30, 40), 2, 25, 40)).toEqual(box(-5, 0, 60, 80))
    expect(scaleBox(box(10, 20, 30, 40), 0.5, 0, 0)).toEqual(box(5, 10, 15, 20))
  })

  it('grow to even pixels inside the picture', () => {
    expect(evenBox(box(3, 5, 4, 4), 100, 100)).toEqual(box(2, 4, 6, 6))
    expect(evenBox(box(4, 6, 2, 2), 100, 100)).toEqual(box(4, 6, 2, 2))
    expect(evenBox(box(-5, -3, 300, 300), 100, 80)).toEqual(box(0, 0, 100, 80))
    expect(evenBox(box(100, 0, 5, 5), 100, 80)).toBeNull()
    expect(evenBox(box(0, 80, 5, 5), 100, 80)).toBeNull()
    expect(evenBox(box(-9, 0, 9, 5), 100, 80)).toBeNull()
  })
})

describe('round corners', () => {
  const traced = (width: number, height: number, radius: number) => {
    const { canvas, calls } = recordingCanvas()
    traceRounded(canvas, box(10, 20, width, height), radius)
    return calls
  }

  it('are arcs from the upper left corner round to it', () => {
    expect(traced(100, 60, 8)).toEqual([
      'moveTo(18, 20)',
      'arcTo(110, 20, 110, 80, 8)',
      'arcTo(110, 80, 10, 80, 8)',
      'arcTo(10, 80, 10, 20, 8)',
      'arcTo(10, 20, 110, 20, 8)',
      'closePath()',
    ])
  })

  it('are no rounder than the box allows, and square without a radius', () => {
    expect(traced(100, 60, 90)[0]).toBe('moveTo(40, 20)')
    expect(traced(40, 60, 90)[0]).toBe('moveTo(30, 20)')
    expect(traced(100, 60, 0)).toEqual(['rect(10, 20, 100, 60)'])
  })

  it('of an ellipse are those of a stretched circle', () => {
    const { canvas, calls } = recordingCanvas()
    traceEllipse(canvas, box(10, 20, 100, 60))
    expect(calls).toEqual([
      'save()',
      'translate(10, 20)',
      'scale(50, 30)',
      'moveTo(1, 0)',
      'arcTo(2, 0, 2, 2, 1)',
      'arcTo(2, 2, 0, 2, 1)',
      'arcTo(0, 2, 0, 0, 1)',
      'arcTo(0, 0, 2, 0, 1)',
      'closePath()',
      'restore()',
    ])
    const empty = recordingCanvas()
    traceEllipse(empty.canvas, box(0, 0, 0, 5))
    traceEllipse(empty.canvas, box(0, 0, 5, 0))
    expect(empty.calls).toEqual([])
  })
})
