import { describe, expect, it } from 'vitest'
import { parseCaptions } from './parse-captions.ts'
import { settleCues } from './settle-cues.ts'
import { decodeCaptionBytes } from '../decode-bytes.ts'

const words = (text: string, duration = 1000): string[] =>
  settleCues(parseCaptions(text).cues, duration).cues.map((cue) => cue.words.join(' '))

describe('parseCaptions', () => {
  it('reads SRT with a byte order mark, CRLF, tags, ASS codes, blank lines and numbers as text', () => {
    const text =
      '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Hello</i> {\\an8}there &amp; you\r\n\r\nagain\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000 X1:10 X2:20\r\n42\r\n\r\n'
    const { cues } = parseCaptions(text)
    expect(cues.map((cue) => [cue.start, cue.end, cue.lines])).toEqual([
      [1, 2.5, ['Hello there & you', 'again']],
      [3, 4, ['42']],
    ])
  })

  it.each([
    ['dots in a voice tag', `WEBVTT\n\n00:01.000 --> 00:02.000\n<v${'.a'.repeat(5000)}>hello`],
    ['voice tags that never end', `WEBVTT\n\n00:01.000 --> 00:02.000\nhello ${'<v '.repeat(100_000)}`],
    ['ASS codes that never end', `1\n00:00:01,000 --> 00:00:02,000\nhello ${'{\\'.repeat(200_000)}`],
    ['sounds that never end', `1\n00:00:01,000 --> 00:00:02,000\nhello ${'(laugh'.repeat(100_000)}`],
    [
      'many cues at one moment',
      Array.from({ length: 30_000 }, (_, at) => `00:00:01,000 --> 00:00:02,000\nhello ${at}\n\n`).join(''),
    ],
    [
      'songs that never end',
      `hello\n1\n00:00:01,000 --> 00:00:02,000\nhello\n${'♪ la\n'.repeat(100_000)}${'[ __ '.repeat(100_000)}`,
    ],
    ['a long line that rolls up', `00:00:01,000 --> 00:00:02,000\n${'a '.repeat(20_000)}b\n\n`.repeat(5)],
  ])('is quick with %s', (_name, text) => {
    const started = performance.now()
    expect(settleCues(parseCaptions(text).cues, 1000).cues.length).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('cuts off a word that is none', () => {
    expect(words(`1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(1_000_000)} yes`)[0]).toHaveLength(504)
  })

  it('reads WebVTT with missing hours, settings, ids, notes, styles and voices', () => {
    const text =
      'WEBVTT - a title\nLanguage: de-CH\n\nSTYLE\n::cue { color: red }\n\nNOTE not shown\nstill not\n\nintro\n00:01.000 --> 00:02.000 align:start position:0%\n<v.loud Maya Lind>Guten <b>Tag</b>.</v>\n\n1:02:03.500 --> 1:02:04.000\n<v Ruben>3 &lt; 5&#33;\n'
    const parsed = parseCaptions(text)
    expect(parsed.language).toBe('de-CH')
    expect(parsed.cues.map((cue) => [cue.start, cue.speaker, cue.lines])).toEqual([
      [1, 'Maya Lind', ['Guten Tag.']],
      [3723.5, 'Ruben', ['3 < 5!']],
    ])
  })

  it('puts unsorted cues in order and counts broken timing lines', () => {
    const parsed = parseCaptions(
      '00:00:05,0 --> 00:00:06,0\nb\n\n00:00:01,0 --> 00:00:02,0\na\n\n00:xx --> 7\nc\n',
    )
    expect(parsed.cues.map((cue) => cue.lines[0])).toEqual(['a', 'b'])
    expect(parsed.broken).toBe(1)
  })

  it('finds nothing in what is not captions', () => {
    expect(parseCaptions('<html><body>404</body></html>').cues).toEqual([])
    expect(parseCaptions('').cues).toEqual([])
  })

  it('reads UTF-16 and Windows-1252 bytes', () => {
    expect(decodeCaptionBytes(Buffer.from('\ufeffhé', 'utf16le'))).toBe('hé')
    expect(decodeCaptionBytes(Uint8Array.from([0x68, 0xe9]))).toBe('hé')
  })
})

describe('settleCues', () => {
  it('says how many cues lie after the end', () => {
    const text = [1, 8, 12, 15].map((at) => `00:00:${String(at).padStart(2, '0')},000 --> 00:00:20,000\nHi\n`)
    const warned = (seconds: number) => settleCues(parseCaptions(text.join('\n')).cues, seconds).warnings
    expect(warned(13)).toEqual(['1 caption cue lies after the end of the video and was left out.'])
    expect(warned(10)).toEqual(['2 caption cues lie after the end of the video and were left out.'])
  })

  it('drops music and sounds, and cues that hold nothing else', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\n[applause]\n\n2\n00:00:02,000 --> 00:00:03,000\n♪ la la ♪\n\n3\n00:00:03,000 --> 00:00:04,000\n(laughs) Thanks. [door]\n'
    expect(words(text)).toEqual(['Thanks.'])
  })

  it('keeps each line of roll-up captions once, with the inline word times', () => {
    const text = [
      'WEBVTT',
      '',
      '00:00:00.000 --> 00:00:02.000',
      ' ',
      'so<00:00:00.500><c> here</c><00:00:01.000><c> we</c>',
      '',
      '00:00:02.000 --> 00:00:02.010',
      'so here we',
      ' ',
      '',
      '00:00:02.010 --> 00:00:04.000',
      'so here we',
      'go<00:00:02.700><c> again</c>',
      '',
    ].join('\n')
    const { cues } = settleCues(parseCaptions(text).cues, 10)
    expect(cues.map((cue) => cue.words.join(' '))).toEqual(['so here we', 'go again'])
    expect(cues.flatMap((cue) => cue.parts.map((part) => part.start))).toEqual([0, 0.5, 1, 2.01, 2.7])
  })

  it('keeps a line that is really said twice', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nFour hundred?\n\n2\n00:00:02,000 --> 00:00:03,000\nFour hundred.\n'
    expect(words(text)).toEqual(['Four hundred?', 'Four hundred.'])
  })

  it('numbers speakers from voices and labels, and not from any word with a colon', () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi.\n\n00:02.000 --> 00:03.000\n<v Bo>Hey.\n\n00:03.000 --> 00:04.000\n<v Ann>Note: stop.\n'
    const settled = settleCues(parseCaptions(vtt).cues, 10)
    expect(settled.speakers).toEqual(['Ann', 'Bo'])
    expect(settled.cues.map((cue) => [cue.speaker, cue.words.join(' ')])).toEqual([
      [0, 'Hi.'],
      [1, 'Hey.'],
      [0, 'Note: stop.'],
    ])
    const srt =
      '1\n00:00:01,000 --> 00:00:02,000\nMAYA LIND: Hello.\n\n2\n00:00:02,000 --> 00:00:03,000\nWarning: wet paint.\n'
    const labelled = settleCues(parseCaptions(srt).cues, 10)
    expect(labelled.speakers).toEqual(['Maya Lind'])
    expect(labelled.cues.map((cue) => cue.words.join(' '))).toEqual(['Hello.', 'Warning: wet paint.'])
  })

  it('trims overlaps, moves whole-hour offsets back and drops what is after the end, and says so', () => {
    const overlap = '1\n00:00:01,000 --> 00:00:05,000\none\n\n2\n00:00:03,000 --> 00:00:06,000\ntwo\n'
    expect(settleCues(parseCaptions(overlap).cues, 100).cues.map((cue) => [cue.start, cue.end])).toEqual([
      [1, 3],
      [3, 6],
    ])
    const late = '1\n01:00:01,000 --> 01:00:02,000\none\n\n2\n01:03:00,000 --> 01:03:01,000\ntwo\n'
    const settled = settleCues(parseCaptions(late).cues, 60)
    expect(settled.cues.map((cue) => cue.start)).toEqual([1])
    expect(settled.warnings).toHaveLength(2)
  })
})
