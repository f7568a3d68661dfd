/** Plays a language model that answers questions about long stories as the writer of the talk marked them. */
import type { PlantedStory, Span, WrittenTalk } from '../bench/talks/read-talk.ts'

/** A sentence of the question, with its number. */
interface Numbered extends Span {
  readonly number: number
}

/** Reads the numbered sentences of a question and gives them the times of the talk, by their words. */
export function sentencesIn(question: string, talk: Pick<WrittenTalk, 'words'>): Numbered[] {
  const said = [...question.matchAll(/^(\d+) \[[\d:]+, [\d.]+ s\] (?:\p{Lu}[^:]{0,30}: )?(.+)$/gmu)]
  let at = 0
  return said.flatMap(([, number = '', text = '']) => {
    const words = text.split(' ').filter((word) => word !== '')
    const from = talk.words.findIndex(
      (_, index) => index >= at && words.every((word, place) => talk.words[index + place]?.word === word),
    )
    if (from < 0) return []
    at = from + words.length
    return [
      {
        number: Number(number),
        start: talk.words[from]?.start ?? 0,
        end: talk.words[at - 1]?.end ?? 0,
      },
    ]
  })
}

/** Middle of a sentence that lies in a part. */
const lies = (sentence: Span, part: Span): boolean => {
  const middle = (sentence.start + sentence.end) / 2
  return middle >= part.start && middle <= part.end
}

/** The marks of a story as an answer: no more is left out than has to be. Null where the sentences do not hold all of it. */
export function marksOf(story: PlantedStory, sentences: readonly Numbered[], limit: number) {
  const inside = sentences.filter((one) => lies(one, { start: story.openingStart, end: story.payoffEnd }))
  const [first] = inside
  const last = inside.at(-1)
  if (first === undefined || last === undefined) return null
  if (first.start > story.openingStart + 0.5 || last.end < story.payoffEnd - 0.5) return null
  const runs: { from: number; to: number; seconds: number }[] = []
  for (const sentence of inside) {
    if (!story.parts.some((part) => part.need === 'spare' && lies(sentence, part))) continue
    const before = runs.at(-1)
    const seconds = sentence.end - sentence.start
    if (before?.to === sentence.number - 1) {
      before.to = sentence.number
      before.seconds += seconds
    } else runs.push({ from: sentence.number, to: sentence.number, seconds })
  }
  const cuts: typeof runs = []
  let over = last.end - first.start - limit + 4
  for (const run of runs.toSorted((a, b) => b.seconds - a.seconds)) {
    if (over <= 0 || cuts.length === 3) break
    cuts.push(run)
    over -= run.seconds
  }
  const leaveOut = cuts.toSorted((a, b) => a.from - b.from).map(({ from, to }) => ({ from, to }))
  return { begins: first.number, ends: last.number, leave_out: leaveOut }
}

/** For the story of which the clip that is asked about holds most. */
export const answerAsMarked =
  (talk: WrittenTalk, limit: number) =>
  ({ user }: { readonly user: string }): { kind: 'text'; text: string } => {
    const sentences = sentencesIn(user, talk)
    const [, from = '0', to = '0'] = /holds the sentences (\d+) to (\d+) now/.exec(user) ?? []
    const clip = sentences.filter(({ number }) => number >= Number(from) && number <= Number(to))
    const held = ({ openingStart: start, payoffEnd: end }: PlantedStory): number =>
      clip.filter((one) => lies(one, { start, end })).length
    const story = talk.stories.toSorted((a, b) => held(b) - held(a))[0]
    const marks = story === undefined || held(story) === 0 ? null : marksOf(story, sentences, limit)
    const text = JSON.stringify(marks ?? { begins: 0, ends: 0, leave_out: [] })
    return { kind: 'text', text }
  }
