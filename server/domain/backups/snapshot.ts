/** What one backup is: the database at a moment, and the files of the home that go with it. Pieces are named, not held. */
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../contract/errors.ts'
import type { Vault } from './vault.ts'

const Pieces = Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }))

export const Snapshot = Type.Object({
  version: Type.Literal(1),
  /** When its database is of, ISO 8601. */
  moment: Type.String(),
  /** Whether all of it was read back and found sound. */
  verified: Type.Boolean(),
  database: Type.Object({
    bytes: Type.Integer(),
    pieces: Pieces,
    /** Rows by table; of verified ones only. */
    rows: Type.Record(Type.String(), Type.Integer()),
  }),
  /** The list of files, a piece or several: a line of JSON for each. */
  files: Type.Object({ count: Type.Integer(), bytes: Type.Integer(), pieces: Pieces }),
})
export type Snapshot = Static<typeof Snapshot>

const FileEntry = Type.Object({
  /** Below the home, with `/`. */
  path: Type.String({ pattern: '^[^/.][^/]*(/[^/.][^/]*)*$' }),
  bytes: Type.Integer({ minimum: 0 }),
  /** When it was last written to, milliseconds since the epoch. */
  changed: Type.Number(),
  pieces: Pieces,
})
export type FileEntry = Static<typeof FileEntry>

const SNAPSHOTS = 'snapshots'
const NAME = /^snapshots\/(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z)(\.verified)?\.json$/

/** A backup as its name tells it, without opening it. */
export interface SnapshotName {
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly verified: boolean
}

export const snapshotName = ({ moment, verified }: Pick<Snapshot, 'moment' | 'verified'>): string =>
  `${SNAPSHOTS}/${moment.replaceAll(':', '-')}${verified ? '.verified' : ''}.json`

function parseName(name: string): SnapshotName | null {
  const [, stamp, verified] = NAME.exec(name) ?? []
  if (stamp === undefined) return null
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)/, 'T$1:$2:$3'))
  return Number.isNaN(at) ? null : { name, at, verified: verified !== undefined }
}

/** The newest first. */
export async function listSnapshots({ store }: Pick<Vault, 'store'>): Promise<SnapshotName[]> {
  const names = await store.list(SNAPSHOTS)
  return names
    .map(parseName)
    .filter((one) => one !== null)
    .sort((a, b) => b.at - a.at)
}

/** The newest that is of `at` or before; null: there is none. */
export const snapshotAt = (all: readonly SnapshotName[], at: number): SnapshotName | null =>
  all.find((one) => one.at <= at) ?? null

const unreadable = (name: string, cause: unknown): AppError =>
  new AppError('INVALID_STATE', {
    message: `${name} of the backups is damaged. Take an earlier moment (cutroom backups list).`,
    cause,
  })

/** Throws INVALID_STATE where it is damaged. */
export async function loadSnapshot(vault: Vault, name: string): Promise<Snapshot> {
  const bytes = await vault.loadFrom(name)
  try {
    return Value.Decode(Snapshot, JSON.parse(bytes.toString('utf8')))
  } catch (cause) {
    throw unreadable(name, cause)
  }
}

export const saveSnapshot = (vault: Vault, snapshot: Snapshot): Promise<void> =>
  vault.saveAs(snapshotName(snapshot), Buffer.from(JSON.stringify(snapshot)))

/** The files of a backup, in the order of their paths. Throws INVALID_STATE where the list is damaged. */
export async function loadFiles(vault: Vault, snapshot: Snapshot): Promise<FileEntry[]> {
  const pieces: Buffer[] = []
  for (const piece of snapshot.files.pieces) pieces.push(await vault.load(piece))
  try {
    return Buffer.concat(pieces)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Value.Decode(FileEntry, JSON.parse(line)))
  } catch (cause) {
    throw unreadable(`The list of files of ${snapshot.moment}`, cause)
  }
}

export const filesText = (files: readonly FileEntry[]): string =>
  files.map((file) => `${JSON.stringify(file)}\n`).join('')
