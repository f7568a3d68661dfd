import { pictureShape } from '../../compose/read-config.ts'
import { CAPTION_PRESETS } from '../../presets/captions.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { readColour } from '../match/values.ts'
import { choice, colour, count, flag, nameOf, number, optional } from '../params.ts'
import { named, namesOf, numberField, presetOf, withCaptions } from '../settings.ts'

const CAPTIONS = LEXICON['captions'] ?? ''

/** What each part is called, the field of its colour, and how the sentence about it begins. */
const PARTS = {
  'spoken word': [
    '(?:spoken|current|active|highlighted) words?|word (?:being|that is) spoken',
    'amplifiedColor',
    'The spoken word is',
  ],
  background: ['background|box|backdrop', 'backgroundColor', 'The captions’ background is'],
  outline: ['outline|edge|border|stroke', 'outlineColor', 'The captions’ outline is'],
  keywords: ['key ?words?', 'highlightColor', 'Keywords are'],
  letters: ['letters of the captions', 'fontColor', 'Captions are'],
} as const

const SIZES = { bigger: 1.2, smaller: 1 / 1.2, 'much bigger': 1.5, 'much smaller': 1 / 1.5 } as const
const MUCH = '(?:much|a lot|way|far|lots)'

/** A step up or down, percent of the height. */
const STEP = 8

const CAPITALS = 'upper[ -]?case|capitals?|capital letters|caps|block letters'
const AS_SPOKEN = `normal case|sentence case|mixed case|as (?:they are )?spoken|(?:no|without) (?:all )?(?:${CAPITALS})`
/** What each is called, and how captions then are written. */
const CASES = {
  none: [AS_SPOKEN, 'as they are spoken'],
  uppercase: [`${CAPITALS}|capitali[sz]e all`, 'in capitals'],
  lowercase: ['lower[ -]?case|small letters', 'in small letters'],
  capitalize: ['title case|capitali[sz]e(?:d)?(?: (?:every|each) word)?', 'with a capital on each word'],
} as const

/** What each switch is called, and the field that it sets, on and off; null leaves it to the preset. */
const SWITCHES = {
  captions: ['Captions', 'enabled', null, false],
  emojis: ['Emojis', 'emojis', true, false],
  keywords: ['Coloured keywords', 'highlightKeywords', true, false],
  'spoken word': ['Emphasis of the spoken word', 'amplifySpokenWords', true, false],
  italic: ['Italic letters', 'isItalic', true, false],
  bold: ['Bold letters', 'fontWeight', 800, 500],
  shadow: ['The shadow', 'shadowEnabled', true, false],
  background: ['The background', 'backgroundFillStyle', 'block', 'none'],
  outline: ['The outline', 'outlineWidth', 8, 0],
} as const

