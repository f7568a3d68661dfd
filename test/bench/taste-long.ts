/** Stories that are longer than a clip may be: whether what is left out of them was to spare. */
import type { ClipCandidate } from '../../server/contract/clip-candidate.ts'
import type { FigureTable } from './report.ts'
import { judgeCut } from './talks/judge-cuts.ts'
import { readTalk } from '../../workers/stages/shorten-stories/pure/story-window.ts'
import { shortenStories } from '../../workers/stages/shorten-stories/shorten.ts'
import { answerAsMarked } from '../support/marked-answers.ts'
import type { PlantedStory, WrittenTalk } from './talks/read-talk.ts'
import {
  chooseFrom,
  HALVES,
  lengthOf,
  TALK_SETTINGS,
  namePart,
  readLong,
  type Half,
} from './written-talks.ts'

/** Longest clips, in seconds. */
const LIMITS = [120, 90]
/** Seconds by which an edge may be off. */
const NEAR = 0.35

/** Chosen by words alone. */
export async function longTable(): Promise<FigureTable> {
  return {
    title: 'Stories that are longer than a clip',
    columns: [
      'clips up to',
      'stories that are longer',
      'what they need is not',
      'shortened right',
      'with a torn aside',
      'shortened, opening or pay-off lost',
      'harmed',
      'not shortened, pay-off lost',
      'opening lost',
      'both, or no clip',
    ],
    rows: [
      ...(await rowsOf('', wordsAlone)),
      ...(await rowsOf(', a model that answers as the writer', marked)),
    ],
    notes: [
      'Stories of one and a half to three minutes with asides; each line was marked by its writer as opening, needed for the pay-off, or to spare. Shortened right: the clip holds opening and pay-off, and all that is left out was to spare. Torn: so, but the rest of an aside stays whose beginning is lost. Harmed: something is lost that the pay-off needs. Without a language model nothing is shortened: what was tried is in docs/decisions/0059-stories-in-two-parts.md. The rows with a model are an upper bound: in place of one, the marks of the writer answer (the opening, the pay-off, and as much of what is to spare as has to go), and are checked as the answer of a model is.',
    ],
  }
}

const rowsOf = (name: string, choose: Choose): Promise<string[][]> =>
  Promise.all(
    LIMITS.flatMap((limit) =>
      HALVES.map(async (half) => [
        `${limit} s, ${namePart(half)}${name}`,
        ...(await countLong(half, limit, choose)),
      ]),
    ),
  )

type Choose = (talk: WrittenTalk, limit: number) => Promise<readonly ClipCandidate[]>

const wordsAlone: Choose = (talk, limit) =>
  Promise.resolve(chooseFrom(talk, '', null, undefined, limit).candidates)

/** With a stand-in for a language model that knows the marks. */
const marked: Choose = async (talk, limit) => {
  const settings = { ...TALK_SETTINGS, maxLength: limit }
  const read = readTalk({ ...talk, settings, durationSeconds: lengthOf(talk) })
  const candidates = await wordsAlone(talk, limit)
  const answer = answerAsMarked(talk, limit)
  const model = {
    model: 'the writer',
    ask: (question: { readonly user: string }) => Promise.resolve(answer(question)),
  }
  return (await shortenStories(read, candidates, model)).candidates
}

type Result = 'right' | 'torn' | 'open' | 'harmed' | 'docked' | 'beheaded' | 'other'

async function countLong(half: Half, limit: number, choose: Choose): Promise<string[]> {
  const counts: Record<'long' | 'possible' | Result, number> = {
    long: 0,
    possible: 0,
    right: 0,
    torn: 0,
    open: 0,
    harmed: 0,
    docked: 0,
    beheaded: 0,
    other: 0,
  }
  for (const { talk } of readLong(half)) {
    const candidates = await choose(talk, limit)
    for (const story of talk.stories) {
      if (story.payoffEnd - story.openingStart <= limit) continue
      counts.long += 1
      if (neededSeconds(story) <= limit) counts.possible += 1
      counts[resultOf(story, candidates)] += 1
    }
  }
  return Object.values(counts).map(String)
}

/** Seconds from the opening to the pay-off without what is to spare. */
const neededSeconds = ({ openingStart, payoffEnd, parts }: PlantedStory): number =>
  parts.reduce(
    (sum, { need, start, end }) => (need === 'spare' ? sum - (end - start) : sum),
    payoffEnd - openingStart,
  )

/** Of the clip that holds most of a story. */
function resultOf(story: PlantedStory, clips: readonly ClipCandidate[]): Result {
  const held = ({ start, end }: ClipCandidate): number =>
    Math.min(end, story.payoffEnd) - Math.max(start, story.openingStart)
  const clip = clips.toSorted((a, b) => held(b) - held(a))[0]
  if (clip === undefined || held(clip) <= 0) return 'other'
  const cuts = (clip.leftOut ?? []).filter(
    ({ start, end }) => end > story.openingStart && start < story.payoffEnd,
  )
  const opens = clip.start <= story.openingStart + NEAR
  const ends = clip.end >= story.payoffEnd - NEAR
  if (cuts.length > 0) {
    const judged = judgeCut(story, cuts)
    if (judged === 'harmed') return 'harmed'
    return opens && ends ? judged : 'open'
  }
  if (opens === ends) return 'other'
  return opens ? 'docked' : 'beheaded'
}
