/**
 * Newer versions. By default nobody is asked. Where the one who looks after the machines names an address, the shell reads
 * `latest.json` there, once a day, and tells; it never fetches or installs a program.
 */

export interface NewVersion {
  readonly version: string
  /** Where it can be had, for the browser. */
  readonly page: string
}

/** True when `other` is a later version than `mine`: numbers between dots, compared one by one. */
export function isNewer(other: string, mine: string): boolean {
  const numbers = (version: string): number[] =>
    (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number)
  const [theirs, ours] = [numbers(other), numbers(mine)]
  for (let index = 0; index < Math.max(theirs.length, ours.length); index += 1) {
    const difference = (theirs[index] ?? 0) - (ours[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** A newer version than `mine`, or null; null too when the address does not answer as it should. */
export async function findNewVersion(
  address: string,
  mine: string,
  fetchJson: (url: string) => Promise<unknown>,
): Promise<NewVersion | null> {
  const said = await fetchJson(`${address}/latest.json`).catch(() => null)
  if (typeof said !== 'object' || said === null) return null
  const { version, page } = said as { version?: unknown; page?: unknown }
  if (typeof version !== 'string' || typeof page !== 'string' || !/^https?:\/\//.test(page)) return null
  return isNewer(version, mine) ? { version, page } : null
}
