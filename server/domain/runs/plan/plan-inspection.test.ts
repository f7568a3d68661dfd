import { expect, it } from 'vitest'
import {
  candidate,
  environment,
  factsOf,
  failed,
  found,
  heard,
  ingestOutput,
  key,
  resultsOf,
  snapshotOf,
  started,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'
import type { PlanEnvironment } from './plan-input.ts'
import { INSPECTION_PARTS, planInspection, type InspectionPart } from './plan-inspection.ts'

const able: PlanEnvironment = {
  ...environment,
  faces: true,
  speakers: true,
  sounds: true,
  speech: { state: 'installed' },
}

const inspect = (
  rows: PlanRows,
  parts: readonly InspectionPart[] = INSPECTION_PARTS,
  given: { environment?: PlanEnvironment; speakers?: number } = {},
) =>
  planInspection(
    { snapshot: snapshotOf(), results: resultsOf(rows), environment: given.environment ?? able },
    { parts: new Set(parts), speakers: given.speakers ?? 0 },
  )

const slots = (...given: Parameters<typeof inspect>) => inspect(...given).ready.map(({ slot }) => slot)

it('starts only what the requested parts need', () => {
  expect(slots({})).toEqual(['ingest'])
  expect(slots({ ingest: ingestOutput() })).toEqual(['probe'])
  expect(slots(started)).toEqual(['audio'])
  expect(slots(heard, ['voice'])).toEqual(['voice'])
  expect(slots(heard, ['speakers'])).toEqual(['speakers'])
  expect(slots(heard, ['sounds'])).toEqual(['sound-events'])
  for (const part of ['faces', 'framing', 'shots'] as const) expect(slots(heard, [part])).toEqual(['faces'])
  expect(slots(heard, ['words'])).toEqual(['captions'])
  expect(slots(heard)).toEqual(['faces', 'voice', 'sound-events', 'captions'])
})

it('looks for faces in the whole source, and for shots without a face model', () => {
  expect(inspect(heard, ['framing']).ready[0]).toMatchObject({ params: { ranges: [{ start: 0, end: 60 }] } })
  expect(slots(heard, ['shots'], { environment })).toEqual(['look-over'])
})

it('passes the number of voices on, and gives the words to their speakers only where there are words', () => {
  const [alone] = inspect(heard, ['speakers'], { speakers: 3 }).ready
  expect([alone?.params, Object.keys(alone?.inputs ?? {})]).toEqual([{ count: 3 }, ['audio']])
  const [together] = inspect({ ...heard, captions: words }, ['speakers', 'words']).ready
  expect(together?.inputs['transcript']?.identity).toBe(key('captions'))
})

it('finds clips in the words with their speakers', () => {
  const rows = { ...heard, captions: words, speakers: { ...words, turnsFile: 'u' } }
  const [finding] = inspect(rows, ['clips']).ready
  expect([finding?.slot, finding?.inputs['transcript']?.identity]).toEqual(['find-clips', key('speakers')])
  expect(inspect({ ...rows, 'find-clips': found }, ['clips']).candidates).toEqual([candidate])
})

it('goes on without a part that fails, and names it', () => {
  const silent = inspect({ ingest: ingestOutput(), probe: factsOf({ audio: null }) })
  expect(silent.ready.map(({ slot }) => slot)).toContain('faces')
  expect(silent.failure).toBeNull()
  expect(silent.warnings.join(' ')).toContain('no sound')
  const blind = inspect({ ...heard, probe: factsOf({ video: null }) }, ['faces'])
  expect(blind.warnings.join(' ')).toContain('no picture')
  const mute = inspect({ ...heard, captions: failed('STAGE_FAILED', 'broken') }, ['words', 'voice'], {
    environment,
  })
  expect([mute.ready.map(({ slot }) => slot), mute.failure]).toEqual([['voice'], null])
  expect(mute.warnings.join(' ')).toContain('install one')
  const none = inspect({ ...heard, captions: words, 'find-clips': { ...found, candidates: [] } }, ['clips'], {
    environment,
  })
  expect([none.candidates, none.failure, none.warnings]).toEqual([null, null, ['one']])
})

it('fails with a source that cannot be read, and with a full disk', () => {
  expect(inspect({ ingest: failed('SOURCE_NOT_VIDEO') }).failure?.code).toBe('SOURCE_NOT_VIDEO')
  expect(inspect({ ...heard, captions: failed('DISK_FULL') }, ['words']).failure?.code).toBe('DISK_FULL')
})

it('looks for who speaks where that is shown, and not for shots alone', () => {
  const seen = { file: 'f.json', boxesFile: 'b.json', pictures: 9, tracks: 1, model: 'm' }
  const environment = { ...able, speakers: false, activeSpeaker: true }
  const rows = { ...heard, faces: seen, voice: { voiceFile: 'v.json', stretches: 1 } }
  for (const part of ['faces', 'framing'] as const)
    expect(slots(rows, [part], { environment })).toEqual(['active-speaker'])
  expect(slots(rows, ['shots'], { environment })).toEqual([])
})

it('looks for voices once for all that need them', () => {
  const seen = { file: 'f.json', boxesFile: 'b.json', pictures: 9, tracks: 1, model: 'm' }
  const rows = { ...heard, ingest: ingestOutput(), faces: seen }
  const given = { environment: { ...able, speakers: false, activeSpeaker: true } }
  const plan = inspect(rows, ['voice', 'words', 'faces'], given)
  expect(plan.ready.map(({ slot }) => slot)).toEqual(['voice'])
  expect(plan.slots.filter(({ slot }) => slot === 'voice')).toHaveLength(1)
})
