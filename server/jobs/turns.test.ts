import { expect, it } from 'vitest'
import { nextTurn } from './lanes.ts'

it('gives one turn in each round of the event loop, in the order of asking, and goes on after a pause', async () => {
  let round = 0
  let counting = true
  const count = (): void => {
    round += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const turns: [string, number][] = []
  const take = async (name: string): Promise<void> => {
    await nextTurn()
    turns.push([name, round])
  }
  await Promise.all(['a', 'b', 'c'].map(take))
  await take('d')
  counting = false
  expect(turns.map(([name]) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(new Set(turns.map(([, at]) => at)).size).toBe(4)
})
