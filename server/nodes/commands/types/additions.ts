import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { newText } from '../../editing/new-items.ts'
import { omit } from '../../merge.ts'
import { TITLE_PRESETS } from '../../presets/titles.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, flag, nameOf, number, optional, text, where } from '../params.ts'
import { hasFile, named, namesOf, numberField } from '../settings.ts'
import { beside, stretchAt, stretchFor } from '../where.ts'

const PALETTES = TITLE_PRESETS.flatMap(({ palettes }) => palettes)

/** The export's volume for music without one. */
const USUAL_VOLUME = 0.2
const VOLUMES = { louder: 1.5, softer: 1 / 1.5, off: 0 } as const
const inPercent = (share: number): string => `${Math.round(share * 100)} %`

const CORNERS = { 'top left': 1, 'top right': 3, centre: 5, 'bottom left': 7, 'bottom right': 9 } as const
const MAX_OVERLAYS = 100

/** What is added to the source: the title card, b-roll, the watermark, the end card, music, and texts. */
export const additions = declareCommands({
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
      const config = { ...omit(titleConfig, 'titlePaletteId'), ...omitUndefined(ids) }
      return [{ titleConfig: config }, `The title ${parts.join(' and ')}.`]
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
  broll: {
    label: 'Remove b-roll',
    description: 'Takes b-roll away: all, or what covers a stretch',
    examples: ['remove the b-roll', 'no b-roll from 0:03 to 0:06'],
    says: [['off broll', {}]],
    fillers: 'pictures?|clips?|footage|videos?|images?',
    params: where,
    run(at, edit, context) {
      const stretch = stretchAt(edit, context, at)
      const before = edit.broll ?? context.broll
      const broll = beside(before, stretch)
      const count = before.length - broll.length
      if (count === 0) refuse(stretch === null ? 'This clip has no b-roll.' : 'There is no b-roll there.')
      return [{ broll }, count === 1 ? 'One piece of b-roll is gone.' : `${count} pieces of b-roll are gone.`]
    },
  },
  watermark: {
    description: 'Shows the watermark or takes it away, or moves it to a corner',
    examples: ['turn the watermark off', 'move the watermark to the bottom left'],
    says: ['watermark'],
    fillers: 'opacity|opaque|more|corner|our',
    params: optional({
      on: flag('Shown'),
      corner: choice({
        'top left': '(?:top|upper)[ -]left',
        'top right': '(?:top|upper)[ -]right',
        'bottom left': '(?:bottom|lower)[ -]left',
        'bottom right': '(?:bottom|lower)[ -]right',
        centre: 'cent(?:re|er)|middle',
      }),
      opacity: number({ minimum: 0, maximum: 1 }, 'share', { 0.4: 'transparent|fainter|subtle|see-through' }),
    }),
    available: hasFile('watermarkConfig', 'watermark'),
    run({ on, corner, opacity }, { watermarkConfig: config }) {
      if (on === false)
        return [{ watermarkConfig: { ...config, enabled: false } }, 'The watermark is not shown.']
      const next = corner === undefined ? config : { ...omit(config, 'x', 'y'), position: CORNERS[corner] }
      const parts = [
        corner === undefined ? [] : corner === 'centre' ? 'is in the centre' : `is at the ${corner}`,
        opacity === undefined ? [] : `is ${inPercent(opacity)} opaque`,
      ].flat()
      const shown = { ...next, ...omitUndefined({ opacity }), enabled: true }
      return [{ watermarkConfig: shown }, `The watermark ${parts.join(' and ') || 'is shown'}.`]
    },
  },
  end_card: {
    description: 'Takes the end card away, or says how long it is shown',
    examples: ['remove the end card', 'show the end card for 2 seconds'],
    says: ['endcard @on', ['endcard @seconds', { on: true }]],
    fillers: 'last|long|keep',
    params: {
      on: flag('Shown', 'keep'),
      ...optional({ seconds: number({ minimum: 0.5, maximum: 60, unit: 's' }, 'length') }),
    },
    available: hasFile('endCardOption', 'end card'),
    run({ on, seconds }, { endCardOption }) {
      if (!on) return [{ endCardOption: {} }, 'The clip has no end card.']
      const duration = seconds ?? refuse('The end card is shown already.')
      return [{ endCardOption: { ...endCardOption, duration } }, `The end card is shown for ${duration} s.`]
    },
  },
  music: {
    label: 'Music volume',
    description: 'Makes the music louder or softer, sets its volume, or takes it away',
    examples: ['turn the music down', 'music volume 30%', 'no music'],
    says: ['music'],
    fillers: 'volume|loud',
    params: optional({
      change: choice({
        louder: 'turn up|up|louder|raise|increase',
        softer: 'turn down|down|softer|quieter|lower|reduce|decrease|half|halve',
        off: 'turn off|switch off|off|mute|no|without|remove|delete|disable|hide|drop|lose|kill|stop|get rid of|take (?:off|away)|away',
      }),
      volume: number({ minimum: 0, maximum: 1, description: '0 to 1' }, 'share'),
    }),
    available: hasFile('backgroundMusicOption', 'music'),
    run({ change, volume }, { backgroundMusicOption: config }) {
      const before = numberField(config, 'volume', USUAL_VOLUME)
      const wanted = volume ?? before * (change === undefined ? 1 : VOLUMES[change])
      const next = Math.min(1, Math.max(0, Math.round(wanted * 100) / 100))
      if (next === before) refuse(`The music is at ${inPercent(before)} already.`)
      const level = next === 0 ? 'off' : `at ${inPercent(next)} instead of ${inPercent(before)}`
      return [{ backgroundMusicOption: { ...config, volume: next } }, `The music is ${level}.`]
    },
  },
  add_text: {
    description: 'Writes a text over the picture for a stretch',
    examples: ['write “Subscribe” on the picture from 0:02 to 0:05'],
    says: ['write|put|add|show|overlay|place|display @text'],
    fillers: 'texts?|words?|label|note|says|saying|reading|over|top|overlay',
    params: { text: text('The text', ''), ...where },
    run({ text: words, ...at }, edit, context) {
      const stretch = stretchFor(edit, context, at, { usual: 3, least: 0.5 })
      const before = edit.overlays ?? []
      if (before.length >= MAX_OVERLAYS) refuse(`A clip has at most ${MAX_OVERLAYS} overlays.`)
      return [{ overlays: [...before, newText(before, stretch, words)] }, `“${words}” stands on the picture.`]
    },
  },
})
