import { spawn } from 'node:child_process'
import type { Appliance } from '../../index.ts'
import { applicationRoot, loadConfig } from '../../config/config.ts'
import { defineCommand, EXIT, type Terminal, optional, required } from '../command.ts'
import { createCommandLog, warnOfUnknownSettings } from '../command-log.ts'
import { stopSignal } from '../stop-signal.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../contract/errors.ts'

const ADDRESS = {
  port: optional('N', 'port, 0 for any free one (CUTROOM_PORT, 4810)'),
  host: optional('ADDR', 'address to listen on (CUTROOM_HOST, 127.0.0.1)'),
} as const

/** The headless appliance. */
export const serve = defineCommand({
  summary: 'Run the appliance: the API and the studio page',
  options: ADDRESS,
  examples: {
    'cutroom serve': 'Serve this machine on port 4810.',
    'cutroom serve --host 0.0.0.0 --port 8080': 'Serve the network.',
    'cutroom serve --port 0 --json': 'For scripts: one line on stdout says where it listens.',
  },
  run: async ({ options, terminal }) => {
    const stopped = stopSignal()
    const given = omitUndefined({ home: options.home, port: options.port, host: options.host })
    const config = loadConfig(given)
    const log = createCommandLog(config.log, options.json, terminal)
    warnOfUnknownSettings(log, given)
    const { startAppliance } = await import('../../index.ts')
    const appliance = await startAppliance(config, log)
    if (options.json) printForMachine(appliance, terminal)
    else printForPerson(appliance, terminal)
    const signal = await stopped
    // Uses the appliance's own log, which also writes to the home.
    appliance.services.log.info('stopping', { signal })
    await appliance.stop()
    return EXIT.done
  },
})

function printForMachine(appliance: Appliance, terminal: Terminal): void {
  const { url, studioUrl, pid, firstKey } = appliance
  if (firstKey !== null) {
    const message = 'API key of company "local": shown once, stored hashed'
    terminal.note(JSON.stringify({ event: 'first-start', message, companyId: 'local', apiKey: firstKey }))
  }
  terminal.out(JSON.stringify({ event: 'listening', url, studioUrl, pid }))
}

function printForPerson(appliance: Appliance, terminal: Terminal): void {
  terminal.out(`Cutroom is running at ${appliance.url}`)
  terminal.out(`Open the studio (this link signs you in, once): ${appliance.studioUrl}`)
  terminal.out('Ctrl-C stops it.')
  if (appliance.firstKey !== null) {
    terminal.note('')
    terminal.note('An API key for company "local", shown this once:')
    terminal.note(`  ${appliance.firstKey}`)
  }
}

/** The desktop studio where it can be, else headless. */
export const start = defineCommand({
  summary: 'Open the desktop studio; without Electron or a display, run headless instead',
  options: ADDRESS,
  examples: { 'cutroom start': 'Says whether it opens a window or serves headless, and why.' },
  run: async (input) => {
    const desktop = desktopProgram()
    if ('missing' in desktop) {
      input.terminal.note(`Headless: ${desktop.missing}.`)
      return await serve.run(input)
    }
    const { home, port, host } = input.options
    input.terminal.note('Opening the desktop studio.')
    const child = spawn(desktop.program, [applicationRoot()], {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...omitUndefined({ CUTROOM_HOME: home, CUTROOM_PORT: port, CUTROOM_HOST: host }),
      },
    })
    void stopSignal().then((signal) => child.kill(signal))
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code === 0 ? EXIT.done : EXIT.failed))
    })
  },
})

export type Desktop = { readonly program: string } | { readonly missing: string }

interface Surroundings {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder of the electron package; null when it is not installed. */
  readonly electronFolder: string | null
}

/**
 * The path of the Electron binary, or a clause that says what is missing. Never imports `electron`, which would
 * download it.
 */
export function desktopProgram(surroundings: Surroundings = thisMachine()): Desktop {
  const { platform, environment, electronFolder } = surroundings
  if (electronFolder === null) return { missing: 'Electron is not installed' }
  const nameFile = join(electronFolder, 'path.txt')
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH']
  const dist = override ?? join(electronFolder, 'dist')
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8').trim() : 'electron'
  const program = join(dist, name)
  if (!existsSync(program)) return { missing: 'there is no Electron binary' }
  if (platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY'])
    return { missing: 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)' }
  return { program }
}

function thisMachine(): Surroundings {
  const { platform, env: environment } = process
  try {
    const manifest = createRequire(import.meta.url).resolve('electron/package.json')
    return { platform, environment, electronFolder: dirname(manifest) }
  } catch {
    return { platform, environment, electronFolder: null } // an installation without the desktop parts
  }
}

function tokenOf(given: string | undefined, file: string | undefined): string {
  const token = (file === undefined ? given : readToken(file))?.trim() ?? ''
  if (token === '')
    throw new AppError('INVALID_USAGE', {
      message:
        'Give --token or --token-file: `cutroom service-token issue --subject NAME` on the appliance makes one.',
    })
  return token
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID_REQUEST', { message: `The token cannot be read: ${why}.`, cause })
  }
}

/** A machine more for an appliance. */
export const worker = defineCommand({
  summary: 'Do stages of an appliance on this machine; needs an appliance with CUTROOM_QUEUE=bullmq',
  options: {
    server: required('URL', 'the appliance'),
    token: optional('TOKEN', 'a service token of the appliance'),
    'token-file': optional('FILE', 'the same from a file, out of sight'),
    redis: optional('URL', 'where Redis is from here (else as the appliance says)'),
  },
  examples: {
    'cutroom worker --server http://studio:4810 --token-file token':
      'Takes stages until it is stopped; what it holds then is given back.',
  },
  run: async ({ options, terminal }) => {
    const stopped = stopSignal()
    const token = tokenOf(options.token, options['token-file'])
    const given = omitUndefined({ home: options.home })
    const base = loadConfig(given)
    // Separate from the home, because an appliance may run on the same machine; its models are shared.
    const config = options.home === undefined ? { ...base, home: join(base.home, 'worker') } : base
    const log = createCommandLog(config.log, options.json, terminal)
    warnOfUnknownSettings(log, given)
    const { startWorkerNode } = await import('../../worker-node/node.ts')
    const starting = startWorkerNode({
      config,
      log,
      token,
      server: options.server,
      redisUrl: options.redis ?? null,
    })
    // While Redis is unreachable it would not end by itself.
    const node = await Promise.race([starting, stopped.then(() => null)])
    if (node === null) process.exit(EXIT.done)
    const { name, queues } = node
    if (options.json)
      terminal.out(JSON.stringify({ event: 'working', name, pid: process.pid, queues: queues.length }))
    else terminal.out(`"${name}" takes work from ${options.server}. Ctrl-C stops it.`)
    const refused = await Promise.race([stopped.then(() => false), node.refused.then(() => true)])
    await node.stop()
    if (refused)
      throw new AppError('UNAUTHENTICATED', {
        message:
          'The appliance does not take the token any more; make a new one with `cutroom service-token issue`.',
      })
    return EXIT.done
  },
})
