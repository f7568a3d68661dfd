import { expect, it } from 'vitest'
import { joinWords } from './join-words.ts'

it.each([
  [['Hello', 'there,', 'you.'], 'Hello there, you.'],
  [['今日は', 'とても', '大事。', '「みなさん', 'ラー', 'メン'], '今日はとても大事。「みなさんラーメン'],
  [['今天', '我们', '用', 'AI', '写', 'code'], '今天我们用 AI 写 code'],
  [['สวัสดี', 'ครับ'], 'สวัสดีครับ'],
  [['오늘은', '중요한', '이야기'], '오늘은 중요한 이야기'],
  [[], ''],
])('joins %j', (words, text) => {
  expect(joinWords(words)).toBe(text)
})
