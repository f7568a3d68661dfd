/** What commands set: captions for all, names of a list, nodes for one clip. */
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../test/support/command-cases.ts'
import { SAMPLE_EDIT } from '../../../test/support/sample-clip.ts'
import type { ClipEdit } from '../editing/clip-edit.ts'
import { CAPTION_PRESETS } from '../presets/captions.ts'
import type { CommandContext } from './context.ts'
import { hasFile, isOn, named, namesOf, numberField, presetOf, withCaptions, withNode } from './settings.ts'

const editWith = (changes: Partial<ClipEdit>): ClipEdit => ({ ...SAMPLE_EDIT, ...changes })
const captions = (subtitleConfig: ClipEdit['subtitleConfig']): ClipEdit => editWith({ subtitleConfig })

describe('withCaptions', () => {
  it('sets fields, leaves undefined ones, and returns null ones to the preset', () => {
    const edit = captions({ styleId: 'pop', fontSize: 60, fontColor: 'red' })
    expect(withCaptions(edit, { fontSize: 70, fontColor: null, styleId: undefined, isBold: false })).toEqual({
      subtitleConfig: { styleId: 'pop', fontSize: 70, isBold: false },
    })
    expect(Object.keys(withCaptions(edit, { textCase: undefined }).subtitleConfig)).toEqual([
      'styleId',
      'fontSize',
      'fontColor',
    ])
    expect(edit.subtitleConfig).toEqual({ styleId: 'pop', fontSize: 60, fontColor: 'red' })
  })

  it('adds no styles of speakers where there are none', () => {
    expect(withCaptions(captions({}), { fontSize: 70 })).toEqual({ subtitleConfig: { fontSize: 70 } })
    expect(withCaptions(captions({ speakerStyles: 'odd' }), { fontSize: 70 })).toEqual({
      subtitleConfig: { fontSize: 70, speakerStyles: 'odd' },
    })
  })

  it('takes the same fields from each speaker, and no others', () => {
    const speakerStyles = {
      '0': { fontSize: 50, fontColor: 'blue' },
      '1': { fontColor: 'green', isItalic: true },
      '2': 'odd',
    }
    const edit = captions({ fontSize: 60, speakerStyles })
    expect(withCaptions(edit, { fontColor: 'white', fontSize: undefined })).toEqual({
      subtitleConfig: {
        fontSize: 60,
        fontColor: 'white',
        speakerStyles: { '0': { fontSize: 50 }, '1': { isItalic: true }, '2': 'odd' },
      },
    })
    expect(withCaptions(edit, { fontSize: null })).toEqual({
      subtitleConfig: {
        speakerStyles: {
          '0': { fontColor: 'blue' },
          '1': { fontColor: 'green', isItalic: true },
          '2': 'odd',
        },
      },
    })
  })
})

describe('presetOf', () => {
  it.each(CAPTION_PRESETS.map(({ id }) => id))('finds %s', (id) => {
    expect(presetOf(captions({ styleId: id }))?.id).toBe(id)
  })
  it.each([undefined, 'nothing', 5])('is the first for %j', (styleId) => {
    expect(presetOf(captions(styleId === undefined ? {} : { styleId }))).toBe(CAPTION_PRESETS[0])
  })
})

describe('numberField', () => {
  it.each<readonly [value: unknown, number: number]>([
    [60, 60],
    [0, 0],
    [-2.5, -2.5],
    ['60', 60],
    ['60.5px', 60.5],
    [' 7 ', 7],
    ['big', 9],
    ['', 9],
    [undefined, 9],
    [null, 9],
    [true, 9],
    ['Infinity', 9],
    [Number.NaN, 9],
    [{}, 9],
  ])('reads %j as %d', (value, number) => {
    expect(numberField({ size: value }, 'size', 9)).toBe(number)
  })
  it('takes the fallback where the field is missing', () => {
    expect(numberField({ other: 4 }, 'size', 9)).toBe(9)
  })
})

describe('hasFile', () => {
  const missing = 'This clip has no watermark.'
  it.each<readonly [config: ClipEdit['watermarkConfig'], why: string | null]>([
    [{ url: 'https://example.com/logo.png' }, null],
    [{ url: ' x ' }, null],
    [{ url: '' }, missing],
    [{ url: '   ' }, missing],
    [{ url: 5 }, missing],
    [{ url: null }, missing],
    [{}, missing],
  ])('answers for %j: %j', (watermarkConfig, why) => {
    expect(hasFile('watermarkConfig', 'watermark')(editWith({ watermarkConfig }))).toBe(why)
  })
  it.each([
    ['backgroundMusicOption', 'music', 'This clip has no music.'],
    ['endCardOption', 'end card', 'This clip has no end card.'],
  ] as const)('looks at %s', (field, name, why) => {
    expect(hasFile(field, name)(SAMPLE_EDIT)).toBeNull()
    const without: ClipEdit = { ...SAMPLE_EDIT, [field]: {} }
    expect(hasFile(field, name)(without)).toBe(why)
  })
})

const LIST = [
  { id: 'pop', name: 'Big Pop' },
  { id: 'neon-2', name: 'Neon Light' },
  { id: 'box', name: 'White  Box' },
  { id: 'white', name: 'Whitewash' },
  { id: 'lamp', name: 'Light Bulb' },
]

