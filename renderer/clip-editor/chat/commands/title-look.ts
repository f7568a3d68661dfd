import { TITLE_PRESETS } from '../../../../server/nodes/presets/titles.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import { named } from './captions.ts'
import { declareCommand, edited, given, refused, rule, type Read } from './declare.ts'

const PALETTES = TITLE_PRESETS.flatMap(({ palettes }) => palettes)

export const titleLook = declareCommand({
  name: 'title_look',
  examples: ['give the title the headline look', 'make the title red'],
  rules: [
    rule(
      '{set} (?:the )?{title}(?: (?:style|preset|look))? (?:to|into|as)(?: the)? {name:PHRASE}(?: style| preset| look| palette| colou?rs)?',
      look,
    ),
    rule(
      '(?:use|try|apply|give the title) (?:the )?{name:PHRASE}(?: style| preset| look| palette)? (?:for|on|as) (?:the )?{title}',
      look,
    ),
    rule('(?:use|try|apply|with)(?: the| an?)? {name:PHRASE} {title}(?: style| preset| look)?', look),
    rule('give the {title} (?:the )?{name:PHRASE} (?:style|preset|look|palette|colou?rs)', look),
    rule('{make} (?:the )?{title} (?:look )?(?:like )?(?:in )?{name:PHRASE}', look),
  ],
  run(edit, _context, { preset, palette }) {
    let config: ClipEdit['titleConfig'] = edit.titleConfig
    const said: string[] = []
    if (preset !== undefined) {
      const found = named(TITLE_PRESETS, preset)
      if (found === undefined)
        return refused(
          `There is no title preset “${preset}”; there are ${TITLE_PRESETS.map(({ name }) => name).join(', ')}.`,
        )
      const { titlePaletteId: _palette, ...rest } = config
      config = { ...rest, titlePresetId: found.id }
      said.push(`looks like ${found.name}`)
    }
    if (palette !== undefined) {
      const own = TITLE_PRESETS.find(({ id }) => id === config['titlePresetId']) ?? TITLE_PRESETS[0]
      const found = named(own?.palettes ?? [], palette)
      if (found === undefined)
        return refused(
          `The title’s preset ${own?.name ?? ''} has no palette “${palette}”; it has ${(own?.palettes ?? []).map(({ name }) => name).join(', ')}.`,
        )
      config = { ...config, titlePaletteId: found.id }
      said.push(`has the palette ${found.name}`)
    }
    if (said.length === 0) return refused('Say which preset or palette the title shall have.')
    return edited({ ...edit, titleConfig: config }, `The title ${said.join(' and ')}.`)
  },
})

/** Names that no preset and no palette has are not about the look. */
function look(found: Read) {
  const name = found.text('name')
  if (name === null) return null
  if (/^(?:off|on)$/iu.test(name)) return null
  const preset = named(TITLE_PRESETS, name)
  if (preset !== undefined) return given<{ preset?: string; palette?: string }>({ preset: preset.name })
  return named(PALETTES, name) === undefined
    ? null
    : given<{ preset?: string; palette?: string }>({ palette: name })
}
