/**
 * The scratch folder of a recording with what was received but not yet published: segments as files, and a state file that is replaced
 * atomically. After a kill the recording continues from it; segments that are not in the state are ignored.
 */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedChunk } from './declaration.ts'

/** 0: picture, or picture and sound; 1: separate sound. */
export type TrackIndex = 0 | 1

export interface SpoolSegment {
  readonly track: TrackIndex
  readonly file: string
  readonly bytes: number
  readonly seconds: number
  /** Seconds on the timeline of the event. */
  readonly start: number
  /** Timestamps are continuous only within one run. */
  readonly run: number
  /** File with the initialisation section (fMP4). */
  readonly map: string | null
}

/** How far a playlist was followed. */
export interface TrackState {
  /** Media sequence number of the next segment; null: none was recorded yet. */
  readonly next: number | null
  /** Where the next segment begins on the timeline of the event, in seconds. */
  readonly clock: number
  /** Added to the server's run numbers, which restart when the server does. */
  readonly runBase: number
  readonly lastRun: number
  /** When the last segment ended by the server's clock, in milliseconds; null if unknown. */
  readonly serverTime: number | null
}

export interface SpoolState {
  readonly chunks: readonly RecordedChunk[]
  readonly segments: readonly SpoolSegment[]
  readonly tracks: readonly [TrackState, TrackState]
  /** Initialisation sections as files, by address and range. */
  readonly maps: Readonly<Record<string, string>>
  readonly nextFile: number
  /** Bytes received so far, including published chunks. */
  readonly bytes: number
  /** Whether the stream's first playlist was incomplete. */
  readonly live: boolean
  readonly warnings: readonly string[]
}

export type Spool = Awaited<ReturnType<typeof openSpool>>

const STATE = 'state.json'
const WRITE_EVERY_MS = 1000
const track = (clock: number): TrackState => ({
  next: null,
  clock,
  runBase: 0,
  lastRun: 0,
  serverTime: null,
})

/** Opens the spool in a scratch folder. `done`: chunks of earlier attempts whose scratch folder is gone. */
export async function openSpool(folder: string, done: readonly RecordedChunk[]) {
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
    state: (): SpoolState => state,
    /** Stores a change of the state. For an event, it survives a kill once this resolves. */
    save: async (change: Partial<SpoolState>): Promise<void> => {
      const next: SpoolState = { ...state, ...change, nextFile: fileNumber }
      // A complete recording can be fetched again, so writing thousands of segments to the state each time is not worth it.
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
    /** A name for a new file in the folder. */
    newFile: (kind: 'segment' | 'map') => {
      const name = `${kind}-${fileNumber++}`
      return { name, path: join(folder, name) }
    },
    remove: async (names: readonly string[]): Promise<void> => {
      for (const name of names) await rm(join(folder, name), { force: true })
    },
  }
}

/** Null when there is none, or when one of its files is missing or incomplete. */
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
    return null // damaged by a power cut; the run knows the published chunks
  }
  for (const { file, bytes } of state.segments) {
    const found = await stat(join(folder, file)).catch(() => null)
    if (found?.size !== bytes) return null
  }
  return state
}
