import { expect, it } from 'vitest'
import { contentDisposition, fileStem } from './file-names.ts'

it.each([
  ['Why Do Most Studios Lose?', 'why-do-most-studios-lose'],
  ["Café: it's 50 % off", 'café-its-50-off'],
  ['没有人会把说明书读两遍', '没有人会把说明书读两遍'],
  ['لا أحد يقرأ الدليل', 'لا-أحد-يقرأ-الدليل'],
  ['אף אחד לא קורא', 'אף-אחד-לא-קורא'],
  ['ไม่มีใครอ่านคู่มือ', 'ไม่มีใครอ่านคู่มือ'],
  ['Launch 🚀 now 👩‍🚀', 'launch-🚀-now-👩‍🚀'],
  ['CON', 'con-'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a\u202egpj.exe', 'a-gpj-exe'],
  ['C:\\x|y*z?\u0000', 'c-x-y-z'],
  ['…', 'clip-1'],
])('%s', (title, stem) => expect(fileStem(title, 'clip-1')).toBe(stem))

it('is cut between characters, by bytes', () => {
  const long = fileStem('👩‍👩‍👧‍👦'.repeat(40), 'clip')
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(150)
  expect(long.replaceAll('👩‍👩‍👧‍👦', '')).toBe('')
  expect(fileStem('语'.repeat(100), 'clip')).toHaveLength(50)
})

it('is in the header in its own script, and in ASCII', () => {
  expect(contentDisposition('inline', 'a-b.mp4')).toBe('inline; filename="a-b.mp4"')
  expect(contentDisposition('inline', '语.mp4')).toBe(
    'inline; filename="clip.mp4"; filename*=UTF-8\'\'%E8%AF%AD.mp4',
  )
  expect(contentDisposition('attachment', 'café.srt')).toBe(
    'attachment; filename="cafe.srt"; filename*=UTF-8\'\'caf%C3%A9.srt',
  )
})
