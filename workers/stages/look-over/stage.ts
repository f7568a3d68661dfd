/** Reads small pictures of the whole source, measures the changes between them, and detects faces in some of them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { chooseModel } from '../../../models/installed.ts'
import type { PictureFacts } from '../../../server/contract/source-facts.ts'
import { loadFaceDetector, type FaceDetector } from '../../inference/face-detector.ts'
import { frameTimes, lookFramesArguments } from '../../media/arguments/look-frames.ts'
import { toDiskFull } from '../../media/disk.ts'
import { runTool } from '../../media/run-tool.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { greyOf } from '../faces/pure/grey.ts'
import { cutsIn, watchChanges, type Look } from './pure/changes.ts'

const FILE = 'picture.json'
/** Seconds. A shorter source is decoded quickly, and may have few keyframes. */
const SHORT = 120
const RATE = 4
/** Maximum number of pictures; long sources have fewer per minute. */
const MAX_PICTURES = 4000
/** Maximum number of pictures with face detection, and the minimum of seconds between them. */
const MAX_SEARCHED = 1000
const SEARCH_APART = 1.5
const LONG_SIDE = 320

type Context = StageContext<'source'>
type Params = Parameters<StageHandler<'look-over'>>[1]

export const runLookOver: StageHandler<'look-over'> = async (context, params) => {
  const model = await chooseModel(context.modelFolders, 'faces')
  const detector = model === null ? null : await loadFaceDetector(model, context)
  try {
    const { looks, faces } = await analyse(context, params, detector)
    const cuts = cutsIn(looks)
    const cutAt = new Set(cuts)
    const facts: PictureFacts = {
      cuts: cuts.map(rounded),
      looks: looks.map(({ time, motion }, at) => [
        rounded(time),
        cutAt.has(time) ? 0 : rounded(motion),
        rounded(faces[at] ?? -1),
      ]),
    }
    await writeFile(join(context.folder, FILE), JSON.stringify(facts))
    const searched =
      model === null || detector === null ? {} : { model: model.name, provider: detector.provider }
    return { pictureFile: FILE, pictures: looks.length, cuts: cuts.length, ...searched }
  } catch (error) {
    throw toDiskFull(error)
  } finally {
    await detector?.close()
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** Measures every picture. `faces` has the size of the largest face by picture index, and no entry where none was searched. */
async function analyse(
  context: Context,
  params: Params,
  detector: FaceDetector | null,
): Promise<{ looks: Look[]; faces: number[] }> {
  const { width, height } = lookSize(params)
  const measure = watchChanges()
  const looks: Look[] = []
  const faces: number[] = []
  const apart = Math.max(SEARCH_APART, params.durationSeconds / MAX_SEARCHED)
  let searchedAt = -Infinity
  let known = -1
  await eachPicture(context, params, { width, height }, async (time, bgr) => {
    looks.push(measure(time, greyOf(bgr, width, height)))
    if (detector !== null && time - searchedAt >= apart) {
      const found = await detector.find(bgr, width, height)
      known = found.reduce((most, face) => Math.max(most, face.width * face.height), 0)
      searchedAt = time
    }
    faces.push(known)
    context.progress(Math.min(0.99, time / Math.max(0.1, params.durationSeconds)))
  })
  return { looks, faces }
}

/** The model requires sides that are multiples of 32. */
function lookSize({ width, height }: Params): { width: number; height: number } {
  const scale = LONG_SIDE / Math.max(width, height)
  const side = (pixels: number): number => Math.max(32, Math.round((pixels * scale) / 32) * 32)
  return { width: side(width), height: side(height) }
}

/** Passes each picture on with its time while ffmpeg waits. Times come through a pipe of their own, before or after. */
async function eachPicture(
  context: Context,
  params: Params,
  { width, height }: { width: number; height: number },
  take: (time: number, bgr: Uint8Array) => Promise<void>,
): Promise<void> {
  const { streamIndex, durationSeconds } = params
  const times: number[] = []
  const waiting: Uint8Array[] = []
  const size = width * height * 3
  let picture = new Uint8Array(size)
  let filled = 0
  let work = Promise.resolve()
  // One after the other, whichever pipe delivered the second half.
  const pair = (): Promise<void> => (work = work.then(pairUp))
  const pairUp = async (): Promise<void> => {
    while (times.length > 0 && waiting.length > 0) await take(times.shift() ?? 0, waiting.shift() ?? picture)
  }
  await runTool({
    executable: context.tools.ffmpeg,
    args: lookFramesArguments({
      path: context.input('source'),
      streamIndex,
      width,
      height,
      pictures: durationSeconds > SHORT ? 'keyframes' : RATE,
      apart: durationSeconds / MAX_PICTURES,
    }),
    signal: context.signal,
    stallSeconds: 120,
    onStdout: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        const part = chunk.subarray(at, at + size - filled)
        picture.set(part, filled)
        filled += part.length
        at += part.length
        if (filled < size) continue
        waiting.push(picture)
        picture = new Uint8Array(size)
        filled = 0
        await pair()
      }
    },
    outputs: [
      async (pipe: Readable) => {
        const read = frameTimes()
        for await (const chunk of pipe) {
          times.push(...read(String(chunk)))
          await pair()
        }
      },
    ],
  })
  await pair()
}
