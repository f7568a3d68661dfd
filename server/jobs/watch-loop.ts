/** Looks into watched folders while the appliance runs, takes what is complete, and writes clips that are finished. */
import type { Failure } from '../contract/errors.ts'
import type { WatchStatus } from '../contract/watch.ts'
import {
  countOpenRuns,
  getWatchFolder,
  insertWatchedFile,
  listKnownFiles,
  listWatchFolders,
  updateWatchedFile,
  updateWatchFolder,
  type WatchFolderRow,
} from '../db/watch.ts'
import { inTransaction } from '../db/prepared.ts'
import { newId } from '../ids.ts'
import type { Services } from '../domain/services.ts'
import { findVideos, MAX_FILES, type Look, type SeenVideo } from '../domain/watch/find-videos.ts'
import { folderTrouble } from '../domain/watch/folder-paths.ts'
import { recogniseFiles, settleFiles, stampOf, type Unchanged } from '../domain/watch/settle.ts'
import { takeFile } from '../domain/watch/take-file.ts'
import { NOTHING_SEEN } from '../domain/watch/watch-folders.ts'
import { writeClips } from '../domain/watch/write-clips.ts'
import { nextTurn } from './lanes.ts'
import type { Repeated } from './maintenance.ts'

/** Between two looks: half of the usual settling time, and some thousand requests to a share. */
const LOOK_MS = 5000
const TICK_MS = 500
const WRITE_MS = 1000
/** A look takes at most this share of the time, however slow the folder is. */
const REST_FACTOR = 10
/** A folder that does not answer for so long has a problem that is shown. */
const SLOW_MS = 30_000
/** One is worked on and the next is there already; the rest stays where it is, so that a backlog does not fill the disk. */
const MAX_OPEN_RUNS = 2
/** After a full disk, a limit, or a file that could not be read. */
const LATER_MS = 60_000
const SAVE_PROGRESS_MS = 1000
/** What hangs in a dead share holds threads of the process; others must be left for everything else. */
const MAX_LOOKS = 2
/** Rows in one transaction: some milliseconds. */
const BATCH = 100

export interface WatchTimes {
  readonly lookMs?: number
  readonly laterMs?: number
}

/** Starts the loop. The caller holds the home's lock: nobody else takes files for this home. */
export function startWatchLoop(services: Services, times: WatchTimes = {}): Repeated {
  const watchers = new Map<string, Watcher>()
  const looks = { running: 0 }
  const look = (): void => {
    try {
      const rows = listWatchFolders(services.db)
      for (const [id, watcher] of watchers)
        if (!rows.some((row) => row.id === id)) {
          watchers.delete(id)
          void watcher.stop()
        }
      const pairs = rows.map((row) => {
        const watcher = watchers.get(row.id) ?? createWatcher(services, looks, times)
        watchers.set(row.id, watcher)
        return { row, watcher }
      })
      // Who has waited longest is looked into first, so that none waits for ever.
      for (const { row, watcher } of pairs.toSorted((a, b) => a.watcher.dueAt() - b.watcher.dueAt()))
        watcher.tick(row)
    } catch (error) {
      services.log.error('watched folders could not be read', { error })
    }
  }
  const timer = setInterval(look, TICK_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all([...watchers.values()].map((watcher) => watcher.stop()))
    },
  }
}

interface Watcher {
  tick(row: WatchFolderRow): void
  /** When its next look is due, of performance.now(). */
  dueAt(): number
  stop(): Promise<void>
}

/** What the parts of one watcher share. */
interface Watch {
  readonly services: Services
  readonly times: WatchTimes
  readonly status: ReturnType<typeof createStatus>
  readonly held: ReturnType<typeof createHeld>
  readonly stopped: AbortSignal
}

