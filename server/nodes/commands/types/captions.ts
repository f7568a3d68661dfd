import { omitUndefined } from '../../../contract/omit-undefined.ts'
import type { ClipEdit } from '../../editing/clip-edit.ts'
import { CAPTION_PRESETS } from '../../presets/captions.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { readColour } from '../match/values.ts'
import { choice, colour, count, flag, maybe, nameOf, number, params } from '../params.ts'
import { listed, named, namesOf, numberField, presetOf, withCaptions } from '../settings.ts'

const CAPTIONS = LEXICON['captions'] ?? ''

const PARTS = {
  letters: { field: 'fontColor', label: 'Captions are' },
  'spoken word': { field: 'amplifiedColor', label: 'The spoken word is' },
  background: { field: 'backgroundColor', label: 'The captions’ background is' },
  outline: { field: 'outlineColor', label: 'The captions’ outline is' },
  keywords: { field: 'highlightColor', label: 'Keywords are' },
} as const

/** A part is what captions are made of; letters where none is named. */
export const captionColour = declareCommand({
  name: 'caption_colour',
  label: 'Caption colour',
  description: 'Colours the captions',
  examples: [
    'make the captions yellow',
    'colour the spoken word green',
    'black background behind the captions',
  ],
  says: ['captions @colour', '@part @colour', 'letters|text|font @colour'],
  fillers:
    "captions?'?|subtitles?|colou?r(?:ed)?|paint|render|text|letters|font|look|behind|under|around|draw",
  params: params({
    colour: colour(),
    part: maybe(
      choice({
        'spoken word': '(?:spoken|current|active|highlighted) words?|word (?:being|that is) spoken',
        background: 'background|box|backdrop',
        outline: 'outline|edge|border|stroke',
        keywords: 'key ?words?',
        letters: 'letters of the captions',
      }),
    ),
  }),
  run(edit, _context, { colour: name, part = 'letters' }) {
    const value =
      readColour(name) ?? refuse(`“${name}” is no colour that is known here. Try yellow, or #ffd60a.`)
    const { backgroundFillStyle: fill } = edit.subtitleConfig
    const shown = typeof fill === 'string' && fill !== 'none' ? fill : 'block'
    const { field, label } = PARTS[part]
    const next = withCaptions(edit, {
      [field]: value,
      ...omitUndefined({
        backgroundFillStyle: part === 'background' ? shown : undefined,
        amplifySpokenWords: part === 'spoken word' || undefined,
        highlightKeywords: part === 'keywords' || undefined,
      }),
    })
    return edited(next, `${label} ${name.toLowerCase()}.`)
  },
})

const SIZES = { bigger: 1.2, smaller: 1 / 1.2, 'much bigger': 1.5, 'much smaller': 1 / 1.5 } as const
const MUCH = '(?:much|a lot|way|far|lots)'

export const captionSize = declareCommand({
  name: 'caption_size',
  label: 'Caption size',
  description: 'Makes captions bigger or smaller',
  examples: ['make the captions bigger', 'caption size 90'],
  says: ['captions @change', 'captions|font size @size'],
  fillers: 'captions?|render|size|text|letters|font|px|pt|points|pixels',
  params: params({
    change: maybe(
      choice({
        'much bigger': `${MUCH} (?:bigger|larger|huger)|huge|giant|enormous|very big`,
        'much smaller': `${MUCH} smaller|tiny|very small`,
        bigger: 'bigger|larger|huger|increase|enlarge|grow',
        smaller: 'smaller|reduce|decrease|shrink',
      }),
    ),
    size: maybe(number({ minimum: 16, maximum: 240, description: 'Reference units; 76 is usual' })),
  }),
  run(edit, _context, { change, size }) {
    const usual = numberField(edit.subtitleConfig, 'fontSize', presetOf(edit)?.face.fontSize ?? 76)
    const wanted = size ?? (change === undefined ? usual : usual * SIZES[change])
    const fontSize = Math.min(240, Math.max(16, Math.round(wanted)))
    if (fontSize === usual) refuse(`The captions are at ${usual} already.`)
    return edited(withCaptions(edit, { fontSize }), `Captions are at size ${fontSize} instead of ${usual}.`)
  },
})

