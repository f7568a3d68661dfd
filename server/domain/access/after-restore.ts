/**
 * Who may get in, once an earlier state of the database was put back: what was taken away since then is there again, and
 * the database cannot know of it.
 */
import type { Db } from '../../db/client.ts'
import { deleteAllSessions } from '../../db/sessions.ts'

/** What gives access again, for a person to review. */
export interface RestoredAccess {
  /** Sessions and sign-in links that were ended. */
  readonly signIns: number
  /** API keys that are not revoked. */
  readonly keys: number
  readonly people: number
  /** Of companies to clients, and not over yet. */
  readonly grants: number
  /** Who else may issue delegations. */
  readonly issuers: number
}

/**
 * Ends every session and sign-in link: nobody notices more than that they sign in again, while one that was ended since
 * would open the studio. Counts what stays, since the appliance would not work without. Nobody may use the database.
 */
export function resetAccess(db: Db, now: number): RestoredAccess {
  const count = (query: string, ...values: number[]): number =>
    Number(
      db.sqlite
        .prepare<number[]>(query)
        .pluck()
        .get(...values),
    )
  return {
    signIns: deleteAllSessions(db),
    keys: count('select count(*) from api_keys where revoked_at is null'),
    people: count('select count(*) from people'),
    grants: count('select count(*) from client_grants where expires_at > ?', now),
    issuers: count('select count(*) from trusted_issuers'),
  }
}

const HOW = [
  ['keys', 'API key', 'API keys', 'cutroom key list'],
  ['people', 'person', 'people', 'cutroom people list'],
  ['grants', 'grant', 'grants', 'cutroom grant revoke'],
  ['issuers', 'trusted issuer', 'trusted issuers', 'cutroom issuer distrust'],
] as const

/** What a person is to be told of it, a sentence or two each; none where nobody could get in. */
export function sentencesOf(access: RestoredAccess): string[] {
  const there = HOW.flatMap(([kind, one, more, command]) =>
    access[kind] === 0 ? [] : [`${access[kind]} ${access[kind] === 1 ? one : more} (${command})`],
  )
  return [
    ...(access.signIns === 0
      ? []
      : [
          'Everybody is signed out of the studio; for a new link: cutroom people invite NAME --again. An owner gets one at each start.',
        ]),
    ...(there.length === 0
      ? []
      : [
          `As they were at the backup, those included that were taken away since: ${there.join(', ')}. Look them over.`,
        ]),
  ]
}
