/** The cover of a sound file: its attached picture, stored like a downloaded one. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import type { PictureAsset } from '../../../server/contract/composition.ts'
import { coverArguments } from '../../media/arguments/probe.ts'
import { toDiskFull } from '../../media/disk.ts'
import { runTool } from '../../media/run-tool.ts'
import type { StageContext } from '../context.ts'
import { inspectPicture } from '../fetch-asset/picture.ts'
import { storeSource } from '../ingest/keep.ts'
import { attachedPicture } from './pure/facts.ts'
import type { ProbeJson } from './pure/probe-json.ts'

/** Larger covers are not read into memory. */
const MAX_BYTES = 30 * 1024 * 1024

/** Null without a cover; null with a warning when it cannot be used. */
export async function storeCover(
  context: StageContext<'source'>,
  probe: ProbeJson,
  warn: (message: string) => void,
): Promise<PictureAsset | null> {
  const stream = attachedPicture(probe)
  if (stream === null) return null
  try {
    const bytes = await readCover(context, stream.index)
    if (bytes === null) {
      warn('The cover picture in the file is too large and is not used.')
      return null
    }
    const digest = createHash('sha256').update(bytes).digest('hex')
    const path = join(context.temporary, 'cover')
    await writeSynced(path, bytes)
    const { picture } = await inspectPicture(path, digest, warn)
    await storeSource(context.sources, path, digest, bytes.length)
    return picture
  } catch (error) {
    if (!(error instanceof AppError) || !UNUSABLE.has(error.code)) throw toDiskFull(error)
    // A tool that was killed from outside says nothing about the picture.
    if (error.code === 'STAGE_FAILED' && error.details?.['exitCode'] === null) throw error
    warn('The cover picture in the file cannot be read and is not used.')
    return null
  }
}

const UNUSABLE: ReadonlySet<string> = new Set(['SOURCE_NOT_VIDEO', 'SOURCE_TOO_LARGE', 'STAGE_FAILED'])

/** The bytes of the picture as they are in the file; null when there are too many. */
async function readCover(context: StageContext<'source'>, stream: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  await runTool({
    executable: context.tools.ffmpeg,
    args: coverArguments(context.input('source'), stream),
    signal: context.signal,
    timeoutSeconds: 60,
    onStdout: (chunk) => {
      size += chunk.length
      if (size <= MAX_BYTES) chunks.push(Buffer.from(chunk))
    },
  })
  return size > MAX_BYTES ? null : Buffer.concat(chunks)
}

async function writeSynced(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