export const captionStyle = declareCommand({
  name: 'caption_style',
  label: 'Caption preset',
  description: 'Gives the captions a preset',
  examples: ['use the neon captions', 'change the caption style to karaoke'],
  says: ['captions @preset', 'caption|style|preset @preset', 'make|turn|change captions like @preset'],
  fillers: `style|preset|look like|look|try|apply|caption|${CAPTIONS}`,
  params: params({ preset: nameOf('Its id or name', namesOf(CAPTION_PRESETS, 'id')) }),
  run(edit, _context, { preset }) {
    const found =
      named(CAPTION_PRESETS, preset) ??
      refuse(`There is no caption preset “${preset}”; there are ${listed(CAPTION_PRESETS)}.`)
    return edited(withCaptions(edit, { styleId: found.id }), `Captions look like ${found.name}.`)
  },
})

/** Percent of the height. */
const STEP = 8

export const captionPlace = declareCommand({
  name: 'caption_place',
  label: 'Caption position',
  description: 'Moves the captions',
  examples: ['put the captions at the top', 'move the captions up', 'captions at 60%'],
  says: ['captions'],
  fillers: 'position|near|a (?:bit|little)|height|down|from the top',
  params: params({
    percent: maybe(
      number({ minimum: 0, maximum: 100, unit: '%', description: 'Of the height, from the top' }, 'percent'),
    ),
    place: maybe(
      choice({
        top: 'top',
        middle: 'middle|centre|center',
        bottom: 'bottom',
        higher: 'higher|up(?:wards?)?|raise|lift',
        lower: 'lower|down(?:wards?)?|drop down',
      }),
    ),
  }),
  run(edit, context, { place, percent }) {
    const at = (subtitleY: number) => withCaptions(edit, { subtitleY, captionPosition: null })
    if (percent !== undefined) return edited(at(percent), `Captions are at ${percent} % of the height.`)
    if (place === undefined)
      return refuse('Say where the captions shall be: top, middle, bottom, higher or lower.')
    if (place !== 'higher' && place !== 'lower') {
      const next = withCaptions(edit, { captionPosition: place, subtitleX: null, subtitleY: null })
      return edited(next, `Captions are at the ${place}.`)
    }
    const { width, height } = context.output
    const shape = height > width ? 'vertical' : height === width ? 'square' : 'horizontal'
    const usual = numberField(edit.subtitleConfig, 'subtitleY', presetOf(edit)?.yPercent[shape] ?? 72)
    const subtitleY = Math.min(95, Math.max(5, usual + (place === 'higher' ? -STEP : STEP)))
    if (subtitleY === usual) refuse(`The captions cannot go any ${place}.`)
    return edited(at(subtitleY), `Captions are ${place}: at ${subtitleY} % of the height.`)
  },
})

const CASES = {
  uppercase: 'in capitals',
  lowercase: 'in small letters',
  capitalize: 'with a capital on each word',
  none: 'as they are spoken',
} as const
const CAPITALS = 'upper[ -]?case|capitals?|capital letters|caps|block letters'

export const captionCase = declareCommand({
  name: 'caption_case',
  label: 'Caption capitals',
  description: 'Writes captions in capitals, in small letters, or as they are spoken',
  examples: ['captions in uppercase', 'make the captions lowercase'],
  says: ['captions @textCase', '@textCase'],
  fillers: `write|${CAPTIONS}`,
  params: params({
    textCase: choice({
      none: `normal case|sentence case|mixed case|as (?:they are )?spoken|(?:no|without) (?:all )?(?:${CAPITALS})`,
      uppercase: `${CAPITALS}|capitali[sz]e all`,
      lowercase: 'lower[ -]?case|small letters',
      capitalize: 'title case|capitali[sz]e(?:d)?(?: (?:every|each) word)?',
    }),
  }),
  run: (edit, _context, { textCase }) =>
    edited(withCaptions(edit, { textCase }), `Captions are written ${CASES[textCase]}.`),
})

