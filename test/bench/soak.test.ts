import { expect, it } from 'vitest'
import { soakReport } from './soak.ts'

/** Two hours that rise by 12 MB an hour; after 70 minutes a thread has ended and taken 40 MB along. */
const samples = (rising: number) =>
  Array.from({ length: 480 }, (_, at) => {
    const hours = at / 240
    const ended = hours * 60 >= 70
    // Every fiftieth time another thread is there for a moment, and nothing else is different.
    const passing = at % 50 === 0 ? 1 : 0
    return {
      hours,
      handles: 100,
      processes: 3,
      threads: (ended ? 36 : 37) + passing,
      megabytes: 500 + rising * hours - (ended ? 40 : 0) + (at % 5),
    }
  })

it('a short-lived thread does not carry memory over the step of one that ended', () => {
  const verdict = (rising: number) => soakReport(120, samples(rising), {}).json.lines['memory, MB']
  expect(verdict(12)).toMatchObject({ verdict: 'GROWS' })
  expect(verdict(12)?.slope).toBeCloseTo(12, 0)
  expect(verdict(0)).toMatchObject({ verdict: 'flat' })
})
