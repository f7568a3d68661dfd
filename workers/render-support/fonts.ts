/**
 * Fonts for the compositor in Node: reads resources/fonts/fonts.json and registers each file with Skia, once per
 * process. What lives in workers/render-support: the Node side of the compositor, shared by the stages that draw.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GlobalFonts } from '@napi-rs/canvas'
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../server/contract/errors.ts'
import { FontTable, fontAlias } from '../compositor/fonts.ts'

const registered = new Map<string, Promise<FontTable>>()

/**
 * Registers the bundled fonts (idempotent) and returns their table. Throws STAGE_FAILED when the list or a file is
 * missing: the appliance is then not whole.
 */
export function registerFonts(resources: string): Promise<FontTable> {
  const folder = join(resources, 'fonts')
  const known = registered.get(folder)
  if (known !== undefined) return known
  const loading = loadFonts(folder)
  registered.set(folder, loading)
  loading.catch(() => registered.delete(folder))
  return loading
}

async function loadFonts(folder: string): Promise<FontTable> {
  const table: unknown = JSON.parse(await readFile(join(folder, 'fonts.json'), 'utf8'))
  if (!Value.Check(FontTable, table)) {
    throw new AppError('STAGE_FAILED', { message: `${join(folder, 'fonts.json')} is not a font list.` })
  }
  for (const font of table.fonts) {
    const key = GlobalFonts.registerFromPath(join(folder, font.file), fontAlias(font.family))
    if (key === null) {
      throw new AppError('STAGE_FAILED', {
        message: `The font ${font.file} could not be loaded; install the appliance again.`,
      })
    }
  }
  return table
}
