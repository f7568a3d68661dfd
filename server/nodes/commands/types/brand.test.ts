import { describe } from 'vitest'
import { itDoes, type CommandCase } from '../../../../test/support/command-cases.ts'
import { SAMPLE_EDIT } from '../../../../test/support/sample-clip.ts'
import type { CommandContext } from '../context.ts'
import { newText } from '../../editing/new-items.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const broll = (given: Given<'broll'>): CommandCall => ({ name: 'broll', arguments: given })
const watermark = (given: Given<'watermark'>): CommandCall => ({ name: 'watermark', arguments: given })
const endCard = (given: Given<'end_card'>): CommandCall => ({ name: 'end_card', arguments: given })
const music = (given: Given<'music'>): CommandCall => ({ name: 'music', arguments: given })
const write = (given: Given<'add_text'>): CommandCall => ({ name: 'add_text', arguments: given })

describe('b-roll', () => {
  type Broll = CommandContext['broll']
  const pieces = (...stretches: readonly (readonly [start: number, end: number])[]): Broll =>
    stretches.map(([start, end]) => ({ start, end })) as unknown as Broll
  const three = pieces([11, 12], [13, 14], [15, 16])
  const goes = (name: string, given: Given<'broll'>, left: Broll, done: string): CommandCase => ({
    name,
    call: broll(given),
    context: { broll: three },
    made: [{ broll: left }, done],
  })
  itDoes([
    goes('all', {}, [], '3 pieces of b-roll are gone.'),
    goes('one', { from: 1, to: 2 }, pieces([13, 14], [15, 16]), 'One piece of b-roll is gone.'),
    goes('two', { from: 1.5, to: 3.5 }, pieces([15, 16]), '2 pieces of b-roll are gone.'),
    goes('at words', { phrase: 'three times' }, pieces([11, 12], [15, 16]), 'One piece of b-roll is gone.'),
    {
      ...goes('of what was arranged', {}, [], 'One piece of b-roll is gone.'),
      edit: { broll: pieces([20, 21]) },
    },
    { name: 'none', call: broll({}), refused: 'This clip has no b-roll.' },
    {
      name: 'none any more',
      call: broll({}),
      edit: { broll: [] },
      context: { broll: three },
      refused: 'This clip has no b-roll.',
    },
    {
      name: 'between two',
      call: broll({ from: 2, to: 3 }),
      context: { broll: three },
      refused: 'There is no b-roll there.',
    },
  ])
})

describe('watermark', () => {
  const own = SAMPLE_EDIT.watermarkConfig
  const shows = (
    name: string,
    given: Given<'watermark'>,
    fields: Readonly<Record<string, unknown>>,
    done: string,
  ): CommandCase => ({
    name,
    call: watermark(given),
    made: [{ watermarkConfig: { ...own, enabled: true, ...fields } }, `The watermark ${done}.`],
  })
  itDoes([
    shows('off', { on: false }, { enabled: false }, 'is not shown'),
    shows(
      'off, whatever else',
      { on: false, corner: 'centre', opacity: 1 },
      { enabled: false },
      'is not shown',
    ),
    shows('on', { on: true }, {}, 'is shown'),
    shows('nothing named', {}, {}, 'is shown'),
    shows('top left', { corner: 'top left' }, { position: 1 }, 'is at the top left'),
    shows('top right', { corner: 'top right' }, { position: 3 }, 'is at the top right'),
    shows('centre', { corner: 'centre' }, { position: 5 }, 'is in the centre'),
    shows('bottom left', { corner: 'bottom left' }, { position: 7 }, 'is at the bottom left'),
    shows('bottom right', { corner: 'bottom right' }, { position: 9 }, 'is at the bottom right'),
    shows('fainter', { opacity: 0.4 }, { opacity: 0.4 }, 'is 40 % opaque'),
    shows('not seen', { opacity: 0 }, { opacity: 0 }, 'is 0 % opaque'),
    shows(
      'both',
      { corner: 'top left', opacity: 1 },
      { position: 1, opacity: 1 },
      'is at the top left and is 100 % opaque',
    ),
    {
      name: 'from where it was put by hand',
      call: watermark({ corner: 'top left' }),
      edit: { watermarkConfig: { url: 'u', x: 1, y: 2, scale: 3 } },
      made: [
        { watermarkConfig: { url: 'u', scale: 3, position: 1, enabled: true } },
        'The watermark is at the top left.',
      ],
    },
    {
      name: 'where it was put by hand',
      call: watermark({ on: true }),
      edit: { watermarkConfig: { url: 'u', x: 1, y: 2 } },
      made: [{ watermarkConfig: { url: 'u', x: 1, y: 2, enabled: true } }, 'The watermark is shown.'],
    },
    {
      name: 'none',
      call: watermark({ on: false }),
      edit: { watermarkConfig: {} },
      refused: 'This clip has no watermark.',
    },
    {
      name: 'none at a place',
      call: watermark({}),
      edit: { watermarkConfig: { url: ' ' } },
      refused: 'This clip has no watermark.',
    },
  ])
})

