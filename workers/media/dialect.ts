/** How this ffmpeg wants to be spoken to: from its version, and from what it does to a few pixels. */
import { AppError } from '../../server/contract/errors.ts'
import {
  overlayLumaOf,
  overlayProbeArguments,
  takesFpsMode,
  takesOptionFiles,
  type Dialect,
} from './arguments/dialect.ts'
import { runTool } from './run-tool.ts'
import { readVersionText } from './tool-version.ts'

const known = new Map<string, Promise<Dialect>>()

/** Asked once per process. Throws RENDER_FAILED for an ffmpeg that blends pictures in a way nobody knows. */
export function detectDialect(ffmpeg: string): Promise<Dialect> {
  const asked = known.get(ffmpeg) ?? ask(ffmpeg)
  known.set(ffmpeg, asked)
  asked.catch(() => known.delete(ffmpeg))
  return asked
}

async function ask(ffmpeg: string): Promise<Dialect> {
  const [text, { stdout }] = await Promise.all([
    readVersionText(ffmpeg),
    runTool({ executable: ffmpeg, args: overlayProbeArguments(), timeoutSeconds: 30 }),
  ])
  const overlayLuma = overlayLumaOf(stdout)
  if (overlayLuma === null) {
    const message =
      'This ffmpeg lays pictures over each other in a way that is not known. ' +
      'Use another one: unset CUTROOM_FFMPEG for the bundled build.'
    throw new AppError('RENDER_FAILED', { message })
  }
  return { fpsMode: takesFpsMode(text), optionFiles: takesOptionFiles(text), overlayLuma }
}
