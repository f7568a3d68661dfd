import { expect, it } from 'vitest'
import {
  audioOutput,
  environment,
  failed,
  found,
  heard,
  key,
  node,
  plan,
  resultsOf,
  snapshotOf,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'
import { planInspection, type InspectionPart } from './plan-inspection.ts'

const able = { ...environment, faces: true, activeSpeaker: true }
const snapshot = snapshotOf([
  node('find_clips', { min_length: 10, max_length: 30 }),
  node('add_title_overlay', { title_config: { enabled: true, avoidFaces: true } }),
])
const faces = { file: 'f.json', boxesFile: 'b.json', pictures: 9, tracks: 2, model: 'm' }
const voice = { voiceFile: 'v.json', stretches: 1 }
const looked = { ...heard, captions: words, 'find-clips': found, 'clip:0:faces': faces }
const next = (rows: PlanRows, given = able) => plan({ rows, snapshot, environment: given })
const slots = (...given: Parameters<typeof next>) => next(...given).ready.map(({ slot }) => slot)

it('looks for voices and then for who speaks after the faces, and makes the clips after it', () => {
  expect(slots(looked)).toEqual(['voice'])
  const [invocation, ...more] = next({ ...looked, voice }).ready
  expect([invocation?.slot, more]).toEqual(['clip:0:active-speaker', []])
  expect(invocation?.params).toMatchObject({ streamIndex: 0, width: 640, height: 360, hdr: false })
  expect(Object.keys(invocation?.inputs ?? {})).toEqual(['source', 'audio', 'faces', 'voice'])
  const joined = { file: 's.json', faceSeconds: 1, model: 'm', provider: 'cpu' }
  expect(next({ ...looked, voice, 'clip:0:active-speaker': joined })).toMatchObject({
    makeClips: true,
    warnings: [],
  })
})

it('joins the voices where they were told apart', () => {
  const speakers = { ...words, turnsFile: 'u.json', speakers: 2, model: 'm' }
  const [invocation] = next({ ...looked, voice, speakers }).ready
  expect(invocation?.inputs['speakers']?.identity).toBe(key('speakers'))
})

it('goes on without a result, and names what it goes by', () => {
  const mouths = 'Who speaks was judged by the motion of mouths alone.'
  const missing = next(looked, { ...able, activeSpeaker: false })
  expect([missing.makeClips, missing.warnings]).toEqual([
    true,
    [expect.stringContaining(`${mouths} No model`)],
  ])
  expect(missing.warnings.join()).toContain('cutroom models install lr-asd')
  for (const rows of [
    { voice: failed('STAGE_FAILED', 'why') },
    { voice, 'clip:0:active-speaker': failed('STAGE_FAILED', 'why') },
  ]) {
    const broken = next({ ...looked, ...rows })
    expect([broken.makeClips, broken.warnings]).toEqual([true, [`${mouths} (why)`]])
  }
})

it('looks for nobody where there is no face, no sound or no voice model needed', () => {
  expect(next({ ...looked, 'clip:0:faces': { ...faces, tracks: 0 } })).toMatchObject({
    makeClips: true,
    warnings: [],
  })
  const silent = { ...looked, audio: { silent: true } }
  expect(next(silent)).toMatchObject({ makeClips: true, warnings: [] })
  expect(next({ ...looked, voice, 'clip:0:faces': failed('STAGE_FAILED') }).ready).toEqual([])
})

it('waits for the voices in an inspection of faces, and plans them once', () => {
  const inspect = (rows: PlanRows, parts: readonly InspectionPart[]) =>
    planInspection(
      { snapshot, results: resultsOf(rows), environment: { ...able, speakers: true } },
      { parts: new Set(parts), speakers: 0 },
    )
  const speakers = { ...words, turnsFile: 'u.json', speakers: 2, model: 'm' }
  const first = inspect({ ...heard, faces }, ['faces'])
  expect(first.ready.map(({ slot }) => slot)).toEqual(['speakers'])
  const second = inspect({ ...heard, faces, speakers }, ['faces', 'voice'])
  expect(second.slots.filter(({ slot }) => slot === 'voice')).toHaveLength(1)
  const last = inspect({ ...heard, faces, speakers, voice }, ['faces', 'voice', 'speakers'])
  expect(last.ready.map(({ slot }) => slot)).toEqual(['active-speaker'])
  expect(last.ready[0]?.inputs['speakers']?.identity).toBe(key('speakers'))
})

it('looks for voices beside the words, so that no clip waits for them', () => {
  expect(slots({ ...heard })).toEqual(['voice', 'captions'])
  expect(slots({ ...heard }, { ...able, activeSpeaker: false })).toEqual(['captions'])
  expect(slots({ ...heard, audio: { ...audioOutput, silent: true } })).not.toContain('voice')
})
