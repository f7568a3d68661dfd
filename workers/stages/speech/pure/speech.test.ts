import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dropLoops, mendWindow, type Piece } from './mend-window.ts'
import { placeWords } from './place-words.ts'
import { planWindows, voicedSeconds, voiceFromLevel, voiceSegments } from './plan-windows.ts'

const FRAME = 0.01

describe('voiceSegments', () => {
  it('holds on through soft frames, joins small gaps, drops crumbs', () => {
    const frames = new Float32Array(400)
    frames.fill(0.9, 50, 120)
    frames.fill(0.4, 120, 140)
    frames.fill(0.9, 150, 200)
    frames.fill(0.9, 300, 305)
    expect(voiceSegments(frames, FRAME)).toEqual([{ start: 0.5, end: 2 }])
    expect(voiceSegments(new Float32Array(100).fill(1), FRAME)).toEqual([{ start: 0, end: 1 }])
    expect(voiceSegments(new Float32Array(0), FRAME)).toEqual([])
  })

  it('finds speech by level above the background', () => {
    const level = new Float32Array(300).fill(-55)
    level.fill(-20, 100, 200)
    const [segment] = voiceSegments(voiceFromLevel(level, -55, -20), FRAME)
    expect(segment?.start).toBeCloseTo(1, 2)
    expect(segment?.end).toBeLessThan(2.25)
  })
})

describe('planWindows', () => {
  const speech = fc
    .array(fc.tuple(fc.integer({ min: 20, max: 9000 }), fc.integer({ min: 16, max: 1500 })), {
      minLength: 1,
      maxLength: 40,
    })
    .map((items) => {
      let at = 0
      return items.map(([length, gap]) => {
        const start = at + gap / 100
        at = start + length / 100
        return { start, end: at }
      })
    })

  it('covers all speech with windows below the limit that do not overlap', () => {
    fc.assert(
      fc.property(speech, (segments) => {
        const duration = (segments.at(-1)?.end ?? 0) + 0.1
        const windows = planWindows(segments, duration)
        windows.forEach((window, index) => {
          expect(window.end - window.start).toBeLessThan(28)
          expect(window.start).toBeGreaterThanOrEqual((windows[index - 1]?.end ?? 0) - 0.002)
          expect(window.end).toBeLessThanOrEqual(duration + 0.001)
        })
        const all = segments.reduce((sum, segment) => sum + segment.end - segment.start, 0)
        const covered = windows.reduce(
          (sum, window) => sum + voicedSeconds(segments, window.start, window.end),
          0,
        )
        expect(Math.abs(all - covered)).toBeLessThan(0.05 * segments.length)
      }),
      { numRuns: 60 },
    )
  })

  it('cuts at pauses and leaves long silence out', () => {
    const windows = planWindows(
      [
        { start: 1, end: 20 },
        { start: 21, end: 30 },
        { start: 100, end: 101 },
      ],
      200,
    )
    expect(windows).toEqual([
      { start: 0.8, end: 20.2 },
      { start: 20.8, end: 30.2 },
      { start: 99.8, end: 101.2 },
    ])
  })
})

const piece = (text: string, from: number | null, to: number | null) => ({ text, from, to })

