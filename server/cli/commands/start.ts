import { spawn } from 'node:child_process'
import { applicationRoot } from '../../config/config.ts'
import { defineCommand, EXIT } from '../command.ts'
import { desktopProgram } from '../desktop.ts'
import { stopSignal } from '../stop-signal.ts'
import { serve } from './serve.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** The desktop studio where it can be, else headless. */
export const start = defineCommand({
  summary: 'Open the desktop studio; without Electron or a display, run headless instead',
  positionals: [],
  options: {
    port: { type: 'string', value: 'N', description: 'port, 0 for any free one (CUTROOM_PORT, 4810)' },
    host: { type: 'string', value: 'ADDR', description: 'address to listen on (CUTROOM_HOST, 127.0.0.1)' },
  },
  examples: [{ line: 'cutroom start', does: 'Says whether it opens a window or serves headless, and why.' }],
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
        ...omitUndefined({ CUTROOM_HOME: home }),
        ...(typeof port === 'string' ? { CUTROOM_PORT: port } : {}),
        ...(typeof host === 'string' ? { CUTROOM_HOST: host } : {}),
      },
    })
    void stopSignal().then((signal) => child.kill(signal))
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code === 0 ? EXIT.done : EXIT.failed))
    })
  },
})
