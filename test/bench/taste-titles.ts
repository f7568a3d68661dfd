/**
 * The titles that are made without a language model, each printed so that people can read it, with what can be checked
 * without the code that made them: whether it is said like that, where it begins and ends, its first word, its length.
 */
import type { ClipCandidate, TitleProposal } from '../../server/contract/clip-candidate.ts'
import type { FigureTable } from './report.ts'
import { plainLine, readMarks, type Mark } from './talks/read-lines.ts'
import {
  chooseFrom,
  ALL_PARTS,
  mostClipsOf,
  namePart,
  readPart,
  understand,
  type Embed,
} from './written-talks.ts'

/** First words that lean on what was before; the finder has its own, longer lists. */
const LEADING: Readonly<Record<string, RegExp>> = {
  en: /^(and|but|so|because|or|which|then|he|she|they|it|him|her|them|that|those|this|these|it's|he's|she's|they're|that's|well|um|uh)\b/i,
  es: /^(y|pero|porque|o|que|entonces|pues|bueno|él|ella|ellos|ellas|eso|esa|ese|esto|lo|le|les|eh)(?!\p{L})/iu,
  de: /^(und|aber|weil|denn|oder|also|dann|dass|er|sie|es|dies|da|damit|deshalb|äh)(?!\p{L})/iu,
  fr: /^(et|mais|parce|ou|donc|alors|qui|que|il(?! y a)|elle|ils|elles|ça|cela|c'est|c'était|euh|ben|bon)(?!\p{L})/iu,
}
/** Words that no clause ends with. */
const OPEN_END: Readonly<Record<string, RegExp>> = {
  en: /\b(a|an|the|and|or|but|of|to|with|from|my|your|his|her|their|is|was|are|were|because|if)$/i,
  es: /(?<!\p{L})(el|la|los|las|un|una|y|o|de|del|a|al|en|con|por|para|que|mi|tu|su|es|era)$/iu,
  de: /(?<!\p{L})(der|die|das|den|dem|ein|eine|einen|und|oder|von|mit|für|mein|sein|ist|war|dass|weil)$/iu,
  fr: /(?<!\p{L})(le|la|les|un|une|des|du|de|et|ou|à|au|en|avec|pour|que|qui|mon|ma|son|sa|est|était)$/iu,
}
const LENGTH = { least: 8, most: 60 }
/** Connecting words that may be taken off the beginning of a sentence. */
const MOST_LEAD = 6

interface PrintedTitle {
  readonly cells: readonly string[]
  readonly isFaultless: boolean
  readonly from: TitleProposal['from']
  /** What a person thought of it; undefined where nobody has read it. */
  readonly mark: Mark | undefined
}

const MARKS = new Map([...readMarks('read-lines.txt'), ...readMarks('read-held-titles.txt')])

const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '' && !/^(um|uh|er|erm|eh|em|euh|äh|ähm)$/.test(word))

