/** Records an HLS address: chooses a variant and follows its playlists until they end, stall or reach a limit. */
import { AppError, type ErrorCode } from '../../../server/contract/errors.ts'
import { closeOpenChunk } from './chunks.ts'
import { isOverLimit, warnOverLimit, takeNewSegments, type FollowedTrack } from './follow-track.ts'
import { warn, type Ending, type RecordJob } from './job.ts'
import { pause } from '../ingest/download.ts'
import {
  parsePlaylist,
  type MasterPlaylist,
  type MediaPlaylist,
  type RefusedPlaylist,
  type Variant,
} from './pure/playlist.ts'
import { resolveAddress } from './take-segment.ts'
import { tooLarge } from '../ingest/transfer.ts'

/** Seconds after which a stream that never responded is given up; one that was recorded already is given up when it stalls. */
const FIRST_PATIENCE_SECONDS = 3

interface Opened {
  readonly tracks: readonly FollowedTrack[]
  readonly playlists: readonly MediaPlaylist[]
}

/** Follows the stream to its end. What was received stays, with a warning, even if the server stops or refuses. */
export async function recordHls(job: RecordJob): Promise<Ending> {
  try {
    return await follow(job, await open(job))
  } catch (error) {
    const { live, segments, chunks } = job.spool.state()
    const hasRecorded = live && segments.length + chunks.length > 0
    if (
      !hasRecorded ||
      !(error instanceof AppError) ||
      error.code === 'CANCELLED' ||
      error.code === 'DISK_FULL'
    )
      throw error
    await warn(job, `The recording ended early: ${error.message}`)
    return finish(job, 'stalled')
  }
}

async function open(job: RecordJob): Promise<Opened> {
  const { spool } = job
  const given = new URL(job.params.url)
  const { playlist, url } = await fetchFirstPlaylist(job, given)
  const opened =
    playlist.kind === 'media'
      ? { tracks: [{ index: 0 as const, url, keys: new Map() }], playlists: [playlist] }
      : await openVariant(job, url, playlist)
  const { tracks, live } = spool.state()
  // Complete when first fetched, and nothing was recorded before: a recording and not an event.
  if (tracks[0].next === null && !live)
    await spool.save({ live: !opened.playlists.every(({ ended }) => ended) })
  return opened
}

/** Fetches the first playlist of an address, several times if needed, for servers that are just starting. */
async function fetchFirstPlaylist(job: RecordJob, address: URL) {
  const { signal } = job.context
  const seen = job.spool.state().tracks[0].next !== null
  const patience = seen ? job.params.stallSeconds : FIRST_PATIENCE_SECONDS
  const began = performance.now()
  let message = ''
  let code: ErrorCode = 'SOURCE_UNREACHABLE'
  do {
    const found = await job.fetcher.text(address)
    if (found.kind === 'got') {
      const playlist = parsePlaylist(found.value)
      if (playlist.kind === 'master' || playlist.kind === 'media') return { playlist, url: found.url }
      throw refusal(playlist)
    }
    message = found.message
    if (found.kind === 'gone') code = found.code ?? code
    if (found.kind === 'gone' && !seen) break
    await pause(1, signal)
    signal.throwIfAborted()
  } while (performance.now() - began < patience * 1000)
  throw new AppError(code, { message: `The stream could not be opened. ${message}` })
}

function refusal({ kind, message }: RefusedPlaylist): AppError {
  return new AppError(kind === 'protected' ? 'UNSUPPORTED_SOURCE_URL' : 'SOURCE_NOT_VIDEO', { message })
}

