/**
 * A little room that is kept back on the disk. When the disk is full it is given free, so that the database can still
 * store how runs have ended; it is taken again when there is room.
 */
import { openSync, closeSync, fsyncSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import { freeBytesNow } from '../../workers/media/disk.ts'

/** What a run's last words take is some tens of kilobytes of the database's log. */
const RESERVE_BYTES = 1024 * 1024
/** Taken only where so many times as much is free: not the last room of a full disk. */
const PLENTY = 8

export interface Reserve {
  /** Takes the room, unless it has it or there is too little. */
  readonly take: () => void
  /** Gives the room free; false when there was none to give. */
  readonly give: () => boolean
}

export function createReserve(home: Pick<Home, 'root'>): Reserve {
  const file = join(home.root, 'reserve')
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return {
    take: () => {
      if (size() >= RESERVE_BYTES) return
      if (freeBytesNow(home.root) < RESERVE_BYTES * PLENTY) return
      const handle = openSync(file, 'w', 0o600)
      try {
        // Bytes that are really written: a length alone would take no room.
        writeSync(handle, Buffer.alloc(RESERVE_BYTES, 0x20))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
    },
    give: () => {
      const had = size() > 0
      rmSync(file, { force: true })
      return had
    },
  }
}
