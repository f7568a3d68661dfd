/** The sample has the preset Pop, whose letters are of size 76, and is upright. */
import { describe } from 'vitest'
import { itDoes, type CommandCase } from '../../../../test/support/command-cases.ts'
import { CAPTION_PRESETS } from '../../presets/captions.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const size = (given: Given<'caption_size'>): CommandCall => ({ name: 'caption_size', arguments: given })
const place = (given: Given<'caption_place'>): CommandCall => ({ name: 'caption_place', arguments: given })
const lines = (given: Given<'caption_lines'>): CommandCall => ({ name: 'caption_lines', arguments: given })
const colour = (given: Given<'caption_colour'>): CommandCall => ({ name: 'caption_colour', arguments: given })
const style = (preset: string): CommandCall => ({ name: 'caption_style', arguments: { preset } })

type Config = Readonly<Record<string, unknown>>
const POP = { styleId: 'pop' }
/** What becomes of the sample's captions, or of others. */
const sets = (
  name: string,
  call: CommandCall,
  fields: Config,
  done: string,
  before: Config = POP,
): CommandCase => ({
  name,
  call,
  edit: { subtitleConfig: before },
  made: [{ subtitleConfig: { ...before, ...fields } }, done],
})
const refuses = (name: string, call: CommandCall, refused: string, before: Config = POP): CommandCase => ({
  name,
  call,
  edit: { subtitleConfig: before },
  refused,
})
const WIDE = { output: { width: 1920, height: 1080 } }
const SQUARE = { output: { width: 1080, height: 1080 } }

describe('size', () => {
  const isNow = (now: number, was = 76): string => `Captions are at size ${now} instead of ${was}.`
  const impact = { styleId: 'impact' }
  itDoes([
    sets('bigger', size({ change: 'bigger' }), { fontSize: 91 }, isNow(91)),
    sets('smaller', size({ change: 'smaller' }), { fontSize: 63 }, isNow(63)),
    sets('much bigger', size({ change: 'much bigger' }), { fontSize: 114 }, isNow(114)),
    sets('much smaller', size({ change: 'much smaller' }), { fontSize: 51 }, isNow(51)),
    sets('a size', size({ size: 90 }), { fontSize: 90 }, isNow(90)),
    sets('a size before a change', size({ size: 90, change: 'smaller' }), { fontSize: 90 }, isNow(90)),
    sets('a size between two', size({ size: 90.4 }), { fontSize: 90 }, isNow(90)),
    sets('the least', size({ size: 16 }), { fontSize: 16 }, isNow(16)),
    sets('the most', size({ size: 240 }), { fontSize: 240 }, isNow(240)),
    sets('that of the preset', size({ size: 100 }), { fontSize: 100 }, isNow(100, 96), impact),
    sets('that of the first preset', size({ size: 100 }), { fontSize: 100 }, isNow(100), { styleId: 'none' }),
    sets('that of a clip without captions', size({ size: 100 }), { fontSize: 100 }, isNow(100), {}),
    sets('its own', size({ change: 'bigger' }), { fontSize: 120 }, isNow(120, 100), { fontSize: 100 }),
    sets('its own, as text', size({ change: 'bigger' }), { fontSize: 60 }, isNow(60, 50), {
      fontSize: '50px',
    }),
    sets('not above the most', size({ change: 'bigger' }), { fontSize: 240 }, isNow(240, 230), {
      fontSize: 230,
    }),
    sets('not below the least', size({ change: 'smaller' }), { fontSize: 16 }, isNow(16, 17), {
      fontSize: 17,
    }),
    refuses('the same', size({ size: 76 }), 'The captions are at 76 already.'),
    refuses('nothing', size({}), 'The captions are at 76 already.'),
    refuses('more than the most', size({ change: 'bigger' }), 'The captions are at 240 already.', {
      fontSize: 240,
    }),
    refuses('less than the least', size({ change: 'much smaller' }), 'The captions are at 16 already.', {
      fontSize: 16,
    }),
  ])
})

