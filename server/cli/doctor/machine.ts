/** Checks of the machine: runtime, folder, disk, port. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { homePaths } from '../../home.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { isThisMachine } from '../../reachable.ts'
import { freeBytes } from '../../../workers/media/disk.ts'
import { failure, ok, reason, warning, type Check } from './check.ts'
import { OUTBOUND } from '../../domain/network/outbound.ts'

const GIGABYTE = 1024 ** 3
/** Below this a few hours of footage fill the disk. */
const LITTLE_BYTES = 10 * GIGABYTE

export function checkRuntime(version: string, platform: string, arch: string): Check {
  const major = Number(version.split('.')[0])
  const found = `Node ${version} on ${platform} ${arch}`
  if (major < 22)
    return failure('runtime', found, 'Use Node 22 or newer; `npm ci` brings its own on Linux and Windows.')
  return major === 24
    ? ok('runtime', found)
    : warning('runtime', found, 'It is tested on Node 24; `npm ci` brings that on Linux and Windows.')
}

/** The folder itself, or the nearest one above it that is there: the home may not have been made yet. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder))
}

/** Folders whose entries are checked one by one; the others hold thousands of files made by workers. */
const LOOKED_INTO = ['models', 'logs', 'backups']

/** Root's, at the top of every ext4: a home that is a disk of its own has it. */
const OF_THE_FILE_SYSTEM = 'lost+found'

/** Finds files in the home that belong to another user: they cannot be replaced, or even read, at the next start. */
function ownedByOthers(home: string, ownerOf: (path: string) => number | undefined): string[] {
  const owner = ownerOf(home)
  const inside = LOOKED_INTO.flatMap((name) =>
    existsSync(join(home, name)) ? readdirSync(join(home, name)).map((entry) => join(name, entry)) : [],
  )
  const top = readdirSync(home).filter((name) => name !== OF_THE_FILE_SYSTEM)
  return [...top, ...inside].filter((name) => {
    const uid = ownerOf(join(home, name))
    return uid !== undefined && uid !== owner
  })
}

/** Undefined when the file has disappeared, as files of a running appliance may. */
const ownerOfFile = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.uid

export function checkHome(config: Config, ownerOf = ownerOfFile): Check[] {
  const folder = nearestFolder(config.home)
  const made = folder === config.home
  try {
    rmdirSync(mkdtempSync(join(folder, '.cutroom-doctor-')))
  } catch (error) {
    const mend = 'Give your user write access to it, or choose another with --home or CUTROOM_HOME.'
    return [failure('home', `${config.home} cannot be written: ${reason(error)}`, mend)]
  }
  const home = ok('home', made ? config.home : `${config.home} (made at the first start)`)
  if (!made || process.platform === 'win32') return [home]
  const { mode, uid } = statSync(folder)
  const foreign = ownedByOthers(folder, ownerOf)
  if (foreign.length > 0)
    return [
      home,
      failure(
        'permissions',
        `not of the user whose home it is (a command was run by another one): ${foreign.slice(0, 5).join(', ')}`,
        `chown -R ${uid} "${folder}", and run commands as that user (cutroom-service with the Debian package).`,
      ),
    ]
  const open = (mode & 0o077) !== 0
  return [
    home,
    open
      ? warning('permissions', 'other users of this machine may read the home', `chmod 700 "${folder}"`)
      : ok('permissions', 'the home is readable by its owner only'),
  ]
}

export async function checkDisk(config: Config): Promise<Check> {
  const free = await freeBytes(nearestFolder(config.home))
  const found = `${(free / GIGABYTE).toFixed(1)} GB free`
  if (free < config.minFreeBytes)
    return failure('disk', found, 'Free some space: runs are refused below CUTROOM_MIN_FREE_BYTES.')
  return free < LITTLE_BYTES
    ? warning('disk', found, 'Sources and clips are kept; plan for twice the size of your footage.')
    : ok('disk', found)
}

