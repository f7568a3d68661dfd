/** What an earlier stage saw in the picture. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { PictureFacts } from '../../../server/contract/picture-facts.ts'
import { stageError, type StageContext } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { lookOver } from '../look-over/declaration.ts'

/** Pictures that lie farther apart say little of the moments between them. Seconds, on average. */
const TOO_FEW = 15

/** Null where nobody looked, or too rarely for the choice of a clip; the latter is said. */
export async function see(
  context: StageContext<'transcript' | 'audio' | 'events' | 'picture'>,
): Promise<PictureFacts | null> {
  if (!context.hasInput('picture')) return null
  const made = (await context.inputResult('picture')) as OutputOf<typeof lookOver>
  const parsed: unknown = JSON.parse(await readFile(join(context.input('picture'), made.pictureFile), 'utf8'))
  if (!Value.Check(PictureFacts, parsed))
    throw stageError('STAGE_FAILED', 'What an earlier step saw in the picture is not readable.')
  const first = parsed.looks[0]?.[0] ?? 0
  const last = parsed.looks.at(-1)?.[0] ?? 0
  if (parsed.looks.length >= 2 && (last - first) / (parsed.looks.length - 1) <= TOO_FEW) return parsed
  context.warn(
    'Cuts and movement in the picture did not count in the choice of clips: its keyframes lie too far apart to tell.',
  )
  return null
}
