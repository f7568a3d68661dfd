/** Writes a row of small pictures of a range of the source as one file. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stripArguments } from '../../media/arguments/filmstrip.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { StageHandler } from '../context.ts'

const FILE = 'strip.jpg'

export const runFilmstrip: StageHandler<'filmstrip'> = async (context, params) => {
  const output = join(context.folder, FILE)
  const args = stripArguments({ ...params, path: context.input('source'), output })
  await runFfmpeg(context, args, { timeoutSeconds: 300 })
  return { file: FILE, bytes: (await stat(output)).size }
}
