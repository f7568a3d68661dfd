/** The container image: what is in it, and the appliance in a container that may do next to nothing. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { bundledTools } from '../support/stage-harness.ts'
import {
  FIRST_USER,
  startContainer,
  unpackImage,
  whyNoContainer,
  type Container,
  type Unpacked,
} from './container.ts'
import type { Output } from './machine.ts'
import { must, type Steps } from './steps.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const ADDRESS = 'http://127.0.0.1:4810'
const SAMPLE = '/usr/lib/cutroom/resources/sample/sample.mp4'
/** Bounds of the default vertical workflow, seconds. */
const SHORTEST = 20
const LONGEST = 60

/** `file`: the image, beside its compose.yaml; `work`: an existing folder. */
export async function checkImage(steps: Steps, file: string, work: string): Promise<void> {
  const why = whyNoContainer()
  if (why !== null) return steps.skip('the container image', why)
  const folder = join(work, 'container')
  mkdirSync(folder)
  // Users of the container pass through here, and see no more of it.
  chmodSync(work, 0o711)
  steps.figure('size of the image (--quick)', `${(statSync(file).size / 1e6).toFixed(1)} MB`)
  let image = null as Unpacked | null
  await steps.step('the image is an OCI layout, and each part of it has its digest', async () => {
    image = await Promise.resolve(unpackImage(file, folder))
  })
  if (image === null) return
  const unpacked = image
  await steps.step('it has what runs: no shell, no rights to gain, nothing of this machine', () =>
    checkRootfs(steps, unpacked.rootfs),
  )
  await checkLife(steps, unpacked, folder, readFileSync(join(dirname(file), 'compose.yaml'), 'utf8'))
}

async function checkRootfs(steps: Steps, rootfs: string): Promise<void> {
  const list = async (...words: readonly string[]): Promise<string[]> => {
    const { stdout } = await run('find', ['.', ...words], { cwd: rootfs, maxBuffer: 2 ** 26 })
    return stdout.split('\n').filter((line) => line !== '')
  }
  const rights = await list(
    '(',
    '-perm',
    '/6000',
    '-o',
    '-type',
    'l',
    '-o',
    '-name',
    '.*',
    ')',
    '-not',
    '-name',
    '.',
  )
  must(rights.length === 0, `set-uid, a link, or hidden: ${rights.slice(0, 5).join(', ')}`)
  const written = await list('-perm', '/022')
  must(written.join() === './tmp', `others may write to ${written.join(', ')}`)
  const owned = await list('(', '-not', '-uid', '0', '-o', '-not', '-gid', '0', ')')
  must(owned.join() === './data', `not root's: ${owned.join(', ')}`)
  const names = await list('-type', 'f')
  const unwanted = names.filter((name) =>
    /\/(?:sh|bash|dash|busybox|apt|dpkg|perl|python3?)$|\.(?:key|env|p12)$|id_rsa/.test(name),
  )
  must(unwanted.length === 0, `there should be no ${unwanted.join(', ')}`)
  // Machines may trust authorities of their own; an image may not pass them on.
  const trusted = readFileSync(join(rootfs, 'etc/ssl/certs/ca-certificates.crt'), 'utf8')
  const own = readdirSync('/usr/local/share/ca-certificates').filter((name) => name.endsWith('.crt'))
  for (const name of own) {
    const line = readFileSync(join('/usr/local/share/ca-certificates', name), 'utf8').split('\n')[1] ?? ''
    must(line === '' || !trusted.includes(line), `${name} of this machine is trusted in it`)
  }
  must(trusted.split('BEGIN CERTIFICATE').length > 50, 'there are few certificates')
  const found = await run('grep', ['-rlF', '--', `${ROOT}/`, '.'], { cwd: rootfs }).catch(
    (error: unknown) => error as { readonly code: number; readonly stdout: string },
  )
  must('code' in found && found.code === 1, `the checkout's place is in ${found.stdout}`)
  steps.figure('files in the image', `${names.length}`)
}

/** Throws with everything that a command said when it failed. */
function good(output: Output, what: string): string {
  must(output.code === 0, `${what} ended with ${output.code}:\n${output.stdout}${output.stderr}`)
  return output.stdout.trim()
}

/** What compose.yaml has a container asked by. */
function healthCheck(compose: string): string[] {
  const [, program = '', script = ''] = /'CMD',\s*'([^']+)',\s*'-e',\s*"([^"]+)"/.exec(compose) ?? []
  return [program, '-e', script]
}

async function untilHealthy(container: Container, words: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    if ((await container.exec(words)).code === 0) return
    await sleep(250)
  }
  throw new Error(`It did not become healthy:\n${container.said()}`)
}

