/** The version of the user's own yt-dlp, by itself: without its configuration, and without a network. */
import { versionArguments } from '../../workers/media/arguments/yt-dlp.ts'
import { runTool } from '../../workers/media/run-tool.ts'

/** It is a program of many files, which a cold disk reads slowly. */
const PATIENCE_SECONDS = 30
const MAX_LENGTH = 100

/** What it prints, `2026.11.01`. Throws what went wrong. */
export async function readYtDlpVersion(executable: string): Promise<string> {
  const { stdout } = await runTool({
    executable,
    args: versionArguments(),
    foreign: true,
    timeoutSeconds: PATIENCE_SECONDS,
  })
  return stdout.toString('utf8').trim().slice(0, MAX_LENGTH)
}
