import { describe, expect, it } from 'vitest'
import { proposeTitles } from './headline.ts'
import { judgeSentence } from './judge-sentence.ts'
import { splitSentences } from './sentences.ts'
import { stem, bare } from './text-tools.ts'

/** The titles of a clip with this text; `usual`: words that the whole talk is full of. */
function titlesOf(text: string, language = 'en', usual: readonly string[] = []) {
  const words = text.split(' ').map((word, index) => ({ word, start: index * 0.4, end: index * 0.4 + 0.35 }))
  const sentences = splitSentences(words, words.length)
  const all = sentences.flatMap((sentence) => sentence.text.split(' ').map((word) => stem(bare(word))))
  const idf = new Map(all.map((word) => [word, usual.includes(word) ? 0.3 : 2.5]))
  const judged = sentences.map((one) => judgeSentence(one))
  return proposeTitles({ sentences, judged, idf, language, inside: sentences.map(() => 0.8) })
}

const headline = (text: string, language = 'en'): string => titlesOf(text, language)[0]?.text ?? ''

describe('a headline', () => {
  it.each([
    [
      'en',
      'And then, um, he left us. So the river froze for eleven weeks. It was like that.',
      'The River Froze for Eleven Weeks',
    ],
    [
      'en',
      'I think nobody reads forty pages about a chimney. They did not.',
      'Nobody Reads Forty Pages About a Chimney',
    ],
    [
      'es',
      'Y entonces me lo dijo. Pues la nieve tapó las once casas del pueblo.',
      'La nieve tapó las once casas del pueblo',
    ],
    [
      'de',
      'Und dann kam er. Also die Brücke klingt im Winter anders als im Sommer.',
      'Die Brücke klingt im Winter anders als im Sommer',
    ],
    [
      'fr',
      'Et là il est parti. Alors la rivière a gelé pendant onze semaines.',
      'La rivière a gelé pendant onze semaines',
    ],
  ])('in %s is a line that stands alone, without what connects it: %j', (language, text, title) => {
    expect(headline(text, language)).toBe(title)
  })

  it('keeps a short question whole, and its mark', () => {
    expect(headline('So why does an old ceiling crack in the corner? Yeah.')).toBe(
      'Why Does an Old Ceiling Crack in the Corner?',
    )
  })

  it('is the main clause of a sentence that is too long, never its tail', () => {
    const long =
      'The lighthouse keeper kept eleven goats on the rock, because the boat with the milk came only when the wind allowed it.'
    expect(headline(long)).toBe('The Lighthouse Keeper Kept Eleven Goats on the Rock')
  })

  it('is no clause that cannot stand alone, and none that only announces', () => {
    expect(
      headline('When the harbour freezes over in winter, which it does in most years by the end of January.'),
    ).not.toMatch(/^When/)
    expect(headline('Let me tell you about the harbour today. The harbour freezes by January.')).toBe(
      'The Harbour Freezes by January',
    )
  })

  it('names what the clip is about where no line can stand for it', () => {
    expect(
      headline(
        'He said that to her. And then that was it. She said it was damp, damp plaster, and he said plaster.',
      ),
    ).toBe('Damp, Plaster')
    expect(headline('Yeah.')).toBe('Clip')
  })

  it.each([
    [
      'es',
      'No, la abuela no salió nunca del pueblo de Cella.',
      'La abuela no salió nunca del pueblo de Cella',
    ],
    ['es', 'No conocía el mar nadie de la familia.', 'No conocía el mar nadie de la familia'],
    [
      'de',
      'Er sagte ja. Ein Rad mit Riss klingt um Mitternacht dumpf.',
      'Ein Rad mit Riss klingt um Mitternacht dumpf',
    ],
    ['fr', 'Sinon il part. Bon, la gratitude se plie et se range.', 'La gratitude se plie et se range'],
  ])('in %s keeps the words that turn a sentence round: %j', (language, text, title) => {
    expect(headline(text, language)).toBe(title)
  })

  it('is no part of a clause, no reference without its noun, and nobody called by name', () => {
    expect(headline('To two hundred empty seats. The projector ran for two whole hours.')).toBe(
      'The Projector Ran for Two Whole Hours',
    )
    expect(headline('The third is the hardest for people here. Bread keeps for a single day.')).toBe(
      'Bread Keeps for a Single Day',
    )
    expect(headline('Lev, you had six reels of film. The railroad lost the fifth reel.')).toBe(
      'The Railroad Lost the Fifth Reel',
    )
  })

  it('is the list that is announced', () => {
    expect(
      headline('I tell everybody the same four things about taking on a builder. Ask to see a job.'),
    ).toBe('Four Things About Taking on a Builder')
  })

  it('does not cut off a clause that the rest depends on', () => {
    const long =
      'Ich habe einmal neun Lösungen bekommen, in denen der gleiche Kaffeefleck an genau derselben Stelle war.'
    expect(headline(long, 'de')).not.toBe('Ich habe einmal neun Lösungen bekommen')
  })

  it('does not cut off the reason that is denied', () => {
    const titles = titlesOf(
      'Nobody in this town ever had a good night out because they felt sorry for the old building.',
    )
    expect(titles.map(({ text }) => text)).not.toContain('Nobody in This Town Ever Had a Good Night Out')
  })

  it('may be what somebody is quoted with', () => {
    const titles = titlesOf('It was late. And the expert says, the tree on the border is really a pear tree.')
    expect(titles.map(({ text }) => text)).toContain('The Tree on the Border Is Really a Pear Tree')
  })

  it('names nouns where only their signs are known', () => {
    expect(titlesOf('E poi la ruggine. Ma la ruggine fischia e il freno fischia.', 'it')[0]?.text).toBe(
      'Ruggine, freno',
    )
  })

  it('comes with others to choose from: another line, a question, the topic', () => {
    const titles = titlesOf(
      'Why does an old chimney smoke in the spring? The builder left a brick in the flue. Nobody cleaned the chimney for nine years.',
    )
    expect(titles.map(({ from }) => from).toSorted()).toEqual(['line', 'question', 'topic'])
    expect(new Set(titles.map(({ text }) => text)).size).toBe(titles.length)
    expect(titles.find(({ from }) => from === 'question')?.text).toBe(
      'Why Does an Old Chimney Smoke in the Spring?',
    )
  })

  it('is made in languages whose grammar is not known, too', () => {
    expect(headline('Rzeka zamarzła na jedenaście tygodni.', 'pl')).toBe(
      'Rzeka zamarzła na jedenaście tygodni',
    )
    expect(titlesOf('川は十一週間凍っていました。', 'ja').length).toBeGreaterThan(0)
  })
})
