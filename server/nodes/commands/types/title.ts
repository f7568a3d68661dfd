import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { TITLE_PRESETS } from '../../presets/titles.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { flag, maybe, nameOf, number, params, text } from '../params.ts'
import { listed, named, namesOf } from '../settings.ts'

/** The card shows the clip's own name, unless it was given a text: then that changes too. */
export const titleText = declareCommand({
  name: 'title_text',
  label: 'Title',
  description: 'Names the clip; its title card shows it',
  examples: ['change the title to “Three times”', 'call it “The point”'],
  says: ['title @text', 'rename|name|call|title @text', 'edit|write|change|set clip text @text'],
  fillers: 'rename|edit|write|name|text|saying|reading|to read|add|one',
  params: params({
    text: text(
      'The title',
      '(?:call|name|title) (?:it|this|the clip|this clip|this one)|to say|to read|to|as|into|says?|say|reads?|is|should be|:',
    ),
  }),
  run(edit, _context, { text: given }) {
    const title = given.trim()
    if (title === '') refuse('Say what the title shall be.')
    const { text: own } = edit.titleConfig
    const config =
      typeof own === 'string' && own.trim() !== '' ? { ...edit.titleConfig, text: title } : edit.titleConfig
    if (edit.title === title && config === edit.titleConfig) refuse('That is its title already.')
    return edited({ ...edit, title, titleConfig: config }, `The title is “${title}”.`)
  },
})

export const titleLook = declareCommand({
  name: 'title_look',
  label: 'Title preset',
  description: 'Gives the title card a preset, or a palette of colours',
  examples: ['give the title the headline look', 'make the title red'],
  says: ['@preset title', 'title'],
  fillers: `style|preset|look like|look|palette|colou?rs?|try|apply|like|${LEXICON['title'] ?? ''}`,
  params: params({
    preset: maybe(nameOf('Its id or name', namesOf(TITLE_PRESETS, 'name'))),
    palette: maybe(
      nameOf(
        'Its id or name',
        namesOf(
          TITLE_PRESETS.flatMap(({ palettes }) => palettes),
          'id',
        ),
      ),
    ),
  }),
  run(edit, _context, { preset, palette }) {
    const { titlePresetId, titlePaletteId } = edit.titleConfig
    const chosen = preset === undefined ? undefined : named(TITLE_PRESETS, preset)
    if (preset !== undefined && chosen === undefined)
      refuse(`There is no title preset “${preset}”; there are ${listed(TITLE_PRESETS)}.`)
    const own = chosen ?? TITLE_PRESETS.find(({ id }) => id === titlePresetId) ?? TITLE_PRESETS[0]
    const palettes = own?.palettes ?? []
    const colours = palette === undefined ? undefined : named(palettes, palette)
    if (palette !== undefined && colours === undefined)
      refuse(`The title’s preset ${own?.name ?? ''} has no palette “${palette}”; it has ${listed(palettes)}.`)
    const parts = [
      chosen === undefined ? [] : [`looks like ${chosen.name}`],
      colours === undefined ? [] : [`has the palette ${colours.name}`],
    ].flat()
    if (parts.length === 0) refuse('Say which preset or palette the title shall have.')
    const { titlePaletteId: _palette, ...config } = edit.titleConfig
    const ids = {
      titlePresetId: chosen?.id ?? titlePresetId,
      titlePaletteId: colours?.id ?? (chosen === undefined ? titlePaletteId : undefined),
    }
    return edited(
      { ...edit, titleConfig: { ...config, ...omitUndefined(ids) } },
      `The title ${parts.join(' and ')}.`,
    )
  },
})

export const titleSwitch = declareCommand({
  name: 'title_switch',
  label: 'Show or hide the title',
  description: 'Shows the title card or takes it away, or says how long it is shown',
  examples: ['turn the title off', 'show the title for 3 seconds'],
  says: ['title @on'],
  fillers: 'stay|during|first|opening|shown|visible|back|overlay',
  params: params({
    on: flag('Shown', 'keep|leave|let'),
    seconds: maybe(
      number({ minimum: 0, maximum: 3600, unit: 's', description: '0: to the end' }, 'length', {
        0: '(?:whole|entire|full) (?:clip|video|time)|(?:until|to) the end|all the time|throughout',
      }),
    ),
  }),
  run(edit, _context, { on, seconds }) {
    const config = { ...edit.titleConfig, enabled: on, ...omitUndefined({ duration: seconds }) }
    const how = seconds === undefined ? '' : seconds === 0 ? ' to the end' : ` for ${seconds} s`
    return edited(
      { ...edit, titleConfig: config },
      on ? `The title is shown${how}.` : 'The title is not shown.',
    )
  },
})
