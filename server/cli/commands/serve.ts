import { spawn } from 'node:child_process'
import type { Appliance } from '../../index.ts'
import { applicationRoot, loadConfig, type Config } from '../../config/config.ts'
import type { Logger } from '../../log.ts'
import { defineCommand, EXIT, type Terminal, optional } from '../command.ts'
import { createCommandLog, warnOfUnknownSettings } from '../command-log.ts'
import { stopSignal } from '../stop-signal.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

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
    const { config, log, stopped } = prepareServing(options, terminal)
    const { startAppliance } = await import('../../index.ts')
    const appliance = await startAppliance(config, log)
    return await runUntilStopped(appliance, { stopped, json: options.json, terminal })
  },
})

/** The configuration and the log of a command that serves, and the signal that ends it. Throws INVALID_CONFIGURATION. */
export function prepareServing(
  options: {
    readonly home: string | undefined
    readonly port: string | undefined
    readonly host: string | undefined
    readonly json: boolean
  },
  terminal: Terminal,
): { readonly config: Config; readonly log: Logger; readonly stopped: Promise<NodeJS.Signals> } {
  const stopped = stopSignal()
  const given = omitUndefined({ home: options.home, port: options.port, host: options.host })
  const config = loadConfig(given)
  const log = createCommandLog(config.log, options.json, terminal)
  warnOfUnknownSettings(log, given)
  return { config, log, stopped }
}

/** Says where it listens, and stops it by a signal or by itself. Throws what it stopped by itself for. */
export async function runUntilStopped(
  appliance: Appliance,
  until: {
    readonly stopped: Promise<NodeJS.Signals>
    readonly json: boolean
    readonly terminal: Terminal
  },
): Promise<number> {
  const { stopped, json, terminal } = until
  if (json) printForMachine(appliance, terminal)
  else printForPerson(appliance, terminal)
  const why = await Promise.race([stopped, appliance.over])
  // Uses the appliance's own log, which also writes to the home.
  appliance.services.log.info('stopping', typeof why === 'string' ? { signal: why } : { code: why.code })
  await appliance.stop()
  if (typeof why !== 'string') throw why
  return EXIT.done
}

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
