import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { constants, getPriority } from 'node:os'
import { expect, it } from 'vitest'
import { lowerToolPriority } from './priority.ts'

const LOW = constants.priority.PRIORITY_BELOW_NORMAL

it.skipIf(process.platform === 'win32')('goes for a process and whatever it starts', async () => {
  const program = `
    import { spawn } from 'node:child_process'
    import { getPriority } from 'node:os'
    import { lowerPriority } from ${JSON.stringify(new URL('./priority.ts', import.meta.url).href)}
    lowerPriority()
    const child = spawn('sleep', ['10'])
    process.stdout.write(getPriority() + ' ' + getPriority(child.pid))
    child.kill()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  expect(output.toString()).toBe(`${LOW} ${LOW}`)
})

it.skipIf(!existsSync('/proc/self/autogroup'))(
  'goes for the session of a tool, and only for that',
  async () => {
    const groupOf = (pid: number): string | undefined =>
      / nice (\S+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1]
    const own = groupOf(process.pid)
    const child = spawn('sleep', ['10'], { detached: true, stdio: 'ignore' })
    const pid = child.pid ?? 0
    try {
      // Linux lets who is not root ask for it ten times a second, all processes together.
      await expect.poll(() => (lowerToolPriority(pid), groupOf(pid))).toBe(String(LOW))
      expect(groupOf(process.pid)).toBe(own)
      expect(getPriority(pid)).toBe(getPriority())
    } finally {
      child.kill('SIGKILL')
    }
  },
)

it('leaves alone who is gone', () => {
  expect(() => lowerToolPriority(2 ** 22 + 1)).not.toThrow()
})
