/** PURE. What the topics of a talk are called: one or two things that are named in it again and again, and little elsewhere. */
import { bare, isContent, stem, wordsIn } from './text-tools.ts'
import { isEnglish } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { termsToName, weighTerms, type Term } from './title-terms.ts'

interface Talk {
  readonly sentences: readonly Sentence[]
  readonly idf: ReadonlyMap<string, number>
  readonly language: string
  /** Names of people who speak: they are addressed everywhere. */
  readonly speakers: readonly string[]
}

interface Named extends Term {
  readonly key: string
  readonly score: number
}

/** What is named once may be named by chance. */
const FEWEST_TIMES = 2
/** Of its places: so often it stands where only nouns do. */
const OFTEN_NOUN = 0.4
/** A second word is as good as so much of the first at least. */
const SECOND = 0.5

/** A label for each run of sentences, in the language of the talk; empty where nothing is named in it again. */
export function labelTopics(talk: Talk, runs: readonly (readonly Sentence[])[]): string[] {
  const { idf, language, speakers } = talk
  const all = weighTerms(talk)
  const names = new Set(speakers.flatMap((name) => name.split(/\s+/u).map((part) => stem(bare(part)))))
  const times = timeWords(language)
  return runs.map((sentences) => {
    const scored = [...weighTerms({ sentences, idf, language })].flatMap(([key, term]): Named[] => {
      const inTalk = all.get(key)
      if (inTalk === undefined || term.times < FEWEST_TIMES) return []
      if (names.has(key) || times.has(key)) return []
      const share = term.times / inTalk.times
      const { written, asNoun } = inTalk
      const noun = Math.min(1, asNoun / inTalk.times / OFTEN_NOUN)
      return [
        {
          ...term,
          key,
          written,
          isNoun: asNoun > 0,
          score: Math.log(term.times) * share * (0.3 + 0.7 * noun),
        },
      ]
    })
    const [first, second] = termsToName(scored, language).toSorted((a, b) => b.score - a.score)
    if (first === undefined) return ''
    const wide = isEnglish(language) ? withNeighbour(first, sentences) : first.written
    const both =
      second === undefined ||
      second.score < SECOND * first.score ||
      wide.toLowerCase().includes(second.written.toLowerCase())
        ? wide
        : `${wide}, ${second.written}`
    return both.charAt(0).toLocaleUpperCase(language) + both.slice(1)
  })
}

const DAY = 86_400_000
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const

/** Stems of days, months and units of time in a language: they name when, not what. */
function timeWords(language: string): ReadonlySet<string> {
  const [known = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(language === '' ? 'en' : language)
  const weekday = new Intl.DateTimeFormat(known, { weekday: 'long', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(known, { month: 'long', timeZone: 'UTC' })
  // In milliseconds: twelve days that follow each other, and the middles of twelve months.
  const named = Array.from({ length: 12 }, (_, index) => [
    weekday.format(index * DAY),
    month.format((15 + index * 30.4) * DAY),
  ]).flat()
  const units = UNITS.flatMap((unit) =>
    [1, 2].map((count) => count.toLocaleString(known, { style: 'unit', unit, unitDisplay: 'long' })),
  )
  return new Set([...named, ...units].flatMap((text) => text.split(/\s+/u)).map((word) => stem(bare(word))))
}

/** "Lime putty" where "putty" mostly follows "lime". */
function withNeighbour({ key, written, times }: Named, sentences: readonly Sentence[]): string {
  const pairs = new Map<string, number>()
  for (const { text } of sentences) {
    const words = wordsIn(text)
    words.forEach((word, at) => {
      const next = words[at + 1]
      if (next === undefined || /[.,;:!?…]["'”’»)]*$/u.test(word)) return
      if (stem(bare(next)) !== key && stem(bare(word)) !== key) return
      if (!isContent(bare(word)) || !isContent(bare(next))) return
      const pair = `${bare(word)} ${bare(next)}`
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
    })
  }
  const [best] = [...pairs].toSorted((a, b) => b[1] - a[1])
  return best !== undefined && best[1] >= FEWEST_TIMES && best[1] >= times / 2 ? best[0] : written
}