describe('named', () => {
  it.each([
    ['pop', 'pop'],
    ['POP', 'pop'],
    ['Big Pop', 'pop'],
    ['bigpop', 'pop'],
    ['big-pop!', 'pop'],
    ['neon 2', 'neon-2'],
    ['Neon', 'neon-2'],
    ['neon li', 'neon-2'],
    ['White', 'white'],
    ['white b', 'box'],
    ['whitew', 'white'],
    ['box', 'box'],
    ['  BOX ', 'box'],
    ['Bulb', 'lamp'],
    [' bulb ', 'lamp'],
    ['light', 'lamp'],
    ['b', 'pop'],
    ['wh', 'box'],
  ])('%j is %s', (text, id) => {
    expect(named(LIST, text, 'There is no look').id).toBe(id)
  })

  it.each(['ulb', 'op', 'ox', 'bulbs', 'box white', '2', 'z'])('%j is none of them', (text) => {
    expect(refusalOf(() => named(LIST, text, 'There is no look'))).toBe(
      `There is no look “${text}”; there are Big Pop, Neon Light, White  Box, Whitewash, Light Bulb.`,
    )
  })
  it.each(['', ' ', '…', '“”'])('%j is no name', (text) => {
    expect(refusalOf(() => named(LIST, text, 'No such look'))).toBe(
      `No such look “${text}”; there are Big Pop, Neon Light, White  Box, Whitewash, Light Bulb.`,
    )
  })
  it('says what there is in other words', () => {
    expect(refusalOf(() => named(LIST.slice(0, 2), 'zed', 'Nobody is called', 'speakers are'))).toBe(
      'Nobody is called “zed”; speakers are Big Pop, Neon Light.',
    )
  })
  it('finds a whole word behind several spaces', () => {
    expect(named([{ id: 'a', name: 'One  Two' }], 'two', 'None').id).toBe('a')
  })
})

it('lists names as patterns with what is passed on', () => {
  const two = LIST.slice(0, 2)
  expect(namesOf(two, 'id')).toEqual([
    ['pop|Big Pop', 'pop'],
    ['neon-2|Neon Light', 'neon-2'],
  ])
  expect(namesOf(two, 'name')).toEqual([
    ['pop|Big Pop', 'Big Pop'],
    ['neon-2|Neon Light', 'Neon Light'],
  ])
})

describe('nodes of a clip', () => {
  const nodesOf = (
    ...nodes: readonly (readonly [type: string, enabled: boolean, config: Record<string, unknown>])[]
  ): Pick<CommandContext, 'nodes'> => ({
    nodes: nodes.map(([type, enabled, config]) => ({ id: type, type, enabled, config })),
  })
  const RUN = nodesOf(
    ['smart_zoom', true, { enabled: true, strength: 1, deep: { a: 1 } }],
    ['smart_zoom', false, { strength: 9 }],
    ['add_music', true, { volume: 5 }],
    ['smart_zoom', true, { pace: 2, deep: { b: 2 } }],
    ['add_broll', false, { frequency: 'high' }],
  )
  const own = (nodes: object): ClipEdit => editWith({ nodes: nodes as ClipEdit['nodes'] })

  it.each([
    ['smart_zoom', true],
    ['add_music', true],
    ['add_broll', false],
    ['add_outro', false],
  ])('%s of the run is on: %j', (type, on) => {
    expect(isOn(SAMPLE_EDIT, RUN, type)).toBe(on)
    expect(isOn(own({ other: { enabled: !on, config: {} } }), RUN, type)).toBe(on)
  })
  it('is what the clip says where it says something', () => {
    expect(isOn(own({ smart_zoom: { enabled: false, config: {} } }), RUN, 'smart_zoom')).toBe(false)
    expect(isOn(own({ add_broll: { enabled: true, config: {} } }), RUN, 'add_broll')).toBe(true)
  })

  it('starts from the enabled nodes of the run, the last on top', () => {
    expect(withNode(SAMPLE_EDIT, RUN, 'smart_zoom', false)).toEqual({
      nodes: { smart_zoom: { enabled: false, config: { strength: 1, pace: 2, deep: { b: 2 } } } },
    })
    expect(withNode(SAMPLE_EDIT, RUN, 'smart_zoom', true, { pace: 3, deep: { c: 3 } })).toEqual({
      nodes: { smart_zoom: { enabled: true, config: { strength: 1, pace: 3, deep: { b: 2, c: 3 } } } },
    })
  })
  it('starts from nothing where the run has no such node that is on', () => {
    expect(withNode(SAMPLE_EDIT, RUN, 'add_broll', true)).toEqual({
      nodes: { add_broll: { enabled: true, config: {} } },
    })
    expect(withNode(SAMPLE_EDIT, nodesOf(), 'add_outro', true, { url: 'x' })).toEqual({
      nodes: { add_outro: { enabled: true, config: { url: 'x' } } },
    })
  })
  it('starts from what the clip has, and leaves its other nodes', () => {
    const edit = own({
      smart_zoom: { enabled: false, config: { enabled: false, strength: 4 } },
      add_music: { enabled: true, config: { volume: 1 } },
    })
    expect(withNode(edit, RUN, 'smart_zoom', true, { pace: 8 })).toEqual({
      nodes: {
        smart_zoom: { enabled: true, config: { strength: 4, pace: 8 } },
        add_music: { enabled: true, config: { volume: 1 } },
      },
    })
  })
})
