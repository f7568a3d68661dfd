/** The golden cases as a build of ffmpeg lays them over a filmed picture: the frame of the clip, through all filters. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import type { Composition } from '../../server/contract/composition.ts'
import { buildMoment } from '../../workers/media/arguments/render-moment.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import type { ToolPaths } from '../../workers/protocol.ts'
import type { StageContext } from '../../workers/stages/context.ts'
import { takeStill } from '../../workers/stages/render/still.ts'
import { keepPicture } from '../support/pictures.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { GOLDEN_PICTURE, type GoldenCase } from './cases.ts'
import { testPicture } from './draw.ts'

const FILMED = join(import.meta.dirname, '../../../shared/media/two_faces_two_voices_26s.mp4')
const DRAWN = join(import.meta.dirname, '../../resources/sample/sample.mp4')

/** The film under these cases, 1080p and as long as they need. Filmed people where they are at hand. */
export async function makeGround(folder: string, cases: readonly GoldenCase[]): Promise<string> {
  const seconds = Math.max(...cases.map(({ frame }) => frame)) / 30 + 1
  const file = join(folder, 'ground.mkv')
  const film = existsSync(FILMED) ? FILMED : DRAWN
  const picture = 'scale=1920:1080:force_original_aspect_ratio=increase,crop=1920:1080,setsar=1,fps=30'
  await runTool({
    executable: bundledTools().ffmpeg,
    args: ['-v', 'error', '-ss', '2', '-i', `file:${film}`, '-t', String(seconds), '-vf', picture].concat(
      ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '16', '-g', '30'],
      ['-c:a', 'pcm_s16le', '-ac', '2', `file:${file}`],
    ),
  })
  return file
}

/** The case's frame by these tools. */
export async function drawByFfmpeg(
  tools: ToolPaths,
  { name, frame, composition }: GoldenCase,
  { folder, ground }: { readonly folder: string; readonly ground: string },
): Promise<Canvas> {
  const asset = await keepPicture(folder, await testPicture().encode('png'), {
    width: 300,
    height: 150,
    opaque: false,
  })
  const text = JSON.stringify(composition).replaceAll(
    JSON.stringify(GOLDEN_PICTURE),
    JSON.stringify(asset.digest),
  )
  const moment = buildMoment(JSON.parse(text) as Composition, frame)
  const file = join(folder, `${name}.png`)
  await runStageForTest(
    async (context: StageContext, params: { file: string }) => takeStill(context, moment, params.file),
    { file },
    { root: folder, inputs: { source: ground }, tools },
  )
  const image = await loadImage(await readFile(file))
  const drawn = createCanvas(image.width, image.height)
  drawn.getContext('2d').drawImage(image, 0, 0)
  return drawn
}