/** One folder. Its looks, the file that is taken and the clips that are written go on beside each other, each once. */
function createWatcher(services: Services, looks: { running: number }, times: WatchTimes): Watcher {
  const { db, log } = services
  const stopping = new AbortController()
  const stopped = stopping.signal
  const held = createHeld(times.laterMs ?? LATER_MS)
  const watch: Watch = { services, times, status: createStatus(services), held, stopped }
  const looker = createLooker(watch)
  const writer = createWriter(watch)
  let paused = new AbortController()
  let looking: Promise<void> | null = null
  let taking: Promise<void> | null = null
  let writing: Promise<void> | null = null

  const guard = (what: string, work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (!stopped.aborted) log.error(what, { error })
    })

  function beginTaking(row: WatchFolderRow): void {
    if (taking !== null || held.hasAll() || countOpenRuns(db, row.id) >= MAX_OPEN_RUNS) return
    const file = looker.waiting().find((one) => !held.has(one))
    if (file === undefined) return
    const work = take(watch, row, file, paused.signal).then((isDone) => {
      if (isDone) looker.drop(file)
    })
    taking = guard('a file of a watched folder could not be taken', work).finally(() => (taking = null))
  }

  return {
    dueAt: looker.dueAt,
    tick: (row) => {
      if (stopped.aborted) return
      if (row.output !== null && writing === null && writer.isDue())
        writing = guard('clips could not be written', writer.write(row)).finally(() => (writing = null))
      if (row.state === 'paused') {
        paused.abort()
        looker.forget()
        return
      }
      if (paused.signal.aborted) paused = new AbortController()
      if (looking === null && performance.now() >= looker.dueAt() && looks.running < MAX_LOOKS) {
        looks.running += 1
        looking = guard('a watched folder could not be looked into', looker.look(row)).finally(() => {
          looking = null
          looks.running -= 1
        })
      }
      if (looker.waiting().length > 0) beginTaking(row)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([looking, taking, writing])
    },
  }
}

const byAge = (a: SeenVideo, b: SeenVideo): number =>
  a.modifiedAt - b.modifiedAt || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/** Looks into the folder, and knows which of its files are complete and were not taken. */
function createLooker({ services, times, status, held, stopped }: Watch) {
  const { db } = services
  const { lookMs = LOOK_MS } = times
  let unchanged: Unchanged = new Map()
  let waiting: readonly SeenVideo[] = []
  let nextLook = 0

  async function note(row: WatchFolderRow, { videos, isTruncated }: Look): Promise<void> {
    const { unknown, moved } = recogniseFiles(videos, listKnownFiles(db, row.id))
    await inBatches(services, moved, ({ id, file: { path, bytes, modifiedAt, fileId } }) =>
      updateWatchedFile(db, id, { path, bytes, modifiedAt, fileId }),
    )
    if (row.skipsExisting) await skipExisting(services, row, unknown)
    if (stopped.aborted) return
    const left = row.skipsExisting ? [] : unknown
    const settled = settleFiles(left, unchanged, {
      now: performance.now(),
      settleMs: row.settleSeconds * 1000,
    })
    unchanged = settled.unchanged
    // What came first goes first.
    waiting = settled.complete.toSorted(byAge)
    status.set(row.id, {
      scannedAt: new Date(services.now()).toISOString(),
      files: videos.length,
      settling: settled.settling,
      waiting: waiting.length,
      problem: isTruncated
        ? `More than ${MAX_FILES} files are in it; only a part is watched.`
        : held.reason(),
    })
  }

  /** What was seen before an absence or a pause says nothing about what is written afterwards. */
  function forget(): void {
    unchanged = new Map()
    waiting = []
    nextLook = 0
  }

  async function look(row: WatchFolderRow): Promise<void> {
    const began = performance.now()
    const slow = setTimeout(
      () => status.set(row.id, { problem: `${row.folder} does not answer. It goes on when it does.` }),
      SLOW_MS,
    )
    try {
      const trouble = await folderTrouble(row.folder, { isMount: row.folderIsMount, use: 'read' })
      const found = trouble === null ? await lookInto(row, stopped) : trouble
      if (stopped.aborted) return
      if (typeof found === 'string') {
        forget()
        status.set(row.id, { problem: found, settling: 0, waiting: 0 })
      } else await note(row, found)
    } finally {
      clearTimeout(slow)
      const usual = Math.min(lookMs, (row.settleSeconds * 1000) / 2)
      nextLook = performance.now() + Math.max(usual, (performance.now() - began) * REST_FACTOR)
    }
  }

  return {
    look,
    forget,
    dueAt: () => nextLook,
    waiting: () => waiting,
    drop: (file: SeenVideo): void => {
      waiting = waiting.filter(({ path }) => path !== file.path)
    },
  }
}

/** Takes one file; whether it needs not be taken any more for now. */
async function take(
  { services, status, held, stopped }: Watch,
  row: WatchFolderRow,
  file: SeenVideo,
  paused: AbortSignal,
): Promise<boolean> {
  const onProgress = (progress: number): void =>
    status.set(row.id, { taking: { path: file.path, progress: Math.min(1, progress) } })
  onProgress(0)
  try {
    const signal = AbortSignal.any([stopped, paused])
    const taken = await takeFile(services, row, file, { signal, onProgress })
    if (taken.kind === 'later') held.add(file, taken.failure)
    return taken.kind !== 'stopped'
  } finally {
    if (!stopped.aborted) status.set(row.id, { taking: null, problem: held.reason() })
  }
}

