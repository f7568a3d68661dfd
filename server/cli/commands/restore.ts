/** Puts a backup in the place of the database, from a copy of it or from a folder of backups, which has the files too. */
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { openDatabase, type Db } from '../../db/client.ts'
import { checkHead, isDatabaseItself, putBack } from '../../db/put-back.ts'
import { pauseWatchFolders } from '../../db/watch.ts'
import { holdDoubtfulPosts, resetAccess, sentencesOf } from '../../domain/access/after-restore.ts'
import { isBucket } from '../../domain/backups/place.ts'
import {
  findSnapshot,
  openBackupsIn,
  restoreDatabase,
  restoreFiles,
} from '../../domain/backups/restore-files.ts'
import { giveToOwner, openHome, type Home } from '../../home.ts'
import { joinFootage, writeIdentity } from '../../home-identity.ts'
import { acquireHomeLock } from '../../jobs/home-lock.ts'
import { parseDate } from '../arguments.ts'
import { defineCommand, flag, optional, type Printed, type Terminal } from '../command.ts'
import { commandConfig } from '../open-home.ts'
import { progressReporter } from '../terminal.ts'

interface Restoring {
  readonly home: Home
  /** Take footage of another home. */
  readonly adopt: boolean
}

/** Puts a backup in the database's place. */
export const restore = defineCommand({
  summary: 'Put a backup in place of the database; the appliance must be stopped',
  positionals: ['FILE_OR_PLACE'],
  options: {
    adopt: flag('take footage that is here also where the backup is of another home'),
    at: optional('TIME', 'of a folder: the newest backup of this moment or before (2026-11-28T05:00Z)'),
  },
  examples: {
    'cutroom restore cutroom-monday.sqlite': 'The database that was there is kept beside the new one.',
    'cutroom restore /mnt/backups --at 2026-11-28T05:00Z':
      'From what CUTROOM_BACKUP_TO names, a folder or s3://BUCKET/PREFIX: files that are missing here are put back as well.',
  },
  run: async ({ options, positionals, terminal }) => {
    const [named = ''] = positionals
    const given = isBucket(named) ? named : resolve(named)
    const isFolder = isBucket(given) || statSync(given, { throwIfNoEntry: false })?.isDirectory() === true
    if (!isFolder && options.at !== undefined)
      throw new AppError(
        'INVALID_USAGE',
        '--at is for a folder or bucket of backups; a file is of one moment.',
      )
    if (!isFolder) checkHead(given)
    const config = commandConfig(options)
    const at = options.at === undefined ? Date.now() : parseDate('at', options.at)
    const vault = isFolder ? await openBackupsIn(given, config) : null
    const home = openHome(config.home)
    if (!isFolder && isDatabaseItself(given, home.database))
      throw new AppError('INVALID_REQUEST', {
        message: `${given} is the database of this home already; give a backup of it.`,
      })
    const lock = acquireHomeLock(home, Date.now())
    try {
      const restoring = { home, adopt: options.adopt }
      return vault === null
        ? await putInPlace(given, given, restoring)
        : await takeOut(vault, at, restoring, terminal)
    } finally {
      lock.release()
      giveToOwner(home)
    }
  },
})

type Backups = Awaited<ReturnType<typeof openBackupsIn>>

/** Files first: a database that names files which are not there yet is never started with. */
async function takeOut(
  vault: Backups,
  at: number,
  restoring: Restoring,
  terminal: Terminal,
): Promise<Printed> {
  const { home } = restoring
  const snapshot = await findSnapshot(vault, at)
  const file = join(home.temporary, `restore-${randomUUID()}.sqlite`)
  const progress = progressReporter(terminal)
  try {
    await restoreDatabase(vault, snapshot, file)
    requireJoining(file, restoring)
    let done = 0
    const files = await restoreFiles(vault, snapshot, home, {
      onBytes: (bytes) => {
        done += bytes
        progress.update(done / Math.max(1, snapshot.files.bytes), 'Putting back files')
      },
    })
    // Opening it to look has changed it, where it is of an older version.
    await restoreDatabase(vault, snapshot, file)
    const printed = await putInPlace(file, `the backup of ${snapshot.moment}`, restoring)
    return {
      ...printed,
      json: { ...(printed.json as object), moment: snapshot.moment, files },
      notes: [
        `${files.restored} files were put back; ${files.there} were here already.`,
        ...(printed.notes ?? []),
      ],
    }
  } finally {
    progress.end()
    for (const part of ['', '-wal', '-shm']) await rm(`${file}${part}`, { force: true })
  }
}

/** Throws INVALID_REQUEST where the backup is of another home, before files of it come into this one. */
function requireJoining(file: string, { home, adopt }: Restoring): void {
  const db = openDatabase(file, { copyFirst: false })
  try {
    joinFootage(home, db, { file, adopt, now: Date.now() })
  } finally {
    db.close()
  }
}

async function putInPlace(file: string, name: string, { home, adopt }: Restoring): Promise<Printed> {
  let identity = ''
  let missingMedia = 0
  let heldPosts = 0
  let access: readonly string[] = []
  let watched = 0
  const kept = await putBack(file, home.database, (db) => {
    identity = joinFootage(home, db, { file, adopt, now: Date.now() })
    missingMedia = countMissingMedia(db, home)
    heldPosts = holdDoubtfulPosts(db, Date.now())
    access = sentencesOf(resetAccess(db, Date.now()))
    watched = pauseWatchFolders(db)
  })
  writeIdentity(home, identity)
  const notes: string[] = []
  if (kept === null)
    notes.push(
      'There was no database before. If another home was meant, name it with --home; with the Debian package it is: sudo cutroom-service restore FILE',
    )
  if (missingMedia > 0) notes.push(`${missingMedia} media files that it lists are not in this home.`)
  if (heldPosts > 0)
    notes.push(
      `${heldPosts} posts were due since this backup and may be out already: they are kept back, as failed.`,
    )
  if (watched > 0)
    notes.push(
      `${watched} watched folders are paused: what was taken since this backup would be taken again (cutroom watch resume).`,
    )
  const text = [`Restored ${name} to ${home.root}.`]
  if (kept !== null) text.push(`What was there before is kept as ${kept}.`)
  return {
    json: { restored: name, home: home.root, kept, missingMedia, heldPosts },
    text,
    notes: [...notes, ...access],
  }
}

function countMissingMedia(db: Db, home: Home): number {
  const paths = db.sqlite.prepare<[], string>('select path from media').pluck().all()
  return paths.filter((path) => !existsSync(join(home.root, path))).length
}
