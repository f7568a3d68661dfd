import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LEAVE_MS, takesNow, type OtherNode } from './takes-now.ts'

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
const sets = names.map((list) => new Set(list))
const others = fc.array(fc.record({ isFree: fc.boolean(), has: sets }))

it('leaves a task to a free node that has more of its inputs, for a moment', () => {
  const near: OtherNode = { isFree: true, has: new Set(['a', 'b']) }
  const task = { inputs: ['a', 'b'], has: new Set(['a']), waitedMs: 0 }
  expect(takesNow({ ...task, others: [near] })).toBe(false)
  expect(takesNow({ ...task, others: [{ ...near, isFree: false }] })).toBe(true)
  expect(takesNow({ ...task, has: new Set(['a', 'b']), others: [near] })).toBe(true)
  expect(takesNow({ ...task, others: [near], waitedMs: LEAVE_MS })).toBe(true)
})

it('leaves no task lying: one of the free nodes takes it at once, and all do after a moment', () => {
  fc.assert(
    fc.property(names, fc.array(sets, { minLength: 1 }), others, (inputs, free, busy) => {
      const taken = free.map((has, at) =>
        takesNow({
          inputs,
          has,
          waitedMs: 0,
          others: [
            ...free.filter((_one, other) => other !== at).map((one) => ({ isFree: true, has: one })),
            ...busy.map((one) => ({ ...one, isFree: false })),
          ],
        }),
      )
      expect(taken).toContain(true)
    }),
  )
  fc.assert(
    fc.property(names, sets, others, (inputs, has, all) =>
      takesNow({ inputs, has, others: all, waitedMs: LEAVE_MS }),
    ),
  )
})
