import { expect, it } from 'vitest'
import { newestOfEach } from '../state/paged-list.svelte.ts'

it('has what comes again on a later page there only, as it came last', () => {
  const first = [
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
  ]
  const second = [
    { id: 'c', title: 'C' },
    { id: 'a', title: 'A, edited' },
  ]
  expect(newestOfEach([...first, ...second], ({ id }) => id)).toEqual([
    { id: 'b', title: 'B' },
    { id: 'c', title: 'C' },
    { id: 'a', title: 'A, edited' },
  ])
  expect(newestOfEach(first, ({ id }) => id)).toEqual(first)
})
