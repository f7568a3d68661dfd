import { describe, expect, it } from 'vitest'
import { cleanTags, isTelling, plainWords, stemOf, stemsOf, tagsOfName } from './words.ts'

describe('plain words', () => {
  it.each([
    ["The cat's whiskers' tips", ['the', 'cat', 'whiskers', 'tips']],
    ['It’s don’t', ['it', 'dont']],
    ['cafe\u0301 – naïve, 3½ 猫!', ['café', 'naïve', '3½', '猫']],
    ['...', []],
    ['', []],
  ])('of "%s"', (text, expected) => expect(plainWords(text)).toEqual(expected))
})

it.each([
  ['cats', 'cat'],
  ['cat', 'cat'],
  ['gas', 'gas'],
  ['bus', 'bus'],
  ['glass', 'glass'],
  ['campus', 'campus'],
  ['tennis', 'tennis'],
  ['using', 'using'],
  ['classes', 'class'],
  ['cities', 'citi'],
  ['city', 'citi'],
  ['ties', 'tie'],
  ['movies', 'movi'],
  ['movie', 'movi'],
  ['boxes', 'box'],
  ['quizzes', 'quizz'],
  ['churches', 'church'],
  ['dishes', 'dish'],
  ['chest', 'chest'],
  ['busiest', 'busiest'],
  ['races', 'rac'],
  ['race', 'rac'],
  ['racing', 'rac'],
  ['raced', 'rac'],
  ['running', 'run'],
  ['planned', 'plan'],
  ['missing', 'miss'],
  ['falling', 'fal'],
  ['bringing', 'bring'],
  ['buildings', 'build'],
  ['sing', 'sing'],
  ['thing', 'thing'],
  ['string', 'string'],
  ['shed', 'shed'],
  ['crying', 'cry'],
  ['playing', 'plai'],
  ['studying', 'studi'],
  ['baby', 'babi'],
  ['fly', 'fly'],
  ['ayes', 'aye'],
  ['yard', 'yard'],
  ['the', 'the'],
  ['time', 'tim'],
  ['cafés', 'cafés'],
  ['3cats', '3cats'],
  ['cats3', 'cats3'],
  ['猫', '猫'],
])('%s has the stem %s', (word, expected) => expect(stemOf(word)).toBe(expected))

it('a text has its stems in order', () =>
  expect(stemsOf('Racing Cats, racing!')).toEqual(['rac', 'cat', 'rac']))

it.each([
  ['whale', true],
  ['zoo', true],
  ['ox', false],
  ['the', false],
  ['please', false],
  ['photo', false],
  ['webm', false],
  ['2024', false],
  ['4k', false],
  ['4kk', true],
  ['a380', true],
  ['猫', true],
  ['猫a', true],
  ['a猫', true],
  ['я', true],
])('"%s" tells something by itself: %s', (word, expected) => expect(isTelling(word)).toBe(expected))

describe('tags', () => {
  it('are clean, sorted, once each, and of sixty letters at most', () => {
    expect(cleanTags(['Zoo', ' the  Zoo! ', 'zoo', '', '?'])).toEqual(['the zoo', 'zoo'])
    const word = 'abcdefghi'
    const [tag] = cleanTags([Array.from({ length: 8 }, () => word).join(' ')])
    expect(tag).toBe(Array.from({ length: 6 }, () => word).join(' '))
    expect(cleanTags(['x'.repeat(61)])).toEqual(['x'.repeat(60)])
  })

  it.each([
    ['new-york-01.jpg', ['new york', 'york']],
    ['whale.mp4', ['whale']],
    ['whale song.tar.gz', ['song', 'tar', 'whale', 'whale song tar']],
    ['big blue whale song.jpg', ['big', 'big blue whale song', 'blue', 'song', 'whale']],
    ['one big blue whale song.jpg', ['big', 'blue', 'one', 'song', 'whale']],
    ['the of.jpg', []],
    ['IMG_1234.JPG', []],
    ['GoldenGateBridge2019final.mov', ['bridge', 'gate', 'golden', 'golden gate bridge']],
    ['v1.5-beta', ['beta', 'v beta']],
    ['sunset.at-sea', ['sea', 'sunset', 'sunset at sea']],
    ['Straße3b.png', ['straße', 'straße b']],
    ['', []],
  ])('of the name %s', (name, expected) => expect(tagsOfName(name)).toEqual(expected))
})
