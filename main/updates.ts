/**
 * Checks for newer versions. By default no request is made. Where the administrator sets an address, the shell reads
 * `latest.json` there once a day and shows a message; it never downloads or installs a program.
 */
import { messages } from './messages.ts'

export interface NewVersion {
  readonly version: string
  /** Where it can be had, for the browser. */
  readonly page: string
}

/** True when `other` is a later version than `mine`: numbers between dots, compared one by one. */
export function isNewer(other: string, mine: string): boolean {
  const numbers = (version: string): number[] =>
    (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number)
  const theirs = numbers(other)
  const ours = numbers(mine)
  for (let index = 0; index < Math.max(theirs.length, ours.length); index += 1) {
    const difference = (theirs[index] ?? 0) - (ours[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

const PATIENCE_MS = 30_000

/**
 * Fetches JSON with Node's own fetch, because the window's session only reaches the studio. Does not follow redirects.
 * Throws an Error with a message for people.
 */
export async function fetchJson(url: string): Promise<unknown> {
  const { host } = new URL(url)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const answer = await fetch(url, { redirect: 'manual', credentials: 'omit', signal }).catch(() => null)
  if (answer === null) throw new Error(messages.updates.noAnswer(host))
  if (!answer.ok) {
    await answer.body?.cancel()
    const isRedirect = answer.status >= 300 && answer.status < 400
    throw new Error(
      isRedirect ? messages.updates.redirected(host) : messages.updates.httpError(host, answer.status),
    )
  }
  return await answer.json().catch(() => {
    throw new Error(messages.updates.notJson(host))
  })
}

/** A newer version than `mine`, or null when there is none. Throws an Error with a sentence when that cannot be known. */
export async function findNewVersion(
  address: string,
  mine: string,
  read: (url: string) => Promise<unknown>,
): Promise<NewVersion | null> {
  const release = ((await read(`${address}/latest.json`)) ?? {}) as { version?: unknown; page?: unknown }
  const { version, page } = release
  if (typeof version !== 'string' || typeof page !== 'string' || !/^https?:\/\//.test(page))
    throw new Error(messages.updates.incomplete)
  return isNewer(version, mine) ? { version, page } : null
}
