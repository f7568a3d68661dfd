/** PURE. The talk as it is shown to a language model, and which clips of it may be parts of a longer story. */
import type { ClipCandidate, FindClipsSettings } from '../../../../server/contract/clip-candidate.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import type { DescriptionFacts } from '../../find-clips/pure/describe.ts'
import type { Interruption } from '../../find-clips/pure/interruptions.ts'
import { peopleIn } from '../../find-clips/pure/names.ts'
import { languageOf } from '../../find-clips/pure/recognise-language.ts'
import { analyse } from '../../find-clips/pure/score-windows.ts'
import { splitSentences } from '../../find-clips/pure/sentences.ts'
import { steeringOf } from '../../find-clips/pure/steering.ts'

export interface TalkInput {
  readonly words: readonly TranscriptWord[]
  readonly speakers: readonly string[]
  readonly language: string
  readonly settings: FindClipsSettings
  readonly durationSeconds: number
}

export interface Talk {
  readonly settings: FindClipsSettings
  readonly facts: DescriptionFacts
  /** The same with other sentences left out. */
  readonly leavingOut: (parts: readonly Interruption[]) => DescriptionFacts
}

export function readTalk({ words, speakers, language, settings, durationSeconds }: TalkInput): Talk {
  const sentences = splitSentences(
    words.filter((word) => word.isDeleted !== true),
    durationSeconds,
  )
  const spoken = languageOf(language, sentences)
  const people = peopleIn(sentences, speakers)
  const context = { language: spoken, events: [], vectors: null, maxLength: settings.maxLength }
  const factsWith = (more: { leftOut?: readonly Interruption[] }): DescriptionFacts => ({
    analysis: analyse(sentences, steeringOf(settings), { story: { ...context, ...more } }),
    people,
    speakers,
    language: spoken,
  })
  return { settings, facts: factsWith({}), leavingOut: (leftOut) => factsWith({ leftOut }) }
}

/** What is shown of a talk around a clip. */
export interface StoryWindow {
  /** Indexes of the sentences, in order, without those that interrupt: the first is number 1 of the question. */
  readonly shown: readonly number[]
  /** The first and last sentence of the clip, as indexes of the talk. */
  readonly from: number
  readonly to: number
  readonly candidate: ClipCandidate
}

/** So many times the limit is shown, and never more characters. */
const TIMES_LIMIT = 2.5
const MAX_TEXT = 16_000
/** A clip of this part of the limit touches it. */
const TOUCHES = 0.85
/** From this probability on a clip may lie in a longer story, or need what stands before it, or leave something open. */
const MAY_BE_LONGER = 0.2
const OPEN = 0.5
const NEAR_SECONDS = 0.05

/** Null where the clip needs no help, or was not chosen by its words. */
export function windowAround({ facts, settings }: Talk, candidate: ClipCandidate): StoryWindow | null {
  const { sentences, stories } = facts.analysis
  if (candidate.origin !== 'found' || candidate.text === '') return null
  const from = sentences.findIndex(({ end }) => end > candidate.start + NEAR_SECONDS)
  const to = sentences.findLastIndex(({ start }) => start < candidate.end - NEAR_SECONDS)
  if (from < 0 || to < from || stories.gaps.isLeftOut(from) || stories.gaps.isLeftOut(to)) return null
  const limit = settings.maxLength
  const played = candidate.end - candidate.start - stories.gaps.secondsBetween(from, to)
  const mayBeLonger =
    played >= TOUCHES * limit ||
    (stories.longer(from, to)?.probability ?? 0) >= MAY_BE_LONGER ||
    (stories.needsBefore[from] ?? 0) >= OPEN ||
    (stories.leavesOpen[to] ?? 0) >= OPEN
  if (!mayBeLonger) return null
  const reach = Math.max(0, (TIMES_LIMIT * limit - played) / 2)
  const room = roomOf(settings, candidate)
  const around = stories.gaps.kept.filter((index) => {
    const { start = 0, end = 0 } = sentences[index] ?? {}
    return (
      start >= Math.max(room.start, candidate.start - reach) - NEAR_SECONDS &&
      end <= Math.min(room.end, candidate.end + reach) + NEAR_SECONDS
    )
  })
  const shown = fitting(around, { from, to }, (index) => sentences[index]?.text.length ?? 0)
  return shown === null ? null : { shown, from, to, candidate }
}

/** Without the outermost sentences until they fit; null where the clip alone does not. */
function fitting(
  around: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
  lengthOf: (index: number) => number,
): readonly number[] | null {
  let first = 0
  let last = around.length - 1
  let length = around.reduce((sum, index) => sum + lengthOf(index), 0)
  while (length > MAX_TEXT) {
    const before = from - (around[first] ?? from)
    const after = (around[last] ?? to) - to
    if (before <= 0 && after <= 0) return null
    length -= lengthOf(around[before >= after ? first++ : last--] ?? 0)
  }
  return around.slice(first, last + 1)
}

/** Inside of the given range that clips are looked for in. */
function roomOf(
  { pinned, pinnedMode }: FindClipsSettings,
  clip: ClipCandidate,
): { start: number; end: number } {
  const range =
    pinnedMode === 'search_within'
      ? pinned.find(({ start, end }) => clip.start >= start - NEAR_SECONDS && clip.end <= end + NEAR_SECONDS)
      : undefined
  return range ?? { start: -Infinity, end: Infinity }
}
