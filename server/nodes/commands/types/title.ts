import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { omit } from '../../merge.ts'
import { TITLE_PRESETS } from '../../presets/titles.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { flag, nameOf, number, optional, text } from '../params.ts'
import { named, namesOf } from '../settings.ts'

const PALETTES = TITLE_PRESETS.flatMap(({ palettes }) => palettes)

export const title = declareCommands({
  title_switch: {
    label: 'Show or hide the title',
    description: 'Shows the title card or takes it away, or says how long it is shown',
    examples: ['turn the title off', 'show the title for 3 seconds'],
    says: ['title @on'],
    fillers: 'stay|during|first|opening|shown|visible|back|overlay',
    params: {
      on: flag('Shown', 'keep|leave|let'),
      ...optional({
        seconds: number({ minimum: 0, maximum: 3600, unit: 's', description: '0: to the end' }, 'length', {
          0: '(?:whole|entire|full) (?:clip|video|time)|(?:until|to) the end|all the time|throughout',
        }),
      }),
    },
    run({ on, seconds }, { titleConfig }) {
      const config = { ...titleConfig, enabled: on, ...omitUndefined({ duration: seconds }) }
      const how = seconds === undefined ? '' : seconds === 0 ? ' to the end' : ` for ${seconds} s`
      return [{ titleConfig: config }, on ? `The title is shown${how}.` : 'The title is not shown.']
    },
  },
  title_look: {
    label: 'Title preset',
    description: 'Gives the title card a preset, or a palette of colours',
    examples: ['give the title the headline look', 'make the title red'],
    says: ['@preset title', 'title'],
    fillers: `style|preset|look like|look|palette|colou?rs?|try|apply|like|${LEXICON['title'] ?? ''}`,
    params: optional({
      preset: nameOf('Its id or name', namesOf(TITLE_PRESETS, 'name')),
      palette: nameOf('Its id or name', namesOf(PALETTES, 'id')),
    }),
    run({ preset, palette }, { titleConfig }) {
      const { titlePresetId, titlePaletteId } = titleConfig
      const chosen =
        preset === undefined ? undefined : named(TITLE_PRESETS, preset, 'There is no title preset')
      const own = chosen ?? TITLE_PRESETS.find(({ id }) => id === titlePresetId) ?? TITLE_PRESETS[0]
      const missing = `The title’s preset ${own?.name ?? ''} has no palette`
      const colours =
        palette === undefined ? undefined : named(own?.palettes ?? [], palette, missing, 'it has')
      const parts = [
        chosen === undefined ? [] : `looks like ${chosen.name}`,
        colours === undefined ? [] : `has the palette ${colours.name}`,
      ].flat()
      if (parts.length === 0) refuse('Say which preset or palette the title shall have.')
      const ids = {
        titlePresetId: chosen?.id ?? titlePresetId,
        titlePaletteId: colours?.id ?? (chosen === undefined ? titlePaletteId : undefined),
      }
      return [
        { titleConfig: { ...omit(titleConfig, 'titlePaletteId'), ...omitUndefined(ids) } },
        `The title ${parts.join(' and ')}.`,
      ]
    },
  },
  /** The card shows the clip's own name, unless it was given a text: then that changes too. */
  title_text: {
    label: 'Title',
    description: 'Names the clip; its title card shows it',
    examples: ['change the title to “Three times”', 'call it “The point”'],
    says: ['title @text', 'rename|name|call|title @text', 'edit|write|change|set clip text @text'],
    fillers: 'rename|edit|write|name|text|saying|reading|to read|add|one',
    params: {
      text: text(
        'The title',
        '(?:call|name|title) (?:it|this|the clip|this clip|this one)|to say|to read|to|as|into|says?|say|reads?|is|should be|:',
      ),
    },
    run({ text: given }, edit) {
      const title = given.trim()
      if (title === '') refuse('Say what the title shall be.')
      const { text: own } = edit.titleConfig
      const hasOwn = typeof own === 'string' && own.trim() !== ''
      if (edit.title === title && !hasOwn) refuse('That is its title already.')
      const config = hasOwn ? { titleConfig: { ...edit.titleConfig, text: title } } : {}
      return [{ title, ...config }, `The title is “${title}”.`]
    },
  },
})
