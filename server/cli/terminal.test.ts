import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const TERMINAL = join(import.meta.dirname, 'terminal.ts')
const MAIN = join(import.meta.dirname, 'main.ts')

/** One of the two streams is a disk that is full; what the other one said, and how the program ended. */
async function onFullDisk(stream: 'stdout' | 'stderr', words: readonly string[]) {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', stream === 'stdout' ? full : 'pipe', stream === 'stderr' ? full : 'pipe'],
  })
  closeSync(full)
  const output = text(stream === 'stdout' ? child.stderr! : child.stdout!)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output: await output }
}

/** As `serve` does: writes line after line, and goes on. */
const LASTING = `
  import { processTerminal, endWith } from ${JSON.stringify(TERMINAL)}
  const terminal = processTerminal()
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20))
  for (let line = 0; line < 3; line++) {
    terminal.note('a line of the log')
    await wait()
    terminal.out('a result')
    await wait()
  }
  terminal.note('went on')
  endWith(0)`
const lasting = ['--input-type=module', '--eval', LASTING]

test.runIf(process.platform === 'linux')('a log on a full disk ends nothing', async () => {
  expect(await onFullDisk('stderr', lasting)).toEqual({ code: 0, output: 'a result\n'.repeat(3) })
  // How a command ends is what it always was.
  expect((await onFullDisk('stderr', [MAIN, 'nonsense'])).code).toBe(2)
})

test.runIf(process.platform === 'linux')(
  'a result that cannot be written is a failure of one line, and whoever runs on runs on',
  async () => {
    const failureLine = /cutroom: The result cannot be written: ENOSPC[^\n]*\n/
    const version = await onFullDisk('stdout', [MAIN, '--version'])
    expect(version.code).toBe(1)
    expect(version.output).toMatch(new RegExp(`^${failureLine.source}$`))
    const { code, output } = await onFullDisk('stdout', lasting)
    expect(code).toBe(1)
    expect(output.match(new RegExp(failureLine, 'g'))).toHaveLength(1)
    expect(output).toMatch(/went on\n$/)
  },
)
