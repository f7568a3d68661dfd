import { describe, expect, it } from 'vitest'
import { contextOf } from '../../../test/support/node-context.ts'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import { secondsToTicks } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { compileComposition } from '../compose/compile-composition.ts'
import { cleanSound } from './clean-sound.ts'

const TEN = {
  durationFrames: 100,
  timeMap: [
    {
      startFrame: 0,
      endFrame: 100,
      sourceStart: secondsToTicks(100),
      sourceEnd: secondsToTicks(110),
      playbackRate: 1,
    },
  ],
}
const words = (speakers: readonly number[]): TranscriptWord[] =>
  speakers.map((speaker, at) => ({ word: 'so', start: 100 + at / 2, end: 100.4 + at / 2, speaker }))
type Wanted = NonNullable<Parameters<typeof cleanSound.compile>[0]['sound_config']>
const compile = (wanted: Wanted, given: Parameters<typeof contextOf>[0] = {}) =>
  cleanSound.compile({ sound_config: wanted }, contextOf({ ...TEN, ...given }))

describe('cleaning of the sound', () => {
  it('is nothing where nothing is asked for', () => {
    expect(compile({})).toEqual({})
    expect(compile({ noiseReduction: 'off', humFilter: false })).toEqual({})
  })

  it('is what is asked for', () => {
    expect(compile({ noiseReduction: 'strong', dereverb: true })).toEqual({
      cleaning: { noise: 'strong', hum: false, reverb: true },
      warnings: [],
    })
  })

  it('knows whose turn it is, without words that are thrown in', () => {
    const { cleaning } = compile({ levelSpeakers: true }, { words: words([0, 0, 0, 1, 0, 0, 2, 2, 2, 2]) })
    expect(cleaning?.turns?.map(({ speaker, start }) => [speaker, start / secondsToTicks(1)])).toEqual([
      [0, 0],
      [0, 2],
      [2, 3],
    ])
  })

  it('says why nothing is levelled, and that there is no sound', () => {
    const alone = compile({ levelSpeakers: true }, { words: words([0, 0, 0]) })
    expect(alone.cleaning?.turns).toBeUndefined()
    expect(alone.warnings?.map(({ message }) => message).join()).toContain('one speaker')
    const mute = compile({ humFilter: true }, { facts: factsOf({ audio: null }) })
    expect(mute.cleaning).toBeUndefined()
    expect(mute.warnings?.map(({ message }) => message).join()).toContain('no sound')
  })

  it('is in the composition of a clip that has it set, by its run or by hand, and in no other', () => {
    const cleaningOf = (document: ReturnType<typeof documentOf>) =>
      compileComposition({ document, words: [], facts: factsOf() }).composition.audio.cleaning
    const run = node('clean_sound', { sound_config: { humFilter: true } })
    expect(cleaningOf(documentOf([]))).toBeUndefined()
    expect(cleaningOf(documentOf([run]))).toEqual({ noise: 'off', hum: true, reverb: false })
    const byHand = { ...documentOf([run]), soundConfig: { noiseReduction: 'light' } }
    expect(cleaningOf(byHand)).toEqual({ noise: 'light', hum: false, reverb: false })
  })
})
