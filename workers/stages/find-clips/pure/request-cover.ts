/** PURE. How much of what was requested a run of sentences says in the requested words or close ones. */
import { prefixSums, sumBetween } from './numbers.ts'
import { nearness, type Steering } from './steering.ts'

/** The weight (see termWeights) of a word that occurs everywhere; from `RARE` more it counts in full. */
const EVERYWHERE = 0.3
const RARE = 1

/** 0 for words that occur all over the talk, such as articles of any language, 1 for rare ones. In short talks all count. */
export function createTellingMeter(idf: ReadonlyMap<string, number>): (stem: string) => number {
  let rarest = 0
  for (const weight of idf.values()) rarest = Math.max(rarest, weight)
  const span = Math.min(RARE, (rarest - EVERYWHERE) / 2)
  return (stem) =>
    span <= 0 ? 1 : Math.min(1, Math.max(0, ((idf.get(stem) ?? EVERYWHERE) - EVERYWHERE) / span))
}

interface RequestedWord {
  readonly word: string
  /** Sums over the sentences, one longer than these, of how surely each says it. */
  readonly said: Float64Array
  /** 1 for a word that the talk never says. */
  readonly weight: number
}

export interface Cover {
  /** 0 to 1: the share of the requested words that the sentences `from` to `to` say, the telling ones above all. */
  readonly share: (from: number, to: number) => number
  /** Those that they say, as they were requested. */
  readonly words: (from: number, to: number) => string[]
}

/** `stems`: of each sentence. */
export function createCover(
  stems: readonly (readonly string[])[],
  requested: Steering,
  idf: ReadonlyMap<string, number>,
): Cover {
  const wanted: RequestedWord[] = []
  const telling = createTellingMeter(idf)
  for (const [stem, weight] of requested.terms) {
    if (weight <= 0) continue
    const near = new Map<string, number>()
    let isSaid = false
    for (const spoken of idf.keys()) {
      const likeness = nearness(stem, spoken)
      isSaid ||= likeness > 0
      if (likeness * telling(spoken) > 0) near.set(spoken, likeness * telling(spoken))
    }
    wanted.push({
      word: requested.written.get(stem) ?? stem,
      said: prefixSums(
        stems.map((one) => one.reduce((most, spoken) => Math.max(most, near.get(spoken) ?? 0), 0)),
      ),
      weight: isSaid ? Math.max(0, ...near.values()) : 1,
    })
  }
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0)
  return {
    share: (from, to) =>
      total === 0
        ? 0
        : wanted.reduce(
            (sum, { said, weight }) => sum + weight * Math.min(1, sumBetween(said, from, to)),
            0,
          ) / total,
    words: (from, to) => wanted.filter(({ said }) => sumBetween(said, from, to) > 0).map(({ word }) => word),
  }
}
