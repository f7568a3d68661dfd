import { describe, expect, it } from 'vitest'
import { decodeCaptionBytes } from '../decode-caption-bytes.ts'
import { parseCaptions } from './parse-captions.ts'
import { settleCues } from './settle-cues.ts'

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
    // Seconds of the processor: those of the clock go on while other programs have it.
    const started = process.threadCpuUsage()
    expect(settleCues(parseCaptions(text).cues, 1000).cues.length).toBeGreaterThan(0)
    expect(process.threadCpuUsage(started).user / 1e6).toBeLessThan(2)
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

describe('one cue', () => {
  const read = (lines: string, timing = '00:00:01,000 --> 00:00:02,000') =>
    parseCaptions(`1\n${timing}\n${lines}\n`).cues[0]

  it.each<[string, number, number]>([
    ['00:00:01,5 --> 00:00:02,25', 1.5, 2.25],
    ['1:02:03.004 -> 01:02:04:500', 3723.004, 3724.5],
    ['  02:03 --> 62:04  align:start', 123, 3724],
    ['100:00:00,000-->100:00:01,000', 360_000, 360_001],
  ])('has the times of “%s”', (timing, start, end) => {
    expect(read('hi', timing)).toMatchObject({ start, end })
  })

  it.each([
    ['&lt;&gt;&amp;&quot;&apos;&nbsp;&hellip;', '<>&"\' …'],
    ['&eacute;&Eacute;&szlig;&ntilde;', 'ééßñ'],
    ['&#65;&#x41;&#X1F600;', 'AA😀'],
    ['&#0;&#xD800;&#xDFFF;&#x110000;', '&#0;&#xD800;&#xDFFF;&#x110000;'],
    ['&#xD7FF;&#xE000;&#x10FFFF;', '\ud7ff\ue000\u{10ffff}'],
    ['&unknown; & co;', '&unknown; & co;'],
    ['<font color="red">a</font> <00:00:01.500><c.yellow>b</c>', 'a b'],
    ['5 < 7 > 3', '5 < 7 > 3'],
    ['{\\an8}a\\Nb\\hc {not a code}', 'a b c {not a code}'],
    ['a\u200bb\u200fc \t  d', 'abc d'],
  ])('reads %s', (written, shown) => {
    expect(read(written)?.lines).toEqual([shown])
  })

  it.each([
    ['>> So', 'So', true],
    ['>>> So', 'So', true],
    ['>>So', 'So', true],
    ['- So', 'So', true],
    ['–So', 'So', true],
    ['-so', '-so', false],
    ['so >> we', 'so >> we', false],
  ])('%s begins a turn: %s, %s', (written, shown, turn) => {
    expect(read(written)).toMatchObject({ lines: [shown], turn })
  })

  it('is without lines where nothing but a turn, tags or blanks are written', () => {
    expect(read('>>\n<i></i>\n \t')).toMatchObject({ lines: [], turn: true })
    expect(read('<i>a</i>\n \nb')?.lines).toEqual(['a', 'b'])
  })

  it('has the voice of its tag, and none otherwise', () => {
    expect(read('<v.loud.red Maya &amp; Co>Hi')?.speaker).toBe('Maya & Co')
    expect(read('<V Bo>Hi</V>')?.speaker).toBe('Bo')
    expect(read('<vx Bo>Hi')?.speaker).toBeNull()
  })

  it('has parts by its inline times: what stands before the first begins with the cue', () => {
    expect(read('>> so<00:00:01.250> here<00:00:01.500> <00:00:01.750>we')?.parts).toEqual([
      { start: 1, text: 'so' },
      { start: 1.25, text: 'here' },
      { start: 1.75, text: 'we' },
    ])
    expect(read('no times here')?.parts).toEqual([])
    expect(read('a<00:00:01.250>so >> we')?.parts).toEqual([
      { start: 1, text: 'a' },
      { start: 1.25, text: 'so >> we' },
    ])
    expect(read('shown before\nnew<00:00:01.500> word')?.parts).toEqual([
      { start: 1, text: 'new' },
      { start: 1.5, text: 'word' },
    ])
  })

  it('keeps a number that belongs to it, and leaves that of the next to the next', () => {
    const text =
      '1\n00:01,0 --> 00:02,0\nin\n1984\n\n 2 \n00:03,0 --> 00:04,0\nor 5\n00:05,0 --> 00:06,0\n7\n'
    expect(parseCaptions(text).cues.map(({ lines }) => lines)).toEqual([['in', '1984'], ['or 5'], ['7']])
    const apples = parseCaptions('00:01,0 --> 00:02,0\na\n2 apples\n00:03,0 --> 00:04,0\n3\n')
    expect(apples.cues.map(({ lines }) => lines)).toEqual([['a', '2 apples'], ['3']])
  })

  it('ends at an empty line in WebVTT only; a line of a space goes on', () => {
    const cues = (head: string) => parseCaptions(`${head}00:01.0 --> 00:02.0\na\n \nb\n\nc\n`).cues
    expect(cues('WEBVTT\n\n')[0]?.lines).toEqual(['a', 'b'])
    expect(cues('')[0]?.lines).toEqual(['a', 'b', 'c'])
  })
})

