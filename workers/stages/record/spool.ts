/**
 * What a recording has received and not yet handed out, in its scratch folder: segments as files, and one state file that
 * is replaced whole. After a kill the recording goes on from it; a segment that is not in the state does not count.
 */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedChunk } from './declaration.ts'

/** 0: picture, or picture and sound; 1: sound that comes by itself. */
export type TrackIndex = 0 | 1

export interface SpoolSegment {
  readonly track: TrackIndex
  readonly file: string
  readonly bytes: number
  readonly seconds: number
  /** Seconds on the event's timeline. */
  readonly start: number
  /** Timestamps go on only within one run. */
  readonly run: number
  /** File with what comes before the first segment of its kind (fMP4). */
  readonly map: string | null
}

/** How far a playlist was followed. */
export interface TrackState {
  /** Media sequence number of the next segment; null: nothing was taken yet. */
  readonly next: number | null
  /** Where the next segment begins on the event's timeline, seconds. */
  readonly clock: number
  /** Added to the server's own run numbers: they begin anew when the server does. */
  readonly runBase: number
  readonly lastRun: number
  /** Milliseconds: when the last segment ended by the server's clock; null: it did not say. */
  readonly serverTime: number | null
}

export interface SpoolState {
  readonly chunks: readonly RecordedChunk[]
  readonly segments: readonly SpoolSegment[]
  readonly tracks: readonly [TrackState, TrackState]
  /** Maps of the server by address and range, as files. */
  readonly maps: Readonly<Record<string, string>>
  readonly nextFile: number
  /** Received so far, bytes, chunks that are handed out included. */
  readonly bytes: number
  /** The stream's first playlist was not complete. */
  readonly live: boolean
  readonly warnings: readonly string[]
}

export interface Spool {
  readonly folder: string
  state(): SpoolState
  /** Stores a change of the state; of an event, a kill can take it back no more when it resolves. */
  save(change: Partial<SpoolState>): Promise<void>
  /** A name for a new file of the folder. */
  newFile(kind: 'segment' | 'map'): { readonly name: string; readonly path: string }
  /** Removes files that the state does not name any more. */
  drop(names: readonly string[]): Promise<void>
}

const STATE = 'state.json'
const WRITE_EVERY_MS = 1000
const track = (clock: number): TrackState => ({
  next: null,
  clock,
  runBase: 0,
  lastRun: 0,
  serverTime: null,
})

/** Opens the spool of a scratch folder; `done`: chunks of earlier attempts whose scratch is gone. */
export async function openSpool(folder: string, done: readonly RecordedChunk[]): Promise<Spool> {
  const clock = done.reduce((end, chunk) => Math.max(end, chunk.offsetSeconds + chunk.seconds), 0)
  const fresh: SpoolState = {
    chunks: done,
    segments: [],
    tracks: [track(clock), track(clock)],
    maps: {},
    nextFile: 0,
    bytes: done.reduce((sum, chunk) => sum + chunk.bytes, 0),
    live: done.length > 0,
    warnings: [],
  }
  let state = (await readState(folder)) ?? fresh
  let fileNumber = state.nextFile
  let written = -Infinity
  return {
    folder,
    state: () => state,
    save: async (change) => {
      const next: SpoolState = { ...state, ...change, nextFile: fileNumber }
      // Of what is complete and can be fetched again, so much is not worth a state of thousands of segments each time.
      const now = performance.now()
      if (!next.live && change.chunks === undefined && now - written < WRITE_EVERY_MS) {
        state = next
        return
      }
      written = now
      const path = join(folder, STATE)
      await writeFile(`${path}.new`, JSON.stringify(next))
      await rename(`${path}.new`, path)
      state = next
    },
    newFile: (kind) => {
      const name = `${kind}-${fileNumber++}`
      return { name, path: join(folder, name) }
    },
    drop: async (names) => {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

/** Null when there is none, or when a file that it names is not there whole. */
async function readState(folder: string): Promise<SpoolState | null> {
  let text: string
  try {
    text = await readFile(join(folder, STATE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  let state: SpoolState
  try {
    state = JSON.parse(text) as SpoolState
  } catch {
    return null // a power cut: what was handed out is known elsewhere
  }
  for (const { file, bytes } of state.segments) {
    const found = await stat(join(folder, file)).catch(() => null)
    if (found?.size !== bytes) return null
  }
  return state
}
