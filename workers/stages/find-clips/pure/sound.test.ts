import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FindClipsSettings } from '../../../../server/contract/clip-candidate.ts'
import type { SoundEvent, SoundEventKind } from '../../../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { findClips } from './find-clips.ts'
import { analyse, windowOver } from './score-windows.ts'
import { splitSentences } from './sentences.ts'
import { cuesOf, soundEffect, SOUND_LIMITS, type DetectedSound } from './sound-cues.ts'
import { steeringOf } from './steering.ts'
import { pitchesOf } from './voice-pitch.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

const BASE: FindClipsSettings = {
  minLength: 8,
  maxLength: 30,
  prompt: '',
  promptAdjustment: '',
  keywords: [],
  pinned: [],
  pinnedOnly: false,
  pinnedMode: 'ranges',
  maxClips: 1,
  wholeSource: false,
}
const LINE = 'The garden has a bench near the old wall. '

/** Plain sentences of nine words, four seconds apart each, all worth the same. */
function plainTalk(sentences: number): TranscriptWord[] {
  return LINE.repeat(sentences)
    .trim()
    .split(' ')
    .map((word, index) => {
      const start = 1 + Math.floor(index / 9) * 4 + (index % 9) * 0.3
      return { word, start, end: start + 0.28 }
    })
}
const SECONDS = 82
const words = plainTalk(20)
const sentences = splitSentences(words, SECONDS)
const event = (kind: SoundEventKind, start: number, end: number): SoundEvent => ({
  kind,
  start,
  end,
  score: 0.8,
})

/** 10 ms levels: loud while `speaks`, silent otherwise. */
function soundOf(speaks: (second: number) => boolean, events: SoundEvent[] = []): DetectedSound {
  const envelope = Float32Array.from({ length: SECONDS * 100 }, (_, hop) => (speaks(hop / 100) ? -20 : -60))
  return {
    envelope,
    envelopeHopSeconds: 0.01,
    speechLevelDb: -20,
    noiseLevelDb: -60,
    events,
    pitches: new Float32Array(SECONDS * 10),
  }
}
const talking = (second: number): boolean => (second - 1) % 4 < 2.7 && second >= 1 && second < 81
const find = (sound?: DetectedSound, settings: Partial<FindClipsSettings> = {}) =>
  findClips({
    words,
    speakers: [],
    language: 'en',
    settings: { ...BASE, ...settings },
    durationSeconds: SECONDS,
    ...omitUndefined({ sound }),
  })

