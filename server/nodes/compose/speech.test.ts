import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import type { CaptionLayer, Composition, TitleLayer } from '../../contract/composition.ts'
import { rationalToNumber, TICKS_PER_SECOND, ticksToSeconds } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { compileComposition, neededMeasurements, withPlayedTimes } from '../index.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const HOP = 0.02
/** Loud while a word is said, else quiet; of a clip that starts at 10. */
function soundOf(words: readonly TranscriptWord[]): ClipSound {
  const levels = Array.from({ length: 2500 }, (_, hop) =>
    words.some(({ start, end }) => hop * HOP < end && (hop + 1) * HOP > start) ? -20 : -65,
  )
  return { start: 0, hopSeconds: HOP, levels: encodeLevels(levels), speechLevelDb: -20, noiseLevelDb: -65 }
}

const fillers = (config: Record<string, unknown> = {}) =>
  node('filler_words', { filler_words_config: config })
const curses = (mode: string) => node('remove_curse_words', { remove_curse_words_config: { mode } })
const all = { enabled: true, stutteredWordsEnabled: true, silencesEnabled: true }

function compile(
  nodes: ReturnType<typeof node>[],
  words: TranscriptWord[],
  over: Parameters<typeof documentOf>[1] = {},
) {
  const facts = factsOf()
  const shown = [...nodes, node('add_subtitles'), node('add_title_overlay')]
  const document = {
    ...documentOf(shown, { endTimestamp: 20, sound: soundOf(words), language: 'en', ...over }, facts),
  }
  const { composition, warnings } = inSentences(compileComposition({ document, words, facts }))
  const captions = composition.layers.find((layer): layer is CaptionLayer => layer.kind === 'captions')
  const title = composition.layers.find((layer): layer is TitleLayer => layer.kind === 'title')
  const text = captions?.cues.flatMap((cue) => cue.words.map((word) => word.text)).join(' ') ?? ''
  return { composition, warnings, text, title, captions, played: withPlayedTimes({ document, words, facts }) }
}

describe('filler_words', () => {
  const words = spoken('Um, so I, uh, I rode, you know, home. Then it stopped, like this.', 10.5)

  it('cuts what is asked for, shows none of it, and mends the sentence', () => {
    const { composition, warnings, text, played } = compile([fillers(all)], words)
    expect(text).toBe('So I rode, home. Then it stopped, like this.')
    expect(warnings).toEqual([])
    expect(composition.timeMap.length).toBeGreaterThan(2)
    expect(played.duration).toBeCloseTo(composition.durationFrames / 30, 1)
    expect(played.duration).toBeLessThan(9)
  })

  it('leaves each kind in when it is off', () => {
    expect(compile([fillers({ enabled: false, silencesEnabled: true })], words).text).toContain(
      'Um, so I, uh, I',
    )
    expect(compile([fillers({ stutteredWordsEnabled: false })], words).text).toBe(
      'So I, I rode, home. Then it stopped, like this.',
    )
    const off = compile([fillers({ enabled: false })], words)
    expect(off.composition.timeMap).toHaveLength(1)
    expect(off.played.duration).toBe(10)
    expect(off.played.played).toEqual([{ start: 10, end: 20 }])
  })

  it('keeps segments, and takes fillers out of them', () => {
    const segments = [
      { startSeconds: 0, endSeconds: 3 },
      { startSeconds: 3, endSeconds: 6, playbackRate: 2 },
    ]
    const { composition, text, played } = compile([fillers(all)], words, { segments })
    expect(text).toBe('So I rode, home. Then it stopped, like this.')
    expect(composition.timeMap.some((span) => span.playbackRate === 2)).toBe(true)
    expect(played.duration).toBeLessThan(4.5)
  })

  it('says what it could not do without a measure of the sound', () => {
    const { sound: _sound, ...rest } = documentOf([fillers(all)], { endTimestamp: 20, sound: soundOf(words) })
    const { composition, warnings } = inSentences(
      compileComposition({ document: rest, words, facts: factsOf() }),
    )
    expect(warnings).toEqual([expect.stringContaining('was not measured')])
    // Fillers go by the words' times; the silent second half stays.
    expect(composition.durationFrames).toBeGreaterThan(200)
    expect(composition.timeMap.length).toBeGreaterThan(1)
    expect(compile([fillers(all)], []).warnings).toEqual(['filler_words found no words to clean up.'])
  })

  it('says which measure it needs', () => {
    expect([...neededMeasurements([fillers(), curses('beep')])]).toEqual(['sound-levels'])
    expect(neededMeasurements([node('filler_words', {}, false), curses('beep')]).size).toBe(0)
  })
})