/** What is wrong with a title by rules that need no knowledge of the language but its commonest words. */
function faultsOf(
  title: string,
  from: TitleProposal['from'],
  clip: { text: string; language: string },
): string[] {
  const { text } = clip
  const language = clip.language.slice(0, 2)
  const faults: string[] = []
  if (title.length < LENGTH.least || title.length > LENGTH.most) faults.push('length')
  if (LEADING[language]?.test(title) === true) faults.push('leading word')
  if (OPEN_END[language]?.test(title) === true || /[,;:–—-]$/.test(title)) faults.push('open end')
  const words = plainWords(title)
  const spoken = new Set(plainWords(text))
  if (from === 'topic') {
    if (words.some((word) => !spoken.has(word) && !spoken.has(`${word}'s`))) faults.push('not said')
    return faults
  }
  const places = text.split(/(?<=[.?!…]["'”’)]*)\s+/).map((sentence) => startsIn(plainWords(sentence), words))
  if (places.every((place) => place === null)) faults.push('not said')
  else if (!isListed(title) && !places.some((place) => place !== null && place <= MOST_LEAD))
    faults.push('middle of a sentence')
  return faults
}

/** An announced list may be named by its noun phrase alone. */
const isListed = (title: string): boolean =>
  /^(two|three|four|five|six|seven|dos|tres|cuatro|cinco|seis|siete|zwei|drei|vier|fünf|sechs|sieben|deux|trois|quatre|cinq|six|sept) /i.test(
    title,
  )

/** The place at which `words` begin in a sentence; null where they are not in it one after another. */
function startsIn(sentence: readonly string[], words: readonly string[]): number | null {
  const at = sentence.findIndex((_, from) => words.every((word, index) => sentence[from + index] === word))
  return at < 0 ? null : at
}

/** Words that the clip is about, side by side. */
const isWords = ({ from, cells }: PrintedTitle): boolean =>
  from === 'topic' && cells[2]?.includes(',') === true

export async function titleTables(embed: Embed | null): Promise<FigureTable[]> {
  const printed = new Map<string, PrintedTitle[]>()
  for (const half of ALL_PARTS) {
    const titles: PrintedTitle[] = []
    for (const { name, talk } of readPart(half)) {
      const { candidates } = chooseFrom(talk, '', await understand(talk, '', embed), mostClipsOf(half))
      titles.push(...candidates.map((clip) => printedTitle(name, clip, talk.language)))
    }
    printed.set(namePart(half), titles)
  }
  return [
    {
      title: 'Titles without a language model',
      columns: [
        'talks',
        'titles',
        'lines',
        'questions',
        'noun phrases',
        'topic words',
        'without a fault by the rules',
        'read: one would post it',
        'right, but says little',
        'not postable',
        'nobody has read it',
      ],
      rows: [...printed].map(([half, titles]) => {
        const count = (from: TitleProposal['from']): string =>
          String(titles.filter((one) => one.from === from).length)
        const good = titles.filter(({ isFaultless }) => isFaultless).length
        const marked = (mark: Mark | undefined): string =>
          String(titles.filter((one) => !isWords(one) && one.mark === mark).length)
        return [
          half,
          String(titles.length),
          count('line'),
          count('question'),
          String(titles.filter((one) => one.from === 'topic' && !isWords(one)).length),
          String(titles.filter(isWords).length),
          `${good} of ${titles.length}`,
          marked('+'),
          marked('='),
          marked('-'),
          marked(undefined),
        ]
      }),
      notes: [
        'Rules: 8 to 60 characters; no connective or pronoun at the beginning; no word at the end that leaves it open; said in the clip in one piece, from the beginning of a sentence on, connecting words aside. Topic words stand where no line of the clip can stand alone.',
        TITLES_READ,
      ],
    },
    ...[...printed].map(([half, titles]): FigureTable => ({
      title: `Titles, ${half}: every one`,
      columns: ['talk', 'at', 'title', 'from', 'faults', 'read'],
      rows: titles.map(({ cells }) => cells),
    })),
  ]
}

const TITLES_READ =
  'Read by a person, who asked of each line whether it could be posted as it is above this clip (test/bench/talks/read-lines.txt: all lines of the tuned clips, before the weights were learned from them; read-held-titles.txt: the titles of the shorter held-out talks before and after the change, mixed and without saying which were which). Topic words are not read: they break no rule, and most are dull. Titles of the tuned talks are made by weights that were learned from these very talks; learned from the other talks, see docs/decisions/0052-titles-and-posts.md. The titles of the first held-out talks were read before the change (33 of 60 could be posted), and not again.'

function printedTitle(talk: string, clip: ClipCandidate, language: string): PrintedTitle {
  const from = clip.titles?.[0]?.from ?? 'line'
  const mark = MARKS.get(talk)?.get(plainLine(clip.title))
  const faults = faultsOf(clip.title, from, { text: clip.text, language })
  return {
    cells: [talk, clockOf(clip.start), clip.title.replaceAll('|', '/'), from, faults.join(', '), mark ?? ''],
    mark,
    isFaultless: faults.length === 0,
    from,
  }
}

const clockOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
