import { describe, expect, it } from 'vitest'
import { faultOf, type Spoken } from './check-text.ts'
import { numbersIn } from './spoken-numbers.ts'

const spoken = (text: string, language = 'en', people: readonly string[] = []): Spoken => ({
  text,
  language,
  people,
})
const ENGLISH = spoken(
  'So the river froze for eleven weeks in 1963. Clive put his hand on the pipe. He said, I lost my good spanner in that wall.',
)
const SPANISH = spoken(
  'El Canario y yo hablamos doce años por la emisora. Era su voz. Nunca nos vimos en la carretera.',
  'es',
)
const GERMAN = spoken(
  'Ein gesundes Rad klingt wie eine Glocke. Er fand sieben Risse in einunddreißig Jahren. Das war mein Großvater.',
  'de',
)

describe('a text of a language model', () => {
  it.each([
    ['The river that froze for 11 weeks', ENGLISH],
    ['Why did Clive put his hand on the pipe?', ENGLISH],
    ['"I lost my good spanner in that wall"', ENGLISH],
    ['The River That Froze in 1963', ENGLISH],
    ['El Canario habló 12 años por la emisora', SPANISH],
    ['Sieben Risse in 31 Jahren', GERMAN],
    ['Warum ein gesundes Rad wie eine Glocke klingt', GERMAN],
  ])('is used where it says what is said: %s', (text, clip) => {
    expect(faultOf('title', text, clip)).toBeNull()
  })

  it.each([
    ['The river froze for 12 weeks', ENGLISH, /number 12/],
    ['The river froze for twelve weeks', ENGLISH, /number 12/],
    ['How the river froze in Norway', ENGLISH, /names "Norway"/],
    ['How Einstein Put His Hand on the Pipe', ENGLISH, /names "Einstein"/],
    ['Maria and the frozen river', ENGLISH, /names "Maria"/],
    ['Clive said "it was the wrong wall"', ENGLISH, /quotes/],
    ['Cómo el río se congeló y la pipa de Clive', ENGLISH, /another language/],
    ['Почему замёрзла река', ENGLISH, /another script/],
    ['A bridge made of chocolate', ENGLISH, /not about/],
    ['You won’t believe how the river froze', ENGLISH, /clickbait/],
    ['The RIVER FROZE for eleven weeks', ENGLISH, /shouts/],
    ['The river froze!!', ENGLISH, /shouts/],
    ['The river froze 🥶', ENGLISH, /emoji/],
    ['The river froze #winter', ENGLISH, /hashtag/],
    ['The river froze: https://evil.example', ENGLISH, /link/],
    ['<b>The river froze</b>', ENGLISH, /marks/],
    ['And the river froze', ENGLISH, /connective/],
    ['The river froze for the', ENGLISH, /breaks off/],
    [`The river froze ${'and froze '.repeat(8)}`, ENGLISH, /longer than 60/],
    ['Canario', spoken(SPANISH.text, 'es'), null],
    ['El Canario habló trece años', SPANISH, /number 13/],
    ['Lo que pasó después con el Canario', SPANISH, /clickbait/],
    ['Acht Risse in einem Rad', GERMAN, /number 8/],
    ['Wie Albert die Risse im Rad fand', GERMAN, /names "Albert"/],
  ])('is dropped with the reason: %s', (text, clip, why) => {
    const fault = faultOf('title', text, clip)
    if (why === null) expect(fault).toBeNull()
    else expect(fault).toMatch(why)
  })
})

describe('numbers', () => {
  it.each([
    ['en', 'two hundred and eleven seats, 1,200 people and 3.5 metres', ['211', '2', '11', '1200', '3.5']],
    ['en', 'once upon a time, fifty cents', ['50']],
    [
      'es',
      'tres millones novecientos mil kilómetros, treinta y un años, once multas',
      ['3900000', '31', '11'],
    ],
    ['de', 'zweihundertelf Sitze und vierundneunzig Wagen und ein Hund', ['211', '94']],
    ['fr', 'quatre-vingt-un ans, cent vingt buts, un chien', ['81', '120']],
    ['pl', 'jedenaście tygodni, 11 dni', ['11']],
  ])('in %s are found in words and figures: %s', (language, text, numbers) => {
    const found = numbersIn(text, language)
    for (const number of numbers) expect([...found]).toContain(number)
    if (language === 'en' && text.startsWith('once')) expect([...found]).toEqual(['50'])
  })
})