async function checkLife(steps: Steps, image: Unpacked, folder: string, compose: string): Promise<void> {
  const healthy = healthCheck(compose)
  const asked = performance.now()
  let container = null as Container | null
  await steps.step('a container starts, and is healthy as compose.yaml asks it', async () => {
    container = await startContainer(image, folder, 'cutroom-1')
    await untilHealthy(container, healthy)
    steps.figure('container: from start to healthy', `${((performance.now() - asked) / 1000).toFixed(1)} s`)
  })
  if (container === null) return
  const first = container
  await steps.step('it runs as nobody special, and can write to nothing but its home and /tmp', () =>
    checkLimits(first, image),
  )
  await steps.step('finds what it needs; doctor says what of ffmpeg is confined', async () => {
    const { stdout } = await first.exec(['/usr/bin/cutroom', 'doctor'])
    for (const name of ['runtime', 'home', 'database', 'ffmpeg', 'encoders', 'onnx', 'disk'])
      must(new RegExp(`^ok +${name} `, 'm').test(stdout), stdout)
    const confined = /^(?:ok|warning) +confinement .*$/m.exec(stdout)?.[0] ?? ''
    must(confined !== '', stdout)
    steps.figure('confinement of ffmpeg in it', confined.replace(/\s+/g, ' '))
  })
  let clip = ''
  await steps.step("makes clips of the demo's video, and serves them", async () => {
    clip = await serveClip(steps, first, folder)
  })
  await steps.step('killed and started anew, it has its home and serves the same clip', async () => {
    await first.end('KILL')
    const second = await startContainer(image, folder, 'cutroom-2')
    await untilHealthy(second, healthy)
    if (clip !== '')
      good(await second.outside(['curl', '-fsS', '-o', '/dev/null', clip]), 'fetching the clip again')
    const stopping = performance.now()
    const code = await second.end('TERM')
    must(code === 0, `it ended with ${String(code)}: ${second.said()}`)
    must(performance.now() - stopping < 10_000, 'it took more than 10 s to end')
  })
}

async function checkLimits(container: Container, { config }: Unpacked): Promise<void> {
  const status = readFileSync(`/proc/${container.pid}/status`, 'utf8')
  const value = (name: string): string => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? ''
  const user = Number(config.User.split(':')[0])
  must(user > 0, `the image runs as ${config.User}`)
  for (const name of ['Uid', 'Gid'])
    must(
      value(name)
        .split(/\s+/)
        .every((one) => Number(one) === FIRST_USER + user),
      status,
    )
  for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
    must(Number(`0x${value(name)}`) === 0, status)
  must(value('NoNewPrivs') === '1', status)
  const node = '/usr/lib/cutroom/bin/node'
  const script = `
    const { writeFileSync, rmSync } = require('node:fs')
    const told = process.argv.slice(1).map((folder) => {
      try { writeFileSync(folder + '/written', ''); rmSync(folder + '/written'); return 'written' }
      catch (error) { return error.code }
    })
    console.log(JSON.stringify({ told, user: process.getuid(), home: process.env.CUTROOM_HOME }))`
  const folders = ['/', '/etc', '/usr/bin', '/usr/lib/cutroom', '/run', '/data', '/tmp']
  const { told, ...who } = JSON.parse(
    good(await container.exec([node, '-e', script, ...folders]), 'writing'),
  ) as { told: string[]; user: number; home: string }
  must(told.join() === 'EROFS,EROFS,EROFS,EROFS,EROFS,written,written', `writing: ${told.join()}`)
  must(who.user === user && who.home === '/data', JSON.stringify(who))
}

interface Results {
  readonly status: string
  readonly clips: readonly { readonly renderedUrl?: string; readonly duration: number }[]
}

/** Makes the demo's clips by the command line inside, finds one by the public API and fetches it; its address. */
async function serveClip(steps: Steps, container: Container, folder: string): Promise<string> {
  const started = performance.now()
  const words = ['run', SAMPLE, '--workflow', 'Vertical shorts', '--company', 'local', '--wait', '--json']
  const finished = JSON.parse(good(await container.exec(['/usr/bin/cutroom', ...words]), 'the run')) as {
    readonly run: { readonly id: string }
  }
  steps.figure(
    "container: the demo's clips made in",
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
  const key = /"apiKey":"([^"]+)"/.exec(container.said())?.[1] ?? ''
  must(key !== '', `it gave no key: ${container.said()}`)
  const fetched = (...more: readonly string[]) => container.outside(['curl', '-fsS', ...more])
  const results = JSON.parse(
    good(
      await fetched('-H', `authorization: Bearer ${key}`, `${ADDRESS}/workflow-results/${finished.run.id}`),
      'asking for the results',
    ),
  ) as Results
  must(results.status === 'Completed' && results.clips.length >= 3, JSON.stringify(results))
  const [clip] = results.clips
  const address = clip?.renderedUrl ?? ''
  must(address.startsWith(`${ADDRESS}/`), `the clip is at "${address}"`)
  const file = join(folder, 'clip.mp4')
  good(await fetched('-o', file, address), 'fetching the clip')
  const looked = execFileSync(
    bundledTools().ffprobe,
    ['-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', file],
    { encoding: 'utf8' },
  )
  const { streams, format } = JSON.parse(looked) as {
    readonly streams: readonly { codec_name: string; width?: number; height?: number }[]
    readonly format: { readonly duration: string }
  }
  const [video, audio] = streams
  must(video?.codec_name === 'h264' && video.width === 1080 && video.height === 1920, looked)
  must(audio?.codec_name === 'aac', looked)
  const seconds = Number(format.duration)
  must(seconds > SHORTEST - 0.5 && seconds < LONGEST + 0.5, `the clip is ${seconds} s long`)
  must(Math.abs(seconds - (clip?.duration ?? 0)) < 0.15, `the API says ${clip?.duration ?? 0} s`)
  steps.figure(
    'clip served by the container',
    `${(statSync(file).size / 1e6).toFixed(1)} MB, ${video.codec_name} ${video.width}x${video.height}, ${seconds.toFixed(1)} s`,
  )
  return address
}
