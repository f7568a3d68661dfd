import { describe, expect, it } from 'vitest'
import { parseCaptions } from '../../captions/pure/parse-captions.ts'
import { settleCues } from '../../captions/pure/settle-cues.ts'
import { toSrt, toWebVtt, regroup } from './clip-files.ts'

const words =
  'The rent had doubled, and nobody came in. Then one morning a man walked in with two shopping bags, and in the bags there was a bicycle <in pieces> & a bell.'
    .split(' ')
    .map((word, index) => ({ word, start: index * 0.3, end: index * 0.3 + 0.25, speaker: index < 8 ? 0 : 1 }))

describe('caption files', () => {
  it('breaks at sentences and speakers, keeps lines readable, loses no word', () => {
    const cues = regroup(words)
    expect(cues[0]?.text).toBe('The rent had doubled, and nobody came in.')
    expect(cues.flatMap((cue) => cue.text.split(/\s/))).toEqual(words.map((word) => word.word))
    for (const cue of cues)
      for (const line of cue.text.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    cues.forEach((cue, index) => expect(cue.end).toBeLessThanOrEqual(cues[index + 1]?.start ?? Infinity))
  })

  it('writes no spaces between words of scripts that have none', () => {
    const timed = (texts: readonly string[]) =>
      texts.map((word, index) => ({ word, start: index * 0.3, end: index * 0.3 + 0.25 }))
    const texts = (list: readonly string[]) => regroup(timed(list)).map((cue) => cue.text)
    expect(texts(['今日', 'は', 'とても', '大事', 'です。', 'AI', 'の', '話', 'を'])).toEqual([
      '今日はとても大事です。',
      'AI の話を',
    ])
    expect(texts(['วันนี้', 'เรา', 'จะ', 'พูด'])).toEqual(['วันนี้เราจะพูด'])
    const [long] = texts(Array.from({ length: 18 }, () => '大事な'))
    expect(long?.split('\n').map((line) => line.length)).toEqual([27, 27])
  })

  it('writes SRT and WebVTT that our own reader reads back', () => {
    const cues = regroup(words)
    const vtt = settleCues(parseCaptions(toWebVtt(cues, 'en', ['Ann', 'Bo'])).cues, 100)
    expect(vtt.cues.flatMap((cue) => cue.words).join(' ')).toContain('bicycle <in pieces> & a bell.')
    expect(vtt.speakers).toEqual(['Ann', 'Bo'])
    expect(parseCaptions(toWebVtt(cues, 'en', [])).language).toBe('en')
    const srt = toSrt([{ start: 3661.0005, end: 3662.25, text: 'hi', speaker: null }])
    expect(srt).toBe('1\n01:01:01,001 --> 01:01:02,250\nhi\n')
  })
})
