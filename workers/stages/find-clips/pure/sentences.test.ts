import { expect, it } from 'vitest'
import { judgeSentence } from './judge-sentence.ts'
import { splitPhrases, splitSentences } from './sentences.ts'

const timed = (words: readonly string[]) =>
  words.map((word, index) => ({ word, start: index * 0.3, end: index * 0.3 + 0.25 }))

it('writes no spaces between words of scripts that have none, and still knows them as words', () => {
  const words = timed(['今日', 'は', 'とても', '大事な', '話', 'を', 'します。', '本当', 'です', 'か？'])
  const sentences = splitSentences(words, 4)
  expect(sentences.map((sentence) => sentence.text)).toEqual([
    '今日はとても大事な話をします。',
    '本当ですか？',
  ])
  const judged = sentences.map((one) => judgeSentence(one))
  expect(judged[0]?.wordCount).toBeGreaterThan(5)
  expect(judged[0]?.stems).toEqual(expect.arrayContaining(['今日', '大事']))
  expect(judged[1]?.question).toBe(true)
  expect(
    splitPhrases(timed(['みなさん、', 'よく', '聞いて', 'ください。']), 2).map(({ text }) => text),
  ).toEqual(['みなさん、よく聞いてください。'])
  expect(splitSentences(timed(['สวัสดี', 'ครับ']), 1)[0]?.text).toBe('สวัสดีครับ')
  expect(splitSentences(timed(['Use', 'AI', 'now.']), 1)[0]?.text).toBe('Use AI now.')
})
