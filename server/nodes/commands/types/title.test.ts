import { describe } from 'vitest'
import { itDoes, type CommandCase } from '../../../../test/support/command-cases.ts'
import { TITLE_PRESETS } from '../../presets/titles.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const turn = (given: Given<'title_switch'>): CommandCall => ({ name: 'title_switch', arguments: given })
const look = (given: Given<'title_look'>): CommandCall => ({ name: 'title_look', arguments: given })
const name = (text: string): CommandCall => ({ name: 'title_text', arguments: { text } })

type Config = Readonly<Record<string, unknown>>
/** The title card that becomes of another one. */
const card = (
  what: string,
  call: CommandCall,
  after: Config,
  done: string,
  before: Config = {},
): CommandCase => ({
  name: what,
  call,
  edit: { titleConfig: before },
  made: [{ titleConfig: after }, done],
})

describe('whether it is shown', () => {
  const SHOWN = 'The title is shown'
  itDoes([
    card('on', turn({ on: true }), { enabled: true }, `${SHOWN}.`),
    card('off', turn({ on: false }), { enabled: false }, 'The title is not shown.'),
    card(
      'for some seconds',
      turn({ on: true, seconds: 3 }),
      { enabled: true, duration: 3 },
      `${SHOWN} for 3 s.`,
    ),
    card(
      'to the end',
      turn({ on: true, seconds: 0 }),
      { enabled: true, duration: 0 },
      `${SHOWN} to the end.`,
    ),
    card(
      'as long as ever',
      turn({ on: true, seconds: 3600 }),
      { enabled: true, duration: 3600 },
      `${SHOWN} for 3600 s.`,
    ),
    card('on as it was', turn({ on: true }), { enabled: true, duration: 5, text: 'A' }, `${SHOWN}.`, {
      enabled: false,
      duration: 5,
      text: 'A',
    }),
    card(
      'off with its seconds',
      turn({ on: false, seconds: 2 }),
      { enabled: false, duration: 2 },
      'The title is not shown.',
      {
        enabled: true,
        duration: 5,
      },
    ),
  ])
})

describe('how it looks', () => {
  const presets = TITLE_PRESETS.map((one) => one.name).join(', ')
  const headline = { titlePresetId: 'headline', titlePaletteId: 'red' }
  itDoes([
    card(
      'a preset',
      look({ preset: 'headline' }),
      { titlePresetId: 'headline' },
      'The title looks like Headline.',
    ),
    card(
      'a preset without the palette of the other',
      look({ preset: 'Neon' }),
      { titlePresetId: 'neon', enabled: true },
      'The title looks like Neon.',
      { ...headline, enabled: true },
    ),
    card(
      'a palette of the first preset',
      look({ palette: 'Violet' }),
      { titlePaletteId: 'violet' },
      'The title has the palette Violet.',
    ),
    card(
      'a palette of its preset',
      look({ palette: 'green' }),
      { titlePresetId: 'headline', titlePaletteId: 'green' },
      'The title has the palette Green.',
      headline,
    ),
    card(
      'a palette of a preset that is unknown',
      look({ palette: 'blue' }),
      { titlePresetId: 'gone', titlePaletteId: 'blue' },
      'The title has the palette Blue.',
      { titlePresetId: 'gone' },
    ),
    card(
      'both',
      look({ preset: 'quote', palette: 'ink' }),
      { titlePresetId: 'quote', titlePaletteId: 'ink' },
      'The title looks like Quote and has the palette Ink.',
      headline,
    ),
    { name: 'nothing', call: look({}), refused: 'Say which preset or palette the title shall have.' },
    {
      name: 'no preset',
      call: look({ preset: 'plaid' }),
      refused: `There is no title preset “plaid”; there are ${presets}.`,
    },
    {
      name: 'no palette of the first preset',
      call: look({ palette: 'green' }),
      refused:
        'The title’s preset Clean has no palette “green”; it has Light, Dark, Yellow, Red, Blue, Violet.',
    },
    {
      name: 'no palette of its preset',
      call: look({ palette: 'violet' }),
      edit: { titleConfig: headline },
      refused: 'The title’s preset Headline has no palette “violet”; it has Yellow, Red, Light, Dark, Green.',
    },
    {
      name: 'no palette of a new preset',
      call: look({ preset: 'whisper', palette: 'red' }),
      edit: { titleConfig: headline },
      refused: 'The title’s preset Whisper has no palette “red”; it has Dark, Light.',
    },
  ])
})

describe('what it says', () => {
  const done = 'The title is “Salt”.'
  itDoes([
    { name: 'another', call: name('Salt'), made: [{ title: 'Salt' }, done] },
    { name: 'without spaces around it', call: name('  Salt '), made: [{ title: 'Salt' }, done] },
    {
      name: 'also on a card with its own text',
      call: name('Salt'),
      edit: { titleConfig: { text: 'Pepper', enabled: true } },
      made: [{ title: 'Salt', titleConfig: { text: 'Salt', enabled: true } }, done],
    },
    {
      name: 'not on a card with spaces',
      call: name('Salt'),
      edit: { titleConfig: { text: '  ' } },
      made: [{ title: 'Salt' }, done],
    },
    {
      name: 'not on a card with no text',
      call: name('Salt'),
      edit: { titleConfig: { text: 3 } },
      made: [{ title: 'Salt' }, done],
    },
    {
      name: 'the same on a card with its own text',
      call: name('Three times'),
      edit: { titleConfig: { text: 'Pepper' } },
      made: [{ titleConfig: { text: 'Three times' } }, 'The title is “Three times”.'],
    },
    { name: 'the same', call: name(' Three times '), refused: 'That is its title already.' },
    { name: 'nothing', call: name('  '), refused: 'Say what the title shall be.' },
  ])
})
