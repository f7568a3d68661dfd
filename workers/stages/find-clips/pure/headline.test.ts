import { describe, expect, it } from 'vitest'
import { headlineOf } from './headline.ts'
import { judgeSentence } from './judge-sentence.ts'
import { splitSentences } from './sentences.ts'
import { stem, bare } from './text-tools.ts'

/** The headline of a clip with this text; `usual`: words that the whole talk is full of. */
function headline(text: string, language = 'en', usual: readonly string[] = []): string {
  const words = text.split(' ').map((word, index) => ({ word, start: index * 0.4, end: index * 0.4 + 0.35 }))
  const sentences = splitSentences(words, words.length)
  const all = sentences.flatMap((sentence) => sentence.text.split(' ').map((word) => stem(bare(word))))
  const idf = new Map(all.map((word) => [word, usual.includes(word) ? 0.3 : 2.5]))
  return headlineOf({ sentences, judged: sentences.map(judgeSentence), idf, language })
}

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
})
