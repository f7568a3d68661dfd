/** Reads some dozens of small pictures of the source and finds what stays in place in all of them. */
import { logoFramesArguments } from '../../media/arguments/frames.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageHandler } from '../context.ts'
import { splitPictures } from '../faces/pure/face.ts'
import { findLogos, watchEdges } from './pure/find-logos.ts'

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
  const statistics = watchEdges(width, height)
  let pictures = 0
  const args = logoFramesArguments({
    path: context.input('source'),
    streamIndex: params.streamIndex,
    width,
    height,
    keyframesOnly: params.durationSeconds > SHORT,
    apart: params.durationSeconds / WANTED,
  })
  await runFfmpeg(context, args, {
    stallSeconds: 120,
    onStdout: splitPictures(width * height, (picture) => {
      pictures += 1
      statistics.add(picture)
      context.progress(Math.min(0.99, pictures / WANTED))
    }),
  })
  context.progress(1)
  return { logos: findLogos(statistics.finish()), pictures }
}
