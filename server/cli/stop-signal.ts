/** Ctrl-C, SIGTERM and the loss of the terminal as a promise. */

/** A terminal's Ctrl-C may reach us twice, from the terminal and through the outer process. */
const SAME_PRESS_MS = 1000

/** Resolves with the first stop signal's name; a second one, a second or more later, ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first = 0
    const obey = (signal: NodeJS.Signals): void => {
      const now = performance.now()
      if (first !== 0 && now - first > SAME_PRESS_MS) process.exit(130)
      first = first === 0 ? now : first
      resolve(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, obey)
    if (!hangUpIsIgnored()) process.on('SIGHUP', obey)
  })
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Whether the loss of the terminal is to end nothing, as under `nohup cutroom serve &`. nohup has the signal ignored, but
 * Node resets every signal as it starts, so whoever starts Node has to report it: the script bin/cutroom of the packages,
 * or the shell that ran nohup, which leaves the program that it ran in `_`.
 */
export function hangUpIsIgnored(environment: Environment = process.env): boolean {
  const setting = environment['CUTROOM_IGNORES_HANGUP'] ?? ''
  return setting === '' ? /(^|\/)nohup$/.test(environment['_'] ?? '') : setting === '1'
}

/** Ignores the signal again where nohup did: without any handler Node would end. */
export function heedNohup(): void {
  if (hangUpIsIgnored()) process.on('SIGHUP', () => undefined)
}
