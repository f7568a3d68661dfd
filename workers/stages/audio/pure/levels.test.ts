import { expect, it } from 'vitest'
import { countLevel, levelsOf, newLevelCounts, rmsDb } from '../stage.ts'

it('measures level against full scale, with a floor', () => {
  expect(rmsDb(new Int16Array(160).fill(-32_768), 0, 160)).toBeCloseTo(0, 6)
  expect(rmsDb(new Int16Array(160).fill(3277), 0, 160)).toBeCloseTo(-20, 2)
  expect([rmsDb(new Int16Array(160), 0, 160), rmsDb(new Int16Array(0), 0, 0)]).toEqual([-100, -100])
})

function levels(...parts: readonly (readonly [db: number, frames: number])[]) {
  const counts = newLevelCounts()
  for (const [db, frames] of parts) for (let index = 0; index < frames; index++) countLevel(counts, db)
  return levelsOf(counts)
}

it('tells speech from background, and does not take digital silence for either', () => {
  expect(levels([-55, 400], [-22, 300], [-18, 300])).toEqual({
    silent: false,
    speechLevelDb: -22,
    noiseLevelDb: -55,
  })
  expect(levels([-100, 5000], [-55, 400], [-20, 600])).toMatchObject({
    speechLevelDb: -20,
    noiseLevelDb: -55,
  })
})

it('calls silent what never rises above -60', () => {
  expect(levels([-100, 10]).silent).toBe(true)
  expect(levels([-60, 10]).silent).toBe(true)
  expect(levels([-100, 1000], [-40, 1]).silent).toBe(false)
})
