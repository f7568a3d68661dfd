import { describe, expect, it } from 'vitest'
import { countTerms, indexedText, markTerms, matchAll, searchTerms, snippetOf } from './search-terms.ts'

const terms = (query: string, shortPrefixes = false) => searchTerms(query, { shortPrefixes })
const match = (query: string): string => matchAll(terms(query))
const shown = (parts: readonly { text: string; match: boolean }[]): string =>
  parts.map(({ text, match: is }) => (is ? `[${text}]` : text)).join('')

describe('the terms of a query', () => {
  it.each([
    ['hello world', '("hello" AND "world" *)'],
    ['hello wo', '("hello" AND "wo")'],
    ['hello world ', '("hello" AND "world")'],
    ['"hello world"', '("hello world")'],
    ['"hello wor', '("hello wor")'],
    ["it's Café", '("it s" AND "cafe" *)'],
    ['foo OR bar NOT baz*', '("foo" AND "or" AND "bar" AND "not" AND "baz" *)'],
    ['title:"x" NEAR(a b)', '("title" AND "x" AND "near a" AND "b")'],
    ['東京都', '("東京 京都")'],
    ['東', '("東" *)'],
    ['iPhone発売', '("iphone 発売")'],
    ['発売iphone', '("発売 売 iphone" *)'],
    ['same same', '("same" AND "same" *)'],
    ['a\u0000b', '("a" AND "b")'],
  ])('%j are %s', (query, expected) => {
    expect(match(query.replaceAll('\u0000', ' '))).toBe(expected)
  })

  it('are none where nothing is a word', () => {
    for (const query of ['', ' ', '!?', '"', '""', '😀👍', '***', '-- (', '\u0301'])
      expect(terms(query)).toEqual([])
  })

  it('begin short words only where the index is small', () => {
    expect(terms('wo')[0]?.prefix).toBe(false)
    expect(terms('wo', true)[0]?.prefix).toBe(true)
  })
})

describe('what is found in a text', () => {
  it('is marked, whatever its case and accents', () => {
    expect(shown(markTerms(terms('cafe wor'), 'The CAFÉ, and a world; wordless?'))).toBe(
      'The [CAFÉ], and a [world]; [wordless]?',
    )
    expect(shown(markTerms(terms('東京'), '私は東京都に東の京'))).toBe('私は[東京]都に東の京')
    expect(shown(markTerms(terms('"a b" b'), 'b a b a'))).toBe('[b] [a b] a')
    expect(markTerms(terms('x'), '')).toEqual([])
  })

  it('is counted by term', () => {
    expect(countTerms(terms('one "two three" fo'), 'one two three four one two')).toEqual({
      counts: [2, 1, 0],
      length: 6,
    })
  })

  it('is shown in a passage, whose pieces are plain text', () => {
    const text = `${'filler words '.repeat(80)}the <b>needle</b> and the thread ${'more '.repeat(80)}`
    const snippet = snippetOf(terms('needle thread'), text)
    expect(shown(snippet)).toMatch(/^….*<b>\[needle\]<\/b> and the \[thread\].*…$/)
    expect(shown(snippet).length).toBeLessThan(260)
    const whole = snippetOf(terms('nothing'), ' short\n text ')
    expect(whole).toEqual([{ text: 'short text', match: false }])
    for (const { text: piece } of snippetOf(terms('zzz'), '😀'.repeat(500)))
      expect(piece.isWellFormed()).toBe(true)
  })
})

it('has Chinese and Japanese in pairs, as a query does', () => {
  expect(indexedText('東京タワー is high').trim().split(/\s+/)).toEqual([
    '東京',
    '京タ',
    'タワ',
    'ワー',
    'ー',
    'is',
    'high',
  ])
  expect(indexedText('plain words, as they are')).toBe('plain words, as they are')
})
