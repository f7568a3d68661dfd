/** Whether a prompt finds the story that it means in a long talk, in other words and in the talk's own, and says when nothing fits. */
import { bare, stem } from '../../workers/stages/find-clips/pure/text-tools.ts'
import type { FigureTable } from './report.ts'
import type { PlantedStory, WrittenTalk } from './talks/read-talk.ts'
import {
  chooseFrom,
  ALL_PARTS,
  isAbout,
  lengthOf,
  namePart,
  readPart,
  understand,
  type Embed,
  type Part,
} from './written-talks.ts'

/** How a prompt in the talk's own words is put. */
const FRAMES: Readonly<Record<string, (words: readonly string[]) => string>> = {
  en: (words) => `Find the moments about ${words.join(' and ')}.`,
  es: (words) => `Busca los momentos sobre ${words.join(' y ')}.`,
  de: (words) => `Finde die Stellen über ${words.join(' und ')}.`,
  fr: (words) => `Trouve les moments sur ${words.join(' et ')}.`,
}

interface Prompt {
  readonly text: string
  /** Null: nothing in the talk fits it, which is to be said. */
  readonly story: PlantedStory | null
}

const KINDS: readonly (readonly [string, (talk: WrittenTalk) => Prompt[]])[] = [
  [
    'in other words',
    ({ stories }) => stories.flatMap((story) => story.prompts.map((text) => ({ text, story }))),
  ],
  [
    'in two of the story’s words',
    (talk) => talk.stories.map((story) => ({ text: inOwnWords(talk, story), story })),
  ],
  ['for what is not there', ({ nothing }) => nothing.map((text) => ({ text, story: null }))],
]

/** By words alone, by meaning, and by meaning in English talks: right answers of so many. */
type Tally = Record<'words' | 'meaning' | 'english', [number, number]>

export async function promptTable(embed: Embed | null): Promise<FigureTable> {
  const rows: string[][] = []
  for (const half of ALL_PARTS) rows.push(...(await measureHalf(half, embed)))
  return {
    title: 'Prompts in long talks',
    columns: [
      'prompt',
      'half',
      'right first, by words',
      'with a model of meaning',
      'the same, English talks',
    ],
    rows,
    notes: [
      'The talks of the table above. Right: the first clip holds 40 % of the story that was meant; for what is not there, a warning says that nothing matches. The two words of a story are those that it says most and the rest of the talk least. The model at hand (minilm-english) was trained on English; in other languages its relevance is not used, and words decide what is not there.',
    ],
  }
}

async function measureHalf(half: Part, embed: Embed | null): Promise<string[][]> {
  const tallies = KINDS.map((): Tally => ({ words: [0, 0], meaning: [0, 0], english: [0, 0] }))
  for (const { talk } of readPart(half)) {
    for (const [place, [, listPrompts]] of KINDS.entries())
      for (const prompt of listPrompts(talk)) {
        const add = (of: keyof Tally, right: boolean): void => {
          const tally = tallies[place]?.[of] ?? [0, 0]
          tally[0] += Number(right)
          tally[1] += 1
        }
        add('words', isRight(prompt, chooseFrom(talk, prompt.text, null)))
        const understood = await understand(talk, prompt.text, embed)
        if (understood === null) continue
        const found = chooseFrom(talk, prompt.text, understood)
        add('meaning', isRight(prompt, found))
        if (talk.language.startsWith('en')) add('english', isRight(prompt, found))
      }
  }
  const cell = ([right, all]: readonly [number, number]): string =>
    all === 0 ? 'not measured' : `${right} of ${all}`
  return tallies.map(({ words, meaning, english }, place) => [
    KINDS[place]?.[0] ?? '',
    namePart(half),
    cell(words),
    cell(meaning),
    cell(english),
  ])
}

function isRight({ story }: Prompt, { candidates, warnings }: ReturnType<typeof chooseFrom>): boolean {
  if (story !== null) return isAbout(candidates[0], story)
  return warnings.some((warning) => warning.startsWith('Nothing that is said matches'))
}

/** Seconds; a word counts once in each of these stretches. */
const PASSAGE = 30
const SHORTEST_WORD = 4

function inOwnWords(talk: WrittenTalk, { start, end }: PlantedStory): string {
  const passages = Math.ceil(lengthOf(talk) / PASSAGE)
  const seen = new Map<string, Set<number>>()
  const said = new Map<string, number>()
  for (const word of talk.words) {
    const text = bare(word.word)
    const places = seen.get(stem(text)) ?? new Set()
    seen.set(stem(text), places.add(Math.floor(word.start / PASSAGE)))
    if (word.start >= start && word.end <= end && text.length >= SHORTEST_WORD)
      said.set(text, (said.get(text) ?? 0) + 1)
  }
  const weigh = ([text, count]: readonly [string, number]): number =>
    count * Math.log(passages / (seen.get(stem(text))?.size ?? 1))
  const telling = [...said].sort((a, b) => weigh(b) - weigh(a)).slice(0, 2)
  const frame = FRAMES[talk.language.slice(0, 2)] ?? ((words: readonly string[]) => words.join(' '))
  return frame(telling.map(([text]) => text))
}