describe('position', () => {
  const byHand = { styleId: 'pop', subtitleX: 20, subtitleY: 40, captionPosition: 'top' }
  const moved = (subtitleY: number) => ({ subtitleConfig: { styleId: 'pop', subtitleX: 20, subtitleY } })
  const stepped = (way: 'higher' | 'lower', at: number): string =>
    `Captions are ${way}: at ${at} % of the height.`
  itDoes([
    sets('percent', place({ percent: 60 }), { subtitleY: 60 }, 'Captions are at 60 % of the height.'),
    sets(
      'percent before a place',
      place({ percent: 0, place: 'middle' }),
      { subtitleY: 0 },
      'Captions are at 0 % of the height.',
    ),
    {
      name: 'percent in place of a position',
      call: place({ percent: 100 }),
      edit: { subtitleConfig: byHand },
      made: [moved(100), 'Captions are at 100 % of the height.'],
    },
    ...(['top', 'middle', 'bottom'] as const).map((at): CommandCase => ({
      name: at,
      call: place({ place: at }),
      edit: { subtitleConfig: byHand },
      made: [{ subtitleConfig: { styleId: 'pop', captionPosition: at } }, `Captions are at the ${at}.`],
    })),
    {
      name: 'higher, in place of a position',
      call: place({ place: 'higher' }),
      edit: { subtitleConfig: byHand },
      made: [moved(32), stepped('higher', 32)],
    },
    {
      name: 'lower, in place of a position',
      call: place({ place: 'lower' }),
      edit: { subtitleConfig: byHand },
      made: [moved(48), stepped('lower', 48)],
    },
    sets('higher than the preset', place({ place: 'higher' }), { subtitleY: 64 }, stepped('higher', 64)),
    sets('lower than the preset', place({ place: 'lower' }), { subtitleY: 80 }, stepped('lower', 80)),
    sets('higher than another preset', place({ place: 'higher' }), { subtitleY: 66 }, stepped('higher', 66), {
      styleId: 'documentary',
    }),
    {
      ...sets(
        'higher in a wide picture',
        place({ place: 'higher' }),
        { subtitleY: 76 },
        stepped('higher', 76),
      ),
      context: WIDE,
    },
    {
      ...sets('higher in a square', place({ place: 'higher' }), { subtitleY: 72 }, stepped('higher', 72)),
      context: SQUARE,
    },
    sets('up to the highest', place({ place: 'higher' }), { subtitleY: 5 }, stepped('higher', 5), {
      subtitleY: 12,
    }),
    sets('down to the lowest', place({ place: 'lower' }), { subtitleY: 95 }, stepped('lower', 95), {
      subtitleY: 88,
    }),
    refuses('higher than the highest', place({ place: 'higher' }), 'The captions cannot go any higher.', {
      subtitleY: 5,
    }),
    refuses('lower than the lowest', place({ place: 'lower' }), 'The captions cannot go any lower.', {
      subtitleY: 95,
    }),
    refuses('nowhere', place({}), 'Say where the captions shall be: top, middle, bottom, higher or lower.'),
  ])
})

describe('letters and lines', () => {
  const textCase = (name: Given<'caption_case'>['textCase'], how: string): CommandCase =>
    sets(
      name,
      { name: 'caption_case', arguments: { textCase: name } },
      { textCase: name },
      `Captions are written ${how}.`,
    )
  itDoes([
    textCase('uppercase', 'in capitals'),
    textCase('lowercase', 'in small letters'),
    textCase('capitalize', 'with a capital on each word'),
    textCase('none', 'as they are spoken'),
    sets('one line', lines({ lines: 1 }), { maxLines: 1 }, 'Captions have at most 1 line.'),
    sets('two lines', lines({ lines: 2 }), { maxLines: 2 }, 'Captions have at most 2 lines.'),
    sets(
      'letters',
      lines({ characters: 20 }),
      { maxCharsPerLine: 20 },
      'Captions have at most 20 letters in a line.',
    ),
    sets(
      'both',
      lines({ characters: 4, lines: 10 }),
      { maxLines: 10, maxCharsPerLine: 4 },
      'Captions have at most 10 lines and 4 letters in a line.',
    ),
    sets(
      'lines of those with letters',
      lines({ lines: 3 }),
      { maxLines: 3 },
      'Captions have at most 3 lines.',
      {
        maxLines: 1,
        maxCharsPerLine: 30,
      },
    ),
    refuses('nothing', lines({}), 'Say how many lines, or how many letters in a line.'),
  ])
})

