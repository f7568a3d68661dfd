/** Asks about each clip that may be a part of a longer story, and puts what passes the checks in its place. */
import type { ClipCandidate } from '../../../server/contract/clip-candidate.ts'
import type { Question } from '../judge-clips/pure/question.ts'
import { checkMarks, parseMarks, type Checked } from './pure/check-marks.ts'
import { buildStoryQuestion } from './pure/question.ts'
import { applyMarks, sayRefused } from './pure/shortened-clip.ts'
import { windowAround, type StoryWindow, type Talk } from './pure/story-window.ts'

/** Clips that are asked about in a run, best first, each at most twice. */
const MAX_CLIPS = 6
/** From this part on another clip is a piece of the same story, and goes; where less of it lies inside, the story stays as it is. */
const MOST = 0.25

export interface StoryModel {
  readonly model: string
  readonly ask: (
    question: Question,
  ) => Promise<
    { readonly kind: 'text'; readonly text: string } | { readonly kind: 'failed'; readonly why: string }
  >
}

export interface Shortened {
  readonly candidates: ClipCandidate[]
  readonly asked: number
  readonly changed: number
  readonly refused: { clip: number; why: string }[]
  /** Why the model could not be asked; a sentence. Clips that were asked about before it keep what came of that. */
  readonly failure: string | null
}

export async function shortenStories(
  talk: Talk,
  candidates: readonly ClipCandidate[],
  { model, ask }: StoryModel,
): Promise<Shortened> {
  const now: (ClipCandidate | null)[] = [...candidates]
  const refused: { clip: number; why: string }[] = []
  let asked = 0
  let changed = 0
  let failure: string | null = null
  for (const [place, candidate] of candidates.entries()) {
    if (now[place] === null || asked >= MAX_CLIPS) continue
    const window = windowAround(talk, candidate)
    if (window === null) continue
    asked += 1
    const answer = await askTwice(talk, window, ask)
    if (answer.kind === 'failed') {
      failure = answer.why
      break
    }
    if (answer.kind === 'same') continue
    const others = now.flatMap((other, at) => (other === null || at === place ? [] : [{ other, at }]))
    const met =
      answer.kind === 'refused'
        ? []
        : others.filter(({ other }) => other.start < answer.end && other.end > answer.start)
    const isOfStory = ({ other }: { other: ClipCandidate }): boolean =>
      answer.kind === 'valid' &&
      other.origin === 'found' &&
      Math.min(other.end, answer.end) - Math.max(other.start, answer.start) >=
        MOST * (other.end - other.start)
    const why =
      answer.kind === 'refused'
        ? answer.why
        : met.every(isOfStory)
          ? null
          : 'another clip begins or ends inside it'
    if (answer.kind === 'refused' || why !== null) {
      refused.push({ clip: place, why: why ?? '' })
      now[place] = sayRefused(candidate, model, why ?? '')
      continue
    }
    changed += 1
    for (const { at } of met) now[at] = null
    now[place] = applyMarks(talk, { candidate, marks: answer, model, replaced: met.length })
  }
  return { candidates: now.filter((one) => one !== null), asked, changed, refused, failure }
}

/** Asks once more with the reason where the first answer fails a check. */
async function askTwice(
  talk: Talk,
  window: StoryWindow,
  ask: StoryModel['ask'],
): Promise<Checked | { readonly kind: 'failed'; readonly why: string }> {
  const first = await ask(buildStoryQuestion(talk, window))
  if (first.kind === 'failed') return first
  const checked = checkMarks(talk, window, parseMarks(first.text))
  if (checked.kind !== 'refused') return checked
  const second = await ask(buildStoryQuestion(talk, window, checked.why))
  if (second.kind === 'failed') return checked
  return checkMarks(talk, window, parseMarks(second.text))
}
