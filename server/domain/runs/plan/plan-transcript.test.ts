import { describe, expect, it } from 'vitest'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { secondsToTicks } from '../../../contract/time.ts'
import { wordsOfRun } from './plan-transcript.ts'
import {
  environment,
  factsOf,
  failed,
  found,
  heard,
  ingestOutput,
  plan,
  ready,
  resultsOf,
  sidecar,
  track,
  voices,
  words,
  type PlanRows,
} from '../../../../test/support/plan-case.ts'

const installed = { ...environment, speech: { state: 'installed' as const, model: 'whisper-base' } }
const speech = { ...words, wordCount: 150, model: 'whisper-base' }
/** Ten minutes in English with these tracks. */
const rowsOf = (captions: SourceFacts['captions'], rows: PlanRows = {}): PlanRows => ({
  ...heard,
  ingest: ingestOutput(),
  probe: factsOf({ captions, duration: secondsToTicks(600) }),
  voice: voices,
  ...rows,
})
const transcriptOf = (rows: PlanRows, environmentOf = environment) => {
  const [invocation] = plan({ rows, environment: environmentOf }).ready
  expect(invocation?.stage).toBe('find-clips')
  return invocation?.inputs['transcript']?.reference
}
const full = { ...words, wordCount: 1200 }
const sparse = { ...words, wordCount: 59 }

describe('captions that may not be what is said', () => {
  it('are never those of a forced track', () => {
    const rows = rowsOf([{ ...track(2, 'eng'), forced: true }])
    expect(ready({ rows, environment: installed })).toEqual(['speech'])
    expect(plan({ rows }).failure?.code).toBe('MODEL_NOT_INSTALLED')
    // Facts of an older run do not say.
    expect(ready({ rows: rowsOf([track(2, 'eng')]), environment: installed })).toEqual(['captions'])
  })

  it('are passed over in another language where a model hears the sound', () => {
    const rows = rowsOf([track(2, 'ger')])
    expect(ready({ rows, environment: installed })).toEqual(['speech'])
    expect(transcriptOf({ ...rows, speech }, installed)).toMatchObject({ stage: 'speech' })
    expect(plan({ rows: { ...rows, speech }, environment: installed }).warnings).toEqual([])
    // An own language of the sound goes before.
    expect(ready({ rows: { ...rows, ingest: ingestOutput([sidecar]) }, environment: installed })).toEqual([
      'captions',
    ])
    // Nothing is known of one of them.
    expect(ready({ rows: rowsOf([track(2, 'und')]), environment: installed })).toEqual(['captions'])
  })

  it('are used in another language where there is nothing else, and that is said with both languages', () => {
    const rows = rowsOf([track(2, 'ger')], { captions: full })
    const warning: unknown = expect.stringContaining(
      'The caption track in the video is in German and the sound in English',
    )
    expect(transcriptOf(rows)).toMatchObject({ stage: 'captions' })
    expect(plan({ rows }).warnings).toEqual([warning])
    // A model that is installed after they were read changes nothing.
    expect(transcriptOf(rows, installed)).toMatchObject({ stage: 'captions' })
    const deaf = { ...rows, speech: failed('NO_SPEECH') }
    expect(transcriptOf(deaf, installed)).toMatchObject({ stage: 'captions' })
    expect(plan({ rows: deaf, environment: installed }).warnings).toEqual([
      expect.stringContaining('could not be transcribed'),
      warning,
    ])
  })

  it('are heard for where they cover almost nothing', () => {
    const rows = rowsOf([track(2, 'eng')], { captions: sparse })
    expect(ready({ rows, environment: installed })).toEqual(['speech'])
    expect(transcriptOf({ ...rows, speech }, installed)).toMatchObject({ stage: 'speech' })
    expect(transcriptOf({ ...rows, speech: { ...speech, wordCount: 9 } }, installed)).toMatchObject({
      stage: 'captions',
    })
    expect(transcriptOf(rows)).toMatchObject({ stage: 'captions' })
    expect(plan({ rows }).warnings).toEqual([expect.stringContaining('has only 59 words in 10.0 minutes')])
    expect(plan({ rows: rowsOf([track(2, 'eng')], { captions: full }) }).warnings).toEqual([])
    // Chosen by them already: a model that comes later changes nothing.
    expect(plan({ rows: { ...rows, 'find-clips': found }, environment: installed }).ready).toEqual([])
  })

  it('give way to the next ones where they cover almost nothing', () => {
    const rows = rowsOf([track(2, 'eng'), track(3, 'eng')], { captions: sparse })
    expect(ready({ rows })).toEqual(['captions:2'])
    expect(plan({ rows: { ...rows, 'captions:2': full } }).warnings).toEqual([])
  })

  it.each<[string, PlanRows, 'captions' | 'speech' | 'speakers']>([
    ['the words that were heard', { captions: sparse, speech }, 'speech'],
    [
      'the captions where less was heard',
      { captions: sparse, speech: { ...speech, wordCount: 9 } },
      'captions',
    ],
    ['the captions where nothing was heard', { captions: sparse, speech: failed('NO_SPEECH') }, 'captions'],
    ['either with its speakers', { captions: sparse, speech, speakers: sparse }, 'speakers'],
  ])('leave the clips %s, as the plan does', (_name, more, stage) => {
    const rows = rowsOf([track(2, 'eng')], more)
    expect(wordsOfRun(resultsOf(rows))?.stage).toBe(stage)
    expect(transcriptOf(rows, { ...installed, speakers: stage === 'speakers' })).toMatchObject({ stage })
  })
})
