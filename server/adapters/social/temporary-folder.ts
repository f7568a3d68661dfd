/** Room for one file that is made on the way to a platform. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../../home.ts'

/** `use` gets a folder of its own, because ffmpeg may write where its output lies; it is removed afterwards. */
export async function inTemporaryFolder<T>(
  { temporary }: Pick<Home, 'temporary'>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(temporary, 'social-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
