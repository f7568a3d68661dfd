/**
 * What `cutroom doctor` finds, by the command itself in a process of its own: it opens native libraries, and one that
 * breaks must not take the server with it.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../contract/errors.ts'

/** Probing hardware encoders on a machine without a card can be slow. */
const PATIENCE_MS = 120_000
const MAX_BYTES = 1_000_000

export interface Finding {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failure'
  readonly found: string
  readonly mend?: string
}

/** The command line in the form that this file is in: TypeScript source, or the bundle next to this one. */
function commandLine(moduleUrl: string = import.meta.url): string {
  const path = new URL(moduleUrl).pathname.endsWith('.ts') ? '../cli/main.ts' : './cli.js'
  return fileURLToPath(new URL(path, moduleUrl))
}

/** Runs `cutroom doctor`; takes seconds. Throws INVALID_STATE when it does not end or prints nothing. */
export async function runDoctor(home: string): Promise<readonly Finding[]> {
  const child = fork(commandLine(), ['doctor', '--json', '--home', home], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.length < MAX_BYTES) output += chunk
  })
  await new Promise<void>((resolve, reject) => child.once('close', () => resolve()).once('error', reject))
  try {
    return (JSON.parse(output) as { checks: Finding[] }).checks
  } catch (cause) {
    throw new AppError('INVALID_STATE', {
      message: 'The doctor did not come to an end. Run it where the appliance is: cutroom doctor',
      cause,
    })
  }
}
