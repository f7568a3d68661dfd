import { expect, it } from 'vitest'
import type { LibraryItem } from '../../server/contract/library.ts'
import { countsOf, peaksOf, shownOf } from './media.ts'

const item = (name: string, kind: LibraryItem['kind'], tags: string[] = []): LibraryItem => ({
  id: name,
  name,
  kind,
  tags,
  folderId: null,
  mediaType: '',
  bytes: 1,
  width: 0,
  height: 0,
  duration: null,
  address: '',
  createdAt: '',
})
const ITEMS = [
  item('Logo white.png', 'image', ['brand']),
  item('Jingle.mp3', 'audio'),
  item('Serif.ttf', 'font'),
]
const names = (wanted: Partial<Parameters<typeof shownOf>[1]>) =>
  shownOf(ITEMS, { kind: null, search: '', ...wanted }).map(({ name }) => name)

it('shows a kind, and what has all words in its name or tags', () => {
  expect(names({})).toHaveLength(3)
  expect(names({ kind: 'audio' })).toEqual(['Jingle.mp3'])
  expect(names({ search: ' BRAND  whi' })).toEqual(['Logo white.png'])
  expect(names({ search: 'brand jingle' })).toEqual([])
  expect(names({ kind: 'font', search: 'logo' })).toEqual([])
})

it('counts each kind', () => {
  expect(countsOf(ITEMS)).toEqual({ image: 1, video: 0, audio: 1, font: 1 })
})

it('makes a sound as high as its loudest part', () => {
  expect(peaksOf(Float32Array.of(0.1, -0.2, 0.4, 0.1), 2)).toEqual([0.5, 1])
  expect(peaksOf(new Float32Array(8), 4)).toEqual([0, 0, 0, 0])
  expect(peaksOf(Float32Array.of(1), 3)).toHaveLength(3)
})
