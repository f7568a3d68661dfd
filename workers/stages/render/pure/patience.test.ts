import { expect, it } from 'vitest'
import { sampleComposition } from '../../../../test/support/sample-composition.ts'
import { patienceSeconds } from '../encode.ts'

it('waits longer for long clips and for many cuts', () => {
  const short = sampleComposition({ durationFrames: 300, frameRate: { numerator: 30, denominator: 1 } })
  expect(patienceSeconds(short, 120)).toBe(122)
  const hour = { ...short, durationFrames: 30 * 3600 }
  expect(patienceSeconds(hour, 120)).toBe(481)
  const [span] = short.timeMap
  if (span === undefined) throw new Error('the sample plays nothing')
  expect(patienceSeconds({ ...hour, timeMap: Array.from({ length: 600 }, () => span) }, 120)).toBe(1200)
})
