import { describe, expect, it } from 'vitest'
import { parseCaptions } from './parse-captions.ts'
import { settleCues } from './settle-cues.ts'
import { measureSlowness } from '../../../../test/support/pace.ts'

const HEADER = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
`
const FORMAT = 'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n'
const line = (start: string, end: string, text: string, style = 'Default') =>
  `Dialogue: 0,0:00:${start},0:00:${end},${style},,0,0,0,,${text}\n`
const spokenWords = (...lines: string[]) =>
  settleCues(parseCaptions(HEADER + FORMAT + lines.join('')).cues, 60).cues.map(
    (cue) => [cue.start, cue.words.join(' ')] as const,
  )

describe('dialogue of ASS files', () => {
  it('is read with its commas, without codes, remarks and comments', () => {
    expect(
      spokenWords(
        'Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown\n',
        line('04.00', '05.00', '{remark}So,\\hyes{\\an8}, it is.'),
        line('01.50', '02.50', '{\\i1}Hello{\\i0} there,\\Nmy friend', '*Default'),
      ),
    ).toEqual([
      [1.5, 'Hello there, my friend'],
      [4, 'So, yes, it is.'],
    ])
  })

  it('is found by the names of the columns', () => {
    const ssa = `${HEADER}Format: Marked, End, Start, Text\r\nDialogue: Marked=0,0:00:02.00,0:00:01.00,Hi, you\r\nDialogue: Marked=0,soon,later,No\r\n`
    const parsed = parseCaptions(ssa)
    expect(parsed.cues.map((cue) => [cue.start, cue.end, cue.lines])).toEqual([[1, 2, ['Hi, you']]])
    expect(parsed.broken).toBe(1)
  })

  it('has no drawings in it, whatever stands beside them', () => {
    expect(
      spokenWords(
        line('01.00', '05.00', '{\\an7\\pos(0,0)\\p1}m 0 0 l 100 0 100 100 0 100{\\p0}', 'Box'),
        line('01.00', '05.00', '{\\p4}m 0 0 b 1 1 2 2 3 3', 'Box'),
        line('02.00', '03.00', '{\\p1}m 0 0 l 9 9{\\p0}Hello {\\pbo5\\pos(3,4)}there'),
      ),
    ).toEqual([[2, 'Hello there']])
  })

  it('has no signs in it while somebody speaks, and keeps placed dialogue', () => {
    expect(
      spokenWords(
        line('01.00', '03.00', 'We should go in.'),
        line('02.00', '09.00', '{\\pos(320,20)}NO PARKING', 'Sign'),
        line('04.00', '05.00', '{\\pos(320,300)}Now.'),
        line('10.00', '10.04', '{\\move(1,2,3,4)}Ten years later', 'Sign'),
        line('10.04', '10.08', '{\\move(1,2,3,4)}Ten years later', 'Sign'),
        line('10.08', '10.12', '{\\move(1,2,3,4)}Ten years later', 'Sign'),
        line('11.00', '12.00', 'Here we are.', 'Top'),
      ),
    ).toEqual([
      [1, 'We should go in.'],
      [4, 'Now.'],
      [10, 'Ten years later'],
      [11, 'Here we are.'],
    ])
  })

  const read = (...lines: string[]) => parseCaptions(HEADER + FORMAT + lines.join('')).cues

  it('is timed by hours, minutes, seconds and hundredths, and comes in order', () => {
    const at = (start: string, end: string) => `Dialogue: 0,${start},${end},Default,,0,0,0,,hi\n`
    expect(
      read(at('1:02:03.50', '1:02:04:25'), at('0:00:01.00', '0:00:02.00')).map(({ start, end }) => [
        start,
        end,
      ]),
    ).toEqual([
      [1, 2],
      [3723.5, 3724.25],
    ])
  })

  it('has the lines that are shown, without blank ones, and no cue where nothing is left', () => {
    const cues = read(line('01.00', '02.00', 'one\\N \\N two\\nthree'), line('03.00', '04.00', '{\\i1} '))
    expect(cues.map(({ lines }) => lines)).toEqual([['one', 'two', 'three']])
    expect(read(line('01.00', '02.00', '{\\p10}m 0 0 l 1 1{\\p0}said'))[0]?.lines).toEqual(['said'])
  })

  it('has a sign that moves once, and what is said twice in the same words twice', () => {
    const sign = (start: string, end: string) => line(start, end, '{\\pos(1,2)}EXIT', 'Sign')
    const spans = (...lines: string[]) => read(...lines).map(({ start, end }) => [start, end])
    expect(spans(sign('01.00', '01.04'), sign('01.04', '01.08'), sign('01.08', '01.12'))).toEqual([[1, 1.12]])
    expect(spans(sign('01.00', '01.04'), sign('01.20', '01.30'))).toHaveLength(2)
    expect(spans(line('01.00', '02.00', 'No.'), line('02.00', '03.00', 'No.'))).toHaveLength(2)
  })

  it('is in the style with most letters that stand nowhere special', () => {
    const placed = (text: string, style: string) => line('01.00', '05.00', `{\\pos(1,2)}${text}`, style)
    const texts = (...lines: string[]) => read(...lines).map((cue) => cue.lines.join(' '))
    const long = line('01.00', '04.00', 'a long sentence', 'Talk')
    const short = line('01.00', '04.00', 'Bar', 'Note')
    expect(texts(long, short, placed('here', 'Talk'), placed('OPEN', 'Note'))).toEqual([
      'a long sentence',
      'Bar',
      'here',
    ])
  })

  it('is everything where every line has a place', () => {
    expect(
      spokenWords(
        line('01.00', '03.00', '{\\pos(320,300)}We should go in.', 'A'),
        line('02.00', '04.00', '{\\pos(320,200)}Why?', 'B'),
      ),
    ).toEqual([
      [1, 'We should go in.'],
      [2, 'Why?'],
    ])
  })

  it('is read quickly, however it is written', () => {
    const started = performance.now()
    const many = Array.from({ length: 20_000 }, (_, at) =>
      line('01.00', '03.00', `{\\pos(1,2)}Sign ${at % 50}`, at % 2 === 0 ? 'Sign' : 'Default'),
    )
    expect(
      spokenWords(...many, line('01.00', '02.00', `${'{\\p1'.repeat(100_000)} hello`)).length,
    ).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(3000 * measureSlowness())
  })
})
