/**
 * How addresses of media open: by their token alone, or (CUTROOM_MEDIA_LINKS=signed) with the moment until which they do and
 * a signature of both, in the query. One way for each database, chosen where services are put together.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/client.ts'
import { keyFor } from '../../secrets.ts'
import type { DbServices, Services } from '../services.ts'

const KEY = 'media-links'

interface MediaLinks {
  /** What comes after the path: empty, or a query. */
  readonly queryOf: (token: string, leastSeconds: number) => string
  /** Whether a query opens the file now. */
  readonly opens: (token: string, search: string) => boolean
}

const OPEN: MediaLinks = { queryOf: () => '', opens: () => true }

const links = new WeakMap<Db, MediaLinks>()

const linksOf = ({ db }: DbServices): MediaLinks => links.get(db) ?? OPEN

/** Addresses of this database open as the settings say. */
export function useMediaLinks(services: Pick<Services, 'config' | 'db' | 'home' | 'now'>): void {
  links.set(services.db, services.config.mediaLinks === 'signed' ? signedLinks(services) : OPEN)
}

function signedLinks({ config, home, now }: Pick<Services, 'config' | 'home' | 'now'>): MediaLinks {
  const lives = config.mediaLinkSeconds
  /** Moments are rounded up to so many seconds, so that a page that is loaded again names the same files. */
  const step = Math.max(1, Math.round(lives / 24))
  const sign = (token: string, expires: number): string =>
    createHmac('sha256', keyFor(home, KEY)).update(`${token}\n${expires}`).digest('base64url')
  return {
    queryOf: (token, leastSeconds) => {
      const until = now() / 1000 + Math.max(lives, leastSeconds)
      const expires = Math.ceil(until / step) * step
      return `?expires=${expires}&signature=${sign(token, expires)}`
    },
    opens: (token, search) => {
      const query = new URLSearchParams(search)
      const expires = Number(query.get('expires'))
      if (!Number.isSafeInteger(expires) || expires * 1000 <= now()) return false
      return isSame(query.get('signature') ?? '', sign(token, expires))
    },
  }
}

function isSame(given: string, wanted: string): boolean {
  const one = Buffer.from(given)
  const other = Buffer.from(wanted)
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The query that an address needs to open for at least so long, as settings say or longer. */
export const mediaQuery = (services: DbServices, token: string, leastSeconds = 0): string =>
  linksOf(services).queryOf(token, leastSeconds)

/** Whether an address with this query opens now. */
export const opensMedia = (services: DbServices, token: string, search: string): boolean =>
  linksOf(services).opens(token, search)
