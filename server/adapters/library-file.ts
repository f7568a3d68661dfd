/** A local file into the sources folder, once by its content, and what it is: a picture, a video, a sound or a font, and how large. */
import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { LibraryKind } from '../contract/library.ts'
import { ticksToSeconds } from '../contract/time.ts'
import { AppError } from '../contract/errors.ts'
import { toDiskFull, requireDiskSpace } from '../../workers/media/disk.ts'
import type { ToolPaths } from '../../workers/protocol.ts'
import { damagedPicture, requirePictureHead } from '../../workers/stages/fetch-asset/picture-head.ts'
import { fontHead, isAnimatedWebp, judgeHead } from '../../workers/stages/fetch-asset/pure/judge-head.ts'
import { isOnItsSide } from '../../workers/stages/fetch-asset/pure/jpeg-turn.ts'
import { storeSource, readFileHead } from '../../workers/stages/ingest/keep.ts'
import { SNIFF_BYTES, sniff } from '../../workers/stages/ingest/pure/media-type.ts'
import { decodes, decodesPicture, lengthByReading, readFacts } from '../../workers/stages/probe/look.ts'
import { chooseStreams, sourceFacts, startSeconds } from '../../workers/stages/probe/pure/facts.ts'
import { numberOf } from '../../workers/stages/probe/pure/probe-json.ts'

export interface LibraryFile {
  readonly kind: LibraryKind
  readonly digest: string
  readonly bytes: number
  readonly mediaType: string
  /** Pixels, as shown; 0 for a sound and a font. */
  readonly width: number
  readonly height: number
  /** Null for a picture and a font. */
  readonly durationSeconds: number | null
}

export interface StoreFileRequest {
  readonly path: string
  /** What people call it; an upload's own name is an id. */
  readonly name: string
  /** Folders of the home. */
  readonly sources: string
  readonly temporary: string
  readonly tools: ToolPaths
  readonly maxBytes: Readonly<Record<LibraryKind, number>>
  /** So much of the disk stays free. */
  readonly minFreeBytes: number
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number) => void
}

/** Share of the progress at which the copy is looked at. */
const COPIED = 0.8
const CHUNK = 1024 * 1024

/**
 * Copies the file, inspects the copy and stores it. Throws SOURCE_UNREACHABLE (no such file), SOURCE_FORBIDDEN,
 * SOURCE_NOT_VIDEO (neither picture, video, sound nor font), SOURCE_TOO_LARGE, DISK_FULL or CANCELLED, leaving nothing
 * behind.
 */
export async function storeLibraryFile(request: StoreFileRequest): Promise<LibraryFile> {
  const { sources, temporary, minFreeBytes, signal } = request
  const source = await openToRead(request)
  const copy = join(temporary, `library-${randomUUID()}`)
  try {
    const { limit, size } = await judge(source, request)
    requireDiskSpace(temporary, { what: 'The file', bytes: size, minFreeBytes })
    const { digest, bytes } = await copyHashing(source, copy, { ...request, limit, size })
    const found = await inspectFile(copy, digest, bytes, request)
    signal.throwIfAborted()
    await storeSource(sources, copy, digest, bytes)
    request.onProgress(1)
    return found
  } catch (error) {
    throw signal.aborted ? new AppError('CANCELLED', { cause: error }) : toDiskFull(error)
  } finally {
    await source.close()
    await rm(copy, { force: true })
  }
}

async function openToRead({ path, name }: StoreFileRequest): Promise<FileHandle> {
  try {
    // A pipe or a device would be waited for without end.
    if (!(await stat(path)).isFile()) throw new AppError('SOURCE_NOT_VIDEO', `${name} is not a file.`)
    return await open(path, 'r')
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new AppError(isMissing ? 'SOURCE_UNREACHABLE' : 'SOURCE_FORBIDDEN', {
      message: isMissing
        ? `There is no file ${name}.`
        : `The file ${name} may not be read by this appliance.`,
      cause,
    })
  }
}

/** By its first bytes, before anything is copied. */
async function judge(
  source: FileHandle,
  { name, maxBytes }: StoreFileRequest,
): Promise<{ limit: number; size: number }> {
  const { size } = await source.stat()
  const { buffer, bytesRead } = await source.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0)
  const head = buffer.subarray(0, bytesRead)
  if (fontHead(head).kind === 'font') {
    if (size > maxBytes.font) throw tooLarge(name, maxBytes.font)
    return { limit: maxBytes.font, size }
  }
  const judged = judgeHead(head, 'media')
  if (judged.kind === 'refused') throw new AppError('SOURCE_NOT_VIDEO', `${name}: ${judged.why}`)
  const limit = maxBytes[judged.limit]
  if (size > limit) throw tooLarge(name, limit)
  return { limit, size }
}