/** Writes finished clips, and waits a while after a failure. */
function createWriter({ services, times, status, stopped }: Watch) {
  const { laterMs = LATER_MS } = times
  let nextWrite = 0
  let upTo = 0
  return {
    isDue: () => performance.now() >= nextWrite,
    write: async (row: WatchFolderRow): Promise<void> => {
      const written = await writeClips(services, row, { since: upTo, signal: stopped })
      upTo = written.upTo
      nextWrite = performance.now() + (written.problem === null ? WRITE_MS : laterMs / 4)
      if (!stopped.aborted) status.set(row.id, { outputProblem: written.problem })
    },
  }
}

/** Failures that are of no file: nothing of the folder is tried. */
const OF_ALL: ReadonlySet<string> = new Set([
  'DISK_FULL',
  'STORE_UNAVAILABLE',
  'QUOTA_EXCEEDED',
  'WORKFLOW_NOT_FOUND',
])

/** Files that are not tried before a while has passed, unless they change; the reason of each, where there is one to show. */
function createHeld(forMs: number) {
  interface Held {
    readonly until: number
    readonly stamp: string
    readonly isOfAll: boolean
    readonly reason: string | null
  }
  const held = new Map<string, Held>()
  const present = (): Held[] => {
    for (const [path, { until }] of held) if (until <= performance.now()) held.delete(path)
    return [...held.values()]
  }
  return {
    add: (file: SeenVideo, { code, message }: Failure): void => {
      // What changed while it was read settles again; there is nothing to mend.
      const reason = code === 'SOURCE_UNREACHABLE' ? null : `${file.path}: ${message}`
      const until = performance.now() + forMs
      held.set(file.path, { until, stamp: stampOf(file), isOfAll: OF_ALL.has(code), reason })
    },
    has: (file: SeenVideo): boolean => {
      present()
      return held.get(file.path)?.stamp === stampOf(file)
    },
    hasAll: (): boolean => present().some(({ isOfAll }) => isOfAll),
    reason: (): string | null => present().find(({ reason }) => reason !== null)?.reason ?? null,
  }
}

/** The videos of the folder, or the sentence of its trouble. */
async function lookInto(row: WatchFolderRow, signal: AbortSignal): Promise<Look | string> {
  try {
    return await findVideos(row.folder, { skip: row.output, signal })
  } catch (error) {
    if (signal.aborted) throw error
    return `${row.folder} cannot be read now (${(error as NodeJS.ErrnoException).code ?? 'error'}). It goes on by itself when it can.`
  }
}

/** Stores thousands of rows without keeping others waiting. */
async function inBatches<T>(
  { db }: Pick<Services, 'db'>,
  all: readonly T[],
  storeOne: (one: T) => void,
): Promise<void> {
  for (let from = 0; from < all.length; from += BATCH) {
    inTransaction(db, () => all.slice(from, from + BATCH).forEach(storeOne))
    await nextTurn()
  }
}

/** Marks what is there at the first look; an empty folder is a look too. A kill in between leaves the rest to the next. */
async function skipExisting(
  services: Services,
  { id: folderId }: WatchFolderRow,
  there: readonly SeenVideo[],
): Promise<void> {
  const { db, now } = services
  await inBatches(services, there, ({ path, bytes, modifiedAt, fileId }) => {
    const times = { createdAt: now(), updatedAt: now() }
    insertWatchedFile(db, {
      id: newId(),
      folderId,
      path,
      bytes,
      modifiedAt,
      fileId,
      state: 'skipped',
      ...times,
    })
  })
  updateWatchFolder(db, folderId, { skipsExisting: false })
}

/** Stores what a folder shows when it changes: progress at most each second, the time of the last look each minute. */
function createStatus({ db }: Services) {
  let shown: WatchStatus = NOTHING_SEEN
  let stored = ''
  let storedAt = -Infinity
  return {
    set: (id: string, changes: Partial<WatchStatus>): void => {
      shown = { ...shown, ...changes }
      const { scannedAt, taking, ...rest } = shown
      const key = JSON.stringify([rest, taking?.path])
      const age = performance.now() - storedAt
      if (key === stored && age < (taking === null ? LATER_MS : SAVE_PROGRESS_MS)) return
      if (getWatchFolder(db, id) === null) return
      updateWatchFolder(db, id, { status: { ...rest, scannedAt, taking } })
      stored = key
      storedAt = performance.now()
    },
  }
}
