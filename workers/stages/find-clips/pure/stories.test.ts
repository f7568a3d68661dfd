import { describe, expect, it } from 'vitest'
import type { SoundEvent } from '../../../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import { patternsOf } from './languages.ts'
import { languageOf, recogniseLanguage } from './recognise-language.ts'
import { factsOf } from './sentence-facts.ts'
import { splitSentences } from './sentences.ts'
import { completenessOf, dangles, findStories, hangs, storyValue } from './stories.ts'
import { topicChanges } from './topic-change.ts'

/** Turns of `SPEAKER: text`; each word takes 0.4 s, with 0.4 s after a sentence and the given seconds after `|n`. */
function talk(...turns: string[]) {
  const words: TranscriptWord[] = []
  const speakers: string[] = []
  let at = 0
  for (const turn of turns) {
    const [name = '', text = ''] = turn.split(': ')
    if (!speakers.includes(name)) speakers.push(name)
    for (const token of text.split(' ')) {
      if (token.startsWith('|')) at += Number(token.slice(1))
      else {
        words.push({ word: token, start: at, end: at + 0.35, speaker: speakers.indexOf(name) })
        at += 0.4 + (/[.?!]$/.test(token) ? 0.4 : 0)
      }
    }
  }
  return splitSentences(words, at)
}
const factsIn = (language: string, sentences: ReturnType<typeof talk>, events: SoundEvent[] = []) =>
  factsOf(sentences, patternsOf(language), events)

describe('the closed words of a language', () => {
  it.each([
    ['en', 'And then he left.', 'One winter the river froze.'],
    ['es', 'Y entonces se fue.', 'Nevaba en la sierra.'],
    ['de', 'Und dann ging er.', 'Morgens lag Schnee im Hof.'],
    ['fr', 'Et puis il est parti.', 'Dehors, la neige tombait.'],
  ])('in %s: %j leans on what was said before, %j does not', (language, leaning, free) => {
    const facts = factsIn(language, talk(`A: ${leaning} ${free}`))
    expect(facts.map((one) => one.leaning)).toEqual([true, false])
  })

  it.each([
    ['en', 'My mother said I was wrong.', { saying: 1, past: 2, family: 1, first: 2 }],
    ['es-MX', 'Mi madre dijo que no.', { saying: 1, family: 1, first: 1, negation: 1 }],
    ['deu', 'Meine Mutter sagte nichts.', { saying: 1, family: 1, first: 1, negation: 1 }],
    ['fra', 'Ma mère a dit non.', { saying: 1, family: 1, first: 1, negation: 1 }],
  ])('in %s they are counted: %j', (language, text, counts) => {
    expect(factsIn(language, talk(`A: ${text}`))[0]).toMatchObject(counts)
  })

  it('of another language are none, and structure is read all the same', () => {
    expect(patternsOf('ja')).toBeNull()
    const [question, answer] = factsIn(
      'pl',
      talk('A: Gdzie jest pies?', 'B: W ogrodzie za starym domem, jak zawsze.'),
    )
    expect(question).toMatchObject({ question: true, leaning: false, past: 0 })
    expect(answer).toMatchObject({ changes: true, voice: 1 })
  })
})

describe('a language that is not known', () => {
  it.each([
    ['en', 'The boat was old and the rope was new, and nobody in the village knew that it leaked.'],
    [
      'es',
      'El barco era viejo y la cuerda nueva, pero los del pueblo no sabían que hacía agua por las noches.',
    ],
    ['de', 'Das Boot war alt und die Leine neu, und der Hafenmeister wusste nicht, dass ich mit ihm fahre.'],
    [
      'fr',
      'Le bateau était vieux et les gens du village, qui dormaient dans des cabanes, ne le savaient pas.',
    ],
  ])('is recognised as %s by its most frequent words', (language, text) => {
    expect(recogniseLanguage(text)).toBe(language)
    expect(languageOf('und', [{ text }])).toBe(language)
    expect(languageOf('it', [{ text }])).toBe('it')
  })

  it('stays unknown where no language is clear', () => {
    for (const text of ['', 'Łódź jest stara, a lina nowa, i nikt o tym nie wie.', 'the que der le'])
      expect(languageOf('', [{ text }])).toBe('und')
  })
})

