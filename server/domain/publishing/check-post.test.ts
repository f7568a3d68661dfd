import { expect, it } from 'vitest'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { checkComplete, checkContent } from './check-post.ts'

const post = (text: string) => ({
  text,
  title: null,
  visibility: 'public' as const,
  firstComment: null,
  coverSeconds: null,
  accountId: 'a',
})
const many = (count: number, mark: string): string =>
  Array.from({ length: count }, (_, n) => `${mark}word${n}`).join(' ')

it('Instagram takes 30 hashtags and 20 names, and what only looks like one does not count', () => {
  const { instagram, threads } = ADAPTERS
  checkContent(instagram, post(`${many(30, '#')} ${many(20, '@')} C# a#b # 1 mail@example.com &#39;`))
  expect(() => checkContent(instagram, post(many(31, '#')))).toThrow('30 hashtags; this has 31')
  expect(() => checkContent(instagram, post(many(21, '@')))).toThrow('20 names with an @; this has 21')
  checkContent(threads, post(many(31, '#')))
})

it('a cover is for platforms that take one, and for packages', () => {
  const { tiktok, bluesky } = ADAPTERS
  const covered = { ...post('Look'), coverSeconds: 2 }
  checkContent(tiktok, covered)
  checkContent(bluesky, { ...covered, accountId: null })
  expect(() => checkContent(bluesky, covered)).toThrow('Bluesky chooses the cover by itself')
  expect(() => checkComplete(tiktok, covered, { seconds: 1.5 })).toThrow('The clip has 1.5 seconds')
})