export const captions = declareCommands({
  caption_size: {
    description: 'Makes captions bigger or smaller',
    examples: ['make the captions bigger', 'caption size 90'],
    says: ['captions @change', 'captions|font size @size'],
    fillers: 'captions?|render|size|text|letters|font|px|pt|points|pixels',
    params: optional({
      change: choice({
        'much bigger': `${MUCH} (?:bigger|larger|huger)|huge|giant|enormous|very big`,
        'much smaller': `${MUCH} smaller|tiny|very small`,
        bigger: 'bigger|larger|huger|increase|enlarge|grow',
        smaller: 'smaller|reduce|decrease|shrink',
      }),
      size: number({ minimum: 16, maximum: 240, description: 'Reference units; 76 is usual' }),
    }),
    run({ change, size }, edit) {
      const usual = numberField(edit.subtitleConfig, 'fontSize', presetOf(edit)?.face.fontSize ?? 76)
      const wanted = size ?? (change === undefined ? usual : usual * SIZES[change])
      const fontSize = Math.min(240, Math.max(16, Math.round(wanted)))
      if (fontSize === usual) refuse(`The captions are at ${usual} already.`)
      return [withCaptions(edit, { fontSize }), `Captions are at size ${fontSize} instead of ${usual}.`]
    },
  },
  caption_place: {
    label: 'Caption position',
    description: 'Moves the captions',
    examples: ['put the captions at the top', 'move the captions up', 'captions at 60%'],
    says: ['captions'],
    fillers: 'position|near|a (?:bit|little)|height|down|from the top',
    params: optional({
      percent: number(
        { minimum: 0, maximum: 100, unit: '%', description: 'Of the height, from the top' },
        'percent',
      ),
      place: choice({
        top: 'top',
        middle: 'middle|centre|center',
        bottom: 'bottom',
        higher: 'higher|up(?:wards?)?|raise|lift',
        lower: 'lower|down(?:wards?)?|drop down',
      }),
    }),
    run({ place, percent }, edit, { output }) {
      const at = (subtitleY: number) => withCaptions(edit, { subtitleY, captionPosition: null })
      if (percent !== undefined) return [at(percent), `Captions are at ${percent} % of the height.`]
      if (place === undefined)
        return refuse('Say where the captions shall be: top, middle, bottom, higher or lower.')
      if (place !== 'higher' && place !== 'lower') {
        const fields = { captionPosition: place, subtitleX: null, subtitleY: null }
        return [withCaptions(edit, fields), `Captions are at the ${place}.`]
      }
      const preset = presetOf(edit)?.yPercent[pictureShape(output)] ?? 72
      const usual = numberField(edit.subtitleConfig, 'subtitleY', preset)
      const subtitleY = Math.min(95, Math.max(5, usual + (place === 'higher' ? -STEP : STEP)))
      if (subtitleY === usual) refuse(`The captions cannot go any ${place}.`)
      return [at(subtitleY), `Captions are ${place}: at ${subtitleY} % of the height.`]
    },
  },
  caption_case: {
    label: 'Caption capitals',
    description: 'Writes captions in capitals, in small letters, or as they are spoken',
    examples: ['captions in uppercase', 'make the captions lowercase'],
    says: ['captions @textCase', '@textCase'],
    fillers: `write|${CAPTIONS}`,
    params: { textCase: choice(CASES) },
    run: ({ textCase }, edit) => [
      withCaptions(edit, { textCase }),
      `Captions are written ${CASES[textCase][1]}.`,
    ],
  },
  caption_lines: {
    description: 'Says how many lines, or letters in a line, a caption has at most',
    examples: ['captions on one line', 'at most 20 characters per caption line'],
    says: ['captions', '@characters'],
    fillers: `caption|${CAPTIONS}|keep|at most|max(?:imum)?|up to|no more than|a maximum of|single|per|each|lines?`,
    params: optional({
      characters: count(
        { minimum: 4, maximum: 100 },
        '(?:characters|letters|chars)(?: (?:per|in a|a|on each)(?: caption| subtitle)? line)?',
      ),
      lines: count({ minimum: 1, maximum: 10 }, '(?:single )?lines?'),
    }),
    run({ lines, characters }, edit) {
      const parts = [
        lines === undefined ? [] : `${lines} ${lines === 1 ? 'line' : 'lines'}`,
        characters === undefined ? [] : `${characters} letters in a line`,
      ].flat()
      if (parts.length === 0) refuse('Say how many lines, or how many letters in a line.')
      const fields = { maxLines: lines, maxCharsPerLine: characters }
      return [withCaptions(edit, fields), `Captions have at most ${parts.join(' and ')}.`]
    },
  },
  /** A part is what captions are made of; letters where none is named. */
  caption_colour: {
    description: 'Colours the captions',
    examples: [
      'make the captions yellow',
      'colour the spoken word green',
      'black background behind the captions',
    ],
    says: ['captions @colour', '@part @colour', 'letters|text|font @colour'],
    fillers:
      "captions?'?|subtitles?|colou?r(?:ed)?|paint|render|text|letters|font|look|behind|under|around|draw",
    params: {
      colour: colour(),
      ...optional({ part: choice(PARTS) }),
    },
    run({ colour: name, part = 'letters' }, edit) {
      const value =
        readColour(name) ?? refuse(`“${name}” is no colour that is known here. Try yellow, or #ffd60a.`)
      const { backgroundFillStyle: fill } = edit.subtitleConfig
      const shown = typeof fill === 'string' && fill !== 'none' ? fill : 'block'
      const [, field, label] = PARTS[part]
      const fields = {
        [field]: value,
        backgroundFillStyle: part === 'background' ? shown : undefined,
        amplifySpokenWords: part === 'spoken word' || undefined,
        highlightKeywords: part === 'keywords' || undefined,
      }
      return [withCaptions(edit, fields), `${label} ${name.toLowerCase()}.`]
    },
  },
  caption_switch: {
    label: 'Caption on or off',
    description: 'Switches something about the captions on or off',
    examples: ['turn the captions off', 'add emojis to the captions', 'no shadow on the captions'],
    says: ['@what @on', ['captions @what', { on: true }]],
    fillers: `${CAPTIONS}|caption|behind|around|letters|text|back|shown|enabled|disabled|hidden`,
    params: {
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
    },
    run({ what, on }, edit) {
      const [label, field, shown, hidden] = SWITCHES[what]
      // A clip whose workflow has no captions gets them only by this command.
      const bare = what === 'captions' && Object.keys(edit.subtitleConfig).length === 0
      const value = on ? (bare ? true : shown) : hidden
      return [withCaptions(edit, { [field]: value }), `${label}: ${on ? 'on' : 'off'}.`]
    },
  },
  caption_style: {
    label: 'Caption preset',
    description: 'Gives the captions a preset',
    examples: ['use the neon captions', 'change the caption style to karaoke'],
    says: ['captions @preset', 'caption|style|preset @preset', 'make|turn|change captions like @preset'],
    fillers: `style|preset|look like|look|try|apply|caption|${CAPTIONS}`,
    params: { preset: nameOf('Its id or name', namesOf(CAPTION_PRESETS, 'id')) },
    run({ preset }, edit) {
      const { id, name } = named(CAPTION_PRESETS, preset, 'There is no caption preset')
      return [withCaptions(edit, { styleId: id }), `Captions look like ${name}.`]
    },
  },
})
