import { describe, expect, it } from 'vitest'
import { passwordProblem } from './password-rules.ts'

describe('passwords', () => {
  it.each([
    'correct horse battery staple',
    'the heron left before noon',
    'Übermütige Kühe tanzen nachts',
    '雨の日は窓辺で本を読むのが好きです',
    'gX7#pLq2vR9!tKz',
    '748201937465920',
  ])('accept %s', (password) => expect(passwordProblem(password)).toBeNull())

  it.each([
    ['too short', 'gX7#pLq2vR9!tK', 'short'],
    ['the commonest, made longer', 'passwordpassword', 'common'],
    ['the same in other signs', 'P@ssw0rdP@ssw0rd1!', 'common'],
    ['one letter', 'aaaaaaaaaaaaaaaaaaaa', 'common'],
    ['counting', '123456789012345678', 'common'],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz', 'common'],
    ['rows of keys', 'qwertyuiopasdfghjkl', 'common'],
    ['a season and a year', 'Summer2026Summer2026', 'common'],
    ['the product', 'cutroomcutroom2026!', 'common'],
    ['longer than any', 'x y z'.repeat(60), 'long'],
  ])('refuse %s', (_, password, problem) => expect(passwordProblem(password)).toBe(problem))

  it('refuse what is made of the person', () => {
    const about = ['Ada Lovelace', 'ada@example.com']
    expect(passwordProblem('adalovelace1815!', about)).toBe('common')
    expect(passwordProblem('ada@example.com-1', about)).toBe('common')
  })

  it('count characters, not units', () => {
    expect(passwordProblem('👩🏽‍🚀🎬🎧📼🎞️')).toBe('short')
  })
})
