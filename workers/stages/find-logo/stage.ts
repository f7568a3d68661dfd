/** Reads some dozens of small pictures of the source and finds what stays in place in all of them. */
import { logoFramesArguments } from '../../media/arguments/logo-frames.ts'
import { runTool } from '../../media/run-tool.ts'
import type { StageHandler } from '../context.ts'
import { findLogos } from './pure/find-logos.ts'
import { watchEdges } from './pure/watch-edges.ts'

/** Number of pictures, spread over the source; keyframes may be rarer. */
const WANTED = 48
const LONG_SIDE = 480
/** Seconds. Shorter sources may have too few keyframes, and are decoded quickly. */
const SHORT = 120

export const runFindLogo: StageHandler<'find-logo'> = async (context, params) => {
  const scale = Math.min(1, LONG_SIDE / Math.max(params.width, params.height))
  const even = (pixels: number): number => Math.max(16, Math.round((pixels * scale) / 2) * 2)
  const width = even(params.width)
  const height = even(params.height)
  const watcher = watchEdges(width, height)
  const size = width * height
  const picture = new Uint8Array(size)
  let filled = 0
  let pictures = 0
  await runTool({
    executable: context.tools.ffmpeg,
    args: logoFramesArguments({
      path: context.input('source'),
      streamIndex: params.streamIndex,
      width,
      height,
      keyframesOnly: params.durationSeconds > SHORT,
      apart: params.durationSeconds / WANTED,
    }),
    signal: context.signal,
    stallSeconds: 120,
    onStdout: (chunk) => {
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + size - filled)
        picture.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < size) continue
        filled = 0
        pictures += 1
        watcher.add(picture)
        context.progress(Math.min(0.99, pictures / WANTED))
      }
      return Promise.resolve()
    },
  })
  context.progress(1)
  return { logos: findLogos(watcher.finish()), pictures }
}
