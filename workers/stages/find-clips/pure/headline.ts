/** PURE. Titles from the clip's own words: its best lines, a question of it, and what it is about. */
import type { TitleProposal } from '../../../../server/contract/clip-candidate.ts'
import { isEnglish, patternsOf } from './languages.ts'
import { nounSignsOf } from './noun-signs.ts'
import { weigh } from './numbers.ts'
import { bare, wordsIn } from './text-tools.ts'
import { titleInputs, type LineContext } from './title-inputs.ts'
import { linesOf, type Line, type TextFacts } from './title-lines.ts'
import { titlePatternsOf } from './title-patterns.ts'
import { topicPhrase, weighTerms } from './title-terms.ts'
import { GRAMMAR_TITLE_WEIGHTS, PLAIN_TITLE_WEIGHTS } from './title-weights.ts'
import { SMALL_WORDS } from './word-lists.ts'
import { plainText } from './word-patterns.ts'

const MOST_PROPOSALS = 4
/** Lines with lower odds (natural logarithms) stand for nothing: what the clip is about is named instead. */
const LEAST_ODDS = -1.2
const LEAST_ODDS_OF_QUESTION = -1.5
/** A second line with so many of the words of a better one says the same. */
const SAME_SHARE = 0.6

export interface RatedLine extends Line {
  readonly inputs: readonly number[]
  /** Natural logarithm of the odds that somebody would post it. */
  readonly odds: number
}

/** The lines of a clip that may be its title, best first. */
export function rateLines(facts: TextFacts): RatedLine[] {
  const context: LineContext = {
    facts,
    terms: weighTerms(facts),
    patterns: patternsOf(facts.language),
    titles: titlePatternsOf(facts.language),
  }
  const signs = nounSignsOf(facts.language)
  const weights = context.titles === null ? PLAIN_TITLE_WEIGHTS : GRAMMAR_TITLE_WEIGHTS
  return facts.sentences
    .flatMap((sentence, index) =>
      facts.judged[index]?.reaction === true
        ? []
        : linesOf(sentence.text, context.titles, context.patterns).flatMap((line) => {
            if (context.titles === null && signs?.lead.test(plainText(line.text)) === true) return []
            const inputs = titleInputs({ ...line, index }, context)
            return [{ ...line, inputs, odds: weigh(weights, inputs) }]
          }),
    )
    .toSorted((a, b) => b.odds - a.odds)
}

/**
 * One to four titles of at most 60 characters, best first: lines of the clip that can stand alone, as whole sentences or main
 * clauses, one of its questions, and what it is about in its own words, which is the title where no line can stand alone.
 */
export function proposeTitles(facts: TextFacts): TitleProposal[] {
  const lines = rateLines(facts)
  const isQuestion = ({ text }: { readonly text: string }): boolean => text.endsWith('?')
  const best = lines.filter((line) => line.odds >= LEAST_ODDS && (!isQuestion(line) || line === lines[0]))
  const question = lines.find((line) => isQuestion(line) && line.odds >= LEAST_ODDS_OF_QUESTION)
  const topic = topicPhrase(weighTerms(facts), facts)
  const proposals = [
    ...unlike(best).map(({ text, kind }): TitleProposal => ({
      text,
      from: kind === 'phrase' ? 'topic' : text.endsWith('?') ? 'question' : 'line',
    })),
    ...(question === undefined ? [] : [{ text: question.text, from: 'question' as const }]),
    ...(topic === '' ? [] : [{ text: topic, from: 'topic' as const }]),
  ].map((one) => ({ ...one, text: styled(one.text, facts.language) }))
  const distinct = proposals.filter(
    ({ text }, index) => proposals.findIndex((other) => other.text === text) === index,
  )
  return distinct.length === 0 ? [{ text: 'Clip', from: 'topic' }] : distinct.slice(0, MOST_PROPOSALS)
}

/** The first two lines that do not say the same. */
function unlike(lines: readonly RatedLine[]): RatedLine[] {
  const chosen: RatedLine[] = []
  for (const line of lines) {
    if (chosen.length >= 2) break
    const words = new Set(wordsIn(line.text).map(bare))
    const isSame = ({ text }: RatedLine): boolean => {
      const shared = wordsIn(text).filter((word) => words.has(bare(word))).length
      return shared >= SAME_SHARE * Math.min(words.size, wordsIn(text).length)
    }
    if (!chosen.some(isSame)) chosen.push(line)
  }
  return chosen
}

const styled = (text: string, language: string): string =>
  isEnglish(language)
    ? titleCase(text)
    : text.replace(/^[^\p{L}\p{N}]*\p{L}/u, (start) => start.toUpperCase())

function titleCase(text: string): string {
  const words = text.split(' ')
  return words
    .map((word, index) => {
      const inner = index > 0 && index < words.length - 1 && !/[:.?!]$/.test(words[index - 1] ?? '')
      if (inner && SMALL_WORDS.has(bare(word))) return word.toLowerCase()
      return word.replace(/\p{L}/u, (letter) => letter.toUpperCase())
    })
    .join(' ')
}
