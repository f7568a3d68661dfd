/**
 * Containers out of an image layout, without a daemon: the image is unpacked by GNU tar and started by runc in namespaces of
 * its own, users among them, so that nobody in it is anybody of this machine. It reaches no network.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from './machine.ts'
import { must } from './steps.ts'

/** User 0 of the container is this one here, and so on. */
export const FIRST_USER = 1_000_000
const USERS = 65_536
const TOOLS = ['runc', 'unshare', 'nsenter', 'tar', 'gzip', 'sha256sum', 'curl']

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, unknown>>
}

export interface Unpacked {
  /** Folder of the layout. */
  readonly layout: string
  readonly rootfs: string
  readonly config: ImageConfig
}

export interface Container {
  /** Process 1 as this machine sees it. */
  readonly pid: number
  /** Runs words in it as its own user; never rejects for a failing command. */
  exec(words: readonly string[]): Promise<Output>
  /** Runs a program of this machine where the container's network is. */
  outside(words: readonly string[]): Promise<Output>
  /** What it has written so far. */
  said(): string
  /** Sends the signal and waits for the end; its code. */
  end(signal: 'TERM' | 'KILL'): Promise<number | null>
}

/** Why no container can be had here; null when one can. */
export function whyNoContainer(): string | null {
  if (process.platform !== 'linux') return 'this is not Linux'
  if (process.getuid?.() !== 0) return 'it needs root, to give the container users of its own'
  const missing = TOOLS.find((name) => !onPath(name))
  if (missing !== undefined) return `there is no ${missing}`
  try {
    execFileSync('unshare', ['-U', '-m', '-p', '-n', '-i', '-u', '--fork', 'true'], { stdio: 'ignore' })
    return null
  } catch {
    return 'namespaces cannot be made'
  }
}

const onPath = (name: string): boolean =>
  ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((folder) => existsSync(join(folder, name)))

interface Descriptor {
  readonly digest: string
  readonly size: number
}

/** Unpacks an image below the empty `folder`, having checked every digest in it by other people's programs. */
export function unpackImage(file: string, folder: string): Unpacked {
  const layout = join(folder, 'layout')
  const rootfs = join(folder, 'bundle', 'rootfs')
  for (const made of [layout, rootfs]) mkdirSync(made, { recursive: true })
  // Users of the container pass through here to what is theirs.
  for (const open of [folder, join(folder, 'bundle'), rootfs]) chmodSync(open, 0o755)
  execFileSync('tar', ['-xf', file, '-C', layout])
  const json = (path: string): unknown => JSON.parse(readFileSync(join(layout, path), 'utf8'))
  const blob = ({ digest, size }: Descriptor): string => {
    const path = join('blobs', digest.replace(':', '/'))
    const bytes = readFileSync(join(layout, path))
    must(bytes.length === size, `${digest} has ${bytes.length} bytes, not ${size}`)
    must(digestOf(`cat "$1"`, join(layout, path)) === digest, `${digest} has another digest`)
    return path
  }
  must((json('oci-layout') as { imageLayoutVersion: string }).imageLayoutVersion === '1.0.0', 'no layout')
  const [first] = (json('index.json') as { manifests: readonly Descriptor[] }).manifests
  must(first !== undefined, 'the index names no image')
  const manifest = json(blob(first)) as { config: Descriptor; layers: readonly Descriptor[] }
  const { config, rootfs: unpacked } = json(blob(manifest.config)) as {
    config: ImageConfig
    rootfs: { diff_ids: readonly string[] }
  }
  must(unpacked.diff_ids.length === manifest.layers.length, 'layers and their contents differ in number')
  for (const [place, layer] of manifest.layers.entries()) {
    const path = join(layout, blob(layer))
    must(digestOf('gzip -dc "$1"', path) === unpacked.diff_ids[place], `${path} unpacks to something else`)
    execFileSync('tar', ['-xzpf', path, '--numeric-owner', '-C', rootfs])
  }
  return { layout, rootfs, config }
}

const digestOf = (script: string, path: string): string =>
  `sha256:${execFileSync('sh', ['-c', `${script} | sha256sum`, 'sh', path], { encoding: 'utf8' }).slice(0, 64)}`

/** Where `folder` (as unpackImage had it) has the container's home, made for its user where there is none. */
function homeOf(folder: string, user: number): string {
  const home = join(folder, 'home')
  if (!existsSync(home)) {
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, FIRST_USER + user, FIRST_USER + user)
  }
  return home
}

/** What runc is told: the image's own start, and the restrictions of compose.yaml. */
function specification(image: Unpacked, home: string) {
  const { config } = image
  const [uid = 0, gid = 0] = config.User.split(':').map(Number)
  const [volume = ''] = Object.keys(config.Volumes)
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] }
  const mapping = [{ containerID: 0, hostID: FIRST_USER, size: USERS }]
  const safe = ['nosuid', 'nodev', 'noexec']
  return {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...config.Cmd],
      env: config.Env,
      cwd: config.WorkingDir,
      noNewPrivileges: true,
      capabilities: none,
    },
    root: { path: 'rootfs', readonly: true },
    hostname: 'cutroom',
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: safe },
      { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...safe, 'ro'] },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...safe, 'mode=1777'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: [...safe, 'mode=1777', 'size=1g'] },
      { destination: volume, type: 'bind', source: home, options: ['rbind', 'rw', 'nosuid', 'nodev'] },
    ],
    linux: {
      namespaces: ['user', 'pid', 'mount', 'network', 'ipc', 'uts'].map((type) => ({ type })),
      uidMappings: mapping,
      gidMappings: mapping,
      maskedPaths: ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/sys/firmware'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
    },
  }
}

/** Starts the image as it says itself, on a home that stays in `folder` for the next start. */
export async function startContainer(image: Unpacked, folder: string, name: string): Promise<Container> {
  const bundle = join(folder, 'bundle')
  const home = homeOf(folder, Number(image.config.User.split(':')[0]))
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification(image, home)))
  const runc = ['--root', join(folder, 'runc')]
  const child = spawn('runc', [...runc, 'run', '--bundle', bundle, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const remove = (): void => {
    try {
      execFileSync('runc', [...runc, 'delete', '--force', name], { stdio: 'ignore' })
    } catch {
      // It never came to be.
    }
  }
  // However this process ends, the container ends as well.
  process.once('exit', remove)
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (written += text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const pid = await firstProcess(
    () => execFileSync('runc', [...runc, 'state', name], { encoding: 'utf8', stdio: 'pipe' }),
    () => child.exitCode !== null,
  )
  if (pid === null) {
    child.kill()
    await ended
    process.off('exit', remove)
    remove()
    throw new Error(`The container did not start: ${written}`)
  }
  return {
    pid,
    exec: (words) => execute('runc', [...runc, 'exec', name, ...words]),
    outside: (words) => execute('nsenter', ['-n', '-t', String(pid), '--', ...words]),
    said: () => written,
    end: async (signal) => {
      execFileSync('runc', [...runc, 'kill', name, signal])
      const code = await ended
      process.off('exit', remove)
      remove()
      return code
    },
  }
}

async function firstProcess(state: () => string, isOver: () => boolean): Promise<number | null> {
  for (let tries = 0; tries < 300 && !isOver(); tries += 1) {
    try {
      const { status, pid } = JSON.parse(state()) as { status: string; pid: number }
      if (status === 'running') return pid
    } catch {
      // Not there yet.
    }
    await sleep(100)
  }
  return null
}

function execute(program: string, words: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      [...words],
      { maxBuffer: 2 ** 26, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