/** What each switch sets of the captions; null leaves a field to the preset. */
const SWITCHES = {
  captions: { on: { enabled: null }, off: { enabled: false }, label: 'Captions' },
  emojis: { on: { emojis: true }, off: { emojis: false }, label: 'Emojis' },
  keywords: {
    on: { highlightKeywords: true },
    off: { highlightKeywords: false },
    label: 'Coloured keywords',
  },
  'spoken word': {
    on: { amplifySpokenWords: true },
    off: { amplifySpokenWords: false },
    label: 'Emphasis of the spoken word',
  },
  italic: { on: { isItalic: true }, off: { isItalic: false }, label: 'Italic letters' },
  bold: { on: { fontWeight: 800 }, off: { fontWeight: 500 }, label: 'Bold letters' },
  shadow: { on: { shadowEnabled: true }, off: { shadowEnabled: false }, label: 'The shadow' },
  background: {
    on: { backgroundFillStyle: 'block' },
    off: { backgroundFillStyle: 'none' },
    label: 'The background',
  },
  outline: { on: { outlineWidth: 8 }, off: { outlineWidth: 0 }, label: 'The outline' },
} as const

export const captionSwitch = declareCommand({
  name: 'caption_switch',
  label: 'Caption on or off',
  description: 'Switches something about the captions on or off',
  examples: ['turn the captions off', 'add emojis to the captions', 'no shadow on the captions'],
  says: ['@what @on', ['captions @what', { on: true }]],
  fillers: `${CAPTIONS}|caption|behind|around|letters|text|back|shown|enabled|disabled|hidden`,
  params: params({
    what: choice({
      emojis: 'emojis?',
      keywords:
        '(?:highlighting of |highlighted )?key ?words?(?: (?:highlights?|highlighting|colou?rs?))?|important words',
      'spoken word':
        '(?:emphasis|highlighting|highlight)(?: (?:of|on))?(?: the)?(?: spoken word)?|(?:spoken[ -])?word (?:highlight|highlighting|emphasis)|karaoke effect',
      italic: 'italics?(?: letters| text)?',
      bold: 'bold(?: letters| text)?',
      shadow: '(?:drop |text )?shadows?',
      background: 'background|box|backdrop',
      outline: 'outline|stroke|edge',
      captions: CAPTIONS,
    }),
    on: flag('On', 'highlight'),
  }),
  run(edit, _context, { what, on }) {
    const { label, ...fields } = SWITCHES[what]
    // A clip whose workflow has no captions gets them only by this command.
    const bare = what === 'captions' && on && Object.keys(edit.subtitleConfig).length === 0
    const set: ClipEdit['subtitleConfig'] = bare ? { enabled: true } : on ? fields.on : fields.off
    return edited(withCaptions(edit, set), `${label}: ${on ? 'on' : 'off'}.`)
  },
})

export const captionLines = declareCommand({
  name: 'caption_lines',
  label: 'Caption lines',
  description: 'Says how many lines, or letters in a line, a caption has at most',
  examples: ['captions on one line', 'at most 20 characters per caption line'],
  says: ['captions', '@characters'],
  fillers: `caption|${CAPTIONS}|keep|at most|max(?:imum)?|up to|no more than|a maximum of|single|per|each|lines?`,
  params: params({
    characters: maybe(
      count('(?:characters|letters|chars)(?: (?:per|in a|a|on each)(?: caption| subtitle)? line)?', {
        minimum: 4,
        maximum: 100,
      }),
    ),
    lines: maybe(count('(?:single )?lines?', { minimum: 1, maximum: 10 })),
  }),
  run(edit, _context, { lines, characters }) {
    const parts = [
      lines === undefined ? [] : [`${lines} ${lines === 1 ? 'line' : 'lines'}`],
      characters === undefined ? [] : [`${characters} letters in a line`],
    ].flat()
    if (parts.length === 0) refuse('Say how many lines, or how many letters in a line.')
    return edited(
      withCaptions(edit, omitUndefined({ maxLines: lines, maxCharsPerLine: characters })),
      `Captions have at most ${parts.join(' and ')}.`,
    )
  },
})
