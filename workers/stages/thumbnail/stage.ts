/** Thumbnail: a few stills of the clip in one ffmpeg run, the best of them kept. */
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { secondsToTicks, ticksToSeconds } from '../../../server/contract/time.ts'
import { orDiskFull } from '../../media/disk.ts'
import { stillsArguments } from '../../media/arguments/thumbnail.ts'
import { runTool } from '../../media/run-tool.ts'
import { stageError, type StageHandler } from '../context.ts'
import { bestStill, sampleTimes, type GreyPicture } from './pure/still-score.ts'

const SAMPLES = 5
const GREY_WIDTH = 240
const FILE = 'thumbnail.jpg'

/** Fails with STAGE_FAILED when there is no picture in the stretch. */
export const runThumbnail: StageHandler<'thumbnail'> = async (context, params) => {
  const times = sampleTimes(ticksToSeconds(params.start), ticksToSeconds(params.end), SAMPLES)
  const files = times.map((_, index) => join(context.temporary, `still-${index}.jpg`))
  const grey = {
    width: GREY_WIDTH,
    height: Math.max(2, Math.round((GREY_WIDTH * params.height) / params.width)),
  }
  const pictures: (GreyPicture | null)[] = times.map(() => null)
  const { crop, width, height, hdr } = params
  try {
    await runTool({
      executable: context.tools.ffmpeg,
      args: stillsArguments({
        path: context.input('source'),
        times,
        crop,
        width,
        height,
        hdr,
        grey,
        outputs: files,
      }),
      signal: context.signal,
      timeoutSeconds: 300,
      outputs: times.map((_, index) => async (pipe: Readable) => {
        const pixels = await readAll(pipe)
        if (pixels.length === grey.width * grey.height) pictures[index] = { ...grey, pixels }
      }),
    })
    const best = bestStill(pictures)
    const file = best === null ? undefined : files[best]
    const at = best === null ? undefined : times[best]
    if (file === undefined || at === undefined) {
      throw stageError(
        'STAGE_FAILED',
        'There is no picture in this part of the source to take a thumbnail from.',
      )
    }
    await copyFile(file, join(context.folder, FILE))
    return { file: FILE, at: secondsToTicks(at), width, height }
  } catch (error) {
    throw orDiskFull(error)
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })))
  }
}

async function readAll(pipe: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of pipe) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
