import { expect, it } from 'vitest'
import { changesOf, type ClipEdit } from '../../server/nodes/editing/clip-edit.ts'
import { mergeEdits } from './merge.ts'

const BASE: ClipEdit = {
  cut: { startTimestamp: 1, endTimestamp: 9, segments: [] },
  title: 'One',
  subtitleConfig: { styleId: 'pop', fontSize: 60 },
  titleConfig: {},
  watermarkConfig: {},
  backgroundMusicOption: {},
  endCardOption: {},
  motionConfig: {},
  deliveryConfig: {},
  soundConfig: {},
  layouts: null,
  zooms: null,
  overlays: null,
  broll: null,
  nodes: null,
  speakers: null,
  thumbnail: null,
}

it('saves the fields that differ, each whole', () => {
  expect(changesOf(BASE, { ...BASE, subtitleConfig: { fontSize: 60, styleId: 'pop' } })).toBeNull()
  expect(changesOf(BASE, { ...BASE, subtitleConfig: { fontSize: 60, styleId: 'neon' } })).toEqual({
    updates: { subtitleConfig: { styleId: 'neon', fontSize: 60 } },
  })
  expect(changesOf(BASE, { ...BASE, title: 'Two', cut: { ...BASE.cut, endTimestamp: 8 } })).toEqual({
    updates: { title: 'Two', startTimestamp: 1, endTimestamp: 8, segments: [] },
  })
  expect(changesOf({ ...BASE, zooms: [] }, BASE)).toEqual({ updates: {}, overrides: { zooms: null } })
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

it('merges what is set by hand item by item', () => {
  const zoom = (id: string, start: number) => ({
    id,
    start,
    end: start + 1,
    scale: 2,
    xPercent: 50,
    yPercent: 50,
    easeSeconds: 0,
  })
  const fit = (start: number, end: number) => ({
    kind: 'fit' as const,
    start,
    end,
    zoom: 1,
    background: 'blur' as const,
  })
  const ours = { ...BASE, layouts: [fit(0, 5)], zooms: [zoom('zoom-1', 1), zoom('zoom-2', 8)] }
  const theirs = { ...BASE, layouts: [fit(5, 9)], zooms: [zoom('zoom-1', 3), zoom('zoom-2', 6)] }
  const automatic = { zooms: [zoom('zoom-1', 1), zoom('zoom-2', 6)] }
  expect(mergeEdits({ base: BASE, ours, theirs, automatic })).toEqual({
    edit: { ...BASE, layouts: [fit(0, 5), fit(5, 9)], zooms: [zoom('zoom-1', 3), zoom('zoom-2', 8)] },
    conflicts: [],
  })
  // Nobody knows what the nodes had chosen.
  expect(mergeEdits({ base: BASE, ours, theirs }).conflicts).toEqual(['the zooms'])
  const left = { ...ours, zooms: null }
  expect(mergeEdits({ base: ours, ours: left, theirs: { ...ours, zooms: [] }, automatic }).conflicts).toEqual(
    ['the zooms'],
  )
})

it('merges names, nodes and the thumbnail by the name, the node and the item', () => {
  const text = (id: string, colour: string) => ({
    kind: 'shape' as const,
    id,
    form: 'rect' as const,
    xPercent: 1,
    yPercent: 1,
    widthPercent: 5,
    heightPercent: 5,
    radius: 0,
    colour,
    colourTo: '',
    opacity: 1,
  })
  const design = (moment: number, colours: readonly string[]) => ({
    moment,
    clipLayers: false,
    items: colours.map((colour, at) => text(`i-${at}`, colour)),
  })
  const node = { enabled: true, config: {} }
  const base = { ...BASE, thumbnail: design(1, ['red', 'blue']) }
  const ours = {
    ...base,
    nodes: { a: node },
    speakers: ['Ann', 'Speaker 2'],
    thumbnail: design(2, ['red', 'black']),
  }
  const theirs = {
    ...base,
    nodes: { b: node },
    speakers: ['Speaker 1', 'Bo'],
    thumbnail: design(1, ['white', 'blue']),
  }
  const automatic = { speakers: ['Speaker 1', 'Speaker 2'] }
  expect(mergeEdits({ base, ours, theirs, automatic })).toEqual({
    edit: {
      ...base,
      nodes: { a: node, b: node },
      speakers: ['Ann', 'Bo'],
      thumbnail: design(2, ['white', 'black']),
    },
    conflicts: [],
  })
})