describe('colour', () => {
  const BEHIND = 'The captions’ background is red.'
  const background = colour({ colour: 'red', part: 'background' })
  const filled = (fill: unknown) => ({ backgroundFillStyle: fill })
  itDoes([
    sets(
      'letters, where no part is named',
      colour({ colour: 'Yellow' }),
      { fontColor: '#ffff00' },
      'Captions are yellow.',
    ),
    sets(
      'letters',
      colour({ colour: 'red', part: 'letters' }),
      { fontColor: '#ff0000' },
      'Captions are red.',
    ),
    sets('a code', colour({ colour: '#FFD60A' }), { fontColor: '#ffd60a' }, 'Captions are #ffd60a.'),
    sets(
      'the spoken word',
      colour({ colour: 'red', part: 'spoken word' }),
      { amplifiedColor: '#ff0000', amplifySpokenWords: true },
      'The spoken word is red.',
    ),
    sets(
      'keywords',
      colour({ colour: 'red', part: 'keywords' }),
      { highlightColor: '#ff0000', highlightKeywords: true },
      'Keywords are red.',
    ),
    sets(
      'the outline',
      colour({ colour: 'red', part: 'outline' }),
      { outlineColor: '#ff0000' },
      'The captions’ outline is red.',
    ),
    sets('the background', background, { backgroundColor: '#ff0000', backgroundFillStyle: 'block' }, BEHIND),
    sets(
      'one that was off',
      background,
      { backgroundColor: '#ff0000', backgroundFillStyle: 'block' },
      BEHIND,
      filled('none'),
    ),
    sets('one of another kind', background, { backgroundColor: '#ff0000' }, BEHIND, filled('wrap')),
    sets(
      'one of no kind',
      background,
      { backgroundColor: '#ff0000', backgroundFillStyle: 'block' },
      BEHIND,
      filled(3),
    ),
    sets(
      'letters, not what is behind them',
      colour({ colour: 'red' }),
      { fontColor: '#ff0000' },
      'Captions are red.',
      filled('none'),
    ),
    {
      name: 'for all speakers',
      call: colour({ colour: 'red' }),
      edit: {
        subtitleConfig: { speakerStyles: { 0: { fontColor: '#00ff00', isItalic: true }, 1: 'plain' } },
      },
      made: [
        { subtitleConfig: { fontColor: '#ff0000', speakerStyles: { 0: { isItalic: true }, 1: 'plain' } } },
        'Captions are red.',
      ],
    },
    refuses(
      'none that is known',
      colour({ colour: 'bogus' }),
      '“bogus” is no colour that is known here. Try yellow, or #ffd60a.',
    ),
  ])
})

describe('switches', () => {
  const off = { enabled: false }
  const turn = (what: Given<'caption_switch'>['what'], on: boolean): CommandCall => ({
    name: 'caption_switch',
    arguments: { what, on },
  })
  const SWITCHES = [
    ['emojis', 'Emojis', 'emojis', true, false],
    ['keywords', 'Coloured keywords', 'highlightKeywords', true, false],
    ['spoken word', 'Emphasis of the spoken word', 'amplifySpokenWords', true, false],
    ['italic', 'Italic letters', 'isItalic', true, false],
    ['bold', 'Bold letters', 'fontWeight', 800, 500],
    ['shadow', 'The shadow', 'shadowEnabled', true, false],
    ['background', 'The background', 'backgroundFillStyle', 'block', 'none'],
    ['outline', 'The outline', 'outlineWidth', 8, 0],
  ] as const
  itDoes([
    ...SWITCHES.flatMap(([what, label, field, shown, hidden]) => [
      sets(`${what} on`, turn(what, true), { [field]: shown }, `${label}: on.`),
      sets(`${what} off`, turn(what, false), { [field]: hidden }, `${label}: off.`),
      sets(`${what} on, of no captions`, turn(what, true), { [field]: shown }, `${label}: on.`, {}),
    ]),
    sets('captions off', turn('captions', false), off, 'Captions: off.'),
    sets('captions off where there are none', turn('captions', false), off, 'Captions: off.', {}),
    sets('captions on', turn('captions', true), {}, 'Captions: on.'),
    sets('captions on where there are none', turn('captions', true), { enabled: true }, 'Captions: on.', {}),
    {
      name: 'captions on that were off',
      call: turn('captions', true),
      edit: { subtitleConfig: { styleId: 'pop', enabled: false } },
      made: [{ subtitleConfig: POP }, 'Captions: on.'],
    },
  ])
})

describe('preset', () => {
  const names = CAPTION_PRESETS.map(({ name }) => name).join(', ')
  itDoes([
    sets('by its id', style('neon'), { styleId: 'neon' }, 'Captions look like Neon.'),
    sets('by its name', style('Karaoke Sweep'), { styleId: 'karaoke' }, 'Captions look like Karaoke sweep.'),
    sets('by how its name begins', style('filled'), { styleId: 'pill' }, 'Captions look like Filled pill.'),
    sets(
      'by a word of its name',
      style(' Lower '),
      { styleId: 'documentary' },
      'Captions look like Documentary lower third.',
    ),
    sets('the same', style('pop'), {}, 'Captions look like Pop.'),
    refuses('none', style('plaid'), `There is no caption preset “plaid”; there are ${names}.`),
    refuses('no letters', style('…'), `There is no caption preset “…”; there are ${names}.`),
  ])
})