describe('remove_curse_words', () => {
  const words = spoken('What the fuck is this shitty class', 11)
  const seconds = (ticks: number): number => ticks / TICKS_PER_SECOND

  it.each(['silence', 'beep'])('%s keeps the picture, masks the caption and the generated title', (mode) => {
    const { composition, text, title } = compile([curses(mode)], words, { title: 'What the fuck?' })
    expect(composition.durationFrames).toBe(300)
    expect(text).toBe('What the f*** is this s***** class')
    expect(title?.text).toBe('What the f***?')
    expect(composition.audio.masks).toHaveLength(2)
    const [first] = composition.audio.masks ?? []
    expect(first?.kind).toBe(mode)
    // The word from 1.6 to 1.85 s, and the pauses of 50 ms around it as far as they are free.
    expect(seconds(first?.start ?? 0)).toBeCloseTo(1.56, 5)
    expect(seconds(first?.end ?? 0)).toBeCloseTo(1.9, 5)
  })

  it('removes the moment, and silences what no cut can take', () => {
    const { composition, text, played } = compile([curses('remove')], words)
    expect(text).toBe('What the is this class')
    expect(played.duration).toBeLessThan(9.8)
    const left = (composition.audio.masks ?? []).map(({ start, end }) => seconds(end - start))
    for (const length of left) expect(length).toBeLessThan(0.1)
    const over: TranscriptWord[] = [...words, { word: 'loudly', start: 11.3, end: 12.2, speaker: 1 }]
    const talkedOver = compile([curses('remove')], over)
    expect(talkedOver.text).toContain('f***')
    const [whole] = talkedOver.composition.audio.masks ?? []
    expect(seconds((whole?.end ?? 0) - (whole?.start ?? 0))).toBeGreaterThan(0.25)
  })

  it('finds deleted words by ear, and follows cuts and speeds', () => {
    const hidden = words.map((word) => (word.word === 'fuck' ? { ...word, isDeleted: true } : word))
    const { composition, text } = compile([curses('beep')], hidden, {
      segments: [{ startSeconds: 1, endSeconds: 4, playbackRate: 2 }],
    })
    expect(text).not.toContain('f***')
    expect(seconds(composition.audio.masks?.[0]?.start ?? 0)).toBeCloseTo(0.28, 2)
  })

  it('leaves a composition without curse words as it was', () => {
    const clean = spoken('What is this class', 11)
    expect(compile([curses('beep')], clean).composition).toEqual(compile([], clean).composition)
  })
})

const texts = fc.array(
  fc.constantFrom(
    'um,',
    'uh',
    'the',
    'the',
    'I',
    'was',
    'bike',
    'house.',
    'fuck',
    'You',
    'know,',
    'class',
    'w-',
    'we',
  ),
  { minLength: 1, maxLength: 40 },
)

/** Every frame of the output is in one span, and every span in order. */
function checkTimeMap({ timeMap, durationFrames }: Composition): void {
  let frame = 0
  for (const span of timeMap) {
    expect(span.startFrame).toBe(frame)
    expect(span.sourceEnd).toBeGreaterThan(span.sourceStart)
    frame = span.endFrame
  }
  expect(frame).toBe(durationFrames)
}

describe('speech as properties', () => {
  it('frames are contiguous, durations agree, captions show no word that is gone', () => {
    const shapes = fc.record({
      text: texts,
      gaps: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 40, maxLength: 40 }),
      mode: fc.constantFrom('silence', 'beep', 'remove'),
      silences: fc.boolean(),
      split: fc.integer({ min: 1, max: 9000 }),
    })
    fc.assert(
      fc.property(shapes, ({ text, gaps, mode, silences, split }) => {
        let at = 10.1
        const words = text.map((word, index): TranscriptWord => {
          const start = at
          at = start + 0.08 + word.length * 0.05
          const end = at
          at += (gaps[index] ?? 0) / 1000
          return { word, start, end }
        })
        const segments = [
          { startSeconds: 0, endSeconds: split / 1000 },
          { startSeconds: split / 1000 + 0.2, endSeconds: 10 },
        ]
        const config = { stutteredWordsEnabled: true, silencesEnabled: silences }
        const { composition, captions, played } = compile([fillers(config), curses(mode)], words, {
          segments,
        })
        checkTimeMap(composition)
        const rate = rationalToNumber(composition.output.frameRate)
        expect(composition.durationFrames / rate).toBeCloseTo(played.duration, 3)
        const sum = (played.played ?? []).reduce((seconds, one) => seconds + one.end - one.start, 0)
        expect(sum).toBeCloseTo(played.duration, 2)
        const kept = segments.reduce((seconds, one) => seconds + one.endSeconds - one.startSeconds, 0)
        // Half a frame at each edge of each segment.
        expect(sum).toBeLessThan(kept + 2.5 / rate)
        const shownWords = captions?.cues.flatMap((cue) => cue.words) ?? []
        for (const word of shownWords) {
          expect(word.text.toLowerCase()).not.toContain('fuck')
          expect(word.endFrame).toBeLessThanOrEqual(composition.durationFrames)
        }
        const heard = words.filter(({ start, end }) => {
          const middle = (start + end) / 2
          return composition.timeMap.some(
            (span) => ticksToSeconds(span.sourceStart) <= middle && middle < ticksToSeconds(span.sourceEnd),
          )
        })
        expect(shownWords.length).toBeLessThanOrEqual(heard.length)
      }),
      { numRuns: 150 },
    )
  })
})
