/** Which options this ffmpeg needs: detected from its version, and from what it does to a few pixels. */
import { AppError } from '../../server/contract/errors.ts'
import {
  overlayLumaOf,
  overlayProbeArguments,
  takesFpsMode,
  takesOptionFiles,
  type Dialect,
} from './arguments/dialect.ts'
import { runTool } from './run-tool.ts'
import { readVersionText } from './tools.ts'

const known = new Map<string, Promise<Dialect>>()

/** Detected once per process. Throws RENDER_FAILED for an ffmpeg that blends pictures in an unknown way. */
export function detectDialect(ffmpeg: string): Promise<Dialect> {
  const detected = known.get(ffmpeg) ?? detect(ffmpeg)
  known.set(ffmpeg, detected)
  detected.catch(() => known.delete(ffmpeg))
  return detected
}

async function detect(ffmpeg: string): Promise<Dialect> {
  const [text, { stdout }] = await Promise.all([
    readVersionText(ffmpeg),
    runTool({ executable: ffmpeg, args: overlayProbeArguments(), timeoutSeconds: 30 }),
  ])
  const overlayLuma = overlayLumaOf(stdout)
  if (overlayLuma === null) {
    const message =
      'This ffmpeg blends pictures in a way that Cutroom does not support. ' +
      'Use another one: unset CUTROOM_FFMPEG for the bundled build.'
    throw new AppError('RENDER_FAILED', { message })
  }
  return { fpsMode: takesFpsMode(text), optionFiles: takesOptionFiles(text), overlayLuma }
}
