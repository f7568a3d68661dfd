/** The builds of ffmpeg that `npm run install:ffmpegs` brings: .venv/ffmpeg-VERSION, each with one executable. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const INSTALLED = join(import.meta.dirname, '../../.venv')

/** The oldest first; none where they are not installed. */
export function listInstalledFfmpegs(): { readonly name: string; readonly path: string }[] {
  const builds = existsSync(INSTALLED)
    ? readdirSync(INSTALLED).filter((name) => name.startsWith('ffmpeg-'))
    : []
  return builds.sort().flatMap((build) => {
    const folder = join(INSTALLED, build, 'imageio_ffmpeg/binaries')
    return readdirSync(folder)
      .filter((name) => name.startsWith('ffmpeg-'))
      .map((name) => ({ name: basename(name), path: join(folder, name) }))
  })
}
