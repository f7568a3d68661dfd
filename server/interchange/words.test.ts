import { describe, expect, it } from 'vitest'
import { NTSC, rate } from '../../test/support/export-clip.ts'
import {
  writeSrt,
  writeTxt,
  writeVtt,
  writeWordJson,
  type EditedTranscript,
  type EditedWord,
} from './words.ts'

/** Words at 25 frames a second; one that ends in `+` is joined to the next. */
const word = (text: string, startFrame: number, endFrame: number, speaker = 0): EditedWord => ({
  text: text.replace(/\+$/, ''),
  startFrame,
  endFrame,
  speaker,
  joinsNext: text.endsWith('+'),
})
const transcript = (words: readonly EditedWord[], speakers: readonly string[] = []): EditedTranscript => ({
  title: 'Talk',
  language: 'en',
  rate: rate(25),
  durationFrames: 250,
  words,
  speakers,
})

describe('text', () => {
  const txt = (...words: readonly EditedWord[]) => writeTxt(transcript(words))

  it('starts a paragraph after a pause of more than two seconds', () => {
    expect(txt(word('one', 0, 10), word('two', 60, 65), word('three', 116, 120))).toBe('one two\n\nthree\n')
  })

  it('starts a paragraph for each turn, named where there are several speakers', () => {
    const words = [word('one', 0, 5), word('two', 5, 9, 1), word('three', 9, 12, 2), word('four', 12, 15, 2)]
    expect(writeTxt(transcript(words))).toBe('one\n\ntwo\n\nthree four\n')
    expect(writeTxt(transcript(words, ['Ann']))).toBe('one\n\ntwo\n\nthree four\n')
    expect(writeTxt(transcript(words, ['Ann', 'Bo']))).toBe('Ann: one\n\nBo: two\n\nSpeaker 3: three four\n')
  })

  it('joins words that are written without a space, up to the end of a turn', () => {
    expect(txt(word('今+', 0, 5), word('日+', 5, 9), word('は', 9, 12), word('end', 12, 15))).toBe(
      '今日は end\n',
    )
    expect(txt(word('今+', 0, 5), word('日', 5, 9, 1))).toBe('今\n\n日\n')
    // The pause is counted from the end of what was joined.
    expect(txt(word('今+', 0, 5), word('日', 5, 30), word('は', 80, 90))).toBe('今日 は\n')
  })
})

describe('caption files', () => {
  const words = [word('今+', 25, 50), word('日', 50, 100), word('Bo', 150, 175, 1)]

  it('are SRT without speakers', () => {
    expect(writeSrt(transcript(words))).toBe(
      '1\n00:00:01,000 --> 00:00:04,000\n今日\n\n2\n00:00:06,000 --> 00:00:07,000\nBo\n',
    )
  })

  it('are WebVTT with speakers where there are several', () => {
    const cues = (first: string, second: string) =>
      `WEBVTT\nLanguage: en\n\n1\n00:00:01.000 --> 00:00:04.000\n${first}\n\n2\n00:00:06.000 --> 00:00:07.000\n${second}\n`
    expect(writeVtt(transcript(words, ['Ann', 'Bo']))).toBe(cues('<v Ann>今日', '<v Bo>Bo'))
    expect(writeVtt(transcript(words, ['Ann']))).toBe(cues('今日', 'Bo'))
  })
})

it('writes words as JSON with frames and with seconds to the millisecond', () => {
  const words = [word('今+', 1, 2), word('日', 2, 3, 1)]
  const ntsc = { ...transcript(words, ['Ann', 'Bo']), rate: NTSC, durationFrames: 30 }
  const expected = {
    title: 'Talk',
    language: 'en',
    frameRate: NTSC,
    durationFrames: 30,
    // 30 frames of 1001/30000 s.
    durationSeconds: 1.001,
    speakers: ['Ann', 'Bo'],
    words: [
      { word: '今', start: 0.033, end: 0.067, startFrame: 1, endFrame: 2, speaker: 0, joinsNext: true },
      { word: '日', start: 0.067, end: 0.1, startFrame: 2, endFrame: 3, speaker: 1 },
    ],
  }
  expect(writeWordJson(ntsc)).toBe(`${JSON.stringify(expected, null, 2)}\n`)
  expect(JSON.parse(writeWordJson(transcript([])))).toEqual({
    title: 'Talk',
    language: 'en',
    frameRate: rate(25),
    durationFrames: 250,
    durationSeconds: 10,
    words: [],
  })
})
