import { describe, expect, it } from 'vitest'
import { curseFinder, inflections, maskWord, type CurseOptions } from './find-curses.ts'

const finder = (over: Partial<CurseOptions> = {}) =>
  curseFinder({ language: 'en', more: [], includeMild: false, ...over })
const places = (text: string, over: Partial<CurseOptions> = {}) =>
  finder(over).find(text.split(' ').map((word, index) => ({ word, start: index, end: index + 1 })))

describe('inflections', () => {
  it.each([
    [
      'frob',
      "frob frobs frobes frobed frobing frobin frobin' frober frobers froby frobbs frobbes frobbed frobbing frobbin frobbin' frobber frobbers frobby",
    ],
    [
      'bake',
      "bake bakes bakees bakeed bakeing bakein bakein' bakeer bakeers bakey baks bakes baked baking bakin bakin' baker bakers baky baked",
    ],
    ['snow', "snow snows snowes snowed snowing snowin snowin' snower snowers snowy"],
    ['fox', "fox foxs foxes foxed foxing foxin foxin' foxer foxers foxy"],
    ['play', "play plays playes played playing playin playin' player players playy"],
    ['ask', "ask asks askes asked asking askin askin' asker askers asky"],
    ['ply', "ply plys plyes plyed plying plyin plyin' plyer plyers plyy"],
    ['u', "u us ues ued uing uin uin' uer uers uy"],
  ])('of %s', (word, expected) => expect(inflections(word).join(' ')).toBe(expected))
})

describe('places of curse words', () => {
  it.each([
    ['none in clean speech', 'we had a lovely class today', []],
    ['none in silence', '', []],
    ['each one', 'shit, what shit is this shit', [0, 2, 5]],
    ['possessives', "the bitch's and the bitches' house", [1, 4]],
    ['parts of compounds', 'a shit-show and a no–shit–man and a horse/shit thing', [1, 4, 7]],
    ['written with or without a hyphen', 'bull-shit and a cock-sucker', [0, 3]],
    ['drawn-out letters', 'fuuuck and shiiiiit and asss', [0, 2, 4]],
    ['no word with two letters in a row', 'shiit and asss and as', [2]],
    [
      'stand-ins for letters',
      '$hit sh1t 5hit b!tch @sshole fvck 4rse tw@t c0ck b3llend',
      [0, 1, 2, 4, 6, 7, 8],
    ],
    ['no numbers', '455 45 5417', []],
    ['stars for letters', 'f*** s**t a*s f**k! sh*t fu*k', [0, 1, 2, 3, 4, 5]],
    ['blanked words', '[ __ ] ** **** "___"', [1, 3, 4, 5]],
    ['no emphasis or maths', '* _ *bold* **bold** 2*3 a*', []],
    ['a name is left alone', 'then Dick said to Dicks that dick', [6]],
    ['a name at the start of a sentence is none', 'Dick went. Dick! Dick, though', [0, 2, 3]],
    ['a name in capitals is none', 'so DICK and "Dick" came', [1]],
  ])('%s: %s', (_, text, expected) => expect(places(text)).toEqual(expected))

  it.each([
    ['mild words are left alone', 'damn this crap', {}, []],
    ['mild words on request', 'damn this crap', { includeMild: true }, [0, 2]],
    ['own words', 'what the Frobnicator', { more: ['frobnicator'] }, [2]],
    ['own words with marks', 'what the frobs', { more: [' "Frob!" '] }, [2]],
    ['own names', 'so Dick came', { more: ['dick'] }, [1]],
    ['own phrases', 'you son of a gun, son of mine', { more: ['Son  of a gun'] }, [1, 2, 3, 4]],
    ['no part of an own phrase', 'son of a', { more: ['son of a gun'] }, []],
    ['nothing for empty words', 'a - b', { more: ['', ' ', '...'] }, []],
    ['its own language', 'merde', { language: 'fr' }, [0]],
    ['no other language', 'merde', { language: 'en' }, []],
    ['English words everywhere', 'shit', { language: 'fr' }, [0]],
    ['a few English words everywhere', 'wanker', { language: 'fr' }, []],
    [
      'the few where the language has no list',
      'shit wanker damn',
      { language: 'ja', includeMild: true },
      [0],
    ],
    ['English where the language is unknown', 'wanker', { language: '' }, [0]],
    ['no list by a name of JavaScript', 'wanker', { language: 'constructor' }, []],
    ['mild words of the language', 'zut alors', { language: 'fr', includeMild: true }, [0]],
  ] as [string, string, Partial<CurseOptions>, number[]][])('%s: %s', (_, text, over, expected) =>
    expect(places(text, over)).toEqual(expected),
  )
})

describe('masked text', () => {
  it.each([
    ['fuck', 'f***'],
    ['"Shit!"', '"S***!"'],
    ['mother-fucker', 'm*****-******'],
    ['sh1t', 's***'],
    ['$hit', '$***'],
    ['@ss', '@**'],
    ['e\u0301t', 'e\u0301*'],
    ['***', '***'],
    ['', ''],
  ])('%s is shown as %s', (text, expected) => expect(maskWord(text)).toBe(expected))

  it.each([
    ['No shit,  Sherlock', 'No s***,  Sherlock'],
    [' shit\n shit ', ' s***\n s*** '],
    ['nothing to hide', 'nothing to hide'],
    ['Then Dick came. Dick left', 'Then Dick came. D*** left'],
    ['', ''],
  ])('"%s" is written as "%s"', (text, expected) => expect(finder().rewrite(text)).toBe(expected))
})
