/** Checks of what captions and titles are drawn with: Skia, and the fonts that come with the appliance. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { failure, ok, reason, type Check } from './check.ts'

const MEND = 'Install the appliance again: its folder is not whole.'

/** Each font is opened as the export opens it; of the large ones, which are opened by need, the parts are looked for. */
export async function checkFonts({ resources }: Pick<Config, 'resources'>): Promise<Check> {
  try {
    const { registerFonts } = await import('../../../workers/render-support/fonts.ts')
    const { fonts, parts } = await registerFonts(resources)
    const files = parts.flatMap(({ folder, files }) => Object.keys(files).map((name) => join(folder, name)))
    const there = await Promise.all(
      files.map((file) =>
        stat(join(resources, 'fonts', file)).then(
          (facts) => facts.isFile() && facts.size > 0,
          () => false,
        ),
      ),
    )
    const missing = files.filter((_, index) => there[index] !== true)
    return missing.length === 0
      ? ok('fonts', `${fonts.length} fonts, and ${files.length} parts of the large ones`)
      : failure('fonts', `missing or empty: ${missing.slice(0, 3).join(', ')}`, MEND)
  } catch (error) {
    return failure('fonts', reason(error), MEND)
  }
}
