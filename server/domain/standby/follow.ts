/** A copy of the database of the appliance in charge, page by page, a moment behind it: what a standby takes over with. */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PAGE_BYTES } from '../../db/log-format.ts'
import type { PageChanges } from '../../db/log-reader.ts'
import type { Home } from '../../home.ts'
import type { Logger } from '../../log.ts'
import { syncFolder } from '../../../workers/sync-folder.ts'
import type { BackupStore } from '../backups/store.ts'
import { fetchBase, listBases, readBase } from './base.ts'
import type { Claim } from './charge.ts'
import {
  changeName,
  claimEpoch,
  findHead,
  isAfter,
  readBeginning,
  readChain,
  type Head,
  type Position,
} from './place.ts'
import { unpackChanges } from './shipment.ts'
import { readStanding, writeStanding } from './standing.ts'

export interface Follower {
  /** Applies what the appliance in charge wrote since; cheap, and blind to another that takes over. */
  readonly follow: (signal?: AbortSignal) => Promise<number | null>
  /** Applies what there is. Answers how many changes that were; null: no appliance ever was in charge here. */
  readonly catchUp: (signal?: AbortSignal) => Promise<number | null>
  /** How far the copy is; null: there is none yet. */
  readonly position: () => Position | null
  /** Who is in charge, as seen last. */
  readonly head: () => Head | null
}

/** Where a home keeps the database of the appliance that it follows. */
export const copyOf = (home: Pick<Home, 'root'>): string => join(home.root, 'standby.sqlite')

export interface FollowInput {
  readonly home: Home
  readonly place: BackupStore
  readonly log: Logger
}

/** Goes on where a copy of this home is. Calls throw what the place throws, and where what lies there is damaged. */
export function openFollower({ home, place, log }: FollowInput): Follower {
  const copy = copyOf(home)
  const standing = readStanding(home)
  let position: Position | null =
    standing?.role === 'follows' && standing.epoch > 0 && existsSync(copy)
      ? { epoch: standing.epoch, change: standing.change }
      : null
  let head: Head | null = null
  writeStanding(home, { role: 'follows', epoch: position?.epoch ?? 0, change: position?.change ?? 0 })

  /** What was applied again after a crash ends as it was: every change is the last content of its pages. */
  const note = (next: Position): void => {
    position = next
    writeStanding(home, next)
  }

  async function takeBase(chain: ReadonlyMap<number, number>): Promise<boolean> {
    for (const one of await listBases(place)) {
      if ((chain.get(one.epoch) ?? -1) < one.change) continue
      if (position !== null && !isAfter(one, position)) return false
      const base = await readBase(place, one)
      if (base === null) continue
      // Until it is whole, there is none.
      writeStanding(home, { epoch: 0, change: 0 })
      position = null
      await fetchBase(place, base, copy)
      note(one)
      log.info('took the whole database', { ...one, bytes: base.bytes })
      return true
    }
    return false
  }

  /** Applies the changes of one epoch up to `last`. */
  async function applyEpoch(from: Position, last: number, signal?: AbortSignal): Promise<number> {
    let applied = 0
    for (let change = from.change + 1; change <= last; change++) {
      signal?.throwIfAborted()
      const bytes = await place.get(changeName({ epoch: from.epoch, change }))
      if (bytes === null) break
      await applyChanges(copy, await unpackChanges(bytes))
      note({ epoch: from.epoch, change })
      applied += 1
    }
    return applied
  }

  /** The epoch that goes on from this one; null: it is the last. */
  async function nextEpoch(at: Head): Promise<number | null> {
    let next: number | null = null
    for (let one: Head | null = at; one !== null;) {
      if (one.epoch === position?.epoch) return next
      next = one.epoch
      const after: Position | null = one.beginning.after
      one = after === null ? null : await headOf(place, after.epoch)
    }
    return null
  }

  async function catchUp(signal?: AbortSignal): Promise<number | null> {
    let applied = 0
    for (;;) {
      head = await findHead(place)
      if (head === null) return null
      const chain = await readChain(place, head)
      const limit = position === null ? undefined : chain.get(position.epoch)
      // Not on the way to where the appliance in charge is: what this copy has may be what was given up.
      if (position !== null && (limit === undefined || limit < position.change)) position = null
      if (position !== null) applied += await applyEpoch(position, limit ?? 0, signal)
      const next = position !== null && position.change === limit ? await nextEpoch(head) : null
      if (next !== null) note({ epoch: next, change: 0 })
      else if (!(await takeBase(chain))) return applied
    }
  }

  return {
    follow: (signal) =>
      position === null || position.epoch !== head?.epoch
        ? catchUp(signal)
        : applyEpoch(position, Number.MAX_SAFE_INTEGER, signal),
    catchUp,
    position: () => position,
    head: () => head,
  }
}

async function headOf(place: BackupStore, epoch: number): Promise<Head | null> {
  const beginning = await readBeginning(place, epoch)
  return beginning === null ? null : { epoch, beginning }
}

async function applyChanges(copy: string, { pages, size }: PageChanges): Promise<void> {
  await using file = await open(copy, 'r+')
  for (const [page, bytes] of pages) await file.write(bytes, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  await file.truncate(size * PAGE_BYTES)
  await file.datasync()
}

/**
 * Takes over: nobody else is in charge from now on, and all that was acknowledged is in this home's database, which is
 * that of the former appliance. What lay in its place is kept beside it. The caller has the lock of the home.
 */
export async function takeOver({ home, place, log }: FollowInput, follower: Follower): Promise<Claim> {
  const { holder } = writeStanding(home, {})
  const epoch = await claimEpoch(place, holder)
  // What came before the claim could be seen counts; the former appliance sees the claim before it acknowledges more.
  await follower.catchUp()
  const after = follower.position()
  if (after === null) throw new Error('no appliance was in charge')
  await putInPlace(home)
  writeStanding(home, { role: 'in charge', epoch, change: 0 })
  log.info('took over', { epoch, after })
  return { epoch, after }
}

async function putInPlace(home: Home): Promise<void> {
  const aside = `${home.database}.before-${new Date().toISOString().replace(/[:.]/g, '-')}`
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(`${home.database}${part}`)) await rename(`${home.database}${part}`, `${aside}${part}`)
  for (const part of ['-wal', '-shm']) await rm(`${copyOf(home)}${part}`, { force: true })
  await rename(copyOf(home), home.database)
  await syncFolder(home.root)
}
