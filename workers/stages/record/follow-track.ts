/** Follows one playlist: which of its segments are new, what lies between them, and where they are in the event. */
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

/** A gap of this many seconds ends the chunk, so that what follows has an offset of its own. */
const LONG_GAP_SECONDS = 4

/** Records new segments. `trouble`: why the next one could not be fetched; the next reload tries it again. */
export async function takeNewSegments(job: RecordJob, track: FollowedTrack, playlist: MediaPlaylist) {
  await catchUp(job, track, playlist)
  let hasNew = false
  for (const segment of playlist.segments) {
    if (segment.sequence < (trackState(job, track).next ?? 0)) continue
    job.context.signal.throwIfAborted()
    await requireFreeSpace(job)
    const taken = segment.gap
      ? { kind: 'gone' as const, message: 'The server has left a gap in the stream.' }
      : await takeSegment(job, track.url, segment, track.keys)
    if (taken.kind === 'again') return { hasNew, trouble: taken.message }
    hasNew = true
    if (taken.kind === 'gone') {
      const about = `${segment.seconds.toFixed(1)} s of the stream are missing`
      await warn(job, `${about}: ${taken.message}`)
      await skip(job, track, segment, findRun(job, track, playlist, segment))
    } else await add(job, track, segment, { ...taken.segment, run: findRun(job, track, playlist, segment) })
    await closeFullChunks(job)
    reportProgress(job, playlist)
    if (isOverLimit(job)) break
  }
  return { hasNew, trouble: null }
}

/** Throws DISK_FULL when less is free than the appliance needs for everything else. */
export async function requireFreeSpace({ spool, params }: RecordJob): Promise<void> {
  const free = await freeBytes(spool.folder)
  if (free >= params.minFreeBytes) return
  throw new AppError('DISK_FULL', { details: { freeBytes: free, minFreeBytes: params.minFreeBytes } })
}

/** More files than any event has; a server that sends more never ends. */
const MAX_FILES = 500_000

/** Whether the recording has reached its maximum size or, for an event, its maximum length. */
export function isOverLimit({ spool, params }: RecordJob): boolean {
  const { tracks, bytes, live, nextFile } = spool.state()
  if (nextFile > MAX_FILES) return true
  return (live && tracks[0].clock >= params.maxSeconds) || bytes >= params.maxBytes
}

/** Warns about a recording that has reached its limit. */
export const warnOverLimit = (job: RecordJob): Promise<void> =>
  warn(job, 'The recording has reached the longest time or size that is configured and was ended.')

const trackState = (job: RecordJob, track: Pick<FollowedTrack, 'index'>): TrackState =>
  job.spool.state().tracks[track.index]

/** The tracks with one of them changed. */
function tracksWith(job: RecordJob, index: TrackIndex, change: Partial<TrackState>) {
  const [first, second] = job.spool.state().tracks
  return index === 0
    ? ([{ ...first, ...change }, second] as const)
    : ([first, { ...second, ...change }] as const)
}

/** Handles missed segments, and servers that have restarted their numbering. */
async function catchUp(job: RecordJob, track: FollowedTrack, playlist: MediaPlaylist): Promise<void> {
  const state = trackState(job, track)
  const first = playlist.segments[0]
  const last = playlist.segments.at(-1)
  if (first === undefined || last === undefined || state.next === null) return
  // A slightly older sequence number comes from a lagging server; a far older one means that numbering has restarted.
  const restarted = last.sequence < state.next - 1 - Math.max(3, playlist.segments.length)
  if (!restarted && first.sequence <= state.next) return
  const missed = restarted ? 0 : (first.sequence - state.next) * playlist.targetSeconds
  const seconds = byServerTime(state, first) ?? missed
  if (!restarted)
    await warn(job, `About ${seconds.toFixed(0)} s of the stream went by without being recorded.`)
  const base = restarted ? state.lastRun + 1 - first.run : state.runBase
  // Without discontinuity numbers it is unknown what lay in between.
  const lastRun = playlist.numbered ? state.lastRun : state.lastRun + 1
  await addGap(job, track, seconds, { next: first.sequence, runBase: base, lastRun })
}

/** The discontinuity number of a new segment; playlists without numbers are counted by their discontinuities. */
function findRun(job: RecordJob, track: FollowedTrack, playlist: MediaPlaylist, segment: PlaylistSegment) {
  const { lastRun, runBase, next } = trackState(job, track)
  if (playlist.numbered) return segment.run + runBase
  return lastRun + Number(segment.breaks && next !== null)
}

/** Seconds between the previous segment and this one by the server's clock; null if unknown. */
function byServerTime(state: TrackState, segment: PlaylistSegment): number | null {
  const time = segment.time === null ? NaN : Date.parse(segment.time)
  if (state.serverTime === null || Number.isNaN(time)) return null
  return Math.max(0, (time - state.serverTime) / 1000)
}

/** A segment that cannot be fetched: time continues without it. */
async function skip(job: RecordJob, track: FollowedTrack, segment: PlaylistSegment, lastRun: number) {
  const change = { next: segment.sequence + 1, lastRun, ...serverTime(job, track, segment) }
  await addGap(job, track, segment.seconds, change)
}

/** Advances the clock over time that was not recorded. */
export async function addGap(
  job: RecordJob,
  track: Pick<FollowedTrack, 'index'>,
  seconds: number,
  change: Partial<TrackState>,
): Promise<void> {
  const clock = trackState(job, track).clock + seconds
  await job.spool.save({ tracks: tracksWith(job, track.index, { ...change, clock }) })
  // Several short gaps in a row count as a long one.
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
  const state = trackState(job, track)
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
function serverTime(job: RecordJob, track: FollowedTrack, segment: PlaylistSegment) {
  const declared = segment.time === null ? NaN : Date.parse(segment.time)
  const begins = Number.isNaN(declared) ? trackState(job, track).serverTime : declared
  return { serverTime: begins === null ? null : begins + segment.seconds * 1000 }
}

/** Reports progress. Only a recording that was complete from the beginning has a length to compare with. */
export function reportProgress({ context, spool }: RecordJob, playlist?: MediaPlaylist): void {
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
