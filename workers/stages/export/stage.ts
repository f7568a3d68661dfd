/** Makes the file of a delivery profile. Each kind of delivery has a maker in a file of its own. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Delivery } from '../../../server/contract/profiles/profile.ts'
import { sentencesOf } from '../../../server/contract/render-remarks.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { makeCaptions } from './captions.ts'
import { makeFilm } from './film.ts'
import type { Made, Work } from './maker.ts'
import { makePreview } from './preview.ts'
import { makeStems } from './stems.ts'

type Makers = {
  readonly [Kind in Delivery['kind']]: (context: StageContext<'source'>, work: Work<Kind>) => Promise<Made>
}
const MAKERS: Makers = { video: makeFilm, captions: makeCaptions, stems: makeStems, preview: makePreview }

export const runExport: StageHandler<'export'> = async (context, { composition, delivery, encoder }) => {
  context.progress(0, 'Measuring the sound')
  const make = MAKERS[delivery.kind] as (context: StageContext<'source'>, work: Work) => Promise<Made>
  const { warnings, ...made } = await make(context, { composition, delivery, encoder })
  sentencesOf(warnings).forEach((message) => context.warn(message))
  const { size: bytes } = await stat(join(context.folder, made.file))
  context.progress(1)
  return { ...made, bytes, encoder, ...(warnings.length === 0 ? {} : { warnings: [...warnings] }) }
}
