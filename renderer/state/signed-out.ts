/**
 * Whether the session has ended, as the appliance's answers say it: one for the page, told in its frame. A room knows only
 * that what it asked for was refused, and in words that are for programs.
 */
import { shellMessages } from '../messages/shell.ts'

const messages = shellMessages.session

/** What a room says of what it was refused. The frame says the rest. */
export const SIGNED_OUT = messages.signedOut
const UNAUTHENTICATED = 401
/** Some answers need nobody to be signed in, and others were on their way when the session ended: this one knows. */
export const SESSION_PATH = '/studio/session'

let signedOut = false
const hearers = new Set<(now: boolean) => void>()
const waiting = new Set<() => void>()

function become(now: boolean): void {
  if (now === signedOut) return
  signedOut = now
  for (const hear of [...hearers]) hear(now)
  if (now) return
  const acts = [...waiting]
  waiting.clear()
  for (const act of acts) act()
}

/** Takes note of how a request of the studio was answered. */
export function heardAnswer(path: string, status: number): void {
  if (status === UNAUTHENTICATED) become(true)
  else if (path === SESSION_PATH && status === 200) become(false)
}

/** The sentence for people of a refusal. */
export const refusalSentence = (status: number, said: string): string =>
  status === UNAUTHENTICATED ? SIGNED_OUT : said

/** Calls `hear` at once and whenever it changes. Answers what ends it. */
export function followSignedOut(hear: (now: boolean) => void): () => void {
  hearers.add(hear)
  hear(signedOut)
  return () => void hearers.delete(hear)
}

/** Calls `act`, once, when somebody is signed in again: what was refused meanwhile can be asked for then. */
export function onceSignedIn(act: () => void): void {
  waiting.add(act)
}
