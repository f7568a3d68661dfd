import { describe, expect, it } from 'vitest'
import { clipFiles, toSrt, toWebVtt, regroup } from './clip-files.ts'

/** Words one after the other, each so many seconds long, without a pause. */
const spoken = (words: readonly string[], seconds = 0.1) =>
  words.map((word, index) => ({ word, start: index * seconds, end: (index + 1) * seconds }))
const sizes = (words: Parameters<typeof regroup>[0]) =>
  regroup(words).map((cue) => cue.text.split(/\s/).length)
const times = (count: number, word: string) => Array.from({ length: count }, () => word)

describe('a caption cue ends', () => {
  it.each(['end.', 'end!', 'end?', 'end…', 'end."', 'end.’)', '終。'])('after “%s”', (word) => {
    expect(sizes(spoken(['the', word, 'then', 'on']))).toEqual([2, 2])
  })

  it.each(['e.g', '.net', 'a.b'])('not after “%s”', (word) => {
    expect(sizes(spoken(['the', word, 'then', 'on']))).toEqual([4])
  })

  it('where somebody else speaks, and says who', () => {
    const words = spoken(['Hi', 'you', 'Hey', 'there']).map((word, index) => ({
      ...word,
      speaker: index < 2 ? 0 : 1,
    }))
    expect(regroup(words).map(({ text, speaker }) => [text, speaker])).toEqual([
      ['Hi you', 0],
      ['Hey there', 1],
    ])
    expect(regroup(spoken(['Hi']))[0]?.speaker).toBeNull()
  })

  it('at a pause of more than 0.7 s', () => {
    const after = (pause: number) =>
      sizes([
        { word: 'one', start: 0, end: 1 },
        { word: 'two', start: 1 + pause, end: 2 + pause },
      ])
    expect([after(0.69), after(0.71)]).toEqual([[2], [1, 1]])
  })

  it('when it has 84 characters', () => {
    // 17 words of 4 letters with the spaces between are 84.
    expect(sizes(spoken(times(20, 'abcd')))).toEqual([17, 3])
    expect(sizes(spoken([...times(16, 'abcd'), 'abcde', 'abcd']))).toEqual([16, 2])
  })

  it('when it has been shown for 6 s', () => {
    expect(sizes(spoken(times(8, 'long'), 1))).toEqual([6, 2])
  })

  it.each([',', ';', ':', '—', '–', '、'])('after %s once one line is full', (sign) => {
    expect(sizes(spoken(times(10, `abcd${sign}`)))).toEqual([8, 2])
  })
})

describe('a caption cue is shown', () => {
  const shown = (...spans: [number, number][]) =>
    regroup(spans.map(([start, end]) => ({ word: 'Yes.', start, end }))).map(({ start, end }) => [start, end])

  it('for 0.8 s at least, where nothing follows', () => {
    expect(shown([1, 1.2])).toEqual([[1, 1.8]])
    expect(shown([1, 3])).toEqual([[1, 3]])
  })

  it('until the next begins at most, and as long as it is spoken', () => {
    expect(shown([1, 1.2], [1.5, 3])[0]).toEqual([1, 1.5])
    expect(shown([1, 1.2], [1.9, 3])[0]).toEqual([1, 1.8])
    expect(shown([1, 1.6], [1.5, 3])[0]).toEqual([1, 1.6])
  })
})

describe('lines of a cue', () => {
  const lines = (text: string) => regroup(spoken(text.split(' ')))[0]?.text.split('\n')

  it('are one up to 42 characters, then two of about the same length', () => {
    expect(lines(`${'abcd '.repeat(8)}ab`)).toEqual([`${'abcd '.repeat(8)}ab`])
    expect(lines('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii')).toEqual([
      'aaaa bbbb cccc dddd',
      'eeee ffff gggg hhhh iiii',
    ])
  })

  it('break after a comma rather, where that is not far', () => {
    expect(lines('aaaa bbbb cccc dddd eeee, ffff gggg hhhh iiii')).toEqual([
      'aaaa bbbb cccc dddd eeee,',
      'ffff gggg hhhh iiii',
    ])
    expect(lines('aaaa, bbbb cccc dddd eeee ffff gggg hhhh iiii')?.[0]).toBe('aaaa, bbbb cccc dddd')
  })
})

describe('caption files', () => {
  const cue = { start: 0.25, end: 3600, text: 'a < b & c > d\nsecond', speaker: 1 }

  it('are numbered from 1, with a blank line between cues', () => {
    const cues = [
      { start: 0, end: 1, text: 'one', speaker: null },
      { start: 61.5, end: 62, text: 'two', speaker: null },
    ]
    expect(toSrt(cues)).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\none\n\n2\n00:01:01,500 --> 00:01:02,000\ntwo\n',
    )
    expect(toWebVtt(cues, 'und', [])).toBe(
      'WEBVTT\n\n1\n00:00:00.000 --> 00:00:01.000\none\n\n2\n00:01:01.500 --> 00:01:02.000\ntwo\n',
    )
    expect(toSrt([])).toBe('')
  })

  it('name the language and the voices; WebVTT escapes what would be a tag', () => {
    expect(toWebVtt([cue], 'de', ['Ann', 'B<o>'])).toBe(
      'WEBVTT\nLanguage: de\n\n1\n00:00:00.250 --> 01:00:00.000\n<v B&lt;o&gt;>a &lt; b &amp; c &gt; d\nsecond\n',
    )
    expect(toWebVtt([cue], 'de', ['Ann'])).toContain('<v Speaker 2>')
    expect(toSrt([cue])).toBe('1\n00:00:00,250 --> 01:00:00,000\na < b & c > d\nsecond\n')
  })
})

describe('files of a clip', () => {
  const word = (text: string, start: number, end: number, rest = {}) => ({ word: text, start, end, ...rest })
  const files = (words: ReturnType<typeof word>[], speakers?: string[]) =>
    clipFiles(
      { language: 'en', words, ...(speakers && { speakers }) },
      { start: 10, end: 20, isVisible: (moment) => moment >= 12 },
    )

  it('have the words whose middle lies in the range, from its start on and up to its end', () => {
    const { words } = files([
      word('before', 9, 10.5),
      word('edge', 9.5, 10.5),
      word('inside', 13, 14),
      word('last', 19.5, 20.4),
      word('after', 19.5, 20.5),
    ])
    expect(words).toEqual([
      { word: 'edge', start: 0, end: 0.5, visible: false },
      { word: 'inside', start: 3, end: 4, visible: true },
      { word: 'last', start: 9.5, end: 10, visible: true },
    ])
  })

  it('leave out what was removed from the captions, and keep who speaks', () => {
    const { words, json, srt, vtt } = files(
      [word('no', 13, 14, { isDeleted: true }), word('Yes.', 14.00049, 15, { speaker: 0, isDeleted: false })],
      ['Ann'],
    )
    expect(words).toEqual([{ word: 'Yes.', start: 4, end: 5, speaker: 0, visible: true }])
    expect(JSON.parse(json)).toEqual({ language: 'en', speakers: ['Ann'], words })
    expect(srt).toBe('1\n00:00:04,000 --> 00:00:05,000\nYes.\n')
    expect(vtt).toContain('<v Ann>Yes.')
    expect(JSON.parse(files([]).json)).toEqual({ language: 'en', words: [] })
  })
})