export async function checkPort(config: Config): Promise<Check> {
  const home = homePaths(config.home)
  const running = existsSync(home.root) ? readRunningAppliance(home) : null
  if (running !== null)
    return ok('port', `an appliance is running on this home: ${running.url ?? `process ${running.pid}`}`)
  const problem = await tryListen(config.host, config.port)
  const at = `${config.host}:${config.port}`
  if (problem === null) return ok('port', config.port === 0 ? 'any free one' : `${at} is free`)
  const mend = 'Choose another with --port, --host, CUTROOM_PORT or CUTROOM_HOST.'
  return failure(
    'port',
    problem === 'EADDRINUSE' ? `${at} is taken by another program` : `${at}: ${problem}`,
    mend,
  )
}

function tryListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

const REDIS_PORT = 6379
const QUEUE_PATIENCE_MS = 3000

/**
 * With a queue in Redis, no work is done while Redis is unreachable, and runs only wait. With the network off, a remote
 * Redis is not contacted; the check of the network reports that.
 */
export async function checkQueue({
  queue,
  redisUrl,
  network,
}: Pick<Config, 'queue' | 'redisUrl' | 'network'>): Promise<Check[]> {
  if (queue !== 'bullmq' || redisUrl === null) return []
  if (network === 'off' && !isThisMachine(new URL(redisUrl).hostname)) return []
  const { hostname, port } = new URL(redisUrl)
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || REDIS_PORT) }
  const problem = await tryConnect(at)
  const found = `Redis at ${at.host}:${at.port}`
  return [
    problem === null
      ? ok('queue', `${found} answers`)
      : failure(
          'queue',
          `${found}: ${problem}`,
          'Start it, mend CUTROOM_REDIS_URL, or set CUTROOM_QUEUE=sqlite.',
        ),
  ]
}

function tryConnect(at: { readonly host: string; readonly port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(at)
    const end = (problem: string | null): void => {
      socket.destroy()
      resolve(problem)
    }
    socket.setTimeout(QUEUE_PATIENCE_MS, () => end('no answer'))
    socket.once('connect', () => end(null))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

/** `unknown`: as config.ts names them. */
export function checkSettings(unknown: readonly string[]): Check[] {
  return unknown.map((name) =>
    warning(
      'settings',
      `there is no setting ${name}: it does nothing`,
      'Correct its name; the README lists them all.',
    ),
  )
}

/**
 * One line for the setting, and one per purpose that may contact another machine; docs/network.md lists them all.
 * `environment`: without what was entered in the studio.
 */
export function checkNetwork(config: Config, environment: Config = config): Check[] {
  if (config.network === 'off')
    return [
      ok('network', 'off: nothing but this machine is contacted'),
      ...outsideAllTheSame(config, environment),
    ]
  const open = OUTBOUND.flatMap((purpose) => {
    const now = purpose.now(config)
    return now === null ? [] : [ok(`network ${purpose.name}`, `${purpose.title}: ${now}`)]
  })
  const count = `${open.length} of ${OUTBOUND.length} purposes may contact other machines when they are asked to`
  return [ok('network', `on: ${count} (docs/network.md); CUTROOM_NETWORK=off turns all off`), ...open]
}

/** Settings that name other machines, though none is contacted. */
function outsideAllTheSame(
  { languageModel, speechServer, queue, redisUrl }: Config,
  environment: Config,
): Check[] {
  const named = [
    ['CUTROOM_LLM_URL', languageModel.url, environment.languageModel.url],
    ['CUTROOM_ASR_URL', speechServer.url, environment.speechServer.url],
    ['CUTROOM_REDIS_URL', queue === 'bullmq' ? redisUrl : null, redisUrl],
  ] as const
  return named.flatMap(([setting, url, set]) =>
    url === null || isThisMachine(new URL(url).hostname)
      ? []
      : [
          warning(
            `network ${setting}`,
            `${new URL(url).host} is not on this machine, and is not contacted`,
            set === null
              ? 'Remove it under Settings, Language and speech, or set CUTROOM_NETWORK to on.'
              : `Unset ${setting}, or set CUTROOM_NETWORK to on.`,
          ),
        ],
  )
}
