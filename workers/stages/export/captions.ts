/** The captions alone, drawn by the compositor on nothing, with straight alpha: a film, or a picture for each frame. */
import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { join } from 'node:path'
import type { Composition } from '../../../server/contract/composition.ts'
import { rationalToNumber } from '../../../server/contract/time.ts'
import { drawFrame, stateAt, type PreparedComposition } from '../../compositor/compositor.ts'
import { captionFilmArguments } from '../../media/arguments/export.ts'
import { detectDialect } from '../../media/dialect.ts'
import { writeWhole } from '../../media/pipes.ts'
import { useExactText } from '../../render-support/exact-text.ts'
import { stageError, type StageContext } from '../context.ts'
import { prepareDrawing } from '../render/drawing.ts'
import { runPass } from '../render/encode.ts'
import type { Made, Work } from './maker.ts'
import { writeZip } from './zip.ts'

/** Throws RENDER_FAILED where the clip has no captions, CANCELLED or DISK_FULL. */
export async function makeCaptions(context: StageContext<'source'>, work: Work<'captions'>): Promise<Made> {
  const composition = captionsAlone(work.composition)
  const { prepared } = await prepareDrawing(context, composition)
  if (prepared.bands.length === 0)
    throw stageError(
      'RENDER_FAILED',
      'The clip shows no captions, so there is nothing to write. Switch captions on.',
    )
  const file = work.delivery.codec === 'png' ? 'captions.zip' : 'captions.mov'
  const path = join(context.folder, file)
  const write = work.delivery.codec === 'png' ? writePictures : writeFilm
  await write(context, { composition, prepared, path })
  const { width, height, frameRate } = composition.output
  const { durationFrames: frames } = composition
  const durationSeconds = frames / rationalToNumber(frameRate)
  return { file, width, height, frames, durationSeconds, integratedLufs: null, warnings: prepared.warnings }
}

/** The composition with its captions as the only layers. What lies over them in the clip does not cover them here. */
function captionsAlone(composition: Composition): Composition {
  return { ...composition, layers: composition.layers.filter(({ kind }) => kind === 'captions') }
}

interface Drawing {
  readonly composition: Composition
  readonly prepared: PreparedComposition
  readonly path: string
}

/** Draws the frames in order; `redrawn` is false where a frame looks like the one before. */
async function eachFrame(
  context: StageContext,
  { prepared }: Drawing,
  use: (canvas: Canvas, frame: number, redrawn: boolean) => Promise<boolean>,
): Promise<void> {
  const canvas = createCanvas(prepared.width, prepared.height)
  const target = useExactText(canvas.getContext('2d'))
  let before: string | null = null
  for (let frame = 0; frame < prepared.durationFrames; frame++) {
    if (context.signal.aborted) throw stageError('CANCELLED', 'The export was cancelled.')
    const state = prepared.bands.map((band) => stateAt(band, frame)).join('\n\n')
    const redrawn = state !== before
    before = state
    if (redrawn) drawFrame(target, prepared, frame)
    if (!(await use(canvas, frame, redrawn))) return
    context.progress((frame / prepared.durationFrames) * 0.98, 'Drawing the captions')
  }
}

async function writeFilm(context: StageContext, drawing: Drawing): Promise<void> {
  const { composition, prepared, path } = drawing
  const dialect = await detectDialect(context.tools.ffmpeg)
  const args = captionFilmArguments(composition, { file: path, dialect })
  let picture: Uint8Array = new Uint8Array()
  await runPass(
    context,
    { composition, dialect },
    {
      args,
      inputs: [
        async (pipe) => {
          await eachFrame(context, drawing, (canvas, _, redrawn) => {
            if (redrawn) {
              const { data } = canvas.getContext('2d').getImageData(0, 0, prepared.width, prepared.height)
              picture = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
            }
            return writeWhole(pipe, picture)
          })
          if (!pipe.destroyed) await new Promise<void>((resolve) => pipe.end(resolve))
        },
      ],
    },
  )
}

async function writePictures(context: StageContext, drawing: Drawing): Promise<void> {
  await writeZip(drawing.path, async (add) => {
    let picture: Uint8Array = new Uint8Array()
    await eachFrame(context, drawing, async (canvas, frame, redrawn) => {
      if (redrawn) picture = await canvas.encode('png')
      await add.bytes(`captions-${String(frame).padStart(6, '0')}.png`, picture)
      return true
    })
  })
}
