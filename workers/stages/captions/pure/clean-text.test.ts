import { describe, expect, it } from 'vitest'
import { secondsToTicks } from '../../../../server/contract/time.ts'
import { audioMasks } from '../../../../server/nodes/speech/audio-masks.ts'
import { curseFinder } from '../../../../server/nodes/speech/find-curses.ts'
import { parseCaptions } from './parse-captions.ts'
import { settleCues } from './settle-cues.ts'
import { inSequence, wordsFromCue } from './words-from-cues.ts'

/** Words of captions with one cue of these lines. */
const spokenWords = (...lines: string[]): string[] =>
  settleCues(parseCaptions(`1\n00:00:01,000 --> 00:00:05,000\n${lines.join('\n')}\n`).cues, 60).cues.flatMap(
    ({ words }) => words,
  )

describe('what is not spoken', () => {
  it.each([
    ['what the f*** is this s***, man', 'what the f*** is this s***, man'],
    ['a**hole *laughs* and s**t', 'a**hole and s**t'],
    ['*COUGHS* well **** that', 'well **** that'],
    ['This [ __ ] thing, [\u00a0__\u00a0]!', 'This [__] thing, [__]!'],
    ['oh [&nbsp;__&nbsp;] no [music]', 'oh [__] no'],
    ['one * two _ three', 'one two three'],
    ['one[door]two', 'one two'],
    ['one , two . - three -- four', 'one, two. three-- four'],
    ['... one .( two', 'one two'],
    ['__ and "****," he said', '__ and "****," he said'],
    ['________________________ hello', 'hello'],
  ])('%s', (line, expected) => {
    expect(spokenWords(line).join(' ')).toBe(expected)
  })

  it.each<[string[], string]>([
    [['♪ (upbeat music) ♪', 'Welcome back to the show'], 'Welcome back to the show'],
    [['♪♪', 'Welcome back'], 'Welcome back'],
    [['♪ ♫', 'Welcome back'], 'Welcome back'],
    [['Welcome back', '♪ la la'], 'Welcome back'],
    [['♪ Happy birthday ♪ Thanks everyone'], 'Thanks everyone'],
    [['♪ Happy birthday', 'to you ♪', 'Thanks!'], 'Thanks!'],
    [['♪ Happy birthday', 'to you ♪ Thanks!'], 'Thanks!'],
    [['♪ I sing', '♪ in the rain'], ''],
    [['♪♪ la la ♪♪'], ''],
    [['♪ la ♪ hello ♪ la ♪ there'], 'hello there'],
    [['♪ la ♪ la ♪'], ''],
    [['# la la ♪'], ''],
    [['🎵 la la 🎵', 'Hi.'], 'Hi.'],
    [['Say #1 to me'], 'Say #1 to me'],
    [['[applause and', 'laughter] Thanks.'], 'Thanks.'],
  ])('%j', (lines, expected) => {
    expect(spokenWords(...lines).join(' ')).toBe(expected)
  })

  it('keeps what is said under a line of notes in captions that roll up', () => {
    const cue = (at: number, ...lines: string[]) =>
      `00:00:0${at},000 --> 00:00:0${at + 1},000\n${lines.join('\n')}\n`
    const text = [
      cue(1, '♪♪'),
      cue(2, '♪♪', 'Welcome back'),
      cue(3, 'Welcome back', 'to the show'),
      cue(4, 'to the show', 'tonight.'),
    ]
    const { cues } = settleCues(parseCaptions(text.join('\n')).cues, 60)
    expect(cues.map(({ words }) => words.join(' '))).toEqual(['Welcome back', 'to the show', 'tonight.'])
  })
})

describe('words that their captioner hid', () => {
  it.each([
    ['[ __ ]', 'What the [ __ ] is that?'],
    ['[&nbsp;__&nbsp;]', 'What the [&nbsp;__&nbsp;] is that?'],
    ['[\u00a0__\u00a0]', 'What the [\u00a0__\u00a0] is that?'],
    ['****', 'What the **** is that?'],
    ['f***', 'What the f*** is that?'],
    ['inline times', 'What<00:00:01.300> the<00:00:01.500><c> [ __ ]</c><00:00:01.900> is that?'],
  ])('are muted: %s', (_name, line) => {
    const { cues } = settleCues(parseCaptions(`WEBVTT\n\n00:01.000 --> 00:03.000\n${line}\n`).cues, 60)
    const words = inSequence(cues.flatMap((cue) => wordsFromCue(cue, { earliest: 0, latest: 60 }, null)))
    const found = curseFinder({ language: 'en', more: [], includeMild: false }).find(words)
    expect(found).toEqual([2])
    const rate = { numerator: 25, denominator: 1 }
    const span = {
      sourceStart: 0,
      sourceEnd: secondsToTicks(60),
      startFrame: 0,
      endFrame: 1500,
      playbackRate: 1,
    }
    const masks = audioMasks(words, [{ index: 2, kind: 'silence' }], [span], rate)
    expect(masks).toHaveLength(1)
    // As long as a word of that kind takes, not as its stars would.
    expect((words[2]?.end ?? 0) - (words[2]?.start ?? 0)).toBeGreaterThan(0.25)
  })
})
