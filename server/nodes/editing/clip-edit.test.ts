import { describe, expect, it } from 'vitest'
import type { StudioEditor } from '../../contract/studio-editor.ts'
import { changesOf, differences, EDIT_FIELDS, editOf, same, type ClipEdit } from './clip-edit.ts'

const stored = {
  startTimestamp: 10,
  endTimestamp: 40,
  segments: [{ startSeconds: 0, endSeconds: 5 }],
  title: 'A title',
  subtitleConfig: { fontSize: 40 },
  titleConfig: { text: 'Look' },
  watermarkConfig: { url: 'logo' },
  backgroundMusicOption: { url: 'music' },
  endCardOption: { url: 'card' },
  overrides: {},
}
const editorOf = (overrides: object) => ({ ...stored, overrides }) as unknown as StudioEditor
const NOTHING_SET = {
  layouts: null,
  zooms: null,
  overlays: null,
  broll: null,
  nodes: null,
  speakers: null,
  thumbnail: null,
}
const PUBLIC = {
  cut: { startTimestamp: 10, endTimestamp: 40, segments: [{ startSeconds: 0, endSeconds: 5 }] },
  title: 'A title',
  subtitleConfig: { fontSize: 40 },
  titleConfig: { text: 'Look' },
  watermarkConfig: { url: 'logo' },
  backgroundMusicOption: { url: 'music' },
  endCardOption: { url: 'card' },
}
const base = editOf(editorOf({}))

describe('a clip that is edited', () => {
  it('has what is set, and null for what is left to the nodes', () =>
    expect(base).toEqual({ ...PUBLIC, ...NOTHING_SET }))

  it('has each manual override', () => {
    const overrides = Object.fromEntries(Object.keys(NOTHING_SET).map((name) => [name, [name]]))
    expect(editOf(editorOf(overrides))).toEqual({ ...PUBLIC, ...overrides })
  })
})

describe('what changes', () => {
  it.each([
    ['nothing', {}, [], null],
    ['what is the same in another order', { titleConfig: { ...base.titleConfig } }, [], null],
    ['the title', { title: 'Other' }, ['the title'], { updates: { title: 'Other' } }],
    [
      'the cut',
      { cut: { startTimestamp: 11, endTimestamp: 40, segments: [] } },
      ['the cut'],
      { updates: { startTimestamp: 11, endTimestamp: 40, segments: [] } },
    ],
    ['an override', { zooms: [] }, ['the zooms'], { updates: {}, overrides: { zooms: [] } }],
    [
      'several at once',
      { endCardOption: {}, titleConfig: { text: 'New' }, broll: { inserts: [] } },
      ['the title card', 'the end card', 'the b-roll'],
      {
        updates: { titleConfig: { text: 'New' }, endCardOption: {} },
        overrides: { broll: { inserts: [] } },
      },
    ],
  ] as [string, Partial<ClipEdit>, string[], unknown][])('%s', (_, over, labels, changes) => {
    expect(differences(base, { ...base, ...over })).toEqual(labels)
    expect(changesOf(base, { ...base, ...over })).toEqual(changes)
  })

  it('is sent back as null where an override is taken off', () => {
    const set = editOf(editorOf({ zooms: [] }))
    expect(changesOf(set, base)).toEqual({ updates: {}, overrides: { zooms: null } })
  })

  it.each(EDIT_FIELDS)('$name is called $label', ({ name, label }) =>
    expect(differences(base, { ...base, [name]: { changed: true } })).toEqual([label]),
  )
})

describe('two values are the same', () => {
  it.each([
    [{ a: 1, b: { c: 2, d: [3] } }, { b: { d: [3], c: 2 }, a: 1 }, true],
    [{ c: 1, a: 2, b: 3 }, { b: 3, c: 1, a: 2 }, true],
    [[1, 2], [2, 1], false],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: undefined }, {}, true],
    [null, null, true],
    [null, {}, false],
    [[], {}, false],
    ['a', 'a', true],
    ['a', 'b', false],
    [0, '0', false],
    [undefined, undefined, true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(same(a, b)).toBe(expected)
    expect(same(b, a)).toBe(expected)
  })
})
