/** Decides when a chunk of a recording is full, and publishes it as a stored source. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { readFileHead, storeFinishedFile } from '../ingest/keep.ts'
import { sniff } from '../ingest/pure/media-type.ts'
import { displayName } from '../ingest/source-url.ts'
import { buildFiles } from './build-chunk.ts'
import type { RecordedChunk } from './declaration.ts'
import { warn, type RecordJob } from './job.ts'
import type { SpoolSegment } from './spool.ts'

/** Tolerance for rounded lengths in playlists. */
const SLACK_SECONDS = 0.05

const openSegments = (job: RecordJob, track: 0 | 1): SpoolSegment[] =>
  job.spool.state().segments.filter((segment) => segment.track === track)

/** Publishes chunks that are full. A recording that was complete from the beginning is one chunk, however long. */
export async function closeFullChunks(job: RecordJob): Promise<void> {
  const { live, tracks } = job.spool.state()
  if (!live) return
  for (;;) {
    const picture = openSegments(job, 0)
    const start = picture[0]?.start
    if (start === undefined) return
    const full = picture.find(
      (segment) => segment.start + segment.seconds - start >= job.params.chunkSeconds - SLACK_SECONDS,
    )
    if (full === undefined) return
    const end = full.start + full.seconds
    // Separate sound must have arrived up to the same time.
    const hasSound = tracks[1].next !== null
    if (hasSound && tracks[1].clock < end - SLACK_SECONDS) return
    await publishChunk(job, end)
  }
}

/** Publishes what has been recorded, full or not. */
export async function closeOpenChunk(job: RecordJob): Promise<void> {
  const last = openSegments(job, 0).at(-1)
  if (last !== undefined) await publishChunk(job, last.start + last.seconds)
}

/** Publishes all chunks again, because those of an earlier attempt may not have been received. */
export function publishChunks(job: RecordJob): void {
  sendChunks(job, job.spool.state().chunks)
}

/** A complete recording is published at its end, as a whole; only events are published in parts. */
function sendChunks({ context, spool }: RecordJob, chunks: readonly RecordedChunk[]): void {
  if (spool.state().live) for (const chunk of chunks) context.part?.(chunk)
}

async function publishChunk(job: RecordJob, end: number): Promise<void> {
  const { spool, context } = job
  const { segments, chunks } = spool.state()
  const own = segments.filter((segment) => segment.start < end - SLACK_SECONDS)
  const made: RecordedChunk[] = []
  await removeFiles(spool.folder, BUILD_FILES)
  try {
    for (const file of await buildFiles(context, spool.folder, own))
      made.push(await storeChunk(job, file, chunks.length + made.length))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'STAGE_FAILED') throw error
    await warn(
      job,
      `A part of the stream (${(end - (own[0]?.start ?? end)).toFixed(0)} s) cannot be read as a video and was left out: ${error.message}`,
    )
  }
  await spool.save({
    segments: segments.filter((segment) => !own.includes(segment)),
    chunks: [...chunks, ...made],
  })
  sendChunks(job, made)
  await spool.remove(own.map(({ file }) => file))
  await removeFiles(spool.folder, BUILD_FILES)
}

async function storeChunk(
  { context, params }: RecordJob,
  file: { readonly path: string; readonly segments: readonly SpoolSegment[] },
  index: number,
): Promise<RecordedChunk> {
  const { size: bytes } = await stat(file.path)
  const head = sniff(await readFileHead(file.path))
  const digest = await storeFinishedFile(context.sources, file.path, bytes, context.signal)
  const name = displayName(new URL(params.url), undefined).replace(/\.m3u8?$/i, '')
  return {
    index,
    offsetSeconds: file.segments[0]?.start ?? 0,
    seconds: file.segments.reduce((sum, segment) => sum + segment.seconds, 0),
    digest,
    bytes,
    mediaType: head.kind === 'media' ? head.mediaType : 'application/octet-stream',
    displayName: name === '' ? 'stream' : name,
  }
}

/** Files that building a chunk leaves behind. */
const BUILD_FILES = /^(joined|stretch|stretches|chunk)-/

async function removeFiles(folder: string, names: RegExp): Promise<void> {
  for (const name of await readdir(folder))
    if (names.test(name)) await rm(join(folder, name), { force: true })
}
