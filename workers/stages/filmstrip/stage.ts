/** Writes a row of small pictures of a range of the source as one file. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { stripArguments } from '../../media/arguments/filmstrip.ts'
import { runTool } from '../../media/run-tool.ts'
import type { StageHandler } from '../context.ts'

const FILE = 'strip.jpg'

export const runFilmstrip: StageHandler<'filmstrip'> = async (context, params) => {
  const output = join(context.folder, FILE)
  await runTool({
    executable: context.tools.ffmpeg,
    args: stripArguments({ ...params, path: context.input('source'), output }),
    signal: context.signal,
    timeoutSeconds: 300,
  })
  return { file: FILE, bytes: (await stat(output)).size }
}