describe('end card', () => {
  const own = SAMPLE_EDIT.endCardOption
  itDoes([
    { name: 'off', call: endCard({ on: false }), made: [{ endCardOption: {} }, 'The clip has no end card.'] },
    {
      name: 'for some seconds',
      call: endCard({ on: true, seconds: 2 }),
      made: [{ endCardOption: { ...own, duration: 2 } }, 'The end card is shown for 2 s.'],
    },
    {
      name: 'off, not for some seconds',
      call: endCard({ on: false, seconds: 2 }),
      made: [{ endCardOption: {} }, 'The clip has no end card.'],
    },
    { name: 'on', call: endCard({ on: true }), refused: 'The end card is shown already.' },
    {
      name: 'none',
      call: endCard({ on: true, seconds: 2 }),
      edit: { endCardOption: {} },
      refused: 'This clip has no end card.',
    },
  ])
})

describe('music', () => {
  const sounds = (
    name: string,
    given: Given<'music'>,
    volume: number,
    done: string,
    before: unknown = 0.2,
  ): CommandCase => ({
    name,
    call: music(given),
    edit: { backgroundMusicOption: { url: 'u', volume: before } },
    made: [{ backgroundMusicOption: { url: 'u', volume } }, `The music is ${done}.`],
  })
  itDoes([
    sounds('louder', { change: 'louder' }, 0.3, 'at 30 % instead of 20 %'),
    sounds('softer', { change: 'softer' }, 0.13, 'at 13 % instead of 20 %'),
    sounds('off', { change: 'off' }, 0, 'off'),
    sounds('off by its volume', { volume: 0 }, 0, 'off'),
    sounds('a volume', { volume: 0.5 }, 0.5, 'at 50 % instead of 20 %'),
    sounds('a volume before a change', { volume: 1, change: 'off' }, 1, 'at 100 % instead of 20 %'),
    sounds('louder than usual', { change: 'louder' }, 0.3, 'at 30 % instead of 20 %', 'none'),
    sounds('not above the most', { change: 'louder' }, 1, 'at 100 % instead of 90 %', 0.9),
    {
      name: 'louder than the most',
      call: music({ change: 'louder' }),
      edit: { backgroundMusicOption: { url: 'u', volume: 1 } },
      refused: 'The music is at 100 % already.',
    },
    { name: 'the same', call: music({ volume: 0.2 }), refused: 'The music is at 20 % already.' },
    { name: 'nothing', call: music({}), refused: 'The music is at 20 % already.' },
    {
      name: 'none',
      call: music({ change: 'off' }),
      edit: { backgroundMusicOption: {} },
      refused: 'This clip has no music.',
    },
  ])
})

describe('text', () => {
  const text = (start: number, end: number, at = 1) => ({
    ...newText([], { start, end }, 'Look'),
    id: `text-${at}`,
  })
  const done = '“Look” stands on the picture.'
  const many = (count: number) => Array.from({ length: count }, (_, at) => text(11, 12, at + 1))
  itDoes([
    { name: 'at the playhead', call: write({ text: 'Look' }), made: [{ overlays: [text(14, 17)] }, done] },
    {
      name: 'for a stretch',
      call: write({ text: 'Look', from: 1, to: 2 }),
      made: [{ overlays: [text(11, 12)] }, done],
    },
    {
      name: 'from a time on',
      call: write({ text: 'Look', from: 1 }),
      made: [{ overlays: [text(11, 14)] }, done],
    },
    {
      name: 'long enough',
      call: write({ text: 'Look', from: 1, to: 1.1 }),
      made: [{ overlays: [text(10.8, 11.3)] }, done],
    },
    {
      name: 'the last that fits',
      call: write({ text: 'Look' }),
      edit: { overlays: many(99) },
      made: [{ overlays: [...many(99), text(14, 17, 100)] }, done],
    },
    {
      name: 'too many',
      call: write({ text: 'Look' }),
      edit: { overlays: many(100) },
      refused: 'A clip has at most 100 overlays.',
    },
  ])
})