function tooLarge(name: string, limit: number): AppError {
  const message = `${name} is larger than ${Math.round(limit / 1e6)} MB.`
  return new AppError('SOURCE_TOO_LARGE', { message, details: { maxBytes: limit } })
}

async function copyHashing(
  source: FileHandle,
  copy: string,
  { name, limit, size, signal, onProgress }: StoreFileRequest & { limit: number; size: number },
): Promise<{ digest: string; bytes: number }> {
  const hash = createHash('sha256')
  const target = await open(copy, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of source.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK })) {
      signal.throwIfAborted()
      const part = chunk as Buffer
      bytes += part.length
      if (bytes > limit) throw tooLarge(name, limit)
      hash.update(part)
      await target.writeFile(part)
      onProgress(COPIED * Math.min(1, bytes / Math.max(1, size)))
    }
    await target.sync()
    return { digest: hash.digest('hex'), bytes }
  } finally {
    await target.close()
  }
}

async function inspectFile(
  copy: string,
  digest: string,
  bytes: number,
  request: StoreFileRequest,
): Promise<LibraryFile> {
  const { name } = request
  try {
    const head = await readFileHead(copy)
    const font = fontHead(head)
    // Whether its letters can be drawn is found out where it is used, outside of this process.
    if (font.kind === 'font')
      return {
        kind: 'font',
        digest,
        bytes,
        mediaType: font.mediaType,
        width: 0,
        height: 0,
        durationSeconds: null,
      }
    if (judgeHead(head, 'media').kind === 'picture') {
      const picture = await inspectPicture(copy, request)
      return { kind: 'image', digest, bytes, ...picture, durationSeconds: null }
    }
    const found = sniff(head)
    const mediaType = found.kind === 'media' ? found.mediaType : 'application/octet-stream'
    return { digest, bytes, mediaType, ...(await inspectMedia(copy, request)) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    throw new AppError(error.code, { message: `${name}: ${error.message}`, cause: error })
  }
}

/** No picture is decoded in this process: ffmpeg does it, which sees this file and nothing else. */
async function inspectPicture(
  path: string,
  { tools, signal }: StoreFileRequest,
): Promise<Pick<LibraryFile, 'mediaType' | 'width' | 'height'>> {
  const bytes = await readFile(path)
  const { mediaType, size } = requirePictureHead(bytes)
  // Whether those can be drawn is found out where one is used, because not every ffmpeg reads them.
  if (!isAnimatedWebp(bytes) && !(await decodesPicture({ tools, signal }, path, mediaType)))
    throw damagedPicture()
  const { width, height } = size
  return mediaType === 'image/jpeg' && isOnItsSide(bytes)
    ? { mediaType, width: height, height: width }
    : { mediaType, width, height }
}

async function inspectMedia(
  path: string,
  { tools, signal }: StoreFileRequest,
): Promise<Pick<LibraryFile, 'kind' | 'width' | 'height' | 'durationSeconds'>> {
  const context = { tools, signal }
  const probe = await readFacts(context, path)
  const streams = chooseStreams(probe)
  const { video, audio } = streams
  const stated = numberOf(probe.format?.duration)
  const source = { ffprobe: tools.ffprobe, path, signal }
  if (video === null && audio !== null && (await decodes(context, path, audio.index, 'audio'))) {
    const durationSeconds =
      stated !== null && stated > 0 ? stated : await lengthByReading(source, audio.index, startSeconds(probe))
    return { kind: 'audio', width: 0, height: 0, durationSeconds }
  }
  if (video === null || !(await decodes(context, path, video.index, 'video'))) {
    const message = 'There is neither a picture nor a sound in this file that can be read.'
    throw new AppError('SOURCE_NOT_VIDEO', message)
  }
  const durationSeconds =
    stated !== null && stated > 0 ? stated : await lengthByReading(source, video.index, startSeconds(probe))
  const measured = { bytes: 0, durationSeconds, frameTimes: [], warnings: [] }
  const facts = sourceFacts(probe, { ...streams, audio: null }, measured)
  return {
    kind: 'video',
    width: facts.video?.width ?? 0,
    height: facts.video?.height ?? 0,
    durationSeconds: ticksToSeconds(facts.duration),
  }
}
