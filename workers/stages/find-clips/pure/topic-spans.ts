/**
 * PURE. The topics of a whole talk: the way to cut it whose parts are most of one vocabulary each (Utiyama & Isahara 2001,
 * "A statistical model for domain-independent text segmentation") and, where a model of meaning is installed, of one meaning.
 */
import type { Analysis } from './score-windows.ts'
import type { Sentence } from './sentences.ts'
import type { Stories } from './stories.ts'

type Talk = Pick<Analysis, 'sentences' | 'judged' | 'idf' | 'stories'>

/** Sentences `from` to before `to`. */
interface TopicSpan {
  readonly from: number
  readonly to: number
}

/** Of a topic on average, at least and at most; seconds. */
const USUAL_SECONDS = 210
const LEAST_SECONDS = 45
const MOST_SECONDS = 900
/** A talk that is shorter is one topic, which needs no name. */
const SHORTEST_TALK = 150
/** Words in more than about half of all passages say nothing of a topic: their weight is less. */
const RARE = 0.6
/** What meaning counts beside words. */
const MEANING = 6
/** What counts for a beginning: another speaker, seconds of pause, a phrase or question that opens, the edge of a story. */
const TURN = 1
const PAUSE = 0.8
const OPENING = 2
const STORY_EDGE = 3
/** What counts against it: a story that goes on there, a sentence that leans on the one before, as each of so few words does. */
const INSIDE_STORY = 12
const LEANING = 4
const FEW_WORDS = 5

/** Topics in order, from the first sentence to the last. `vectors`: one a sentence, or null. */
export function findTopicSpans(talk: Talk, vectors: readonly Float32Array[] | null): TopicSpan[] {
  const { sentences } = talk
  const first = sentences[0]
  const last = sentences.at(-1)
  if (first === undefined || last === undefined) return []
  const seconds = last.end - first.start
  if (seconds < SHORTEST_TALK) return []
  const costs = costsOf(talk, vectors)
  const wanted = Math.round(seconds / USUAL_SECONDS)
  // The price of a topic at which there are as many as usual.
  let low = -50
  let high = 400
  let best: TopicSpan[] = []
  for (let step = 0; step < 14; step += 1) {
    const price = (low + high) / 2
    const spans = cheapest(costs, price)
    if (Math.abs(spans.length - wanted) < Math.abs(best.length - wanted)) best = spans
    if (spans.length === wanted) break
    if (spans.length > wanted) low = price
    else high = price
  }
  return best
}

/** By first sentence: the cost of the topic of so many sentences that begins there; Infinity: it is too short or too long. */
type Costs = readonly (readonly number[])[]

function costsOf({ sentences, judged, idf, stories }: Talk, vectors: readonly Float32Array[] | null): Costs {
  const terms = judged.map(({ stems }) => new Set(stems.filter((term) => (idf.get(term) ?? 0) >= RARE)))
  const vocabulary = new Set(terms.flatMap((each) => [...each])).size
  return sentences.map(({ start }, from) => {
    const times = new Map<string, number>()
    const sum = new Float64Array(vectors?.[0]?.length ?? 0)
    const costs: number[] = []
    const begins = beginningOf(sentences, stories, from)
    let count = 0
    let repeats = 0
    let weight = 0
    let squared = 0
    for (let at = from; at < sentences.length; at += 1) {
      const seconds = (sentences[at]?.end ?? start) - start
      if (seconds > MOST_SECONDS && at > from) break
      for (const term of terms[at] ?? []) {
        const before = times.get(term) ?? 0
        times.set(term, before + 1)
        repeats += (before + 1) * Math.log(before + 2) - before * Math.log(before + 1)
        count += 1
      }
      const share = Math.sqrt(stories.facts[at]?.words ?? 0)
      const vector = vectors?.[at]
      if (vector !== undefined) {
        weight += share
        squared += addTo(sum, vector, share)
      }
      const isEnd = at === sentences.length - 1
      const words = count * Math.log(count + vocabulary) - repeats
      const meaning = MEANING * (weight - Math.sqrt(Math.max(0, squared)))
      costs.push(seconds < LEAST_SECONDS && !isEnd ? Infinity : words + meaning - begins)
    }
    return costs
  })
}

/** Adds a share of a vector; returns by how much the square of the sum's length grows. */
function addTo(sum: Float64Array, vector: Float32Array, share: number): number {
  let grows = 0
  for (let place = 0; place < sum.length; place += 1) {
    const before = sum[place] ?? 0
    const added = share * (vector[place] ?? 0)
    grows += added * (2 * before + added)
    sum[place] = before + added
  }
  return grows
}

function beginningOf(
  sentences: readonly Sentence[],
  { facts, odds }: Pick<Stories, 'facts' | 'odds'>,
  index: number,
): number {
  const here = facts[index]
  if (here === undefined) return 0
  const leans = here.leaning || here.reaction || here.words < FEW_WORDS || facts[index - 1]?.question === true
  return (
    (here.changes ? TURN : 0) +
    (here.opening || (here.changes && here.question) ? OPENING : 0) +
    PAUSE * Math.min(2, sentences[index]?.before ?? 0) +
    STORY_EDGE * ((odds.ends[index - 1] ?? 0) + (odds.begins[index] ?? 0)) -
    INSIDE_STORY * (odds.goesOn[index - 1] ?? 0) -
    (leans ? LEANING : 0)
  )
}

/** The cheapest way to cut the talk, where each topic costs `price` besides. */
function cheapest(costs: Costs, price: number): TopicSpan[] {
  const total = new Array<number>(costs.length + 1).fill(Infinity)
  const before = new Array<number>(costs.length + 1).fill(0)
  total[0] = 0
  costs.forEach((lengths, from) => {
    const here = (total[from] ?? Infinity) + price
    lengths.forEach((cost, more) => {
      const to = from + more + 1
      if (here + cost >= (total[to] ?? Infinity)) return
      total[to] = here + cost
      before[to] = from
    })
  })
  const spans: TopicSpan[] = []
  for (let to = costs.length; to > 0; to = before[to] ?? 0) spans.unshift({ from: before[to] ?? 0, to })
  return spans
}
