/** Reads what an earlier stage found in the picture. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { PictureFacts } from '../../../server/contract/picture-facts.ts'
import { stageError, type StageContext } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { lookOver } from '../look-over/declaration.ts'

/** With more seconds between pictures, on average, they say too little about the moments in between. */
const TOO_FEW = 15

/** Null where the picture was not analysed, or too rarely to choose clips by it; the latter gives a warning. */
export async function readPicture(
  context: StageContext<'transcript' | 'audio' | 'events' | 'picture'>,
): Promise<PictureFacts | null> {
  if (!context.hasInput('picture')) return null
  const made = (await context.inputResult('picture')) as OutputOf<typeof lookOver>
  const parsed: unknown = JSON.parse(await readFile(join(context.input('picture'), made.pictureFile), 'utf8'))
  if (!Value.Check(PictureFacts, parsed))
    throw stageError(
      'STAGE_FAILED',
      'The picture analysis of an earlier step cannot be read. Run the workflow again.',
    )
  const first = parsed.looks[0]?.[0] ?? 0
  const last = parsed.looks.at(-1)?.[0] ?? 0
  if (parsed.looks.length >= 2 && (last - first) / (parsed.looks.length - 1) <= TOO_FEW) return parsed
  context.warn(
    'Cuts and movement in the picture were not considered in the choice of clips, because its keyframes are too far apart.',
  )
  return null
}
