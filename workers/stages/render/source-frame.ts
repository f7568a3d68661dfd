/** The source's own picture at a moment, whole: what a thumbnail's cut-outs are cut from. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadImage } from '@napi-rs/canvas'
import { SOURCE_FRAME } from '../../../server/contract/source-frame.ts'
import type { PictureLike } from '../../compositor/canvas.ts'
import type { Moment } from '../../media/arguments/render-moment.ts'
import type { StageContext } from '../context.ts'

/** Takes the still of a composition, whose layers need no such picture, to a file. */
type Take = (moment: Moment, file: string) => Promise<void>

/** None where no layer needs it. Throws as `take` does. */
export async function loadSourceFrame(
  context: StageContext,
  moment: Moment,
  take: Take,
): Promise<ReadonlyMap<string, PictureLike>> {
  const { layers } = moment.composition
  if (!layers.some((layer) => layer.kind === 'image' && layer.asset.digest === SOURCE_FRAME)) return new Map()
  const file = join(context.temporary, 'source-frame.png')
  try {
    await take(wholeSource(moment), file)
    return new Map([[SOURCE_FRAME, await loadImage(await readFile(file))]])
  } finally {
    await rm(file, { force: true })
  }
}

const even = (length: number): number => Math.max(2, 2 * Math.floor(length / 2))

/** The same moment with nothing over it, as large as the source and of its shape. */
function wholeSource({ composition, ...moment }: Moment): Moment {
  const { source, output, zooms: _zooms, ...rest } = composition
  const { width, height } = source
  return {
    ...moment,
    composition: {
      ...{ ...rest, source, layers: [] },
      output: { ...output, width: even(width), height: even(height) },
      layout: [
        {
          ...{ kind: 'fit', startFrame: 0, endFrame: 1, zoom: 1, background: 'black' },
          crop: { x: 0, y: 0, width, height },
        },
      ],
    },
  }
}
