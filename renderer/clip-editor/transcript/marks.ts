/** The state of each word of a transcript, and the blocks that words form. Fast enough for three hours of words. PURE. */
import type { StudioWord } from '../../../server/contract/studio-editor.ts'
import type { WordSpan } from '../../../server/nodes/editing/phrases.ts'
import { keptOf, type ClipCut } from '../../../server/contract/time-map/cut.ts'
import { endsSentence } from '../../../server/nodes/speech/spoken-text.ts'

/** `kept`: audible; `cut`: removed by the clip's cut; `node`: removed by a node of its workflow. */
export type WordState = 'kept' | 'cut' | 'node'

interface Stretch {
  readonly start: number
  readonly end: number
}

/** The index of the first item for which `isAfter` holds; it holds for all behind it. The length where it holds for none. */
export function firstIndexOf<T>(items: readonly T[], isAfter: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isAfter(item)) high = middle
    else low = middle + 1
  }
  return low
}

const holds = (stretches: readonly Stretch[], time: number): boolean => {
  const found = stretches[firstIndexOf(stretches, ({ end }) => end > time)]
  return found !== undefined && found.start <= time
}

/** Of each word, by its middle. `byNodes` in order of time. */
export function listWordStates(
  words: readonly Stretch[],
  cut: ClipCut,
  byNodes: readonly Stretch[],
): WordState[] {
  const kept = keptOf(cut)
  return words.map(({ start, end }) => {
    const middle = (start + end) / 2
    if (!holds(kept, middle)) return 'cut'
    return holds(byNodes, middle) ? 'node' : 'kept'
  })
}

/** The word that is spoken at a moment, or was spoken last; -1 before the first. */
export const wordAt = (words: readonly Stretch[], seconds: number): number =>
  firstIndexOf(words, ({ start }) => start > seconds + 0.02) - 1

/** Below this confidence a word is marked as uncertain. */
const UNSURE = 0.5

export const isUnsure = ({ confidence }: Pick<StudioWord, 'confidence'>): boolean =>
  confidence !== undefined && confidence < UNSURE

/** The words of a clip and what is marked in them, by position. */
export interface WordMarks {
  readonly words: readonly StudioWord[]
  readonly states: readonly WordState[]
  readonly fillers: ReadonlySet<number>
  readonly curses: ReadonlySet<number>
  /** What the search has found, and where it is. */
  readonly matches: ReadonlySet<number>
  readonly found: WordSpan | null
  /** What is selected. */
  readonly chosen: WordSpan | null
}

/** Words from `first` to before `end` that are drawn together. */
export interface Block {
  readonly first: number
  readonly end: number
  /** Their speaker's number; null: not known. */
  readonly speaker: number | null
  /** Another one spoke before. */
  readonly turn: boolean
}

const SOON = 40
const AT_MOST = 90

/** Blocks end where the speaker changes, after a sentence once there are some words, or when there are many. */
export function blocksOf(words: readonly StudioWord[]): Block[] {
  const blocks: Block[] = []
  let first = 0
  words.forEach((word, at) => {
    const next = words[at + 1]
    const length = at - first + 1
    const full = length >= AT_MOST || (length >= SOON && endsSentence(word.word))
    if (next !== undefined && next.speaker === word.speaker && !full) return
    const speaker = word.speaker ?? null
    const turn = speaker !== null && blocks.at(-1)?.speaker !== speaker
    blocks.push({ first, end: at + 1, speaker, turn })
    first = at + 1
  })
  return blocks
}

/** The audible words as plain text: a paragraph for each turn, with its speaker where there are several. */
export function asText(
  words: readonly StudioWord[],
  chosen: (position: number) => boolean,
  nameOf: (speaker: number) => string,
): string {
  const several = new Set(words.flatMap(({ speaker }) => speaker ?? [])).size > 1
  const turns: { speaker: number | undefined; spoken: string[] }[] = []
  words.forEach((word, at) => {
    if (!chosen(at) || word.isDeleted || word.word.trim() === '') return
    const last = turns.at(-1)
    if (last !== undefined && last.speaker === word.speaker) last.spoken.push(word.word)
    else turns.push({ speaker: word.speaker, spoken: [word.word] })
  })
  return turns
    .map(
      ({ speaker, spoken }) =>
        (several && speaker !== undefined ? `${nameOf(speaker)}: ` : '') + spoken.join(' '),
    )
    .join('\n\n')
}

/** Colours of speakers for both themes; names distinguish them as well. PURE. */
const COLOURS = ['#3b82f6', '#f97316', '#10b981', '#d946ef', '#eab308', '#06b6d4', '#f43f5e', '#8b5cf6']

export const colourOf = (speaker: number): string => COLOURS[speaker % COLOURS.length] ?? '#3b82f6'
