/** Where the builds of ffmpeg and ffprobe lie that come with the appliance. */
import { createRequire } from 'node:module'

export type ToolName = 'ffmpeg' | 'ffprobe'

/** Path of the bundled build, which may not be executable yet; null: this platform has none. */
export function findBundled(name: ToolName): string | null {
  try {
    const require = createRequire(import.meta.url)
    const found = require(`@${name}-installer/${name}`) as { path: string }
    // In a packed application the executable lies next to the archive.
    return found.path.replace(/app\.asar([/\\])/, 'app.asar.unpacked$1')
  } catch {
    return null
  }
}
