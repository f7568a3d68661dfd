import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hangUpIsIgnored } from './stop-signal.ts'

const CLI = import.meta.dirname
const LAUNCHER = join(CLI, '..', '..', 'resources', 'package', 'cutroom.sh')

test('nohup is known by what the launcher says, else by what the shell says', () => {
  expect(hangUpIsIgnored({})).toBe(false)
  expect(hangUpIsIgnored({ _: '/usr/bin/nohup' })).toBe(true)
  expect(hangUpIsIgnored({ _: '/usr/bin/node' })).toBe(false)
  expect(hangUpIsIgnored({ _: '/usr/bin/nohup', CUTROOM_IGNORES_HANGUP: '0' })).toBe(false)
  expect(hangUpIsIgnored({ CUTROOM_IGNORES_HANGUP: '1' })).toBe(true)
  // There is no /proc: the launcher cannot know.
  expect(hangUpIsIgnored({ _: 'nohup', CUTROOM_IGNORES_HANGUP: '' })).toBe(true)
})

/** Waits as `serve` does, under the launcher of the packages; the signals that ended its waiting. */
const WAITING = `
  import { heedNohup, stopSignal } from ${JSON.stringify(join(CLI, 'stop-signal.ts'))}
  heedNohup()
  const stopped = stopSignal()
  const held = setInterval(() => undefined, 1000)
  console.log('waits')
  console.log(await stopped)
  clearInterval(held)`

async function endedBy(before: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cutroom-hang-up-'))
  try {
    copyFileSync(LAUNCHER, join(folder, 'cutroom'))
    writeFileSync(join(folder, 'program.mjs'), WAITING)
    const node = `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'program.mjs')}"\n`
    writeFileSync(join(folder, 'node'), node, { mode: 0o755 })
    const child = spawn('sh', ['-c', `${before} exec sh "${join(folder, 'cutroom')}"`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (output === '') {
        child.kill('SIGHUP')
        setTimeout(() => child.kill('SIGTERM'), 300)
      }
      output += chunk.toString()
    })
    await new Promise((resolve) => child.once('close', resolve))
    return output
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.runIf(process.platform === 'linux')(
  'what runs under nohup goes on without its terminal, and all else ends with it',
  async () => {
    expect(await endedBy("trap '' HUP;")).toBe('waits\nSIGTERM\n')
    expect(await endedBy('')).toBe('waits\nSIGHUP\n')
  },
)