describe('a sentence in its place', () => {
  it('belongs to the turn of its speaker, whatever short reply lies between', () => {
    const facts = factsIn(
      'en',
      talk(
        'A: We walked to the river that night.',
        'B: Right.',
        'A: The ice was thin.',
        'B: How thin was it then, do you think?',
      ),
    )
    expect(facts.map(({ voice }) => voice)).toEqual([0, 0, 0, 1])
    expect(facts.map(({ changes }) => changes)).toEqual([false, false, false, true])
  })

  it('has the laughter that begins at its last words or in the pause after it', () => {
    const sentences = talk('A: It was the wrong house. |2 We moved in anyway.')
    const end = sentences[0]?.end ?? 0
    const laughter = { kind: 'laughter', start: end + 0.3, end: end + 1.8, score: 1 } as const
    expect(factsIn('en', sentences, [laughter]).map(({ reacted }) => reacted)).toEqual([1.5, 0])
    const music = { ...laughter, kind: 'music' } as const
    expect(factsIn('en', sentences, [music]).map(({ reacted }) => reacted)).toEqual([0, 0])
  })

  it('is where the topic changes most, by words and by meaning', () => {
    const boats = 'The boats carry salted herring northward. '.repeat(6)
    const bread = 'Bakers knead sourdough before sunrise. '.repeat(6)
    const sentences = talk(`A: ${boats.trim()}`, `A: ${bread.trim()}`)
    const facts = factsIn('en', sentences)
    const changes = topicChanges(facts, null)
    expect(changes.indexOf(Math.max(...changes.slice(2, 11)), 2)).toBe(6)
    const vectors = sentences.map((_, index) => Float32Array.of(index < 6 ? 1 : 0, index < 6 ? 0 : 1))
    const meant = topicChanges(facts, vectors)
    expect(meant.indexOf(Math.max(...meant.slice(2, 11)), 2)).toBe(6)
  })
})

describe('a story', () => {
  const sentences = talk(
    'A: Okay. Tickets are on the website, and the newsletter has the dates. Thanks for listening.',
    'B: When I was nine my father took me to the harbour. He said we were buying a boat. |0.6 We stood there for an hour and nobody came. Then a man walked up with a bucket. |2.4 And my father said, there she is.',
    'A: Oh no.',
    'A: Anyway, the website again is in the notes. See you next week.',
  )
  const laughter: SoundEvent[] = [
    { kind: 'laughter', start: (sentences[7]?.end ?? 0) + 0.1, end: (sentences[7]?.end ?? 0) + 2, score: 1 },
  ]
  const stories = findStories(sentences, { language: 'en', events: laughter, vectors: null, maxLength: 30 })
  const seconds = (from: number, to: number): number =>
    (sentences[to]?.end ?? 0) - (sentences[from]?.start ?? 0)
  const value = (from: number, to: number): number => storyValue(stories, from, to, seconds(from, to))

  it('is worth more than the housekeeping around it, and more whole than without its end', () => {
    expect(sentences[3]?.text).toMatch(/^When I was nine/)
    expect(sentences[7]?.text).toMatch(/there she is\.$/)
    expect(value(3, 7)).toBeGreaterThan(value(0, 4) + 1)
    expect(value(3, 7)).toBeGreaterThan(value(3, 6))
    expect(value(3, 7)).toBeGreaterThan(value(4, 7))
    expect(completenessOf(stories, 3, 7)).toBeGreaterThan(completenessOf(stories, 4, 6))
  })

  it('is the same wherever nothing is known but its words', () => {
    const again = findStories(sentences, { language: 'en', events: laughter, vectors: null, maxLength: 30 })
    expect(again.odds.goesOn).toEqual(stories.odds.goesOn)
    expect([...stories.needsBefore, ...stories.leavesOpen].every((share) => share >= 0 && share <= 1)).toBe(
      true,
    )
  })

  it('dangles without the question or the noun that it needs, and hangs before what was announced', () => {
    const facts = factsIn(
      'en',
      talk(
        'A: What would you pack first?',
        'B: Warm socks, always. And they dry by morning. Here are three rules. |0.8 Eat early.',
      ),
    )
    expect(facts.map((_, index) => dangles(facts, index))).toEqual([false, true, true, false, false])
    expect(facts.map((_, index) => hangs(facts, index))).toEqual([true, true, false, true, false])
  })
})
