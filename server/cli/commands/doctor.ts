import { unknownSettings, type Config } from '../../config/config.ts'
import { defineCommand, EXIT, type Terminal } from '../command.ts'
import { failure, reason, warning, type Check } from '../doctor/check.ts'
import {
  checkDatabase,
  checkInference,
  checkTools,
  checkFonts,
  checkModels,
  checkSpeechServer,
} from '../doctor/engines.ts'
import {
  checkDisk,
  checkHome,
  checkPort,
  checkQueue,
  checkRuntime,
  checkSettings,
  checkNetwork,
} from '../doctor/machine.ts'
import { checkStandby } from '../doctor/standby.ts'
import {
  checkSecrets,
  checkFileSystem,
  checkLeftBehind,
  checkLogFolder,
  checkUpkeep,
} from '../doctor/upkeep.ts'
import { commandConfig } from '../open-home.ts'
import { configInForce } from '../model-servers.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Looks at everything the appliance needs. */
export const doctor = defineCommand({
  summary:
    'Check runtime, disk, database, clock, backups, ffmpeg, GPU, models and more, and say how to mend them',
  examples: {
    'cutroom doctor': 'One line per check; exit code 1 when something must be mended.',
    'cutroom doctor --json': '{ "state", "checks": [{ "name", "state", "found", "mend" }] }',
  },
  run: async ({ options, terminal }) => {
    const checks: Check[] = [checkRuntime(process.versions.node, process.platform, process.arch)]
    const config = readConfig(options, checks)
    if (config !== null) checks.push(...checkSettings(unknownSettings(homeOf(options))))
    if (config !== null) {
      const inForce = await readModelServers(config, checks)
      for (const step of steps(config, inForce)) checks.push(...(await runCheck(step)))
    }
    const failed = checks.some(({ state }) => state === 'failure')
    if (options.json) terminal.out(JSON.stringify({ state: failed ? 'failure' : 'ok', checks }))
    else print(checks, terminal)
    return failed ? EXIT.failed : EXIT.done
  },
})

interface Step {
  readonly name: string
  readonly check: () => Check[] | Promise<Check[]>
}

/** `inForce`: with the servers that were entered in the studio. */
function steps(config: Config, inForce: Config): Step[] {
  return [
    { name: 'home', check: () => checkHome(config) },
    { name: 'file system', check: () => checkFileSystem(config) },
    { name: 'disk', check: async () => [await checkDisk(config)] },
    { name: 'lock', check: () => checkLeftBehind(config) },
    { name: 'log', check: () => checkLogFolder(config) },
    { name: 'port', check: async () => [await checkPort(config)] },
    { name: 'queue', check: () => checkQueue(config) },
    { name: 'standby', check: () => checkStandby(config) },
    { name: 'database', check: async () => [await checkDatabase(config)] },
    { name: 'upkeep', check: () => checkUpkeep(config, Date.now()) },
    { name: 'ffmpeg', check: () => checkTools(config) },
    { name: 'fonts', check: async () => [await checkFonts(config)] },
    { name: 'onnx', check: async () => [await checkInference(config)] },
    { name: 'models', check: () => checkModels(inForce) },
    { name: 'speech server', check: () => checkSpeechServer(inForce, config) },
    { name: 'secrets', check: () => [checkSecrets(config)] },
    { name: 'network', check: () => checkNetwork(inForce, config) },
  ]
}

/** A check that breaks is a failure of its own; the others still run. */
async function runCheck({ name, check }: Step): Promise<Check[]> {
  try {
    return await check()
  } catch (error) {
    return [failure(name, reason(error), 'Mend what the sentence names and run the doctor again.')]
  }
}

const homeOf = ({ home }: Parameters<typeof commandConfig>[0]): { home?: string } => omitUndefined({ home })

function readConfig(options: Parameters<typeof commandConfig>[0], checks: Check[]): Config | null {
  try {
    return commandConfig(options)
  } catch (error) {
    checks.push(failure('configuration', reason(error), 'Correct the value; the README lists them all.'))
    return null
  }
}

/** As they are in the environment where the studio's cannot be read, and a warning that says so. */
async function readModelServers(config: Config, checks: Check[]): Promise<Config> {
  try {
    return await configInForce(config)
  } catch (error) {
    const mend = 'Mend the database or the key, which have checks of their own, and run the doctor again.'
    checks.push(warning('servers', `those that were entered in the studio: ${reason(error)}`, mend))
    return config
  }
}

const MARKS = { ok: 'ok     ', warning: 'warning', failure: 'FAILURE' } as const

function print(checks: readonly Check[], terminal: Terminal): void {
  const width = Math.max(...checks.map(({ name }) => name.length))
  for (const { name, state, found, mend } of checks) {
    terminal.out(`${MARKS[state]}  ${name.padEnd(width)}  ${found}`)
    if (mend !== undefined) terminal.out(`${' '.repeat(11 + width)}-> ${mend}`)
  }
}
