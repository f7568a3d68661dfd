/**
 * Whether the session has ended, judged by the appliance's responses. Notices shows it once for the whole studio;
 * pages only see that their requests were refused.
 */
import { session as messages } from '../messages/shell.ts'

/** The message of a request that needs a session. Notices says what to do. */
export const SIGNED_OUT = messages.signedOut
const UNAUTHENTICATED = 401
/** The only route whose success proves a session: others may need none, or were sent before it ended. */
export const SESSION_PATH = '/studio/session'

let signedOut = false
const listeners = new Set<(now: boolean) => void>()
const waiting = new Set<() => void>()

function become(now: boolean): void {
  if (now === signedOut) return
  signedOut = now
  for (const listener of [...listeners]) listener(now)
  if (now) return
  const acts = [...waiting]
  waiting.clear()
  for (const act of acts) act()
}

/** Updates the state from the status of a response. */
export function recordResponse(path: string, status: number): void {
  if (status === UNAUTHENTICATED) become(true)
  else if (path === SESSION_PATH && status === 200) become(false)
}

/** What to show for a refused request. */
export const refusalSentence = (status: number, message: string): string =>
  status === UNAUTHENTICATED ? SIGNED_OUT : message

/** Calls `listener` at once and at each change. Returns what ends it. */
export function followSignedOut(listener: (now: boolean) => void): () => void {
  listeners.add(listener)
  listener(signedOut)
  return () => void listeners.delete(listener)
}

/** Calls `act` once somebody is signed in again, so that refused requests can be repeated. */
export function onceSignedIn(act: () => void): void {
  waiting.add(act)
}
