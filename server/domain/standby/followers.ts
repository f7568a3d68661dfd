/**
 * What standbys say of themselves beside the media, as followers/HOLDER, so that the appliance in charge, its metrics and
 * the doctor know whether one is there, how far it is, and whether it could open what is sealed.
 */
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { BackupStore } from '../backups/store.ts'

/** How often a standby says so. */
export const SAY_MS = 15_000
/** One that was not heard of for so long is not there. */
export const GONE_MS = 60_000

const FollowerNote = Type.Object({
  version: Type.Literal(1),
  /** Name of its machine, for people. */
  machine: Type.String(),
  /** How far its copy of the database is; 0 and 0: there is none yet. */
  epoch: Type.Integer({ minimum: 0 }),
  change: Type.Integer({ minimum: 0 }),
  /** Whether its key opens what the appliance in charge has sealed. */
  keyFits: Type.Boolean(),
  /** Milliseconds since the epoch, by its own clock. */
  at: Type.Integer(),
})
export type FollowerNote = Static<typeof FollowerNote>

const nameOf = (holder: string): string => `followers/${holder}`

export const putFollowerNote = (place: BackupStore, holder: string, note: FollowerNote): Promise<void> =>
  place.put(nameOf(holder), Buffer.from(JSON.stringify(note)))

export const removeFollowerNote = (place: BackupStore, holder: string): Promise<void> =>
  place.remove(nameOf(holder))

/** Null: it said nothing, or nothing that this version understands. */
export async function readFollowerNote(place: BackupStore, holder: string): Promise<FollowerNote | null> {
  const bytes = await place.get(nameOf(holder))
  if (bytes === null) return null
  try {
    return Value.Decode(FollowerNote, JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

/** Every standby that ever said something, by holder. */
export async function listFollowerNotes(place: BackupStore): Promise<Map<string, FollowerNote>> {
  const notes = new Map<string, FollowerNote>()
  for (const name of await place.list('followers')) {
    const holder = name.slice(name.indexOf('/') + 1)
    const note = await readFollowerNote(place, holder)
    if (note !== null) notes.set(holder, note)
  }
  return notes
}

export interface FollowerWatch {
  /** Reads what they say. Throws what the place throws. */
  readonly look: () => Promise<void>
  /** Those that are there, as of the last look. */
  readonly there: () => readonly FollowerNote[]
}

/** `own`: the holder that looks. By this clock alone: one whose word changes is there. `now`: milliseconds, monotonic. */
export function watchFollowers(
  place: BackupStore,
  own: string,
  now: () => number = () => performance.now(),
): FollowerWatch {
  const seen = new Map<string, { readonly note: FollowerNote; readonly since: number }>()
  let first = true
  return {
    look: async () => {
      const notes = await listFollowerNotes(place)
      for (const holder of seen.keys()) if (!notes.has(holder)) seen.delete(holder)
      for (const [holder, note] of notes) {
        if (holder === own || seen.get(holder)?.note.at === note.at) continue
        // What lay there before the first look may be old: it counts once it changes.
        seen.set(holder, { note, since: first ? -Infinity : now() })
      }
      first = false
    },
    there: () => [...seen.values()].filter(({ since }) => now() - since < GONE_MS).map(({ note }) => note),
  }
}
