import { describe, expect, it } from 'vitest'
import { spoken } from '../../../test/support/node-values.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { curseFinder, inflections, maskWord } from './find-curses.ts'
import { findFillers } from './find-fillers.ts'
import { findStutters } from '../types/filler-words.ts'
import { detectTextLanguage } from '../compose/language.ts'

/** `|` is a pause of 0.4 s; otherwise words are 50 ms apart. */
function said(text: string): TranscriptWord[] {
  let at = 0
  return text.split(' ').flatMap((word) => {
    if (word === '|') {
      at += 0.35
      return []
    }
    const one = { word, start: at, end: at + 0.25 }
    at += 0.3
    return [one]
  })
}

const picked = (words: readonly TranscriptWord[], found: ReadonlySet<number>): string =>
  words
    .filter((_, index) => found.has(index))
    .map(({ word }) => word)
    .join(' ')

describe('fillers', () => {
  const fillers = (text: string, language = 'en'): string => {
    const words = said(text)
    return picked(words, findFillers(words, language))
  }
  it.each([
    ['Um, so uh it is ummm big hmm yes', 'Um, uh ummm hmm'],
    ['He said "um" and hmm? again', ''],
    ['It was, you know, big', 'you know,'],
    ['You know, people bought it', 'You know,'],
    ['and then | you know | it broke', 'you know'],
    ['If you know a place that fits', ''],
    ['As you know, it broke', ''],
    ['what I mean, really', ''],
    ['. I mean, it was late', 'I mean,'],
    ['it was, like, huge', 'like,'],
    ['I | like | bikes and things like this', ''],
    ['it looked like, well', ''],
    ['we were | uh like, | gone', 'uh like,'],
    ['To err is human, er, yes', 'er,'],
    ['uh-huh mm-hmm I see', ''],
    ['it costs 50 mm today', ''],
  ])('%s: %s', (text, expected) => expect(fillers(text)).toBe(expected))

  it('knows what is a word in which language', () => {
    expect(fillers('wir gehen um die Ecke, äh, weit', 'de')).toBe('äh,')
    expect(fillers('um dia ahm eu fui', 'pt')).toBe('ahm')
    expect(fillers('je suis euh parti', 'fr')).toBe('euh')
    expect(fillers('qqq um xxx hmm', '')).toBe('hmm')
  })

  it('takes a phrase from one speaker only', () => {
    const words = said('and so, you know, yes').map((word, index) => ({
      ...word,
      speaker: index < 3 ? 0 : 1,
    }))
    expect(picked(words, findFillers(words, 'en'))).toBe('')
  })
})

describe('language', () => {
  it.each([
    ['eng', '', 'en'],
    ['de-AT', 'the dog and the cat', 'de'],
    ['und', 'so the rent had doubled and we were in the street', 'en'],
    [undefined, 'wir haben das Haus und die Straße nicht gesehen', 'de'],
    [undefined, 'Kanpai sumimasen arigato', ''],
  ])('%s "%s": %s', (tag, text, expected) => expect(detectTextLanguage(tag, said(text))).toBe(expected))
})

describe('stutters', () => {
  const stutters = (text: string): string => {
    const words = said(text)
    return picked(words, findStutters(words, findFillers(words, 'en'), 'en'))
  }
  it.each([
    ['and the the rent', 'the'],
    ['the the the rent', 'the the'],
    ['I, uh, I rode here', 'I,'],
    ['w- we th- the- the end', 'w- th- the-'],
    ['pre- and post war', ''],
    ['I was, I was late', 'I was,'],
    ['it was a it was a long day', 'it was a'],
    ['If you whisper it, it is wrong', ''],
    ['I know that that is right, he had had enough', ''],
    ['no no no, very very good', ''],
    ['Half? Nine. Nine, out of ten', ''],
    ['it went on and on and on, over and over and over', ''],
    ['step by step by step', ''],
    ['twenty 20 20 and Duran Duran', ''],
    ['I know, I know', ''],
    ['the bike bike broke', 'bike'],
    ['the | | | | the end', ''],
  ])('%s: %s', (text, expected) => expect(stutters(text)).toBe(expected))

  it('lets the second go where the first is too short to cut', () => {
    const words: TranscriptWord[] = [
      { word: 'the', start: 0, end: 0.05 },
      { word: 'the', start: 0.05, end: 0.2 },
      { word: 'end', start: 0.2, end: 0.4 },
    ]
    expect([...findStutters(words, new Set(), 'en')]).toEqual([1])
  })

  it('does not take two speakers for one', () => {
    const words = spoken('we we did').map((word, index) => ({ ...word, speaker: index }))
    expect(findStutters(words, new Set(), 'en').size).toBe(0)
  })
})

describe('curse words', () => {
  const curses = (text: string, more: string[] = [], includeMild = false, language = 'en'): string => {
    const words = said(text)
    return picked(words, new Set(curseFinder({ language, more, includeMild }).find(words)))
  }
  it.each([
    ['Fuck! what the fucking shit, fucker', 'Fuck! fucking shit, fucker'],
    ["shitting bullshitter's fuckin' motherfuckers", "shitting bullshitter's fuckin' motherfuckers"],
    ['Scunthorpe class hello shitake assess cocktail Dickens peacock titter bass pass Hancock', ''],
    ['the shell of an ass, half-assed assets', 'ass,'],
    ['he cocked the gun and pricked up', ''],
    ['we met Dick there, what a dick', 'dick'],
    ['fuuuuck sh1t f**k f*** [ __ ] **', 'fuuuuck sh1t f**k f*** __ **'],
    ['mother-fucking holy-shit', 'mother-fucking holy-shit'],
    ['damn, hell', ''],
    ['a very **bold** word', ''],
  ])('%s: %s', (text, expected) => expect(curses(text)).toBe(expected))

  it('takes mild words, own words with inflections, and phrases, when told', () => {
    expect(curses('damn, damned hell hello', [], true)).toBe('damn, damned hell')
    expect(curses('he frobbed the frobs; frobbing frobber frobisher', ['Frob'])).toBe(
      'frobbed frobs; frobbing frobber',
    )
    expect(curses('son of a gun, a son of mine', ['son of a gun'])).toBe('son of a gun,')
    expect(curses('Dick came', ['dick'])).toBe('Dick')
  })

  it('keeps to the language', () => {
    expect(curses('das ist dick und scheiße, shit', [], false, 'de')).toBe('scheiße, shit')
    expect(curses('putain de merde', [], false, 'fr')).toBe('putain merde')
    expect(curses('putain de merde')).toBe('')
  })

  it('writes words so that nobody has to read them', () => {
    expect(['fuck', '"Fucking!"', 'f***', 'mother-fucker'].map(maskWord)).toEqual([
      'f***',
      '"F******!"',
      'f***',
      'm*****-******',
    ])
    const { rewrite } = curseFinder({ language: 'en', more: [], includeMild: false })
    expect(rewrite('No shit: the class  of fuckers')).toBe('No s***: the class  of f******')
    expect(inflections('bake')).toEqual(expect.arrayContaining(['baking', 'baked', 'bakes', 'baker']))
  })
})
