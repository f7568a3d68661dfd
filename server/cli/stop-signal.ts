/** Ctrl-C, SIGTERM and the loss of the terminal as a promise. */
import { hangUpIsIgnored } from './hang-up.ts'

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
