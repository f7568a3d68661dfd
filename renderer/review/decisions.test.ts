import { expect, it } from 'vitest'
import type { ReviewClip } from '../../server/contract/review.ts'
import { rangesOf, stepBack, toggled, toRender, withDecisions } from './decisions.ts'

const clip = (id: string, more: Partial<ReviewClip> = {}): ReviewClip =>
  ({ id, review: 'undecided', isOutdated: false, render: null, ...more }) as ReviewClip

it('shows decisions before they are confirmed, and knows what undoes them', () => {
  const clips = [clip('a'), clip('b', { review: 'rejected' })]
  expect(withDecisions(clips, new Map([['a', 'kept']])).map(({ review }) => review)).toEqual([
    'kept',
    'rejected',
  ])
  expect(stepBack(clips, ['a', 'b'], 'rejected')).toEqual([{ clipId: 'a', review: 'undecided' }])
})

it('takes a decision back by making it again', () => {
  expect([toggled('kept', 'kept'), toggled('kept', 'rejected'), toggled('undecided', 'kept')]).toEqual([
    'undecided',
    'rejected',
    'kept',
  ])
})

it('renders what is kept and has no file of its last edits', () => {
  const render = { operationId: 'o', progress: 0, error: null }
  const clips = [
    clip('none', { review: 'kept' }),
    clip('old', { review: 'kept', renderedUrl: '/x', isOutdated: true }),
    clip('done', { review: 'kept', renderedUrl: '/x' }),
    clip('going', { review: 'kept', render: { ...render, state: 'running' } }),
    clip('failed', { review: 'kept', render: { ...render, state: 'failed' } }),
    clip('other'),
  ]
  expect(toRender(clips).map(({ id }) => id)).toEqual(['none', 'old', 'failed'])
})

it('shows what of the source a clip plays, without the gaps that fillers leave', () => {
  expect(rangesOf({ playedRanges: [{ start: 8, end: 31 }] })).toEqual([{ start: 8, end: 31 }])
  const playedRanges = [
    { start: 8, end: 11 },
    { start: 11.5, end: 15 },
    { start: 24, end: 31, playbackRate: 2 },
  ]
  expect(rangesOf({ playedRanges })).toEqual([
    { start: 8, end: 15 },
    { start: 24, end: 31 },
  ])
})
