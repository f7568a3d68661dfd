/** PURE. A short description of a clip from its own sentences. */
import { shorten } from './text-tools.ts'
import { standAlone, type TextFacts } from './title-lines.ts'
import { titlePatternsOf } from './title-patterns.ts'

const BIO_LENGTH = 220

/** One or two whole sentences with most content, in spoken order. */
export function bioOf(facts: TextFacts): string {
  const clean = (text: string): string => cleanSentence(text, facts.language)
  const usable = facts.sentences
    .map((sentence, index) => ({ sentence, index, worth: scoreSentence(index, facts) }))
    .filter(
      ({ index }) => facts.judged[index]?.logistics === false && (facts.judged[index]?.wordCount ?? 0) > 3,
    )
    .sort((a, b) => b.worth - a.worth || a.index - b.index)
  const [first, second] = usable
  if (first === undefined) return shorten(clean(facts.sentences[0]?.text ?? ''), BIO_LENGTH)
  const pair = second === undefined ? [first] : [first, second].sort((a, b) => a.index - b.index)
  const both = pair.map(({ sentence }) => clean(sentence.text)).join(' ')
  return both.length <= BIO_LENGTH ? both : shorten(clean(first.sentence.text), BIO_LENGTH)
}

function scoreSentence(index: number, { sentences, judged, idf }: TextFacts): number {
  const item = judged[index]
  if (item === undefined) return -1
  const topic = [...new Set(item.stems)].reduce((sum, term) => sum + (idf.get(term) ?? 1), 0)
  const tooLong = (sentences[index]?.text.length ?? 0) > 160 ? -6 : 0
  const opening = index <= 1 ? 2 : 0
  return (
    topic +
    opening +
    tooLong +
    (item.leaning ? -3 : 0) -
    item.fillers * 3 -
    (item.question && index > 0 ? 2 : 0)
  )
}

/** Without connectives and hesitations at the beginning; its last mark stays. */
function cleanSentence(text: string, language: string): string {
  const end = /[.!?…]["'”’)]*$/.exec(text)?.[0] ?? '.'
  return `${standAlone(text, titlePatternsOf(language)).replace(/\?$/, '')}${end}`
}
