import { expect, it } from 'vitest'
import { fewestWorkers, simulateDays } from './scale-days.ts'

/** Numbers that are the same each time. */
const seeded = () => {
  let seed = 42
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
}
const HOUR = { source: [600, 300], clip: [60, 30], clips: 4 }

it('has a run that waits for nobody take its source and its longest clip', () => {
  const { p50, p95, busy } = simulateDays(HOUR, { hoursADay: 1, workers: 50, days: 7, random: seeded() })
  expect([p50, p95]).toEqual([990, 990])
  // 1,260 s of work a day, by 50 workers.
  expect(busy).toBeCloseTo(1260 / (50 * 86_400), 5)
})

it('has one worker do all of it one after the other', () => {
  const { p50 } = simulateDays(HOUR, { hoursADay: 0.2, workers: 1, days: 5, random: seeded() })
  expect(p50).toBeCloseTo(1260, 6)
})

it('needs more workers for more hours, and never fewer than the work fills', () => {
  const wanted = { days: 5, withinSeconds: 2 * 3600 }
  const counts = [10, 100, 1000].map(
    (hoursADay) => fewestWorkers(HOUR, { ...wanted, hoursADay }, seeded).workers,
  )
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  for (const [at, hoursADay] of [10, 100, 1000].entries())
    expect(counts[at]).toBeGreaterThanOrEqual((hoursADay * 1260) / 86_400)
  expect(() => fewestWorkers(HOUR, { ...wanted, hoursADay: 1, withinSeconds: 100 }, seeded)).toThrow(
    'no number',
  )
})
