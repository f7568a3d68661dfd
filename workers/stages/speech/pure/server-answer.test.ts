import { describe, expect, it } from 'vitest'
import { parseAnswer, type ServerAnswer } from './server-answer.ts'

const parsed = (body: unknown, seconds = 10): ServerAnswer => {
  const answer = parseAnswer(typeof body === 'string' ? body : JSON.stringify(body), seconds)
  if (typeof answer === 'string') throw new Error(answer)
  return answer
}
const word = (text: string, start: unknown, end: unknown) => ({ word: text, start, end })
const texts = (answer: ServerAnswer) => answer.pieces.map((piece) => piece.text.trim())

describe('the answer of a speech server', () => {
  it('has words with the punctuation of the text, in the text’s own spelling of one word', () => {
    const text = 'So, (as they say) a well-known "fact": don’t — 3.5 percent.'
    const bare = ['So', 'as', 'they', 'say', 'a', 'well', 'known', 'fact', 'don’t', '3.5', 'percent']
    const answer = parsed({ text, words: bare.map((one, at) => word(one, at / 2, at / 2 + 0.4)) })
    expect(texts(answer)).toEqual([
      'So,',
      '(as',
      'they',
      'say)',
      'a',
      'well-known',
      '"fact":',
      'don’t',
      '3.5',
      'percent.',
    ])
    expect(answer.pieces[5]).toEqual({ text: ' well-known', from: 2.5, to: 3.4 })
    expect(answer).toMatchObject({ words: true, doubtful: false })
  })

  it('joins tokens to words where they begin with spaces, also without the text', () => {
    const words = [word(' Wh', 0, 0.1), word('isper', 0.1, 0.3), word(',', 0.3, 0.3), word(' no', 0.4, 0.6)]
    expect(texts(parsed({ segments: [{ text: ' Whisper, no', start: 0, end: 30, words }] }))).toEqual([
      'Whisper,',
      'no',
    ])
    expect(texts(parsed({ text: 'Something else', words }))).toEqual(['Whisper,', 'no'])
  })

  it('splits words in scripts without spaces', () => {
    const words = [word('你好', 0, 0.5), word('世界', 0.6, 1)]
    const answer = parsed({ text: '你好，世界。', words, language: 'chinese' })
    expect(texts(answer).join('')).toBe('你好，世界。')
    expect(answer.pieces.length).toBeGreaterThan(1)
    expect(answer.language).toBe('zh')
  })

  it.each<[string, unknown[]]>([
    ['outside of the window', [word('a', 0, 1), word('b', 14, 15)]],
    ['before it', [word('a', -3, -2), word('b', 1, 2)]],
    ['that go backwards', [word('a', 5, 6), word('b', 1, 2)]],
    ['that end before they start', [word('a', 5, 2), word('b', 6, 7)]],
    ['that are missing', [word('a', null, 1), word('b', 1, 2)]],
    ['that are texts', [word('a', '0', '1'), word('b', '1', '2')]],
  ])('leaves out times of words %s, and says so', (_name, words) => {
    const segments = [{ text: ' a b', start: 0.2, end: 2 }]
    expect(parsed({ text: 'a b', words, segments })).toMatchObject({
      pieces: [{ text: ' a b', from: 0.2, to: 2 }],
      words: false,
      doubtful: true,
    })
    expect(parsed({ text: 'a b', words })).toMatchObject({ pieces: [{ text: 'a b', from: null, to: null }] })
  })

  it('reads NaN as no time', () => {
    const body =
      '{"text":"a, NaN b","words":[{"word":"a","start":NaN,"end":-Infinity},{"word":"b","start":1,"end":2}]}'
    expect(parsed(body)).toMatchObject({ words: false, doubtful: true, pieces: [{ text: 'a, NaN b' }] })
  })

  it('leaves out times of segments that cannot be right; ends in the padding can', () => {
    const at = (start: number, end: number) => parsed({ text: 'a', segments: [{ text: ' a', start, end }] })
    expect(at(0, 30)).toMatchObject({ pieces: [{ from: 0, to: 30 }], doubtful: false, words: false })
    expect(at(40, 50)).toMatchObject({ pieces: [{ text: 'a', from: null, to: null }], doubtful: true })
  })

  it('may be a text alone, or silence', () => {
    expect(parsed({ text: ' Hello. ' })).toEqual({
      pieces: [{ text: ' Hello. ', from: null, to: null }],
      words: false,
      doubtful: false,
      language: null,
    })
    expect(parsed({ text: '', segments: [], words: [] }).pieces).toEqual([])
  })

  it.each([
    ['', /not JSON/],
    ['data: {"text":"a"}', /not JSON/],
    ['"a"', /not JSON/],
    ['null', /not JSON/],
    ['[]', /neither a text nor words/],
    ['{"error":"x"}', /neither a text nor words/],
    ['{"text":7,"words":"many"}', /neither a text nor words/],
  ])('%s is no answer', (text, why) => {
    expect(parseAnswer(text, 10)).toMatch(why)
  })

  it.each([
    ['en', 'en'],
    ['en-US', 'en'],
    ['english', 'en'],
    ['Haitian Creole', 'ht'],
    ['maori', 'mi'],
    ['Myanmar', 'my'],
    ['cantonese', 'yue'],
    ['yue', 'yue'],
    ['gibberish', null],
    ['auto', null],
    ['und', null],
    [7, null],
  ])('names the language %s as %s', (language, code) => {
    expect(parsed({ text: 'a', language }).language).toBe(code)
  })

  it('has the language that was detected, not the one that the server was started with', () => {
    expect(parsed({ text: 'a', language: 'english', detected_language: 'german' }).language).toBe('de')
  })
})
