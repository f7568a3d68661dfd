/** The picture of a finished clip at one moment. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Home } from '../../home.ts'
import { coverArguments } from '../../../workers/media/arguments/cover.ts'
import { runTool } from '../../../workers/media/run-tool.ts'
import { mediaTools } from '../media-tools.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

export interface CoverRequest {
  readonly config: Config
  readonly home: Pick<Home, 'temporary'>
  readonly file: string
  readonly seconds: number
  readonly signal: AbortSignal
}

/** As a JPEG. */
export async function takeCover({ config, home, file, seconds, signal }: CoverRequest): Promise<Uint8Array> {
  const tools = (await mediaTools(config)).paths
  return inTemporaryFolder(home, async (folder) => {
    const output = join(folder, 'cover.jpg')
    const args = coverArguments({ input: file, output, seconds })
    await runTool({ executable: tools.ffmpeg, args, signal, timeoutSeconds: 60 })
    return readFile(output)
  })
}