describe('what is heard besides the words', () => {
  it('draws the choice to laughter, lets it ring out, and says so', () => {
    const plain = find(soundOf(talking)).candidates[0]
    // The eleventh sentence ends at 43.68 s; people laugh for two seconds, the next begins at 45 s.
    const laugh = event('laughter', 43.5, 44.7)
    const [clip] = find(soundOf(talking, [laugh])).candidates
    expect(clip?.start).not.toBe(plain?.start)
    expect(clip?.end).toBeCloseTo(44.7, 1)
    expect(clip?.scoreReasons.find(({ name }) => name === 'ending')?.reason).toBe('People laugh at the end.')
    expect(clip?.score).toBeGreaterThan(plain?.score ?? 100)
  })

  it('never ends a clip inside the next word, however long people laugh', () => {
    const [clip] = find(soundOf(talking, [event('laughter', 43.5, 60)])).candidates
    for (const word of words) {
      if (clip !== undefined) expect(clip.end > word.start && clip.end < word.end).toBe(false)
    }
  })

  it('marks music over speech down, and only that', () => {
    const steering = steeringOf(BASE)
    const place = { from: 2, to: 5, start: 8.9, end: 24 }
    const of = (events: SoundEvent[]) =>
      windowOver(analyse(sentences, steering, { sound: soundOf(talking, events) }), place, 50, 50)
    expect(of([event('music', 8, 25)]).raw).toBeLessThan(of([]).raw)
    expect(of([event('music', 40, 60)]).raw).toBe(of([]).raw)
    expect(of([event('music', 11.8, 12.9)]).raw).toBe(of([]).raw)
  })

  it('is heard in a voice that is raised, or moves', () => {
    const calm = soundOf(talking)
    const raised = calm.envelope.map((level, hop) => (hop >= 4000 && hop < 5200 && level > -50 ? -12 : level))
    const clipAt = (sound: DetectedSound) =>
      find(sound, { maxClips: 9 }).candidates.find(({ start, end }) => start < 51 && end > 41)
    const loud = clipAt({ ...calm, envelope: raised })
    expect(loud?.scoreReasons.find(({ name }) => name === 'emotion')?.reason).toContain('louder')
    const pitches = Float32Array.from({ length: SECONDS * 10 }, (_, hop) =>
      hop >= 400 && hop < 520 ? 140 + 120 * (hop % 2) : 150,
    )
    const lively = clipAt({ ...calm, pitches })
    expect(lively?.scoreReasons.find(({ name }) => name === 'emotion')?.reason).toContain('rises and falls')
  })

  it('without events and movement changes nothing about the choice by words', () => {
    const found = find(soundOf(talking), { maxClips: 4 })
    const plain = find(undefined, { maxClips: 4 })
    const silent = { laughter: 0, applause: 0, cheering: 0, music: 0, raised: 0, lively: 0 }
    expect(found.candidates).toEqual(
      plain.candidates.map((clip) => ({ ...clip, features: { ...clip.features, ...silent } })),
    )
  })

  const anyEvent = (kinds: readonly SoundEventKind[]) =>
    fc
      .record({
        kind: fc.constantFrom(...kinds),
        start: fc.double({ min: 0, max: SECONDS - 10, noNaN: true }),
        length: fc.double({ min: 0.2, max: 9, noNaN: true }),
      })
      .map(({ kind, start, length }) => event(kind, start, start + length))
  const all = anyEvent(['laughter', 'applause', 'cheering', 'music'])

  it('stays within its bounds, and a reaction never makes a window worse', () => {
    fc.assert(
      fc.property(
        fc.array(all, { maxLength: 8 }),
        anyEvent(['laughter', 'applause', 'cheering']),
        fc.nat(15),
        fc.nat(4),
        (events, added, from, more) => {
          const effect = (list: SoundEvent[]) =>
            soundEffect(cuesOf(sentences, soundOf(talking, list)), from, from + more)
          const before = effect(events)
          const after = effect([...events, added])
          for (const name of ['emotion', 'ending', 'flow'] as const)
            expect(after[name]).toBeGreaterThanOrEqual(before[name] - 1e-9)
          expect(after.emotion).toBeLessThanOrEqual(SOUND_LIMITS.emotion)
          expect(after.ending).toBeLessThanOrEqual(SOUND_LIMITS.ending)
          expect(after.flow).toBeGreaterThanOrEqual(SOUND_LIMITS.flow)
          expect(Math.min(after.emotion, after.ending)).toBeGreaterThanOrEqual(0)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('clips without words', () => {
  const settings = { ...BASE, minLength: 6, maxLength: 15, maxClips: 3, prompt: 'find the garden' }
  const bySound = (sound: DetectedSound, change: Partial<FindClipsSettings> = {}) =>
    findClips({
      words: [],
      speakers: [],
      language: 'und',
      durationSeconds: SECONDS,
      name: 'Town hall',
      settings: { ...settings, ...change },
      sound,
    })

  it('begin and end in pauses, hold what people react to, and are called after the file and their time', () => {
    const sound = soundOf(talking, [event('applause', 43.6, 44.9)])
    const { candidates, warnings, summary } = bySound(sound)
    expect(candidates).toHaveLength(3)
    const [best] = candidates
    expect(best?.end).toBeGreaterThan(44.5)
    expect(best?.end).toBeLessThan(45)
    expect(best?.title).toMatch(/^Town hall 0:\d\d$/)
    expect(best?.whyPicked).toContain('sound alone: people applaud')
    for (const clip of candidates) {
      expect([talking(clip.start), talking(clip.end - 0.01)]).toEqual([false, false])
      expect(clip.end - clip.start).toBeGreaterThanOrEqual(6)
      expect(clip.end - clip.start).toBeLessThanOrEqual(15)
      expect([clip.text, clip.startBoundary.sentenceEdge]).toEqual(['', false])
    }
    expect(warnings.join()).toContain('was not looked for')
    expect(summary).toContain('by sound')
  })

  it('come out of music without any pause too, stay inside given ranges, and never overlap', () => {
    const music = soundOf(() => true)
    const { candidates } = bySound(music, { pinned: [{ start: 20, end: 60 }], pinnedMode: 'search_within' })
    expect(candidates.length).toBeGreaterThan(1)
    const inOrder = candidates.toSorted((a, b) => a.start - b.start)
    inOrder.forEach((clip, index) => {
      expect(clip.start).toBeGreaterThanOrEqual(inOrder[index - 1]?.end ?? 20)
      expect(clip.end).toBeLessThanOrEqual(60)
    })
  })

  it('are none where nothing is long enough, with a sentence that says why', () => {
    const found = bySound(soundOf((second) => second > 3 && second < 5))
    expect(found.candidates).toEqual([])
    expect(found.summary).toContain('no stretch of its sound')
  })
})

describe('pitch', () => {
  const tone = (hertz: number) =>
    Int16Array.from({ length: 16_000 }, (_, at) => {
      const phase = (2 * Math.PI * hertz * at) / 16_000
      return 5000 * (Math.sin(phase) + 0.6 * Math.sin(2 * phase) + 0.4 * Math.sin(3 * phase))
    })
  it.each([82, 110, 165, 220, 330])('of %i Hz is found within two percent', (hertz) => {
    const voiced = pitchesOf(tone(hertz), 16_000).filter((value) => value > 0)
    expect(voiced.length).toBeGreaterThan(7)
    for (const value of voiced) expect(Math.abs(value / hertz - 1)).toBeLessThan(0.02)
  })
  it('is none in silence and in noise', () => {
    let seed = 7
    const noise = Int16Array.from({ length: 16_000 }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return (seed / 2_147_483_648 - 0.5) * 8000
    })
    expect(pitchesOf(new Int16Array(16_000), 16_000).every((value) => value === 0)).toBe(true)
    expect(pitchesOf(noise, 16_000).filter((value) => value > 0).length).toBeLessThan(4)
  })
})
