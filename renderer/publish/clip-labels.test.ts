import { expect, it } from 'vitest'
import { clipLabels } from './words.ts'

const clip = (id: string, other: object = {}) => ({
  id,
  title: 'Three rules',
  duration: 30,
  aspectRatio: '9:16',
  createdAt: '2026-11-21T10:00:00Z',
  ...other,
})
const labels = (...clips: ReturnType<typeof clip>[]): string[] => [
  ...clipLabels(clips, (at) => at.slice(11, 16)).values(),
]

it('clips are told by title and length where that is enough', () => {
  expect(labels(clip('a'), clip('b', { duration: 31 }), clip('c', { title: 'Another' }))).toEqual([
    'Three rules (0:30)',
    'Three rules (0:31)',
    'Another (0:30)',
  ])
})

it('else by what differs: shape, moment, and a number at last', () => {
  expect(labels(clip('a'), clip('b', { aspectRatio: '1:1' }))).toEqual([
    'Three rules (0:30) · 9:16',
    'Three rules (0:30) · 1:1',
  ])
  expect(labels(clip('a'), clip('b', { createdAt: '2026-11-21T11:00:00Z' }), clip('c'))).toEqual([
    'Three rules (0:30) · 10:00 · 1',
    'Three rules (0:30) · 11:00',
    'Three rules (0:30) · 10:00 · 3',
  ])
})
