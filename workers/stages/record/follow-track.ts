/** One playlist followed: which of its segments are new, what lies between them, where they stand in the event. */
import { AppError } from '../../../server/contract/errors.ts'
import { freeBytes } from '../../media/disk.ts'
import { closeFullChunks, closeOpenChunk } from './chunks.ts'
import { warn, type RecordJob } from './job.ts'
import type { MediaPlaylist, PlaylistSegment } from './pure/playlist.ts'
import type { TrackIndex, TrackState } from './spool.ts'
import { takeSegment, type KeyRing, type TakenSegment } from './take-segment.ts'
import { RECORDING_NOTE } from './declaration.ts'

export interface FollowedTrack {
  readonly index: TrackIndex
  url: URL
  readonly keys: KeyRing
}

/** A hole of this many seconds ends the chunk: what lies behind it has a place of its own in the event. */
const LONG_GAP_SECONDS = 4

/**
 * Takes what is new. `news`: whether anything was; `trouble`: what the server has against the next segment, which is
 * asked for again with the next look.
 */
export async function takeNewSegments(
  job: RecordJob,
  track: FollowedTrack,
  playlist: MediaPlaylist,
): Promise<{ readonly news: boolean; readonly trouble: string | null }> {
  await catchUp(job, track, playlist)
  let news = false
  for (const segment of playlist.segments) {
    if (segment.sequence < (stateOf(job, track).next ?? 0)) continue
    job.context.signal.throwIfAborted()
    await requireFreeSpace(job)
    const taken = segment.gap
      ? { kind: 'gone' as const, message: 'The server has left a gap in the stream.' }
      : await takeSegment(job, track.url, segment, track.keys)
    if (taken.kind === 'again') return { news, trouble: taken.message }
    news = true
    if (taken.kind === 'gone') {
      const about = `${segment.seconds.toFixed(1)} s of the stream are missing`
      await warn(job, `${about}: ${taken.message}`)
      await skip(job, track, segment, runOf(job, track, playlist, segment))
    } else await add(job, track, segment, { ...taken.segment, run: runOf(job, track, playlist, segment) })
    await closeFullChunks(job)
    tell(job, playlist)
    if (isOverLimit(job)) break
  }
  return { news, trouble: null }
}

/** Throws DISK_FULL where less is left than the appliance needs for everything else. */
export async function requireFreeSpace({ spool, params }: RecordJob): Promise<void> {
  const free = await freeBytes(spool.folder)
  if (free >= params.minFreeBytes) return
  throw new AppError('DISK_FULL', { details: { freeBytes: free, minFreeBytes: params.minFreeBytes } })
}

/** No event has so many files: what sends them has no length. */
const MAX_FILES = 500_000

/** Whether the recording is as large as it may become, or, of an event, as long. */
export function isOverLimit({ spool, params }: RecordJob): boolean {
  const { tracks, bytes, live, nextFile } = spool.state()
  if (nextFile > MAX_FILES) return true
  return (live && tracks[0].clock >= params.maxSeconds) || bytes >= params.maxBytes
}

const stateOf = (job: RecordJob, track: Pick<FollowedTrack, 'index'>): TrackState =>
  job.spool.state().tracks[track.index]

/** The tracks with one of them changed. */
function tracksWith(job: RecordJob, index: TrackIndex, change: Partial<TrackState>) {
  const [first, second] = job.spool.state().tracks
  return index === 0
    ? ([{ ...first, ...change }, second] as const)
    : ([first, { ...second, ...change }] as const)
}

/** Segments that went by unseen, and servers that have begun to count anew. */
async function catchUp(job: RecordJob, track: FollowedTrack, playlist: MediaPlaylist): Promise<void> {
  const state = stateOf(job, track)
  const first = playlist.segments[0]
  const last = playlist.segments.at(-1)
  if (first === undefined || last === undefined || state.next === null) return
  // A little older than what is known is a server that lags behind; far older is a count that has begun anew.
  const anew = last.sequence < state.next - 1 - Math.max(3, playlist.segments.length)
  if (!anew && first.sequence <= state.next) return
  const missed = anew ? 0 : (first.sequence - state.next) * playlist.targetSeconds
  const seconds = byServerTime(state, first) ?? missed
  if (!anew) await warn(job, `About ${seconds.toFixed(0)} s of the stream went by without being recorded.`)
  const base = anew ? state.lastRun + 1 - first.run : state.runBase
  // Without numbers nobody knows what lay in between.
  const lastRun = playlist.numbered ? state.lastRun : state.lastRun + 1
  await addGap(job, track, seconds, { next: first.sequence, runBase: base, lastRun })
}

