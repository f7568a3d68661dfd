/**
 * Being in charge, where an appliance has a standby: how an epoch is claimed and begun. What happens in it: shipping.ts.
 * docs/decisions/0100.
 */
import { hostname } from 'node:os'
import { AppError } from '../../contract/errors.ts'
import type { LogReader } from '../../db/log-reader.ts'
import type { BackupStore } from '../backups/store.ts'
import { listBases, pruneBases, readBase, writeBase, type Base } from './base.ts'
import { claimEpoch, findHead, isFenced, readChain, writeBeginning, type Position } from './place.ts'
import { shipFrom, type Charge, type ChargeInput } from './shipping.ts'
import { fenceHome, readStanding, writeStanding } from './standing.ts'

/** An epoch that was claimed, and what it goes on from; null: from a base, which is written when it begins. */
export interface Claim {
  readonly epoch: number
  readonly after: Position | null
}

/**
 * Claims the next epoch for an appliance that was in charge last, or is the first. Throws NOT_IN_CHARGE where another is,
 * STORE_UNAVAILABLE, INVALID_CONFIGURATION.
 */
export async function claimForStart({ home, place }: Pick<ChargeInput, 'home' | 'place'>): Promise<Claim> {
  const head = await findHead(place)
  const standing = readStanding(home)
  // It was promoted, or died before it could begin.
  if (standing?.role === 'in charge' && standing.epoch > (head?.epoch ?? 0)) {
    if (await isFenced(place, standing.epoch)) throw fenceHome(home)
    return { epoch: standing.epoch, after: null }
  }
  const isOurs = head === null || head.beginning.holder === standing?.holder
  if (head !== null && (!isOurs || (await isFenced(place, head.epoch)))) {
    if (standing?.role === 'in charge') throw fenceHome(home)
    throw new AppError('NOT_IN_CHARGE', {
      message: `The appliance on ${head.beginning.machine} is in charge of ${place.place}. To have this one follow it: cutroom standby. To have it take over: cutroom standby promote.`,
    })
  }
  const { holder } = writeStanding(home, {})
  const epoch = await claimEpoch(place, holder)
  writeStanding(home, { role: 'in charge', epoch, change: 0 })
  return { epoch, after: null }
}

/**
 * Begins an epoch. `reader`: of the database, from before its first change on where the epoch goes on from another. Nothing
 * may be acknowledged before.
 */
export async function beginCharge(input: ChargeInput, claim: Claim, reader: LogReader): Promise<Charge> {
  const { home, place, log, now } = input
  const { epoch, after } = claim
  const start = { epoch, change: 0 }
  let base: Base | null = await newestBase(place)
  if (after === null)
    base = await writeBase(place, { home, position: start, known: base }, () => Promise.resolve())
  const { holder } = writeStanding(home, { role: 'in charge', epoch, change: 0 })
  await writeBeginning(place, epoch, { version: 1, holder, machine: hostname(), at: now(), after })
  if (await isFenced(place, epoch)) throw fenceHome(home)
  log.info('in charge', { epoch, place: place.place })
  if (after === null)
    pruneBases(place, epoch, start).catch((error: unknown) =>
      log.warn('what no standby needs any more stays in the store for now', { error }),
    )
  return shipFrom(input, { epoch, holder, base, reader })
}

/** Of those that count. */
async function newestBase(place: BackupStore): Promise<Base | null> {
  const head = await findHead(place)
  if (head === null) return null
  const chain = await readChain(place, head)
  const position = (await listBases(place)).find(({ epoch, change }) => (chain.get(epoch) ?? -1) >= change)
  return position === undefined ? null : readBase(place, position)
}
