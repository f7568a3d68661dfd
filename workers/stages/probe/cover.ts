/** The cover of a sound file: the picture attached to it, kept like a fetched one. */
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

/** No cover is larger; a file that says so is not to be read into memory. */
const MAX_BYTES = 30 * 1024 * 1024

/** Null, with a warning, when there is one that cannot be used; null without when there is none. */
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
    // Killed from outside is not the picture's fault.
    if (error.code === 'STAGE_FAILED' && error.details?.['exitCode'] === null) throw error
    warn('The cover picture in the file cannot be read and is not used.')
    return null
  }
}

const UNUSABLE: ReadonlySet<string> = new Set(['SOURCE_NOT_VIDEO', 'SOURCE_TOO_LARGE', 'STAGE_FAILED'])

/** The picture's own bytes, as they lie in the file; null when there are too many. */
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
