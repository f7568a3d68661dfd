import { expect, it } from 'vitest'
import { randomNumbers } from '../../../test/support/small-pictures.ts'
import { measureDistances } from './distance.ts'

/** To the nearest pixel of the form, by looking at each. */
const nearest = (form: readonly number[], width: number, at: number): number =>
  Math.min(
    ...form.flatMap((own, to) =>
      own > 0.5
        ? Math.hypot((at % width) - (to % width), Math.floor(at / width) - Math.floor(to / width))
        : [],
    ),
  )

it.each([
  [1, 1, 1],
  [9, 1, 0.2],
  [1, 9, 0.2],
  [17, 11, 0.03],
  [11, 17, 0.1],
  [8, 8, 0.6],
])('measures how far each pixel is from a form: %d x %d pixels, %d of them', (width, height, share) => {
  const random = randomNumbers(width * height)
  const form = Array.from({ length: width * height }, () => (random() < share ? 1 : 0))
  form[Math.floor(random() * form.length)] = 1
  const away = measureDistances(form, width, height)
  form.forEach((_, at) => expect(away[at]).toBeCloseTo(nearest(form, width, at), 5))
})

it('counts what is more than half opaque to the form', () => {
  expect([...measureDistances([0.5, 0, 0.51, 1, 0.2], 5, 1)]).toEqual([2, 1, 0, 0, 1])
})

it('finds everything far where there is no form', () => {
  for (const away of measureDistances([0, 0, 0, 0, 0, 0], 3, 2)) expect(away).toBeGreaterThan(1e5)
})
