import { expect, it } from 'vitest'
import { sampleComposition } from '../../../../test/support/sample-composition.ts'
import {
  candidate,
  environment,
  failed,
  found,
  heard,
  node,
  plan,
  ready,
  snapshotOf,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'
import { renderParams } from './plan-clips.ts'
import type { PlannedClip } from './plan-input.ts'

const candidates = Array.from({ length: 5 }, () => candidate)
const rows: PlanRows = { ...heard, captions: words, 'find-clips': { ...found, candidates } }
const titled = snapshotOf([
  node('find_clips', { min_length: 10, max_length: 30 }),
  node('add_title_overlay', { title_config: { enabled: true, avoidFaces: true } }),
])
const able = { ...environment, faces: true }
const look = { file: 'f.json', pictures: 9, tracks: 0, model: 'm' }
const clip = (ordinal: number): PlannedClip => ({
  id: `c${ordinal}`,
  ordinal,
  extended: { start: 10, end: 50 },
  composition: sampleComposition(),
})
const measured = { 'clip:0:cut': {}, 'clip:0:thumbnail': {}, 'clip:0:transcript-file': {} }
const endsAtFound = { ...snapshotOf(), endsAt: 'found' as const }

it('measures the best clip alone, then two at once, and goes on with each by itself', () => {
  const given = { snapshot: titled, environment: able }
  expect(ready({ ...given, rows })).toEqual(['clip:0:faces'])
  const one = plan({ ...given, rows: { ...rows, 'clip:0:faces': look } })
  expect([one.draftable, one.ready]).toEqual([[0], []])
  const drafted = plan({ ...given, rows: { ...rows, 'clip:0:faces': look }, drafted: new Map([[0, []]]) })
  expect([drafted.draftable, drafted.makeable]).toEqual([[], [0]])
  const made = { ...rows, 'clip:0:faces': failed('STAGE_FAILED'), 'clip:1:faces': look }
  expect(ready({ ...given, rows: made, clips: [clip(0)] })).toEqual([
    'clip:0:render',
    'clip:0:cut',
    'clip:0:thumbnail',
    'clip:0:transcript-file',
  ])
})

it('does not let a render hold up the clips after it', () => {
  const cut = { ...rows, ...measured }
  expect(
    ready({ snapshot: titled, environment: able, rows: { ...cut, 'clip:0:faces': look }, clips: [clip(0)] }),
  ).toEqual(['clip:0:render', 'clip:1:faces', 'clip:2:faces'])
})

it('waits with a clip for its own files only', () => {
  const drafted = new Map([
    [0, [{ url: 'http://x/a.png', kind: 'image' as const }]],
    [1, []],
  ])
  const { makeable, ready: fetching } = plan({ rows, drafted })
  expect([makeable, fetching.map(({ stage }) => stage)]).toEqual([[1], ['fetch-asset']])
})

it('renders nothing where the run ends at found clips', () => {
  const one = { ...rows, 'find-clips': found }
  expect(ready({ rows: one, snapshot: endsAtFound, clips: [clip(0)] })).toEqual([
    'clip:0:cut',
    'clip:0:thumbnail',
    'clip:0:transcript-file',
  ])
  const done = plan({ rows: { ...one, ...measured }, snapshot: endsAtFound, clips: [clip(0)] })
  expect([done.done, done.finished]).toEqual([true, [0]])
  const rendered = plan({ rows: { ...one, ...measured }, clips: [clip(0)] })
  expect([rendered.done, rendered.finished]).toEqual([false, []])
  expect(rendered.ready[0]?.params).toEqual(renderParams(clip(0).composition))
})

it('plans nothing for listed clips, whose people may have edited or deleted them', () => {
  const settled = new Set([0, 1, 2, 3])
  const last = plan({ rows: { ...rows, ...measured }, settled })
  expect([last.draftable, last.ready, last.done]).toEqual([[4], [], false])
  const over = plan({ rows, settled: new Set([0, 1, 2, 3, 4]) })
  expect([over.draftable, over.finished, over.done]).toEqual([[], [], true])
})

it('lists no clip of which a stage was stopped: that is made when the run is resumed', () => {
  const one = { ...rows, 'find-clips': found, ...measured }
  const at = (code: 'CANCELLED' | 'STAGE_FAILED') =>
    plan({
      rows: { ...one, 'clip:0:thumbnail': failed(code) },
      snapshot: endsAtFound,
      clips: [clip(0)],
    }).finished
  expect([at('CANCELLED'), at('STAGE_FAILED')]).toEqual([[], [0]])
})
