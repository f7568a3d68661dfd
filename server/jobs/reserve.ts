/**
 * A small file that reserves disk space. On a full disk it is removed, so that the database can still store how runs have
 * ended; it is written again when there is space.
 */
import { openSync, closeSync, fsyncSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import { freeBytesNow } from '../../workers/media/disk.ts'

/** Storing the end of a run takes some tens of kilobytes of the database's log. */
const RESERVE_BYTES = 1024 * 1024
/** Reserved only when this many times the size is free, so never the last space of the disk. */
const PLENTY = 8

export interface Reserve {
  /** Reserves the space, unless it is reserved already or too little is free. */
  readonly take: () => void
  /** Frees the space; false when none was reserved. */
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
        // The bytes must be written: setting only the length would reserve nothing.
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