describe('the language of a WebVTT file', () => {
  it.each([
    ['WEBVTT\nLanguage: en', 'en'],
    ['WEBVTT\nKind: captions\nlanguage:pt-BR  ', 'pt-BR'],
    ['WEBVTT\nThe Language: en', null],
    ['WEBVTT\nLanguage: english please', null],
    ['Language: en', null],
    [`WEBVTT\n${'x\n'.repeat(12)}Language: en`, null],
  ])('%j: %s', (head, language) => {
    expect(parseCaptions(`${head}\n\n00:01.0 --> 00:02.0\nhi\n`).language).toBe(language)
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

  const cue = (from: number, to: number, text: string) =>
    `00:00:${from.toFixed(3).padStart(6, '0')} --> 00:00:${to.toFixed(3).padStart(6, '0')}\n${text}\n\n`
  const settle = (...cues: string[]) => settleCues(parseCaptions(cues.join('')).cues, 50)
  const spans = (...cues: string[]) => settle(...cues).cues.map(({ start, end }) => [start, end])

  it('gives a cue without a length the time that its words take, inside the video', () => {
    expect(spans(cue(1, 1, 'one two'))).toEqual([[1, 1.6]])
    expect(spans(cue(2, 1, 'one'))).toEqual([[2, 2.3]])
    expect(spans(cue(49, 58, 'one'))).toEqual([[49, 50]])
    expect(spans(cue(1, 5, 'one'), cue(1.06, 6, 'two'))).toEqual([
      [1, 1.06],
      [1.06, 6],
    ])
  })

  it('takes cues of one moment and one person for one, and their repetition for nothing', () => {
    const words = (...cues: string[]) => settle(...cues).cues.map((one) => one.words.join(' '))
    expect(words(cue(1, 2, 'one'), cue(1.04, 3, 'two'))).toEqual(['one two'])
    expect(spans(cue(1, 2, 'one'), cue(1.04, 3, 'two'))).toEqual([[1, 3]])
    expect(words(cue(1, 2, 'one'), cue(1.06, 3, 'two'))).toEqual(['one', 'two'])
    expect(words(cue(1, 2, 'Same'), cue(1, 2, 'same'))).toEqual(['Same'])
    expect(words('WEBVTT\n\n', cue(1, 2, '<v Ann>one'), cue(1, 2, '<v Bo>two'))).toEqual(['one', 'two'])
  })

  it('moves nothing that begins within the video, however late, and inline times with their cue', () => {
    const text = 'WEBVTT\n\n01:00:01.000 --> 01:00:02.000\none<01:00:01.500> two\n'
    const { cues } = parseCaptions(text)
    expect(settleCues(cues, 3700)).toMatchObject({ cues: [{ start: 3601 }], warnings: [] })
    expect(settleCues(cues, 60).cues[0]?.parts).toEqual([
      { start: 1, text: 'one' },
      { start: 1.5, text: 'two' },
    ])
    expect(settleCues(cues, 60).warnings).toEqual([
      'The captions start at 1:00:00 though the video does not; they were moved back by that.',
    ])
    expect(settleCues([], 60)).toEqual({ cues: [], speakers: [], warnings: [] })
  })

  it('keeps repeated lines of captions that do not roll up', () => {
    const words = (...cues: string[]) => settle(...cues).cues.map((one) => one.words.join(' '))
    expect(words(cue(1, 2, 'No'), cue(3, 4, 'No'), cue(5, 6, 'No'))).toEqual(['No', 'No', 'No'])
    const four = [cue(1, 2, 'a'), cue(3, 4, 'a\nb'), cue(5, 6, 'b\nc'), cue(7, 8, 'c\nd')]
    expect(words(...four)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('numbers who speaks by labels that come twice, or in capitals; a turn without a name is nobody', () => {
    const named = settle(
      cue(1, 2, 'Ann: Hi.'),
      cue(3, 4, 'still her'),
      cue(5, 6, 'Ann: And?'),
      cue(7, 8, ">> Who's this?"),
      cue(9, 10, "O'BRIEN-SMITH: Me."),
      cue(11, 12, 'Well: no.'),
    )
    expect(named.speakers).toEqual(['Ann', "O'Brien-Smith"])
    expect(named.cues.map((one) => [one.speaker, one.words.join(' ')])).toEqual([
      [0, 'Hi.'],
      [0, 'still her'],
      [0, 'And?'],
      [null, "Who's this?"],
      [1, 'Me.'],
      [1, 'Well: no.'],
    ])
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
