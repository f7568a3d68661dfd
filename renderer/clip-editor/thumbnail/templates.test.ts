import { expect, it } from 'vitest'
import { newCutout, TEMPLATES, type Ingredients } from './templates.ts'

const given = (face: Ingredients['face']): Ingredients => ({
  title: 'A title',
  colours: ['#ff0000', '#00ff00'],
  source: { width: 1920, height: 1080 },
  face,
})

it('adds the person whose face is known, head and shoulders, and something round where none is', () => {
  const cutout = newCutout('c', given({ x: 0.3, y: 0.4, width: 0.1 }))
  expect(cutout).toMatchObject({ form: 'person', fromX: 30, fromWidth: 38, ringColour: '#ff0000' })
  // The face is in the upper half of what is taken.
  const high = (cutout.fromWidth * 1920 * cutout.ratio) / 1080
  expect((40 - (cutout.fromY - high / 2)) / high).toBeCloseTo(0.36, 2)
  expect(newCutout('c', given(null))).toMatchObject({ form: 'ellipse', ratio: 1, fromX: 50 })
})

it('takes no more than the frame is high', () => {
  const { fromWidth, ratio, fromY } = newCutout('c', given({ x: 0.5, y: 0.9, width: 0.4 }))
  expect((fromWidth * 1920 * ratio) / 1080).toBeLessThanOrEqual(100.2)
  expect(fromY).toBeLessThanOrEqual(100)
})

it('has a ready design that lifts the person out, and every item of each has an id of its own', () => {
  for (const { name, items } of TEMPLATES) {
    const made = items(given({ x: 0.5, y: 0.4, width: 0.12 }))
    expect([name, new Set(made.map(({ id }) => id)).size]).toEqual([name, made.length])
    const forms = made.flatMap((item) => (item.kind === 'cutout' ? [item.form] : []))
    expect([name, forms]).toEqual([name, name === 'Portrait' ? ['person'] : []])
  }
})
