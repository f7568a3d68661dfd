/** Whether a heap that nothing presses gives back what it has dropped: in a Node of its own, with the shipped flags. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ENGINE_FLAGS, NODE_FLAGS } from './steady-memory.mjs'

const run = promisify(execFile)

/** Twenty megabytes that grow old and are dropped; then ten minutes by a clock of the test. Says the heap before and after. */
const PROGRAM = `
  import { mock } from 'node:test'
  mock.timers.enable({ apis: ['setInterval'] })
  const { collectSteadily } = await import(process.env.STEADY_MEMORY)
  collectSteadily()
  let rows = Array.from({ length: 200_000 }, (_, at) => ({ at, text: 'row ' + at }))
  const megabytes = () => process.memoryUsage().heapUsed / 2 ** 20
  globalThis.held = rows
  mock.timers.tick(300_000)
  const held = megabytes()
  rows = globalThis.held = null
  const dropped = megabytes()
  for (let round = 0; round < 4; round++) globalThis.extra = [globalThis.extra, 'x'.repeat(2 ** 20).split('')]
  globalThis.extra = null
  mock.timers.tick(300_000)
  process._rawDebug(JSON.stringify({ held, dropped, after: megabytes() }))
`

async function heapOf(flags: readonly string[]): Promise<{ held: number; dropped: number; after: number }> {
  const { stderr } = await run(
    process.execPath,
    [...flags, '--no-warnings', '--input-type=module', '-e', PROGRAM],
    {
      env: { ...process.env, STEADY_MEMORY: new URL('./steady-memory.mjs', import.meta.url).href },
    },
  )
  return JSON.parse(stderr) as { held: number; dropped: number; after: number }
}

test.each([
  ['the server', NODE_FLAGS],
  ['the engine', ENGINE_FLAGS],
])('what was dropped is collected within minutes, by the flags of %s', async (_, flags) => {
  const { held, dropped, after } = await heapOf(flags)
  expect(held).toBeGreaterThan(12)
  expect(dropped).toBeGreaterThan(held * 0.9)
  expect(after).toBeLessThan(held / 2)
})

test('without them it is left to V8, and nothing fails', async () => {
  const { held, after } = await heapOf([])
  expect(after).toBeGreaterThan(held * 0.9)
})
