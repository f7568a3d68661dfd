/**
 * Fonts for the compositor in Node: reads resources/fonts/fonts.json and registers files with Skia, once per process. The
 * folder workers/render-support is the Node side of the compositor, shared by the stages that draw.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GlobalFonts } from '@napi-rs/canvas'
import { Value } from '@sinclair/typebox/value'
import type { Composition } from '../../server/contract/composition.ts'
import { AppError } from '../../server/contract/errors.ts'
import { fileAlias, fontAlias, neededFonts } from '../compositor/fonts.ts'
import { FontTable } from '../compositor/font-table.ts'
import { sourcePath } from '../paths.ts'

const tables = new Map<string, Promise<FontTable>>()
const aliases = new Set<string>()

/**
 * Registers the bundled fonts (idempotent) and returns their table. Throws STAGE_FAILED when the list or a file is
 * missing, which means that the installation is incomplete.
 */
export function registerFonts(resources: string): Promise<FontTable> {
  const folder = join(resources, 'fonts')
  const known = tables.get(folder)
  if (known !== undefined) return known
  const loading = loadFonts(folder)
  tables.set(folder, loading)
  loading.catch(() => tables.delete(folder))
  return loading
}

/**
 * Also registers what the text of this composition needs: parts of the large fonts, and fonts of the user, which are
 * stored in the `sources` folder under their digest. Throws RENDER_FAILED when such a file is gone.
 */
export async function registerFontsFor(
  composition: Composition,
  resources: string,
  sources: string | null,
): Promise<FontTable> {
  const table = await registerFonts(resources)
  const { parts, files } = neededFonts(composition, table)
  for (const { alias, file } of parts) register(join(resources, 'fonts', file), alias)
  for (const digest of files) {
    const alias = fileAlias(digest)
    if (aliases.has(alias)) continue
    const path = sources === null ? null : sourcePath(sources, digest)
    if (path === null || GlobalFonts.registerFromPath(path, alias) === null) {
      const message =
        'A font file of this clip is no longer in the home, or is damaged. Run the workflow again.'
      throw new AppError('RENDER_FAILED', { message, details: { digest } })
    }
    aliases.add(alias)
  }
  return table
}

async function loadFonts(folder: string): Promise<FontTable> {
  const table: unknown = JSON.parse(await readFile(join(folder, 'fonts.json'), 'utf8'))
  if (!Value.Check(FontTable, table)) {
    throw new AppError('STAGE_FAILED', { message: `${join(folder, 'fonts.json')} is not a font list.` })
  }
  for (const font of table.fonts) {
    const alias = fontAlias(font.family)
    if (GlobalFonts.registerFromPath(join(folder, font.file), alias) === null) throw missing(font.file)
  }
  return table
}

function register(path: string, alias: string): void {
  if (aliases.has(alias)) return
  if (GlobalFonts.registerFromPath(path, alias) === null) throw missing(path)
  aliases.add(alias)
}

function missing(file: string): AppError {
  return new AppError('STAGE_FAILED', {
    message: `The font ${file} could not be loaded; install the appliance again.`,
  })
}
