/** Which options this ffmpeg needs: detected from its version, and from what it does to a few pixels. */
import { AppError } from '../../server/contract/errors.ts'
import {
  blendingOf,
  overlayProbeArguments,
  takesFpsMode,
  takesOptionFiles,
  type Dialect,
} from './arguments/dialect.ts'
import { runTool } from './run-tool.ts'
import { readVersionText, rememberByTool } from './tools.ts'

/** Detected once per process. Throws RENDER_FAILED for an ffmpeg that blends pictures in an unknown way. */
export const detectDialect = rememberByTool(async (ffmpeg): Promise<Dialect> => {
  const [text, { stdout }] = await Promise.all([
    readVersionText(ffmpeg),
    runTool({ executable: ffmpeg, args: overlayProbeArguments(), timeoutSeconds: 30 }),
  ])
  const blending = blendingOf(stdout)
  if (blending === null) {
    const message =
      'This ffmpeg blends pictures in a way that Cutroom does not support. ' +
      'Use another one: `cutroom ffmpeg list` says which are here.'
    throw new AppError('RENDER_FAILED', { message })
  }
  return { fpsMode: takesFpsMode(text), optionFiles: takesOptionFiles(text), blending }
})
