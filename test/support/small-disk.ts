/** A small disk of its own, where the machine lets a test mount one: to be filled. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { statfs, writeFile } from 'node:fs/promises'

export interface SmallDisk {
  /** Writes a file that leaves so many bytes free. */
  readonly fill: (file: string, leaveBytes: number) => Promise<void>
  readonly remove: () => void
}

/** At `path`, which is made; null, with a line that says why, where none can be mounted. */
export function mountSmallDisk(path: string, megabytes: number): SmallDisk | null {
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' })
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : ''
    console.log(`tests of a full disk are skipped: a small disk cannot be mounted here (${why})`)
    return null
  }
  return {
    fill: async (file, leaveBytes) => {
      const { bavail, bsize } = await statfs(path)
      await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)))
    },
    remove: () => void execFileSync('umount', ['-l', path]),
  }
}