describe('mendWindow', () => {
  const voice = [{ start: 10, end: 14 }]

  it('gives no words where nobody speaks', () => {
    const decoded = { start: 50, end: 60, words: false, pieces: [piece(' Hello there, friends.', 0, 3)] }
    expect(mendWindow(decoded, voice)).toEqual({ pieces: [], dropped: 'silence' })
  })

  it('drops what models say into near-silence, keeps it where it is really said', () => {
    const pieces = [piece(' Thank you for watching!', 0, 2)]
    expect(mendWindow({ start: 9, end: 30, words: false, pieces }, [{ start: 10, end: 10.6 }]).dropped).toBe(
      'stock phrase',
    )
    expect(mendWindow({ start: 9.8, end: 12, words: false, pieces }, voice).dropped).toBe('none')
  })

  it('keeps one turn of a loop, and nothing of a window that is all babble', () => {
    const turns = Array.from({ length: 6 }, (_, index) =>
      ['so', 'we', 'go'].map((word, at) =>
        piece(` ${word}`, index * 0.6 + at * 0.2, index * 0.6 + at * 0.2 + 0.2),
      ),
    ).flat()
    const mended = mendWindow({ start: 10, end: 14, words: true, pieces: turns }, voice)
    expect(mended.pieces.map((item) => item.text)).toEqual(['so', 'we', 'go'])
    expect(mended.dropped).toBe('loop')
    const babble = Array.from({ length: 90 }, (_, index) =>
      piece(` w${index}`, index * 0.04, index * 0.04 + 0.04),
    )
    expect(mendWindow({ start: 10, end: 14, words: true, pieces: babble }, voice)).toEqual({
      pieces: [],
      dropped: 'loop',
    })
  })

  it('does not take quick speech without spaces for babble, however it is cut, and real babble for speech', () => {
    // Eight syllables a second: nobody listens twice, but people do speak so.
    const syllables = [...'今日はとても大事な話をしますみなさんよく聞いてください'.repeat(2)]
    const pieces = (texts: readonly string[], seconds: number) =>
      texts.map((text, at) => ({
        text: `${text}${at % 3 === 0 ? String.fromCodePoint(0x4e00 + at) : ''}`,
        from: (at * seconds) / texts.length,
        to: ((at + 1) * seconds) / texts.length,
      }))
    const mended = (seconds: number) =>
      mendWindow({ start: 0, end: seconds, words: true, pieces: pieces(syllables, seconds) }, [
        { start: 0, end: seconds },
      ])
    expect(mended(7)).toMatchObject({ dropped: 'none' })
    expect(mended(7).pieces).toHaveLength(syllables.length)
    expect(mended(2)).toEqual({ pieces: [], dropped: 'loop' })
  })

  it('knows a stock phrase and repeated keywords that come cut into words', () => {
    const cut = (texts: readonly string[]) => ({
      start: 0,
      end: 20,
      words: true,
      pieces: texts.map((text, at) => ({ text, from: at * 0.2, to: at * 0.2 + 0.2 })),
    })
    const voice = [{ start: 0, end: 1 }]
    expect(mendWindow(cut(['ご', '視聴', 'ありがとう', 'ござい', 'ました']), voice).dropped).toBe(
      'stock phrase',
    )
    expect(mendWindow(cut(['東京', '駅、', '新', '宿']), voice, ['東京駅', '新宿']).dropped).toBe(
      'repeated keywords',
    )
  })

  it('makes times rise, fills missing ones and stays inside the window', () => {
    const pieces = [piece(' one', 0.5, 1), piece(' two', 0.2, null), piece(' three', 3, 99)]
    const mended = mendWindow({ start: 10, end: 14, words: true, pieces }, voice)
    expect(mended.pieces).toEqual([
      { text: 'one', start: 10.5, end: 11 },
      { text: 'two', start: 11, end: 13 },
      { text: 'three', start: 13, end: 14 },
    ])
  })

  it('does not take an honest repeat for a loop', () => {
    const honest: Piece[] = ['very', 'very', 'very', 'good'].map((text, index) => ({
      text,
      start: index,
      end: index + 1,
    }))
    expect(dropLoops(honest)).toEqual(honest)
  })
})

describe('placeWords', () => {
  /** Loud from 1.00 to 1.40 and from 2.00 to 2.50. */
  const levelDb = new Float32Array(400).fill(-60)
  levelDb.fill(-15, 100, 140)
  levelDb.fill(-15, 200, 250)
  const features = { startSeconds: 0, levelDb }

  it('snaps the model’s words to the sound, and leaves alone what is too far from it', () => {
    const near = placeWords(
      [
        { text: 'one', start: 1.1, end: 1.5 },
        { text: 'two', start: 1.9, end: 2.4 },
        { text: '.', start: 2.4, end: 2.4 },
      ],
      true,
      features,
    )
    expect(near.map((word) => word.word)).toEqual(['one', 'two.'])
    expect(Math.abs((near[0]?.start ?? 0) - 1)).toBeLessThan(0.08)
    expect(Math.abs((near[1]?.start ?? 0) - 2)).toBeLessThan(0.08)
  })

  it('times the words of segments by the sound', () => {
    const words = placeWords([{ text: 'one two.', start: 0.9, end: 2.6 }], false, features)
    expect(Math.abs((words[1]?.start ?? 0) - 2)).toBeLessThan(0.08)
    words.forEach((word, index) => expect(word.start).toBeGreaterThanOrEqual(words[index - 1]?.end ?? 0))
  })
})
