import { expect, it } from 'vitest'
import { changesOf, mergeEdits, type ClipEdit } from './merge.ts'

const BASE: ClipEdit = {
  cut: { startTimestamp: 1, endTimestamp: 9, segments: [] },
  title: 'One',
  subtitleConfig: { styleId: 'pop', fontSize: 60 },
  titleConfig: {},
  ...{ watermarkConfig: {}, backgroundMusicOption: {}, endCardOption: {} },
  ...{
    layouts: null,
    zooms: null,
    overlays: null,
    broll: null,
    nodes: null,
    speakers: null,
    thumbnail: null,
  },
}

it('saves the fields that differ, each whole', () => {
  expect(changesOf(BASE, { ...BASE, subtitleConfig: { fontSize: 60, styleId: 'pop' } })).toBeNull()
  expect(changesOf(BASE, { ...BASE, subtitleConfig: { fontSize: 60, styleId: 'neon' } })).toEqual({
    updates: { subtitleConfig: { styleId: 'neon', fontSize: 60 } },
  })
  expect(changesOf(BASE, { ...BASE, title: 'Two', cut: { ...BASE.cut, endTimestamp: 8 } })).toEqual({
    updates: { title: 'Two', startTimestamp: 1, endTimestamp: 8, segments: [] },
  })
  expect(changesOf({ ...BASE, zooms: [] }, BASE)).toEqual({ updates: {}, hand: { zooms: null } })
})

it('takes both edits where they are of different fields', () => {
  const ours = { ...BASE, title: 'Ours' }
  const theirs = { ...BASE, cut: { ...BASE.cut, startTimestamp: 2 } }
  expect(mergeEdits({ base: BASE, ours, theirs })).toEqual({
    edit: { ...theirs, title: 'Ours' },
    conflicts: [],
  })
})

it('names what both have changed, and takes the one that is preferred', () => {
  const ours = { ...BASE, title: 'Ours', titleConfig: { text: 'x' } }
  const theirs = { ...BASE, title: 'Theirs', titleConfig: { text: 'x' } }
  expect(mergeEdits({ base: BASE, ours, theirs })).toEqual({ edit: ours, conflicts: ['the title'] })
  expect(mergeEdits({ base: BASE, ours, theirs, prefer: 'theirs' }).edit.title).toBe('Theirs')
})
