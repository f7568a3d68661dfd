/**
 * Throw-away machines to install packages on: systemd as process 1 over a copy of this machine, in memory and namespaces of
 * its own. What is done there leaves nothing behind, and nothing there reaches a network.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Machine {
  /** Runs a shell text as root (or another user); never rejects for a failing command. */
  sh(script: string, user?: string): Promise<Output>
  stop(): Promise<void>
}

const SYSTEMD = '/lib/systemd/systemd'

/** Why no machine can be had here; null when one can. */
export function whyNoMachine(): string | null {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (process.getuid?.() !== 0) return 'it needs root'
  const missing = ['/usr/bin/dpkg', '/usr/bin/unshare', '/usr/bin/nsenter', SYSTEMD].find(
    (file) => !existsSync(file),
  )
  if (missing !== undefined) return `there is no ${missing}`
  if (!/\boverlay\b/.test(readFileSync('/proc/filesystems', 'utf8')))
    return 'the kernel has no overlay file system'
  try {
    execFileSync('unshare', ['-m', '-p', '-n', '--fork', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'namespaces cannot be made'
  }
}

/** Boots one, with `packages` (a folder) as /packages and the folders `hidden` empty. `work`: where its overlay may be. */
export async function bootMachine(
  work: string,
  packages: string,
  hidden: readonly string[],
): Promise<Machine> {
  const base = mkdtempSync(join(work, 'machine-'))
  const script = join(import.meta.dirname, 'machine.sh')
  const outer = spawn(
    // The machine ends with this process, however that ends.
    'setpriv',
    [
      '--pdeathsig',
      'KILL',
      'unshare',
      '--kill-child',
      '-m',
      '-p',
      '-C',
      '-i',
      '-u',
      '-n',
      '--fork',
      'sh',
      script,
      base,
      packages,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', CUTROOM_HIDDEN: hidden.join(' ') },
    },
  )
  let reported = ''
  for (const stream of [outer.stdout, outer.stderr])
    stream.on('data', (text: Buffer) => (reported += text.toString()))
  const ended = new Promise<void>((resolve) => outer.once('close', () => resolve()))
  const first = await firstProcess(
    outer.pid ?? 0,
    () => outer.exitCode !== null,
    () => reported,
  )
  const sh = (text: string, user = 'root'): Promise<Output> =>
    new Promise((resolve) => {
      const words = ['-t', String(first), '-m', '-p', '-C', '-i', '-u', '-n', '-r', '-w', '--']
      const as =
        user === 'root'
          ? []
          : ['setpriv', '--reuid', user, '--regid', user, '--clear-groups', '--no-new-privs']
      const home = user === 'root' ? '/root' : `/home/${user}`
      const env = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', `HOME=${home}`, 'LANG=C.UTF-8']
      const child = execFile(
        'nsenter',
        [...words, ...as, ...env, 'sh', '-c', text],
        { maxBuffer: 2 ** 26 },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })
  const stop = async (): Promise<void> => {
    // Process 1 of the namespace takes everything in it along, mounts included.
    process.kill(first, 'SIGKILL')
    await ended
    rmdirSync(base)
  }
  try {
    for (let tries = 0; (await sh('systemctl is-system-running')).stdout.trim() !== 'running'; tries += 1) {
      if (tries > 150)
        throw new Error(`systemd did not come up:\n${(await sh('systemctl --failed')).stdout}${reported}`)
      await sleep(200)
    }
    return { sh, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The process id, seen from here, of the namespace's process 1, once it is systemd. */
async function firstProcess(outer: number, isOver: () => boolean, said: () => string): Promise<number> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isOver()) break
    const children = readFileSync(`/proc/${outer}/task/${outer}/children`, 'utf8').trim()
    const child = Number(children.split(' ')[0])
    if (child > 0 && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd') return child
    await sleep(100)
  }
  throw new Error(`The machine did not start: ${said()}`)
}
