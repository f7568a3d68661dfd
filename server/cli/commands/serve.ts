import type { Appliance } from '../../index.ts'
import { loadConfig } from '../../config/config.ts'
import { createLogger } from '../../log.ts'
import { defineCommand, EXIT, type Terminal } from '../command.ts'
import { humanLog } from '../human-log.ts'
import { stopSignal } from '../stop-signal.ts'
import { warnOfUnknownSettings } from '../unknown-settings.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** The headless appliance. */
export const serve = defineCommand({
  summary: 'Run the appliance: the API and the studio page',
  positionals: [],
  options: {
    port: { type: 'string', value: 'N', description: 'port, 0 for any free one (CUTROOM_PORT, 4810)' },
    host: { type: 'string', value: 'ADDR', description: 'address to listen on (CUTROOM_HOST, 127.0.0.1)' },
  },
  examples: [
    { line: 'cutroom serve', does: 'Serve this machine on port 4810.' },
    { line: 'cutroom serve --host 0.0.0.0 --port 8080', does: 'Serve the network.' },
    { line: 'cutroom serve --port 0 --json', does: 'For scripts: one line on stdout says where it listens.' },
  ],
  run: async ({ options, terminal }) => {
    const stopped = stopSignal()
    const given = omitUndefined({ home: options.home, port: options.port, host: options.host })
    const config = loadConfig(given)
    const log = createLogger(
      config.log,
      options.json ? (line) => terminal.note(line.trimEnd()) : humanLog(terminal),
    )
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