/** The run of a new segment. Playlists that do not number theirs are counted by their breaks, as they go by. */
function runOf(
  job: RecordJob,
  track: FollowedTrack,
  playlist: MediaPlaylist,
  segment: PlaylistSegment,
): number {
  const { lastRun, runBase, next } = stateOf(job, track)
  if (playlist.numbered) return segment.run + runBase
  return lastRun + Number(segment.breaks && next !== null)
}

/** Seconds between the last segment and this one by the server's own clock; null where it does not say. */
function byServerTime(state: TrackState, segment: PlaylistSegment): number | null {
  const time = segment.time === null ? NaN : Date.parse(segment.time)
  if (state.serverTime === null || Number.isNaN(time)) return null
  return Math.max(0, (time - state.serverTime) / 1000)
}

/** A segment that is not to be had: time goes on without it. */
async function skip(
  job: RecordJob,
  track: FollowedTrack,
  segment: PlaylistSegment,
  lastRun: number,
): Promise<void> {
  const change = { next: segment.sequence + 1, lastRun, ...serverTime(job, track, segment) }
  await addGap(job, track, segment.seconds, change)
}

/** Time of which nothing was recorded. */
export async function addGap(
  job: RecordJob,
  track: Pick<FollowedTrack, 'index'>,
  seconds: number,
  change: Partial<TrackState>,
): Promise<void> {
  const clock = stateOf(job, track).clock + seconds
  await job.spool.save({ tracks: tracksWith(job, track.index, { ...change, clock }) })
  // Several short gaps in a row are a long one.
  const last = job.spool.state().segments.findLast((segment) => segment.track === 0)
  if (track.index === 0 && last !== undefined && clock - last.start - last.seconds > LONG_GAP_SECONDS)
    await closeOpenChunk(job)
}

async function add(
  job: RecordJob,
  track: FollowedTrack,
  segment: PlaylistSegment,
  taken: TakenSegment & { readonly run: number },
): Promise<void> {
  const state = stateOf(job, track)
  const { segments, bytes } = job.spool.state()
  const { seconds } = segment
  const added = { ...taken, track: track.index, seconds, start: state.clock }
  await job.spool.save({
    segments: [...segments, added],
    bytes: bytes + taken.bytes,
    tracks: tracksWith(job, track.index, {
      next: segment.sequence + 1,
      clock: state.clock + seconds,
      lastRun: taken.run,
      ...serverTime(job, track, segment),
    }),
  })
}

/** When the segment ends by the server's clock. */
function serverTime(
  job: RecordJob,
  track: FollowedTrack,
  segment: PlaylistSegment,
): { serverTime: number | null } {
  const said = segment.time === null ? NaN : Date.parse(segment.time)
  const begins = Number.isNaN(said) ? stateOf(job, track).serverTime : said
  return { serverTime: begins === null ? null : begins + segment.seconds * 1000 }
}

/** For the run's progress: how much there is. Only what was complete from the beginning has an end to measure against. */
export function tell({ context, spool }: RecordJob, playlist?: MediaPlaylist): void {
  const { tracks, chunks, live } = spool.state()
  const { clock } = tracks[0]
  if (!live) {
    const whole = playlist?.segments.reduce((sum, { seconds }) => sum + seconds, 0) ?? clock
    return context.progress(clock / Math.max(1, whole), `Fetching: ${length(clock)} of ${length(whole)}`)
  }
  const done =
    chunks.length === 0 ? '' : `, ${chunks.length} ${chunks.length === 1 ? 'part' : 'parts'} finished`
  context.progress((clock / (clock + 3600)) * 0.9, `${RECORDING_NOTE}${length(clock)} so far${done}`)
}

function length(clock: number): string {
  const minutes = Math.floor(clock / 60)
  const seconds = Math.floor(clock % 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`
}
