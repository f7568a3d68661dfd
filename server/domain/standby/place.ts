/**
 * What an appliance in charge writes beside the media in the store, for the one that follows it. Each time in charge has a
 * number, its epoch, and writes under it alone: what a former one writes late is never read. docs/decisions/0100.
 *
 *     claims/EPOCH/HOLDER      who wants, or has, this epoch
 *     fenced/EPOCH             it is over
 *     changes/EPOCH/0          how it began (Beginning)
 *     changes/EPOCH/CHANGE     what was committed, in order from 1 (shipment.ts)
 *     bases/EPOCH-CHANGE       the whole database as it was then or a little later (base.ts)
 *     pieces/EPOCH/DIGEST      content of bases
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../contract/errors.ts'
import { openStore } from '../backups/open-store.ts'
import type { BackupStore } from '../backups/store.ts'

/** A moment of the database. */
export interface Position {
  readonly epoch: number
  /** 0: as the epoch began. */
  readonly change: number
}

const Beginning = Type.Object({
  version: Type.Literal(1),
  /** Id of the home that is in charge: standing.ts. */
  holder: Type.String({ minLength: 1 }),
  /** Name of its machine, for people. */
  machine: Type.String(),
  /** Milliseconds since the epoch. */
  at: Type.Integer(),
  /** What it goes on from; null: from a base of its own. */
  after: Type.Union([
    Type.Null(),
    Type.Object({ epoch: Type.Integer({ minimum: 1 }), change: Type.Integer({ minimum: 0 }) }),
  ]),
})
export type Beginning = Static<typeof Beginning>

/** How often an epoch is claimed that somebody else claims at the same moment. */
const CLAIMS = 10

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0')
const epochName = (epoch: number): string => padded(epoch, 8)
export const changeName = ({ epoch, change }: Position): string =>
  `changes/${epochName(epoch)}/${padded(change, 10)}`
export const baseName = ({ epoch, change }: Position): string =>
  `bases/${epochName(epoch)}-${padded(change, 10)}`
export const pieceFolder = (epoch: number): string => `pieces/${epochName(epoch)}`

/** Of a name that baseName or changeName made. */
export function positionIn(name: string): Position | null {
  const [, epoch, change] = /(\d{8})[-/](\d{10})$/.exec(name) ?? []
  return epoch === undefined ? null : { epoch: Number(epoch), change: Number(change) }
}

export const isAfter = (one: Position, other: Position): boolean =>
  one.epoch === other.epoch ? one.change > other.change : one.epoch > other.epoch

/** Where it lies: beside the media of the store. Throws INVALID_CONFIGURATION without a store. */
export function openStandbyPlace(config: Pick<Config, 'store' | 's3' | 'network'>): BackupStore {
  if (config.store === null)
    throw new AppError(
      'INVALID_CONFIGURATION',
      'CUTROOM_STANDBY is on: CUTROOM_STORE has to name the store that both appliances use, s3://BUCKET/PREFIX.',
    )
  return openStore(`${config.store.replace(/\/$/, '')}/standby`, config)
}

/** How an epoch began; null: it did not, though it may have been claimed. */
export async function readBeginning(place: BackupStore, epoch: number): Promise<Beginning | null> {
  const bytes = await place.get(changeName({ epoch, change: 0 }))
  return bytes === null ? null : Value.Decode(Beginning, JSON.parse(bytes.toString('utf8')))
}

export const writeBeginning = (place: BackupStore, epoch: number, beginning: Beginning): Promise<void> =>
  place.put(changeName({ epoch, change: 0 }), Buffer.from(JSON.stringify(beginning)))

/** Every epoch that was claimed, in order. */
async function claimedEpochs(place: BackupStore): Promise<number[]> {
  const epochs = (await place.list('claims')).map((name) => Number(name.split('/')[1]))
  return [...new Set(epochs)].sort((a, b) => a - b)
}

export interface Head {
  readonly epoch: number
  readonly beginning: Beginning
}

/** The last epoch that began; null: there never was one. */
export async function findHead(place: BackupStore): Promise<Head | null> {
  for (const epoch of (await claimedEpochs(place)).reverse()) {
    const beginning = await readBeginning(place, epoch)
    if (beginning !== null) return { epoch, beginning }
  }
  return null
}

/**
 * An epoch that nobody else has, with all before it over. Whoever sees a second claim gives way, so that of two who claim
 * at once both may, but never both have it. Claims stay for ever: one that was taken away could be had twice.
 */
export async function claimEpoch(place: BackupStore, holder: string): Promise<number> {
  for (let tried = 0; tried < CLAIMS; tried++) {
    const before = await claimedEpochs(place)
    const epoch = (before.at(-1) ?? 0) + 1
    await place.put(`claims/${epochName(epoch)}/${holder}`, Buffer.from(new Date().toISOString()))
    const claims = await place.list(`claims/${epochName(epoch)}`)
    if (claims.length === 1) {
      await fenceBefore(place, epoch, before)
      return epoch
    }
    await pause(100 + Math.random() * 1000 * (tried + 1))
  }
  throw new AppError('NOT_IN_CHARGE', {
    message: 'Other appliances want to take over as well; nothing was changed. Have one of them do it.',
  })
}

/** Those before the last one that began are over since it did. */
async function fenceBefore(place: BackupStore, epoch: number, before: readonly number[]): Promise<void> {
  const head = await findHead(place)
  for (const one of before)
    if (one < epoch && one >= (head?.epoch ?? 0))
      await place.put(`fenced/${epochName(one)}`, Buffer.from('1'))
}

/** Whether another appliance took over from an epoch. */
export const isFenced = async (place: BackupStore, epoch: number): Promise<boolean> =>
  (await place.get(`fenced/${epochName(epoch)}`)) !== null

/**
 * How far each epoch counts that leads to `head`; whatever lies behind that, or in another epoch, was written by an
 * appliance that was not in charge any more.
 */
export async function readChain(place: BackupStore, head: Head): Promise<Map<number, number>> {
  const chain = new Map([[head.epoch, Number.MAX_SAFE_INTEGER]])
  for (let { after } = head.beginning; after !== null;) {
    chain.set(after.epoch, after.change)
    after = (await readBeginning(place, after.epoch))?.after ?? null
  }
  return chain
}
