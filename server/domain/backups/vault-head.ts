/** What says whose backups lie at a place, and by which key they are sealed. It is there twice: without it none opens. */
import { createHash } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../contract/errors.ts'
import type { BackupStore } from './store.ts'

const NAMES = ['backup.json', 'backup-again.json'] as const

const Head = Type.Object({
  version: Type.Literal(1),
  /** Of these backups; the database that is copied knows it. */
  id: Type.String({ minLength: 1 }),
  /** Of the key; null: not sealed. */
  salt: Type.Union([Type.Null(), Type.String()]),
  /** A known text sealed with the key, which tells the right key from another. */
  proof: Type.Union([Type.Null(), Type.String()]),
  /** SHA-256 of the others. Backups that an earlier version began have none. */
  sum: Type.Optional(Type.String()),
})
export type Head = Static<typeof Head>

const sumOf = ({ version, id, salt, proof }: Head): string =>
  createHash('sha256')
    .update(JSON.stringify([version, id, salt, proof]))
    .digest('hex')

/** What is thrown for backups that cannot be read as they were written. */
export const damaged = (store: BackupStore, what: string, cause?: unknown): AppError =>
  new AppError('INVALID_STATE', {
    message: `The backups at ${store.place} are damaged: ${what}. Take an earlier moment (cutroom backups list), or another copy of them.`,
    cause,
  })

/** The first of the two that is whole; null: there is neither. Throws INVALID_STATE where what is there is damaged. */
export async function readHead(store: BackupStore): Promise<Head | null> {
  let damage: unknown = null
  for (const name of NAMES) {
    const bytes = await store.get(name)
    if (bytes === null) continue
    try {
      const head = Value.Decode(Head, JSON.parse(bytes.toString('utf8')))
      if (head.sum === undefined || head.sum === sumOf(head)) return head
      damage = new Error(`the sum in ${name} is another`)
    } catch (cause) {
      damage = cause
    }
  }
  if (damage === null) return null
  throw damaged(store, `${NAMES[0]} is not one of this version of Cutroom`, damage)
}

/** Has both hold it. */
export async function writeHead(store: BackupStore, head: Head): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ ...head, sum: sumOf(head) })}\n`)
  for (const name of NAMES) if ((await store.get(name))?.equals(bytes) !== true) await store.put(name, bytes)
}