/** The best variant that can be opened, with a warning if a better one could not. */
async function openVariant(job: RecordJob, base: URL, master: MasterPlaylist): Promise<Opened> {
  let failure: AppError | null = null
  for (const variant of variantsByRank(master)) {
    try {
      const addresses = [variant.uri, ...(variant.audioUri === null ? [] : [variant.audioUri])]
      const looks = []
      for (const uri of addresses) looks.push(await fetchFirstPlaylist(job, resolveAddress(uri, base)))
      if (failure !== null)
        await warn(
          job,
          `The best form of the stream could not be opened, another is recorded: ${failure.message}`,
        )
      return {
        tracks: looks.map(({ url }, index) => ({ index: index === 0 ? 0 : 1, url, keys: new Map() })),
        playlists: looks.flatMap(({ playlist }) => (playlist.kind === 'media' ? [playlist] : [])),
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SOURCE_UNREACHABLE') throw error
      failure ??= error
    }
  }
  throw failure ?? new AppError('SOURCE_UNREACHABLE')
}

async function follow(job: RecordJob, opened: Opened): Promise<Ending> {
  const { signal } = job.context
  let lastNewAt = performance.now()
  let trouble = 'The playlist was not continued.'
  let target = 0
  for (let round = 0; ; round++) {
    signal.throwIfAborted()
    const began = performance.now()
    const seen = await reloadAll(job, opened, round)
    trouble = seen.trouble ?? trouble
    if (isOverLimit(job)) {
      if (!job.spool.state().live) throw tooLarge(job.params.maxBytes)
      await warnOverLimit(job)
      return finish(job, 'limit')
    }
    if (seen.ended) return finish(job, 'end')
    const now = performance.now()
    if (seen.hasNew) lastNewAt = now
    target = seen.target || target
    const silence = silenceAllowed(job.params.stallSeconds, target)
    const patienceSeconds = silence - (now - lastNewAt) / 1000
    if (patienceSeconds < 0) return stalled(job, silence, trouble)
    const passedSeconds = (now - began) / 1000
    const { hasNew, target: targetSeconds } = seen
    const lengthSeconds = lengthLeft(job)
    const wait = secondsUntilReload({ hasNew, targetSeconds, passedSeconds, patienceSeconds, lengthSeconds })
    await pause(wait, signal)
  }
}

/** Seconds until an event reaches its maximum length; a recording that was complete already has no limit. */
function lengthLeft({ spool, params }: RecordJob): number {
  const { live, tracks } = spool.state()
  return live ? params.maxSeconds - tracks[0].clock : Infinity
}

interface Seen {
  readonly hasNew: boolean
  /** Every playlist is complete and everything in it was recorded. */
  readonly ended: boolean
  readonly target: number
  readonly trouble: string | null
}

/** Reloads every playlist; those that were fetched while opening are not fetched twice. */
async function reloadAll(job: RecordJob, { tracks, playlists }: Opened, round: number): Promise<Seen> {
  let hasNew = false
  let ended = true
  let target = 0
  let trouble: string | null = null
  for (const [index, track] of tracks.entries()) {
    const known = round === 0 ? playlists[index] : undefined
    const found = known ?? (await reload(job, track))
    if (typeof found === 'string') {
      ended = false
      trouble = found
      continue
    }
    const taken = await takeNewSegments(job, track, found)
    hasNew ||= taken.hasNew
    trouble ??= taken.trouble
    ended &&= found.ended && taken.trouble === null
    target = Math.max(target, found.targetSeconds)
  }
  return { hasNew, ended, target, trouble }
}

/** The current playlist, or a sentence about what is wrong with it. */
async function reload(job: RecordJob, track: FollowedTrack): Promise<MediaPlaylist | string> {
  const found = await job.fetcher.text(track.url)
  if (found.kind !== 'got') return found.message
  const playlist = parsePlaylist(found.value)
  if (playlist.kind === 'protected') throw refusal(playlist)
  if (playlist.kind === 'malformed') return playlist.message
  return playlist.kind === 'media' ? playlist : 'The server sends another kind of playlist.'
}

async function stalled(job: RecordJob, seconds: number, trouble: string): Promise<Ending> {
  const { live } = job.spool.state()
  const silence = `nothing new came for ${seconds} seconds`
  if (!live)
    throw new AppError('SOURCE_UNREACHABLE', {
      message: `The recording could not be fetched whole: ${silence}. ${trouble}`,
    })
  await warn(
    job,
    `The stream did not say that it was over, but ${silence}; the recording ends there. ${trouble}`,
  )
  return finish(job, 'stalled')
}

async function finish(job: RecordJob, ending: Ending): Promise<Ending> {
  await closeOpenChunk(job)
  if (job.spool.state().chunks.length === 0)
    throw new AppError('SOURCE_UNREACHABLE', {
      message: 'The stream was open and nothing of it could be recorded.',
    })
  return ending
}

/** Clips have at most this height, so more would be fetched in vain. */
const ENOUGH_LINES = 1080

const VIDEO_CODEC = /^(avc|hvc|hev|dvh|vp0?9|av01|mp4v|vvc)/i

/** Variants from best to worst: with a picture first, then the most lines up to 1080, then by bit rate. */
export function variantsByRank(playlist: MasterPlaylist) {
  const ranked = playlist.variants.toSorted(
    (a, b) => Number(soundOnly(a)) - Number(soundOnly(b)) || rank(b) - rank(a) || b.bandwidth - a.bandwidth,
  )
  return ranked.map(({ uri, audio }) => {
    const group = playlist.audio.filter((rendition) => rendition.group === audio)
    const rendition = group.find(({ isDefault }) => isDefault) ?? group[0]
    // Null: the sound is in the variant itself.
    return { uri, audioUri: rendition?.uri === uri ? null : (rendition?.uri ?? null) }
  })
}

const soundOnly = ({ codecs, height }: Variant): boolean =>
  height === null && codecs.length > 0 && !codecs.some((codec) => VIDEO_CODEC.test(codec))

/** Above 1080 lines less is better, but still better than no picture. */
function rank({ height }: Variant): number {
  if (height === null) return 0
  return height <= ENOUGH_LINES ? height : ENOUGH_LINES / (height / ENOUGH_LINES) / 10_000 + 0.5
}

/** Playlists are never reloaded more often, whatever they declare. */
const MIN_SECONDS = 0.1
/** Maximum wait, because a declared segment length is the server's claim and the run occupies a place meanwhile. */
const MAX_SECONDS = 30
/** Minimum step towards the maximum length of a recording, which only new segments can reach. */
const LENGTH_STEP_SECONDS = 1

export interface SinceLastReload {
  readonly hasNew: boolean
  /** Maximum length of a segment as declared by the playlists. */
  readonly targetSeconds: number
  /** Since the last reload began. */
  readonly passedSeconds: number
  /** Until silence ends the recording. */
  readonly patienceSeconds: number
  /** Until the recording reaches its maximum length. */
  readonly lengthSeconds: number
}

/** Seconds to wait as the format demands (a target duration, or half of one if nothing was new), within all limits. */
export function secondsUntilReload(last: SinceLastReload): number {
  const { hasNew, targetSeconds, passedSeconds, patienceSeconds, lengthSeconds } = last
  const wanted = (hasNew ? targetSeconds : targetSeconds / 2) - passedSeconds
  const most = Math.min(MAX_SECONDS, patienceSeconds, Math.max(LENGTH_STEP_SECONDS, lengthSeconds))
  return Math.max(MIN_SECONDS - passedSeconds, 0, Math.min(wanted, most))
}

/** Seconds of silence after which a stream is over: not fewer than the format allows between two segments. */
export function silenceAllowed(stallSeconds: number, targetSeconds: number): number {
  return targetSeconds > MAX_SECONDS ? stallSeconds : Math.max(stallSeconds, targetSeconds * 1.5)
}
