/** What was found out about tools, remembered in the home. It only saves time, so nothing here fails. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'

/** The folder of a home for tools: copies, an installed ffmpeg, notes. */
export const toolsFolder = (home: string): string => join(home, 'tools')

/** The folder of films by which tools are tried. */
export const trialFilms = (resources: string): string => join(resources, 'ffmpeg-trial')

/** The note as it was written; null: never, or not whole. Its content has to be checked. */
export async function readNote(home: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(toolsFolder(home), name), 'utf8'))
  } catch {
    return null
  }
}

/** A home that cannot be written is reported where it matters, and one that is not there is not made for a note. */
export async function writeNote(home: string, name: string, value: unknown): Promise<void> {
  if (!existsSync(home)) return
  const file = join(toolsFolder(home), name)
  const partial = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(partial, JSON.stringify(value))
    await rename(partial, file)
  } catch {
    await rm(partial, { force: true }).catch(() => undefined)
  }
}

export async function removeNote(home: string, name: string): Promise<void> {
  await rm(join(toolsFolder(home), name), { force: true })
}

/** Another one after each start of the machine, because drivers and cards may change with one. */
export function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // On other systems the boot time, rounded to ten minutes because clocks are adjusted now and then.
    return String(Math.round((Date.now() / 1000 - uptime()) / 600))
  }
}
