/**
 * Streams that are pulled over a connection (RTMP, SRT): ffmpeg cuts them into short segments on the disk, which are then recorded
 * like those of a playlist. A broken connection is made again until the stream has been silent for too long, because none of these
 * protocols reliably announces the end of an event.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { cutArguments, type PullInput } from '../../media/arguments/record.ts'
import { runTool, type ToolRun } from '../../media/run-tool.ts'
import { closeFullChunks, closeOpenChunk } from './chunks.ts'
import { withoutUserinfo } from '../ingest/source-url.ts'
import { requireFreeSpace, addGap, isOverLimit, warnOverLimit, reportProgress } from './follow-track.ts'
import { warn, type Ending, type RecordJob } from './job.ts'
import { pause } from '../ingest/download.ts'

/** One connection, as long as it lasts. */
export interface Pull {
  readonly input: PullInput
  /** Writes to the tool, if it does not connect by itself. */
  readonly feed?: NonNullable<ToolRun['inputs']>[number]
  /** The error of the connection, if it is more precise than the tool's. */
  readonly failure: () => AppError | null
  /** Whether the server has announced the end of the stream. */
  readonly over: () => boolean
  /** Ends the tool if it has no writer that could be ended; its last seconds are then lost. */
  readonly signal?: AbortSignal
  /** Ends the connection; what was received is still cut. */
  readonly stop: () => void
  readonly close: () => void | Promise<void>
}

const RETRY_SECONDS = 1
/** Errors that another connection would only repeat. */
const FINAL: ReadonlySet<string> = new Set([
  'INVALID_URL',
  'SOURCE_FORBIDDEN',
  'SOURCE_NOT_VIDEO',
  'UNSUPPORTED_SOURCE_URL',
])
const FIRST_PATIENCE_SECONDS = 3

/** Pulls until the stream is over, with one connection after the other. Throws when nothing was ever received. */
export async function recordPull(job: RecordJob, connect: () => Promise<Pull>): Promise<Ending> {
  const { spool, params, context } = job
  if (!spool.state().live) await spool.save({ live: true })
  let lastDataAt = performance.now()
  let trouble: AppError | null = null
  let over = false
  for (;;) {
    context.signal.throwIfAborted()
    const before = spool.state().bytes
    const ended = await pullOnce(job, connect)
    trouble = ended.trouble
    if (spool.state().bytes !== before) {
      lastDataAt = performance.now()
      over = ended.over
    }
    if (isOverLimit(job)) {
      await warnOverLimit(job)
      return finish(job, 'limit')
    }
    if (trouble !== null && FINAL.has(trouble.code)) break
    const { segments, chunks } = spool.state()
    const patience = segments.length + chunks.length > 0 ? params.stallSeconds : FIRST_PATIENCE_SECONDS
    if (performance.now() - lastDataAt > Math.min(patience, params.stallSeconds) * 1000) break
    await pause(RETRY_SECONDS, context.signal)
  }
  const { segments, chunks } = spool.state()
  if (segments.length + chunks.length === 0) throw nothingReceived(trouble)
  if (over) return finish(job, 'end')
  const why = trouble === null ? '' : ` ${trouble.message}`
  await warn(job, `Nothing more came from the stream; the recording ends there.${why}`)
  return finish(job, 'stalled')
}

/** The tool's own message does not help users, so it is put in brackets. */
function nothingReceived(trouble: AppError | null): AppError {
  if (trouble !== null && trouble.code !== 'STAGE_FAILED') return trouble
  const reason = trouble === null ? '' : ` (${trouble.message})`
  const message = `Nothing that can be read came from the stream. Check that it is on the air${reason}.`
  return new AppError('SOURCE_UNREACHABLE', { message })
}

async function finish(job: RecordJob, ending: Ending): Promise<Ending> {
  await closeOpenChunk(job)
  if (job.spool.state().chunks.length === 0)
    throw new AppError('SOURCE_NOT_VIDEO', {
      message: 'The stream could not be read as a video.',
    })
  return ending
}

/** Runs one connection to its end; returns what went wrong, if anything. */
async function pullOnce(job: RecordJob, connect: () => Promise<Pull>) {
  const { context, spool } = job
  let pull: Pull
  try {
    pull = await connect()
  } catch (error) {
    return { trouble: expected(error, context.signal), over: false }
  }
  const { name } = spool.newFile('segment')
  const lines = lineReader()
  const newRun = spool.state().tracks[0].lastRun + 1
  let first = true
  const onStdout = async (bytes: Buffer): Promise<void> => {
    for (const line of lines(bytes)) {
      const segment = readLine(line)
      if (segment === null) continue
      if (first) await addPauseSinceLast(job, segment.seconds)
      first = false
      await take(job, segment, newRun)
      if (isOverLimit(job)) pull.stop()
    }
  }
  try {
    await runTool({
      executable: context.tools.ffmpeg,
      args: cutArguments(pull.input, spool.folder, name),
      ...(pull.feed === undefined ? {} : { inputs: [pull.feed] }),
      ...(pull.input.kind === 'srt' ? { network: 'loopback' as const } : {}),
      onStdout,
      signal: pull.signal ?? context.signal,
    })
    return { trouble: pull.failure(), over: pull.over() }
  } catch (error) {
    return { trouble: pull.failure() ?? expected(error, context.signal), over: pull.over() }
  } finally {
    await pull.close()
  }
}

/** An error that another connection may not have; others are thrown. */
function expected(error: unknown, signal: AbortSignal): AppError {
  const cancelled = error instanceof AppError && error.code === 'CANCELLED' && signal.aborted
  if (!(error instanceof AppError) || cancelled) throw error
  // The output of a tool may repeat the passphrase.
  const message = withoutUserinfo(error.message.replaceAll(/passphrase[= ][^&\s]*/g, 'passphrase=…'))
  if (error.code !== 'DISK_FULL') return new AppError(error.code, { message })
  const details = Object.fromEntries(
    Object.entries(error.details ?? {}).filter(([name]) => name !== 'stderr'),
  )
  throw new AppError('DISK_FULL', { message, details })
}

function lineReader(): (bytes: Buffer) => string[] {
  let rest = ''
  return (bytes) => {
    const lines = (rest + bytes.toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}

interface CutSegment {
  readonly file: string
  readonly seconds: number
}

/** Parses `name,start,end` of a finished segment; null for other lines. */
function readLine(line: string): CutSegment | null {
  const [file = '', start, end] = line.trim().split(',')
  const seconds = Number(end) - Number(start)
  return /^segment-\d+-\d+$/.test(file) && seconds > 0 ? { file, seconds } : null
}

/** Adds the time between two connections by this machine's clock, the only one there is. The new segment ends about now. */
async function addPauseSinceLast(job: RecordJob, seconds: number): Promise<void> {
  const { serverTime } = job.spool.state().tracks[0]
  if (serverTime === null) return
  await addGap(job, { index: 0 }, Math.max(0, (Date.now() - serverTime) / 1000 - seconds), {})
}

async function take(job: RecordJob, { file, seconds }: CutSegment, run: number): Promise<void> {
  const { spool } = job
  await requireFreeSpace(job)
  const { size } = await stat(join(spool.folder, file))
  const { segments, bytes, tracks } = spool.state()
  const [track, other] = tracks
  const segment = { track: 0 as const, file, bytes: size, seconds, start: track.clock, run, map: null }
  const state = { next: null, clock: track.clock + seconds, runBase: 0, lastRun: run, serverTime: Date.now() }
  await spool.save({ segments: [...segments, segment], bytes: bytes + size, tracks: [state, other] })
  await closeFullChunks(job)
  reportProgress(job)
}
