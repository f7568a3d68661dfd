import { describe, expect, it } from 'vitest'
import {
  type EndedWork,
  expectedCost,
  marginOf,
  measureCosts,
  type OpenWork,
  predictEnds,
} from './predict.ts'

const MINUTE = 60_000

const ended = (startedAt: number, endedAt: number, more: Partial<EndedWork> = {}): EndedWork => ({
  kind: 'run',
  companyId: 'a',
  workflowId: 'w',
  mediaSeconds: 600,
  startedAt: startedAt * MINUTE,
  endedAt: endedAt * MINUTE,
  ...more,
})

const open = (id: string, more: Partial<OpenWork> = {}): OpenWork => ({
  id,
  kind: 'run',
  companyId: 'a',
  workflowId: 'w',
  mediaSeconds: 600,
  isRunning: true,
  createdAt: 0,
  done: 0,
  ...more,
})

const atOnce = { runs: 4, rendersOf: () => 2 }
const minutes = (ends: ReadonlyMap<string, number>) =>
  Object.fromEntries([...ends].map(([id, ms]) => [id, Math.round((ms / MINUTE) * 10) / 10]))

describe('measureCosts', () => {
  it('finds that nothing is won by doing two things at once where each takes twice as long then', () => {
    const alone = [ended(0, 2), ended(10, 12)]
    const beside = [ended(20, 24), ended(20, 24)]
    const { costs, gain } = measureCosts([...beside, ...alone])
    expect(gain).toBe(0)
    expect(costs.map(({ costMs }) => costMs / MINUTE)).toEqual([2, 2, 2, 2])
  })

  it('finds what is won where two at once take less than twice as long', () => {
    const { costs, gain } = measureCosts([ended(20, 22.64), ended(20, 22.64), ended(0, 2), ended(10, 12)])
    expect(gain).toBeCloseTo(0.6, 9)
    for (const { costMs } of costs) expect(costMs / MINUTE).toBeCloseTo(2, 1)
  })

  it('shares a company its part: another company with two at once slows one by half, not by two thirds', () => {
    const others = [ended(0, 8, { companyId: 'b' }), ended(0, 8, { companyId: 'b' })]
    const { costs } = measureCosts([ended(0, 4), ...others, ended(10, 12), ended(20, 22, { companyId: 'b' })])
    const own = costs.find(({ companyId, endedAt }) => companyId === 'a' && endedAt === 4 * MINUTE)
    expect((own?.costMs ?? 0) / MINUTE).toBeGreaterThan(1.9)
  })

  it('has no cost of what took no time', () => {
    expect(measureCosts([ended(1, 1), ended(0, 1, { mediaSeconds: 0 })]).costs).toEqual([])
  })
})

describe('expectedCost', () => {
  it('goes by work of like length, of the same workflow, and by its kind alone', () => {
    const costs = measureCosts([
      ended(0, 2),
      ended(10, 12.2),
      ended(20, 24, { mediaSeconds: 60 }),
      ended(30, 90, { workflowId: 'other' }),
      ended(100, 100.1, { kind: 'render' }),
    ])
    expect((expectedCost(open('x'), costs) ?? 0) / MINUTE).toBeCloseTo(2.2, 0)
    expect(expectedCost(open('x', { kind: 'render', mediaSeconds: 600 }), costs)).toBeCloseTo(0.1 * MINUTE, 0)
  })

  it('says nothing of a kind that was never measured', () => {
    expect(expectedCost(open('x', { kind: 'render' }), measureCosts([ended(0, 2)]))).toBeNull()
  })
})

describe('predictEnds', () => {
  const costs = measureCosts([ended(0, 2), ended(10, 12), ended(20, 24), ended(20, 24)])

  it('lets one alone have the whole machine, and counts what is done of it', () => {
    expect(minutes(predictEnds([open('one', { done: 0.5 })], costs, atOnce))).toEqual({ one: 1 })
  })

  it('shares the machine between companies, and what a company has between its runs', () => {
    const work = [open('a1'), open('a2'), open('b1', { companyId: 'b' })]
    expect(minutes(predictEnds(work, costs, atOnce))).toEqual({ b1: 4, a1: 6, a2: 6 })
  })

  it('lets what waits begin when there is a place, oldest first', () => {
    const work = [
      open('late', { isRunning: false, createdAt: 2 }),
      open('early', { isRunning: false, createdAt: 1 }),
      open('now'),
    ]
    expect(minutes(predictEnds(work, costs, { ...atOnce, runs: 1 }))).toEqual({ now: 2, early: 4, late: 6 })
  })

  it('leaves out what was never measured', () => {
    expect(minutes(predictEnds([open('clip', { kind: 'render' }), open('run')], costs, atOnce))).toEqual({
      run: 2,
    })
  })
})

describe('marginOf', () => {
  it('is a guess at first, and then what would have kept most of the last promises', () => {
    expect(marginOf([1, 1])).toBe(1.2)
    const took = [...Array.from({ length: 19 }, (_, at) => 0.8 + at / 40), 2]
    const margin = marginOf(took)
    expect(took.filter((one) => one <= margin).length / took.length).toBeGreaterThanOrEqual(0.9)
    expect(margin).toBeLessThan(2)
  })

  it('is never out of all proportion', () => {
    expect(marginOf([50, 50, 50, 50, 50])).toBe(4)
    expect(marginOf([0.01, 0.01, 0.01, 0.01, 0.01])).toBe(0.5)
  })
})
